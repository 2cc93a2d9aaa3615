/// A text of an engine, whose places are Unicode scalars or bytes of UTF-8.
package struct EngineText {
  /// The longest text that is composed; a longer one is cut off.
  package static let most = 4096

  package let text: String
  private let scalars: String.UnicodeScalarView

  package init(_ text: String) {
    // A text without a limit would be laid out with each key.
    self.text = text.unicodeScalars.count > Self.most ? String(text.unicodeScalars.prefix(Self.most)) : text
    scalars = self.text.unicodeScalars
  }

  /// The number of characters before a number of scalars; a place within a character counts as its start.
  package func characters(scalars count: Int) -> Int {
    let place = scalars.index(scalars.startIndex, offsetBy: max(0, count), limitedBy: scalars.endIndex)
    return characters(before: place ?? scalars.endIndex)
  }

  /// The number of characters before a number of bytes; a place within a character counts as its start.
  package func characters(bytes count: Int) -> Int {
    let bytes = text.utf8
    let place = bytes.index(bytes.startIndex, offsetBy: max(0, count), limitedBy: bytes.endIndex)
    return characters(before: place ?? bytes.endIndex)
  }

  private func characters(before place: String.Index) -> Int {
    var (count, index) = (0, text.startIndex)
    while index < text.endIndex, case let next = text.index(after: index), next <= place {
      (count, index) = (count + 1, next)
    }
    return count
  }
}
