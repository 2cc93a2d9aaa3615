/// The phases of calls that the watchdog distinguishes.
enum CallPhase: Hashable, Sendable, CaseIterable {
  /// Launch callbacks: the launch's limit counts for them.
  case launch
  /// The return from an entry to the background.
  case background
  /// `applicationWillTerminate`.
  case termination
  /// An event, a frame, a completion, or a block of the main queue.
  case event
  /// A question that may last as long as the user needs: it has no limit, and is not timed.
  case question
  /// All other calls.
  case update
}

/// The description of a call into the program, for the watchdog.
struct CallDescription: Hashable, Sendable {
  /// The method as the program spells it.
  var name: String
  /// The persistent identifier of the scene session of the call.
  var scene: String?
  var phase: CallPhase

  init(_ name: String, scene: String? = nil, phase: CallPhase = .update) {
    self.name = name
    self.scene = scene
    self.phase = phase
  }
}

/// A call into the program: the callback, its receiver, and the actions that follow.
@MainActor protocol ProgramCall {
  /// The description of the call for the watchdog.
  var call: CallDescription { get }

  /// Calls the program; returns the actions that follow from its answer.
  func perform(for application: Application) -> [FeatureAction]
}

/// A call from whose return nothing follows.
@MainActor protocol Notice: ProgramCall { func send(to application: Application) }

extension Notice {
  func perform(for application: Application) -> [FeatureAction] {
    send(to: application)
    return []
  }
}

/// A function that is called as it is: a completion of the program, or what a source of events has requested.
///
/// Prints as the one object that it is, because functions cannot be compared.
final class FunctionCall: Notice, Equatable, CustomStringConvertible {
  private let body: @MainActor () -> Void
  var call: CallDescription { CallDescription("completionHandler", phase: .event) }

  init(_ body: @escaping @MainActor () -> Void) { self.body = body }

  func send(to application: Application) { body() }

  nonisolated static func == (left: FunctionCall, right: FunctionCall) -> Bool { left === right }
  nonisolated var description: String { "FunctionCall(\(ObjectIdentifier(self)))" }
}

/// Observes the beginning and the end of each call into the program; calls may be nested.
@MainActor protocol CallObserver: AnyObject {
  func callBegins(_ call: CallDescription)
  func callEnded()
}

/// A call of any type; two are equal that print the same, with the values that they pass.
@MainActor struct AnyCall {
  let base: any ProgramCall

  init(_ base: some ProgramCall) { self.base = base }
}

extension AnyCall: @MainActor Equatable, @MainActor CustomStringConvertible {
  static func == (left: AnyCall, right: AnyCall) -> Bool {
    left.base.call == right.base.call && left.description == right.description
  }
  var description: String { "\(base)" }
}
