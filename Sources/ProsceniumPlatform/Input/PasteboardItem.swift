public import FoundationEssentials

/// The places that hold copied data.
package enum PasteboardName: Hashable, Sendable, CaseIterable {
  /// The data that the user copied (`CLIPBOARD`).
  case general
  /// The data that the user selected last (`PRIMARY`).
  case primary
  /// What the user drags (`XdndSelection`).
  case drag
}

/// One representation of copied data.
public struct PasteboardItem: Hashable, Sendable {
  /// The MIME type of plain text; other programs' own names for it (`UTF8_STRING`, `STRING`) are translated.
  public static let textType = "text/plain;charset=utf-8"

  /// A MIME type: `text/plain;charset=utf-8`, `image/png`.
  public var type: String
  /// The bytes, in the format of the type.
  public var data: Data

  /// Makes a representation of a type and its bytes.
  /// - Parameters:
  ///   - type: The MIME type.
  ///   - data: The bytes.
  public init(type: String, data: Data) {
    self.type = type
    self.data = data
  }

  /// Makes plain text.
  /// - Parameter text: The text.
  public init(text: String) { self.init(type: Self.textType, data: Data(text.utf8)) }
}
