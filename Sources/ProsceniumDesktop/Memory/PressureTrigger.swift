/// A trigger of a pressure file: a stall of some microseconds within a window (Linux,
/// Documentation/accounting/psi.rst).
struct PressureTrigger: Hashable, Sendable {
  /// The line of a pressure file.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// At least one task waits for memory.
    case some
    /// All tasks wait for memory.
    case full
  }

  var kind: Kind
  /// In microseconds.
  var stall: UInt64
  /// In microseconds.
  var window: UInt64

  /// 7.5 % of two seconds: a process without privileges may only use windows of a multiple of two seconds.
  static let usual = PressureTrigger(kind: .some, stall: 150_000, window: 2_000_000)

  /// The bytes to write.
  ///
  /// The zero at the end is needed, because the kernel drops the last byte.
  var bytes: [UInt8] { Array("\(kind.rawValue) \(stall) \(window)".utf8) + [0] }

  /// The total stall in microseconds since the kernel was started, from the text of a pressure file; nil where there is
  /// none.
  func total(in text: String) -> UInt64? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.first == kind.rawValue[...] else { continue }
      return words.dropFirst().lazy.filter { $0.hasPrefix("total=") }.compactMap { UInt64($0.dropFirst(6)) }.first
    }
    return nil
  }
}

extension PressureTrigger {
  /// Reads the trigger of a service manager, from `$MEMORY_PRESSURE_WRITE`; nil where it has another form.
  init?(bytes: [UInt8]) {
    let words = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let kind = Kind(rawValue: String(words[0])), let stall = UInt64(words[1]),
      let window = UInt64(words[2])
    else { return nil }
    self.init(kind: kind, stall: stall, window: window)
  }
}

/// Tells true alarms of a trigger from false ones.
///
/// A trigger of a process without privileges goes off once at the first stall after it was set, however short that was.
/// An alarm counts where the file's total has grown by the trigger's stall since it was read last.
struct StallMeter: Hashable, Sendable {
  let trigger: PressureTrigger
  private var total: UInt64?

  init(_ trigger: PressureTrigger, text: String) {
    self.trigger = trigger
    total = trigger.total(in: text)
  }

  /// Whether an alarm counts, by the present text of the file.
  mutating func believes(_ text: String) -> Bool {
    let before = total
    total = trigger.total(in: text) ?? before
    guard let before, let total else { return true }
    return total >= before && total - before >= trigger.stall
  }
}
