import ProsceniumJSON
import ProsceniumTrace

/// The modes of screens, asked for on request, and the program's choices among them, which hold while it is in the
/// foreground: see ``Screen/requestMode(_:completion:)``.
final class ScreenModesFeature: FeatureBase, Feature, WindowEventHandler {
  typealias Completion = @MainActor (Result<Void, ScreenModeError>) -> Void

  enum Message: Equatable {
    /// Asks the window system for the modes.
    case follow
    /// Calls a completion of the program.
    case finish(FunctionCall)
  }

  /// A command that the window system has not answered yet.
  private struct Request {
    let mode: ScreenMode
    let completion: Completion?
    /// The screen has been put back meanwhile, or was away: the answer says nothing of what it shows.
    var isPutBack = false
  }

  private var isFollowing = false
  /// What is known of each screen's modes.
  private var known: [String: [ScreenMode]] = [:]
  /// The program's choices, by the screens' names.
  private var choices: [String: ScreenMode] = [:]
  /// The screens for which the window system has been asked to show the choice.
  private var applied: Set<String> = []
  /// The choices that the screens show, and go on showing where a later one is refused.
  private var shown: [String: ScreenMode] = [:]
  /// The open requests of each screen, the oldest first: they are answered in their order.
  private var requests: [String: [Request]] = [:]

  override func join(_ lists: inout FeatureLists) {
    lists.handle(.surroundings, by: self)
    lists.observe(moments: .applicationStateSet, by: self)
  }

  /// The program wants to know the modes.
  func follow() {
    guard !isFollowing else { return }
    isFollowing = true
    if conductor.machine.phase.isLaunched { conductor.post(ScreenModesFeature.self, .follow) }
  }

  /// The program chooses a mode.
  func choose(_ mode: ScreenMode?, for screen: Screen, _ completion: Completion?) {
    func finish(_ result: Result<Void, ScreenModeError>) {
      if let completion { conductor.post(ScreenModesFeature.self, .finish(FunctionCall { completion(result) })) }
    }
    guard application.screens.contains(screen) else { return finish(.failure(.disconnected)) }
    guard let mode else {
      choices[screen.name] = nil
      conductor.perform(putBack(screen.name))
      return finish(.success(()))
    }
    guard application.applicationState != .background else { return finish(.failure(.inBackground)) }
    guard screen.availableModes.contains(mode) else { return finish(.failure(.unavailable)) }
    choices[screen.name] = mode
    conductor.perform(apply(screen.name, mode, completion))
  }

  private func apply(_ screen: String, _ mode: ScreenMode, _ completion: Completion?) -> [FeatureAction] {
    applied.insert(screen)
    requests[screen, default: []].append(Request(mode: mode, completion: completion))
    return [
      .command(.setScreenMode(mode, screen: screen)),
      .traceSystem("screenMode", ["screen": .string(screen), "chosen": .string(mode.inTrace)]),
    ]
  }

  private func putBack(_ screen: String) -> [FeatureAction] {
    guard applied.remove(screen) != nil else { return [] }
    forget(screen)
    return [
      .command(.setScreenMode(nil, screen: screen)),
      .traceSystem("screenMode", ["screen": .string(screen), "putBack": .bool(true)]),
    ]
  }

  /// Forgets what a screen shows, which is the mode of before the choices now, and what is still answered of them.
  private func forget(_ screen: String) {
    shown[screen] = nil
    for index in (requests[screen] ?? []).indices { requests[screen]?[index].isPutBack = true }
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    // A program that has asked before needs no answer for its launch.
    if case .started = moment, isFollowing { return [post(.follow)] }
    guard case .applicationStateSet = moment, !choices.isEmpty else { return [] }
    guard application.applicationState != .background else { return applied.sorted().flatMap(putBack) }
    return choices.sorted { $0.key < $1.key }.filter { !applied.contains($0.key) }
      .flatMap { apply($0.key, $0.value, nil) }
  }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    switch event {
    case .screens(let screens): changed(screens)
    case .screenMode(let error, let screen): answered(error, screen)
    default: []
    }
  }

  /// The screens are those of the list now.
  private func changed(_ screens: [ScreenDescription]) -> [FeatureAction] {
    guard isFollowing else { return [] }
    let names = Set(screens.map(\.name))
    // A screen that comes back begins anew.
    choices = choices.filter { names.contains($0.key) }
    let lost = applied.subtracting(names).sorted()
    applied.formIntersection(names)
    for screen in lost { forget(screen) }
    let before = known
    known = [:]
    for screen in screens { known[screen.name] = screen.modes?.available }
    let calls = application.screens.filter { known[$0.name] != nil && known[$0.name] != before[$0.name] }
      .map { FeatureAction.callAfterSettling(AvailableModesCall(screen: $0)) }
    return lost.map { .traceSystem("screenMode", ["screen": .string($0), "lost": .bool(true)]) } + calls
  }

  private func answered(_ error: ScreenModeError?, _ screen: String) -> [FeatureAction] {
    guard var open = requests[screen], !open.isEmpty else { return [] }
    let request = open.removeFirst()
    requests[screen] = open.isEmpty ? nil : open
    if !request.isPutBack, applied.contains(screen) {
      if error == nil {
        shown[screen] = request.mode
      } else if open.isEmpty {
        // That of an earlier request says nothing of the choice, also where both are of one mode.
        choices[screen] = shown[screen]
        if shown[screen] == nil { applied.remove(screen) }
      }
    }
    let line = FeatureAction.traceRequest(
      "screenMode", nil, error.map { "\($0)" } ?? "done",
      ["screen": .string(screen), "size": .string(request.mode.inTrace)])
    guard let completion = request.completion else { return [line] }
    return [line, .callAfterSettling(FunctionCall { completion(error.map { .failure($0) } ?? .success(())) })]
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .follow: [.command(.followScreenModes)]
    case .finish(let call): [.call(call)]
    }
  }
}

extension ScreenMode {
  /// The mode's size as the trace has it.
  fileprivate var inTrace: String { "\(size.width)x\(size.height)" }
}

/// The notification that the modes of a screen are others.
private struct AvailableModesCall: Notice {
  var screen: Screen
  var call: CallDescription { CallDescription("Screen notifications", phase: .event) }

  func send(to application: Application) { Screen.AvailableModesDidChangeMessage(screen: screen).post() }
}
