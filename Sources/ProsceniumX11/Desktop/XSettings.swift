/// The settings that an XSETTINGS manager hands to all programs (XSETTINGS, "Properties of the selection window").
///
/// Anybody can own the selection and write anything: what is cut off or says more than is there is no settings at all.
struct XSettings: Equatable {
  enum Value: Equatable {
    case integer(Int32)
    case text(String)
    /// Red, green, blue and alpha.
    case color([UInt16])
  }

  /// As many as any desktop has, several times over.
  private static let most = 4096

  private(set) var values: [String: Value] = [:]

  /// Reads the property's bytes; nil where they are not whole.
  init?(_ bytes: [UInt8]) {
    // CARD8 byte-order (0 LSBFirst, 1 MSBFirst), 3 unused, CARD32 serial, CARD32 number of settings.
    guard let order = bytes.first, order <= 1 else { return nil }
    var reader = Reader(bytes: bytes[...], isBigEndian: order == 1)
    guard reader.skip(8), let count = reader.number(4), count <= Self.most else { return nil }
    for _ in 0..<count {
      guard let (name, value) = reader.setting() else { return nil }
      values[name] = value
    }
  }

  func integer(_ name: String) -> Int32? { if case .integer(let number)? = values[name] { number } else { nil } }

  func text(_ name: String) -> String? { if case .text(let text)? = values[name] { text } else { nil } }

  private struct Reader {
    var bytes: ArraySlice<UInt8>
    let isBigEndian: Bool

    mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count >= 0, count <= bytes.count else { return nil }
      defer { bytes = bytes.dropFirst(count) }
      return bytes.prefix(count)
    }

    mutating func number(_ size: Int) -> Int? {
      guard let part = take(size) else { return nil }
      return isBigEndian ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Text, filled up to a multiple of four bytes; the last filling may be missing.
    mutating func text(_ count: Int) -> String? {
      guard let part = take(count) else { return nil }
      _ = take(min(-count & 3, bytes.count))
      return String(decoding: part, as: UTF8.self)
    }

    /// CARD8 type, 1 unused, CARD16 length of the name, the name, CARD32 serial of the last change, the value.
    mutating func setting() -> (String, Value)? {
      guard let type = number(1), skip(1), let length = number(2), let name = text(length), skip(4) else { return nil }
      switch type {
      case 0: return number(4).map { (name, .integer(Int32(truncatingIfNeeded: $0))) }
      case 1:
        guard let length = number(4), let text = text(length) else { return nil }
        return (name, .text(text))
      case 2:
        var parts: [UInt16] = []
        for _ in 0..<4 {
          guard let part = number(2) else { return nil }
          parts.append(UInt16(part))
        }
        return (name, .color(parts))
      case _: return nil
      }
    }
  }
}
