/// How long a call may take, as far as the watchdog distinguishes calls.
enum CallPhase: Hashable, Sendable, CaseIterable {
  /// Launch callbacks: the launch's limit counts for them.
  case launch
  /// The return from an entry to the background.
  case background
  /// `applicationWillTerminate`.
  case termination
  /// An event or a frame, which has no limit and is not timed.
  case event
  /// Everything else.
  case update
}

/// A call into the program, as those see it who time calls.
struct CallDescription: Equatable {
  /// The method as the program spells it.
  var name: String
  /// The persistent identifier of the scene session that it is about.
  var scene: String?
  var phase: CallPhase

  init(_ name: String, scene: String? = nil, phase: CallPhase = .update) {
    self.name = name
    self.scene = scene
    self.phase = phase
  }
}

/// A call into the program: what is called, for whom, and what follows.
@MainActor protocol ProgramCall {
  /// What those see who time the call.
  var call: CallDescription { get }

  /// Calls the program; answers what follows from what it said.
  func perform(for application: Application) -> [FeatureAction]
}

/// Sees each call into the program begin and end; calls may be nested.
@MainActor protocol CallObserver: AnyObject {
  func callBegins(_ call: CallDescription)
  func callEnded()
}

/// A call of any kind; two are equal that call the same of the program for the same scene.
@MainActor struct AnyCall {
  let base: any ProgramCall

  init(_ base: some ProgramCall) { self.base = base }
}

extension AnyCall: @MainActor Equatable {
  static func == (left: AnyCall, right: AnyCall) -> Bool { left.base.call == right.base.call }
}
