/// Finds elements in a text of XML, without making another text of it.
///
/// A text whose tags do not match, or that ends within one, is refused: it may be half of a file.
enum XMLScanner {
  struct Element {
    /// From `<` of the start tag to `>` of the end tag.
    var range: Range<String.Index>
    /// The start tag.
    var open: Range<String.Index>
    /// The end tag; nil for an empty element.
    var close: Range<String.Index>?
    /// The attributes as they are written, quotes included.
    var rawAttributes: [(name: String, value: String)]

    /// The attributes' values.
    var attributes: [String: String] {
      var values: [String: String] = [:]
      for (name, value) in rawAttributes { values[name] = XMLScanner.unescaped(value.dropFirst().dropLast()) }
      return values
    }
  }

  private static let deepest = 200

  /// The elements of a name, in the order of their beginnings; elements within those of the same name too.
  /// - Parameters:
  ///   - text: The text: a document, or one element.
  ///   - name: The name as it is written, prefix included.
  ///   - isDocument: Whether it has to be the root.
  /// - Returns: The elements.
  /// - Throws: `Malformed` where the tags do not match.
  static func elements(
    of text: String, named name: String, isDocument: Bool = false
  ) throws(RecentBookmarks.Malformed) -> [Element] {
    var found: [Element] = []
    var open: [(name: Substring, found: Int?)] = []
    var position = text.startIndex
    var rootCount = 0
    // By scalars: a sign of XML may be the beginning of a character with what follows it.
    let scalars = text.unicodeScalars
    while let start = scalars[position...].firstIndex(of: "<") {
      let rest = scalars[start...]
      if rest.hasPrefix("<!--") {
        position = try end(of: "-->", in: rest)
      } else if rest.hasPrefix("<![CDATA[") {
        position = try end(of: "]]>", in: rest)
      } else if rest.hasPrefix("<?") {
        position = try end(of: "?>", in: rest)
      } else if rest.hasPrefix("<!") {
        position = try end(of: ">", in: rest)
      } else if rest.hasPrefix("</") {
        position = try end(of: ">", in: rest)
        let closed = rest[scalars.index(start, offsetBy: 2)..<scalars.index(before: position)].prefix { !$0.isSpace }
        guard let last = open.popLast(), last.name == Substring(closed) else { throw RecentBookmarks.Malformed() }
        if let index = last.found {
          found[index].close = start..<position
          found[index].range = found[index].open.lowerBound..<position
        }
      } else {
        let tag = try self.tag(rest)
        position = tag.end
        if open.isEmpty { rootCount += 1 }
        if isDocument, open.isEmpty, tag.name != name { throw RecentBookmarks.Malformed() }
        var index: Int?
        if tag.name == name, !isDocument || open.isEmpty {
          index = found.count
          found.append(
            Element(range: start..<position, open: start..<position, close: nil, rawAttributes: tag.attributes))
        }
        if !tag.isEmpty {
          open.append((tag.name, index))
          guard open.count <= deepest else { throw RecentBookmarks.Malformed() }
        }
      }
    }
    guard open.isEmpty, !isDocument || rootCount == 1 else { throw RecentBookmarks.Malformed() }
    return found
  }

  private static func end(
    of mark: String, in text: Substring.UnicodeScalarView
  ) throws(RecentBookmarks.Malformed) -> String.Index {
    var position = text.startIndex
    while position < text.endIndex {
      if text[position...].hasPrefix(mark) { return text.index(position, offsetBy: mark.unicodeScalars.count) }
      position = text.index(after: position)
    }
    throw RecentBookmarks.Malformed()
  }

  private typealias Tag = (
    name: Substring, attributes: [(name: String, value: String)], isEmpty: Bool, end: String.Index
  )

  /// A start tag, or that of an empty element.
  private static func tag(_ text: Substring.UnicodeScalarView) throws(RecentBookmarks.Malformed) -> Tag {
    func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
      !scalar.isSpace && ![UnicodeScalar("<"), ">", "/", "=", "\"", "'"].contains(scalar)
    }
    var rest = text.dropFirst()
    let name = rest.prefix(while: isPartOfName)
    guard !name.isEmpty else { throw RecentBookmarks.Malformed() }
    rest = rest[name.endIndex...]
    var attributes: [(name: String, value: String)] = []
    while true {
      rest = rest.drop(while: \.isSpace)
      if rest.hasPrefix("/>") { return (Substring(name), attributes, true, rest.index(rest.startIndex, offsetBy: 2)) }
      if rest.hasPrefix(">") { return (Substring(name), attributes, false, rest.index(after: rest.startIndex)) }
      let attribute = rest.prefix(while: isPartOfName)
      rest = rest[attribute.endIndex...].drop(while: \.isSpace)
      guard !attribute.isEmpty, rest.first == "=" else { throw RecentBookmarks.Malformed() }
      rest = rest.dropFirst().drop(while: \.isSpace)
      guard let quote = rest.first, quote == "\"" || quote == "'", let close = rest.dropFirst().firstIndex(of: quote)
      else { throw RecentBookmarks.Malformed() }
      let value = rest[rest.startIndex...close]
      guard !value.contains("<") else { throw RecentBookmarks.Malformed() }
      attributes.append((String(attribute), String(value)))
      rest = rest[rest.index(after: close)...]
    }
  }

  /// The text of an attribute; a reference that XML does not have stays as it is.
  static func unescaped(_ text: Substring) -> String {
    let names: [Substring: String] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    var result = ""
    var rest = text.unicodeScalars
    while let start = rest.firstIndex(of: "&") {
      result.unicodeScalars += rest[..<start]
      rest = rest[start...]
      guard let end = rest.firstIndex(of: ";") else { break }
      let name = Substring(rest[rest.index(after: start)..<end])
      var value = names[name]
      if name.hasPrefix("#x"), let code = UInt32(name.dropFirst(2), radix: 16) {
        value = Unicode.Scalar(code).map { String($0) }
      } else if name.hasPrefix("#"), let code = UInt32(name.dropFirst()) {
        value = Unicode.Scalar(code).map { String($0) }
      }
      result.unicodeScalars += value?.unicodeScalars[...] ?? rest[start...end][...]
      rest = rest[rest.index(after: end)...]
    }
    result.unicodeScalars += rest
    return result
  }
}

extension Substring.UnicodeScalarView {
  fileprivate func hasPrefix(_ text: String) -> Bool { starts(with: text.unicodeScalars) }
}

extension Unicode.Scalar {
  /// White space of XML.
  fileprivate var isSpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
}
