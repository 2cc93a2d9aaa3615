import ProsceniumPlatform

/// The input method of the machine in memory, whose engine lasts over processes.
@MainActor final class HeadlessInputMethodService: InputMethodService {
  private unowned let machine: HeadlessMachine
  private var engine: (@MainActor (Key) -> InputMethodAnswer)?
  private var isLookedFor = false
  /// Whether a callback of the program gives it a key at present.
  private var isAsked = false
  /// The text that has the focus, as far as the engine is told.
  private(set) var text: FocusedText?
  /// What the engine has been asked for, in order: `focus`, `update`, `reset`, `blur`, and the symbols of keys.
  private(set) var log: [String] = []
  /// The keys that have not been answered.
  private(set) var unanswered: [Int] = []

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// Another process begins, which has looked for nothing.
  func forgetProcess() { (isLookedFor, text, log, unanswered) = (false, nil, [], []) }

  func set(_ engine: (@MainActor (Key) -> InputMethodAnswer)?) {
    self.engine = engine
    unanswered = []
    if isLookedFor, machine.hasSource { machine.post(.inputMethod(.engine(isThere: engine != nil))) }
  }

  func say(_ event: InputMethodEvent) {
    guard machine.hasSource else { return }
    if isAsked { machine.postLater(.inputMethod(event)) } else { machine.post(.inputMethod(event)) }
  }

  // MARK: The program's side

  func focus(_ text: FocusedText?) {
    self.text = text
    log.append(text == nil ? "blur" : "focus")
    guard text != nil, !isLookedFor else { return }
    isLookedFor = true
    if engine != nil { machine.postLater(.inputMethod(.engine(isThere: true))) }
  }

  func update(_ text: FocusedText) {
    self.text = text
    log.append("update")
  }

  var isForgetting: Bool { false }

  func reset() { log.append("reset") }

  func process(_ key: Key, time: UInt32, number: Int) {
    log.append("\(key.isDown ? "" : "-")\(key.symbol)")
    unanswered.append(number)
    isAsked = true
    defer { isAsked = false }
    switch engine?(key) ?? .passes {
    case .takes: answer(number, isHandled: true)
    case .passes: answer(number, isHandled: false)
    case .hangs: break
    }
  }

  func answer(_ number: Int, isHandled: Bool) {
    unanswered.removeAll { $0 == number }
    say(.answer(number, isHandled: isHandled))
  }
}
