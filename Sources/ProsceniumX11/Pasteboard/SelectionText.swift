import FoundationEssentials
import ProsceniumPlatform

/// The names of plain text among the targets of a selection (ICCCM 2.6.2, and MIME types as all toolkits have them).
enum SelectionText {
  /// The targets that are asked for, the best first.
  ///
  /// Not `TEXT`: the owner would choose the encoding, and old ones choose `COMPOUND_TEXT`, which nothing here reads.
  static let wanted = ["UTF8_STRING", PasteboardItem.textType, "STRING", "text/plain"]

  /// The targets that are offered.
  static let offered = wanted + ["TEXT"]

  /// The targets that stand for a MIME type.
  static func targets(of type: String) -> [String] { type == PasteboardItem.textType ? wanted : [type] }

  /// The MIME type that a target stands for; nil for a target that is no form of the data (`TARGETS`, `DELETE`).
  static func type(of target: String) -> String? {
    if offered.contains(target) { return PasteboardItem.textType }
    return target.contains("/") ? target : nil
  }

  /// UTF-8 of a text whose owner gives no encoding, or gives it by the type `STRING` (ISO Latin-1, ICCCM 2.7.1).
  static func utf8(_ bytes: [UInt8], isLatin1: Bool) -> [UInt8] {
    if !isLatin1, String(validating: bytes, as: UTF8.self) != nil { return bytes }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        text.append(0xC0 | byte >> 6)
        text.append(0x80 | byte & 0x3F)
      }
    }
    return text
  }

  /// The text as ISO Latin-1; nil where it has other characters: no answer is better than a wrong one.
  static func latin1(_ data: Data) -> Data? {
    guard !data.contains(where: { $0 > 0xC3 }) else { return nil }
    var bytes: [UInt8] = []
    for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return Data(bytes)
  }
}
