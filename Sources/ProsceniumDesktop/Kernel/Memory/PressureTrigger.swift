/// What the kernel is asked to tell: a stall of so many microseconds within so many (Linux, Documentation/accounting/psi.rst).
struct PressureTrigger: Hashable, Sendable {
  /// Which line of a pressure file is meant.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Somebody waited for memory.
    case some
    /// Everybody did.
    case full
  }

  var kind: Kind
  var stall: UInt64
  var window: UInt64

  /// 7.5 % of two seconds: a process without privileges may only ask for windows of whole two seconds.
  static let usual = PressureTrigger(kind: .some, stall: 150_000, window: 2_000_000)

  init(kind: Kind, stall: UInt64, window: UInt64) {
    self.kind = kind
    self.stall = stall
    self.window = window
  }

  /// What a service manager asks for with `$MEMORY_PRESSURE_WRITE`; nil where it is something else.
  init?(bytes: [UInt8]) {
    let words = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let kind = Kind(rawValue: String(words[0])), let stall = UInt64(words[1]),
      let window = UInt64(words[2])
    else { return nil }
    self.init(kind: kind, stall: stall, window: window)
  }

  /// What is written; without the NUL at its end the kernel takes the last digit for one.
  var bytes: [UInt8] { Array("\(kind.rawValue) \(stall) \(window)".utf8) + [0] }

  /// How many microseconds a pressure file says that somebody has waited since the kernel's start; nil where it says nothing.
  func total(in text: String) -> UInt64? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.first == kind.rawValue[...] else { continue }
      return words.dropFirst().lazy.filter { $0.hasPrefix("total=") }.compactMap { UInt64($0.dropFirst(6)) }.first
    }
    return nil
  }
}

/// Tells true alarms from false ones.
///
/// A trigger of a process without privileges goes off once at the first stall after it was set, however short that was:
/// an alarm counts where the file's own total has grown by the stall that was asked for since it was last read.
struct StallMeter: Hashable, Sendable {
  let trigger: PressureTrigger
  private var total: UInt64?

  init(_ trigger: PressureTrigger, text: String) {
    self.trigger = trigger
    total = trigger.total(in: text)
  }

  /// Whether an alarm is to be believed, by what the file says now.
  mutating func believes(_ text: String) -> Bool {
    let before = total
    total = trigger.total(in: text) ?? before
    guard let before, let total else { return true }
    return total >= before && total - before >= trigger.stall
  }
}
