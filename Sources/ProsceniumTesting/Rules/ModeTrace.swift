import ProsceniumTrace

/// The modes of screens that a program has chosen, as its trace says it.
struct ModeTrace {
  /// The values of facts, by kind and name.
  private(set) var facts: [String: TraceRecord.Fact.Value]
  /// What breaks the rule.
  private(set) var failures: [String] = []

  /// The beginning of the key of a screen whose mode is chosen: a true flag, or a false one where the window system may
  /// have refused it, so that it need not be put back.
  private static let chosen = "screenMode "
  /// The beginning of the key of a screen that shows a choice, which it goes on showing where a later one is refused.
  private static let shown = "shownMode "
  /// The beginning of the key of a screen's open requests: a letter for each of them, the oldest first.
  private static let open = "openModes "
  /// An open request whose answer counts, and one before whose answer the screen was put back.
  private static let waiting: Character = "w"
  private static let putBack: Character = "p"

  init(facts: [String: TraceRecord.Fact.Value]) { self.facts = facts }

  /// The program chooses a mode.
  mutating func choose(_ screen: String, isAway: Bool) {
    if isAway { failures.append("a mode of \(screen) is chosen in the background") }
    facts[Self.chosen + screen] = .flag(true)
    changeOpen(screen) { $0.append(Self.waiting) }
  }

  /// The screen shows again what it showed before.
  mutating func putBack(_ screen: String) {
    if facts[Self.chosen + screen] == nil { failures.append("\(screen) is put back, and has no other mode") }
    forget(screen)
  }

  /// The screen is gone, or put back.
  mutating func forget(_ screen: String) {
    (facts[Self.chosen + screen], facts[Self.shown + screen]) = (nil, nil)
    changeOpen(screen) { $0 = String(repeating: Self.putBack, count: $0.count) }
  }

  /// The window system has answered a choice.
  mutating func answer(_ screen: String, isDone: Bool) {
    let request = changeOpen(screen) { $0.isEmpty ? nil : $0.removeFirst() }
    guard request != Self.putBack, facts[Self.chosen + screen] != nil else { return }
    if isDone {
      // An earlier one may have been refused.
      (facts[Self.chosen + screen], facts[Self.shown + screen]) = (.flag(true), .flag(true))
    } else if facts[Self.shown + screen] == nil {
      // A later choice may stand.
      facts[Self.chosen + screen] = .flag(false)
    }
  }

  /// The program has been in the background, where it has put back all modes.
  mutating func end() {
    for key in facts.keys.filter({ $0.hasPrefix(Self.chosen) }).sorted() {
      let screen = String(key.dropFirst(Self.chosen.count))
      if facts[key] == .flag(true) { failures.append("the mode of \(screen) has not been put back") }
      forget(screen)
    }
  }

  private mutating func changeOpen<Result>(_ screen: String, _ body: (inout String) -> Result) -> Result {
    var requests = ""
    if case .text(let text) = facts[Self.open + screen] { requests = text }
    let result = body(&requests)
    facts[Self.open + screen] = requests.isEmpty ? nil : .text(requests)
    return result
  }
}
