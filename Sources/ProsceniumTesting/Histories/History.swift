/// The steps of a program's life from its first launch on: written as text, or made from a seed.
///
/// ```swift
/// try History("launch; new; focus 1; lock; wait 250; unlock; terminate")
/// ```
/// As text it is one line, which a test can have pasted in.
public struct History: Hashable, Sendable, CustomStringConvertible {
  /// The steps, in order.
  public var steps: [HistoryStep]

  /// Makes a history.
  /// - Parameter steps: The steps, in order.
  public init(_ steps: [HistoryStep]) { self.steps = steps }

  /// A history from its text.
  /// - Parameter text: Steps, with semicolons between them; see ``HistoryStep``.
  /// - Throws: ``HistoryError`` for the first step that is none.
  public init(_ text: String) throws(HistoryError) {
    var steps: [HistoryStep] = []
    for part in text.split(separator: ";") where part.contains(where: { !$0.isWhitespace }) {
      steps.append(try HistoryStep(part.split(whereSeparator: \.isWhitespace).joined(separator: " ")))
    }
    self.steps = steps
  }

  /// The history as text.
  public var description: String { steps.map(\.description).joined(separator: "; ") }

  /// A random history: mostly usual actions of users and desktops, sometimes unusual ones.
  /// - Parameters:
  ///   - seed: The same history for the same seed, in this version of the package.
  ///   - length: How many steps, or up to two more: most ends are followed by a wait and another launch.
  /// - Returns: A history that begins with a launch.
  public static func random(seed: UInt64, length: Int) -> History {
    var random = SeededGenerator(seed: seed)
    var steps = [HistoryStep(Int.random(in: 0..<12, using: &random) == 0 ? .launchQuietly : .launch)]
    while steps.count < length {
      let step = step(&random)
      steps.append(step)
      // Nothing happens to a program that does not run.
      let ends = step.callback == nil && endings.contains(step.verb)
      if ends, Int.random(in: 0..<4, using: &random) > 0 { steps += [HistoryStep(.wait, 6000), HistoryStep(.launch)] }
    }
    return History(steps)
  }

  // MARK: Dice

  private static let callbacks = [
    "willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions", "configurationForConnecting", "sceneWillConnect",
    "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive", "sceneDidEnterBackground",
    "sceneDidDisconnect", "didDiscardSceneSessions", "sceneShouldClose", "applicationShouldTerminate",
    "applicationWillTerminate", "applicationDidEnterBackground", "applicationDidBecomeActive",
    "applicationWillResignActive", "applicationWillEnterForeground", "openURLContexts", "continueUserActivity",
    "stateRestorationActivity", "restoreInteractionState", "applicationProtectedDataWillBecomeUnavailable",
    "didReceiveSecondLaunch", "backgroundTaskExpires",
  ]
  /// Each as often as it happens beside the others.
  private static let verbs: [HistoryStep.Verb] = [
    often(12, .focus), often(10, .launch), often(6, .minimize, .restore, .new),
    often(4, .unfocus, .close, .activate, .disconnect, .lock, .unlock),
    often(3, .hide, .show, .discard, .open, .panel),
    often(
      2, .grab, .ungrab, .press, .move, .interrupt, .resume, .refresh, .change, .extend, .complete, .task, .endTask,
      .sleep, .wakeUp, .openQuietly, .shortcut, .startAgain, .handOver, .send, .workspace, .continueActivity,
      .answerYes, .answerNo, .replyYes, .replyNo, .managerChanges, .managerSettles),
    often(
      1, .handOverBadly, .switchAway, .switchBack, .stick, .showDesktop, .hideDesktop, .monitors, .maximize,
      .unmaximize, .fullScreen, .leaveFullScreen, .shutdown, .cancelShutdown, .saver, .noSaver, .memory, .critical,
      .clock, .midnight, .zone, .sessionSave, .sessionQuery, .sessionCancel, .managerGone, .loseWindow,
      .deafManager, .obedientManager, .slowWindows, .quickWindows, .fullDisk, .diskWorks, .launchQuietly,
      .terminate, .signal, .sessionEnd, .loseDisplay, .kill, .crash, .powerCut),
  ].flatMap(\.self)
  private static let times = [1, 10, 49, 50, 51, 99, 100, 101, 250, 400, 1000, 1500, 3000, 6000, 6000, 12_000, 31_000]

  private static func often(_ count: Int, _ verbs: HistoryStep.Verb...) -> [HistoryStep.Verb] {
    verbs.flatMap { Array(repeating: $0, count: count) }
  }

  private static let endings: Set<HistoryStep.Verb> = [
    .terminate, .signal, .sessionEnd, .loseDisplay, .kill, .crash, .powerCut,
  ]

  private static func step(_ random: inout SeededGenerator) -> HistoryStep {
    switch Int.random(in: 0..<20, using: &random) {
    // A session in whose connection the program crashes twice is held back.
    case 19 where Int.random(in: 0..<3, using: &random) == 0: return HistoryStep(.crash, at: "sceneWillConnect")
    case 0..<5: return HistoryStep(.wait, pick(times, &random))
    case 5..<7:
      let verb = Int.random(in: 0..<30, using: &random) == 0 ? .kill : pick(HistoryStep.Verb.requests, &random)
      return HistoryStep(verb, number(verb, &random), at: pick(callbacks, &random))
    default:
      let verb = pick(verbs, &random)
      return HistoryStep(verb, number(verb, &random))
    }
  }

  private static func number(_ verb: HistoryStep.Verb, _ random: inout SeededGenerator) -> Int? {
    switch verb.number {
    case .scene: Int.random(in: 1...3, using: &random)
    case .time: pick(times, &random)
    case .seed: Int.random(in: 0..<1000, using: &random)
    case .count: Int.random(in: 0...2, using: &random)
    case nil: nil
    }
  }

  private static func pick<Element>(_ elements: [Element], _ random: inout SeededGenerator) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }
}
