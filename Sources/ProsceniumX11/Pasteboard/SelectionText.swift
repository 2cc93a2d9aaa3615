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
    return Array(String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) })).utf8)
  }

  /// The text as ISO Latin-1; nil where it has other characters: no answer is better than a wrong one.
  static func latin1(_ data: Data) -> Data? {
    guard !data.contains(where: { $0 > 0xC3 }) else { return nil }
    return Hints.latin1(String(decoding: data, as: UTF8.self)).map { Data($0) }
  }
}

/// A question to another owner, named by the window that it is asked from.
///
/// Each has a window of its own, so that a late answer to one is not mistaken for another's.
struct SelectionRead {
  enum Phase {
    /// Waits for the SelectionNotify.
    case asking
    /// Waits for the property's value.
    case fetching
    /// Waits for the next piece to be written (ICCCM 2.7.2).
    case waiting
  }
  var pasteboard: PasteboardName
  /// The types that are wanted, the best first; nil where the question is which there are.
  var wanted: [String]?
  /// Called with the item, or with the types.
  var completion: @MainActor (PasteboardItem?, [String]) -> Void
  var phase = Phase.asking
  /// The targets to ask for after the present one; nil while that is `TARGETS`.
  var candidates: [(type: String, target: UInt32)]?
  var current: (type: String, target: UInt32)?
  var isIncremental = false
  /// The pieces that have come, of an answer in pieces.
  var value = PropertyValue(type: 0, bytes: [])
}

/// A large answer on its way to another client, piece by piece (ICCCM 2.7.2).
struct SelectionDelivery {
  var data: Data
  var type: UInt32
  var offset = 0
}

/// The data of a pasteboard that the program owns.
struct OwnedSelection {
  var items: [PasteboardItem]
  /// When the program became the owner; 0 until the server has reported its time.
  var time: UInt32 = 0
  /// The number of the claim; answers to older ones are dropped.
  var number: Int
}

/// Another client's request for the program's items (X protocol, SelectionRequest; ICCCM 2.2).
struct SelectionRequest: Hashable, Sendable {
  var time: UInt32
  var owner: UInt32
  var requestor: UInt32
  var selection: UInt32
  var target: UInt32
  /// The property for the answer; 0 from clients older than the ICCCM, which mean the target's name.
  var property: UInt32
}

/// The property of another client's window that an answer is written to.
package struct TransferPlace: Hashable {
  var requestor: UInt32
  var property: UInt32
}
