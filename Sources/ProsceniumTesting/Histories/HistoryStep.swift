/// One thing that happens in a ``History``: `focus 1`, `lock`, `wait 250`, `at sceneDidBecomeActive discard 1`.
///
/// Scenes are numbered from 1 in the order in which their sessions appeared, those that are gone left out. A step that
/// makes no sense when its turn comes does nothing: a program gets such requests too.
public struct HistoryStep: Hashable, Sendable, CustomStringConvertible {
  /// What happens.
  public enum Verb: String, Hashable, Sendable, CaseIterable {
    // The user and the window manager.
    case launch, focus, unfocus, minimize, restore, maximize, unmaximize, close, move, press, grab, ungrab
    /// A window is sent to a workspace that is not seen; to all of them; a workspace is gone to.
    case send, stick, workspace
    case showDesktop = "show-desktop"
    case hideDesktop = "hide-desktop"
    /// So many monitors are there, side by side, the last one on the left.
    case monitors
    case launchQuietly = "launch-quietly"
    // Other programs.
    case open, shortcut
    case openQuietly = "open-quietly"
    case startAgain = "start-again"
    case handOver = "hand-over"
    case handOverBadly = "hand-over-badly"
    // The machine.
    case lock, unlock, sleep, shutdown, memory, critical, clock, midnight, zone, saver
    case cancelShutdown = "cancel-shutdown"
    case wakeUp = "wake-up"
    case switchAway = "switch-away"
    case switchBack = "switch-back"
    case noSaver = "no-saver"
    case sessionSave = "session-save"
    case sessionQuery = "session-query"
    case sessionCancel = "session-cancel"
    // The program asks, from outside of callbacks or, with `at`, from within one.
    case new, activate, discard, disconnect, refresh, hide, show, panel, interrupt, resume, change, extend, complete
    case terminate, task
    case fullScreen = "full-screen"
    case leaveFullScreen = "leave-full-screen"
    case continueActivity = "continue"
    case answerYes = "answer-yes"
    case answerNo = "answer-no"
    case replyYes = "reply-yes"
    case replyNo = "reply-no"
    case endTask = "end-task"
    // Faults and ends.
    case signal, kill
    /// The process ends by its own doing, which counts against a session within whose connection it does.
    case crash
    case sessionEnd = "session-end"
    case loseDisplay = "lose-display"
    case loseWindow = "lose-window"
    case managerGone = "manager-gone"
    case managerChanges = "manager-changes"
    case managerSettles = "manager-settles"
    case deafManager = "deaf-manager"
    case obedientManager = "obedient-manager"
    case slowWindows = "slow-windows"
    case quickWindows = "quick-windows"
    case fullDisk = "full-disk"
    case diskWorks = "disk-works"
    case powerCut = "power-cut"
    // Time.
    case wait

    /// What the number of a step stands for; nil where it has none.
    public enum Number: Hashable, Sendable {
      /// A scene.
      case scene
      /// Milliseconds.
      case time
      /// What decides how much of the unsynced content of a disk survives.
      case seed
      /// A workspace, counted from 0, or how many monitors there are.
      case count
    }

    /// What the number of such a step is.
    public var number: Number? {
      switch self {
      case .focus, .minimize, .restore, .maximize, .unmaximize, .close, .move, .press, .send, .stick, .activate,
        .discard, .disconnect, .refresh, .hide, .show, .panel, .interrupt, .resume, .change, .extend, .complete,
        .fullScreen, .leaveFullScreen, .continueActivity, .answerYes, .answerNo, .loseWindow:
        .scene
      case .workspace, .monitors: .count
      case .wait: .time
      case .powerCut: .seed
      default: nil
      }
    }

    /// Whether the program asks for it itself.
    public var isRequest: Bool { Self.requests.contains(self) }
    /// Whether it can happen within a callback.
    public var mayBeWithinCallback: Bool { isRequest || self == .kill || self == .crash }

    static let requests: [Verb] = [
      .new, .activate, .discard, .disconnect, .refresh, .hide, .show, .panel, .interrupt, .resume, .change, .extend,
      .complete, .fullScreen, .leaveFullScreen, .continueActivity, .terminate, .answerYes, .answerNo, .replyYes,
      .replyNo, .task, .endTask,
    ]
  }

  /// What happens.
  public var verb: Verb
  /// The scene, the milliseconds, the seed, the workspace or how many.
  public var number: Int?
  /// The callback, by its name in the trace, within which the program asks for it, once.
  public var callback: String?

  /// Makes a step.
  /// - Parameters:
  ///   - verb: What happens.
  ///   - number: The scene, the milliseconds, the seed, the workspace or the count, as ``Verb/number`` says.
  ///   - callback: The callback, by its name in the trace, within which it happens, once; nil for between callbacks.
  public init(_ verb: Verb, _ number: Int? = nil, at callback: String? = nil) {
    self.verb = verb
    self.number = number
    self.callback = callback
  }

  /// A step from its text.
  /// - Parameter text: The text, as ``description`` gives it.
  /// - Throws: ``HistoryError`` where it is none.
  public init(_ text: String) throws(HistoryError) {
    var words = text.split(separator: " ").map(String.init)
    let source = words.joined(separator: " ")
    if words.count > 2, words[0] == "at" {
      callback = words[1]
      words.removeFirst(2)
    }
    guard let word = words.first, let verb = Verb(rawValue: word) else {
      throw HistoryError(step: source, reason: "there is no such step")
    }
    if callback != nil, !verb.mayBeWithinCallback {
      throw HistoryError(step: source, reason: "it cannot happen within a callback")
    }
    self.verb = verb
    number = words.count == 2 ? Int(words[1]).flatMap { $0 >= 0 ? $0 : nil } : nil
    guard words.count == (verb.number == nil ? 1 : 2), (number == nil) == (verb.number == nil) else {
      let need = verb.number == nil ? "no number" : "a number"
      throw HistoryError(step: source, reason: "\(word) has \(need)")
    }
  }

  /// The step as text.
  public var description: String {
    (callback.map { "at \($0) " } ?? "") + verb.rawValue + (number.map { " \($0)" } ?? "")
  }
}

/// A text is no ``History``.
public struct HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The step.
  public var step: String
  /// The reason why it is no step.
  public var reason: String

  /// The step and the reason, in a sentence.
  public var description: String { "\"\(step)\" is no step of a history: \(reason)." }
}
