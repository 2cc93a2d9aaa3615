import ProsceniumJSON

/// Decodes the text of a trace, in pieces of any length.
///
/// A trace may have been cut at any byte: a program that is killed does not finish its last line. Behind the last end
/// of a line a whole line is decoded and a cut one left out; every other line that is no line of a trace is
/// ``Item/rubbish(number:text:)``. Blank lines are skipped.
package struct TraceDecoder: Sendable {
  /// One line of a trace.
  package struct Line: Hashable, Sendable {
    /// The number of the line in the text, from 1.
    package var number: Int
    /// When the line was written, in seconds on the monotonic clock.
    package var time: Double
    /// The process that wrote the line.
    package var process: Int
    package var kind: String
    /// Nil for a kind that this version does not know, and for a line without the keys that its kind has.
    package var record: TraceRecord?

    /// The line of a record.
    package init(_ record: TraceRecord, number: Int, time: Double, process: Int) {
      (self.number, self.time, self.process) = (number, time, process)
      (kind, self.record) = (record.kind, record)
    }

    /// A line from its text; nil where that is no JSON object with the keys of every line.
    fileprivate init?(_ bytes: [UInt8], number: Int) {
      guard !Self.hasTrailingComma(bytes), let members = try? JSONValue.object(in: bytes),
        let time = members["t"]?.seconds,
        let process = members["pid"]?.count, let kind = members["kind"]?.text
      else { return nil }
      (self.number, self.time, self.process, self.kind) = (number, time, process, kind)
      let fields = members.filter { !["t", "pid", "kind"].contains($0.key) }.sorted { $0.key < $1.key }
      record = TraceRecord(kind: kind, fields: TraceDetails(fields))
    }

    /// Foundation's decoder accepts a comma before a closing brace; JSON does not.
    private static func hasTrailingComma(_ bytes: [UInt8]) -> Bool {
      var (isText, isEscaped, last) = (false, false, UInt8(0))
      for byte in bytes where isText || !spaces.contains(byte) {
        if isText {
          isText = isEscaped || byte != UInt8(ascii: "\"")
          isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), last == UInt8(ascii: ",") {
          return true
        } else {
          isText = byte == UInt8(ascii: "\"")
        }
        last = byte
      }
      return false
    }
  }

  /// One line of the text.
  package enum Item: Hashable, Sendable {
    case line(Line)
    /// No line of a trace: its number in the text, from 1, and its beginning.
    case rubbish(number: Int, text: String)
  }

  private var pending: [UInt8] = []
  private var number = 0

  /// A decoder at the beginning of a text.
  package init() {}

  /// Decodes the next piece of the text.
  /// - Parameter bytes: The piece, in UTF-8.
  /// - Returns: The lines that end in it.
  package mutating func decode(_ bytes: some Collection<UInt8>) -> [Item] {
    var items: [Item] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      pending += rest[..<end]
      rest = rest[rest.index(after: end)...]
      if let item = endLine() { items.append(item) }
    }
    pending += rest
    return items
  }

  /// Ends the text.
  /// - Returns: The last line, if it is whole but for its end.
  package mutating func finish() -> Line? {
    if case .line(let line)? = endLine() { line } else { nil }
  }

  /// Decodes a whole text.
  package static func decode(_ text: String) -> [Item] {
    var decoder = TraceDecoder()
    let items = decoder.decode(Array(text.utf8))
    return items + (decoder.finish().map { [.line($0)] } ?? [])
  }

  private mutating func endLine() -> Item? {
    number += 1
    defer { pending.removeAll(keepingCapacity: true) }
    guard pending.contains(where: { !spaces.contains($0) }) else { return nil }
    if let line = Line(pending, number: number) { return .line(line) }
    return .rubbish(number: number, text: String(decoding: pending.prefix(80), as: UTF8.self))
  }
}

private let spaces = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]

extension JSONValue {
  fileprivate var seconds: Double? {
    switch self {
    case .int(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .double(let number): number
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
