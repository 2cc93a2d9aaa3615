import CSystem
import ProsceniumLoop

/// Reads interface files with expat, which is loaded when the first one is read.
///
/// An interface file is refused if it is larger, deeper or richer than any that people draw, and if it has a document
/// type: no entity is ever declared or expanded, and no other file is read for it.
enum InterfaceParser {
  /// expat; nil where it is not installed.
  static let library = Library.permanent(expat_open)

  static let mostBytes = 4 << 20
  static let mostElements = 20_000
  static let deepest = 100

  /// Reads the text of a file.
  /// - Parameters:
  ///   - bytes: The text, in an encoding of its own declaration that expat knows: UTF-8 where it has none.
  ///   - library: expat; nil where it is not installed.
  /// - Returns: The root.
  /// - Throws: The first error, with its line.
  static func parse(_ bytes: [UInt8], with library: expat_library?) throws(InterfaceError) -> InterfaceElement {
    guard let library else {
      throw InterfaceError(
        line: nil, "XML cannot be read, because expat (libexpat.so.1, Debian's package libexpat1) is not installed.")
    }
    guard bytes.count <= mostBytes else {
      throw InterfaceError(line: nil, "The file has more than \(mostBytes) bytes, which no interface has.")
    }
    guard let parser = library.XML_ParserCreate(nil) else {
      throw InterfaceError(line: nil, "There is no memory to read the file.")
    }
    defer { library.XML_ParserFree(parser) }
    let reading = InterfaceReading(library, parser)
    let isWhole = withExtendedLifetime(reading) {
      library.XML_SetUserData(parser, Unmanaged.passUnretained(reading).toOpaque())
      reading.listen()
      return bytes.withUnsafeBytes { text in
        library.XML_Parse(parser, text.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(text.count), 1) != 0
      }
    }
    if let failure = reading.failure { throw failure }
    guard isWhole, let root = reading.root else {
      let reason = library.XML_ErrorString(library.XML_GetErrorCode(parser)).map { String(cString: $0) }
      throw InterfaceError(
        line: Int(library.XML_GetCurrentLineNumber(parser)), "This is no XML: \(reason ?? "unknown error").")
    }
    return root
  }
}

/// The reading of one file: what expat's callbacks have made so far.
private final class InterfaceReading {
  private let library: expat_library
  private let parser: OpaquePointer
  /// The elements that have begun and not ended, the innermost one last.
  private var open: [InterfaceElement] = []
  private var count = 0
  private(set) var root: InterfaceElement?
  private(set) var failure: InterfaceError?

  init(_ library: expat_library, _ parser: OpaquePointer) {
    self.library = library
    self.parser = parser
  }

  /// Sets the callbacks.
  func listen() {
    library.XML_SetElementHandler(
      parser, { data, name, attributes in InterfaceReading.of(data)?.begin(name, attributes) },
      { data, _ in InterfaceReading.of(data)?.end() })
    library.XML_SetCharacterDataHandler(parser) { data, text, length in InterfaceReading.of(data)?.add(text, length) }
    library.XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
      InterfaceReading.of(data)?.fail("The file has a document type, which could declare entities. Remove <!DOCTYPE>.")
    }
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> InterfaceReading? {
    data.map { Unmanaged<InterfaceReading>.fromOpaque($0).takeUnretainedValue() }
  }

  private var line: Int { Int(library.XML_GetCurrentLineNumber(parser)) }

  private func fail(_ reason: String) {
    guard failure == nil else { return }
    failure = InterfaceError(line: line, reason)
    _ = library.XML_StopParser(parser, 0)
  }

  private func begin(_ name: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
    guard failure == nil, let name else { return }
    count += 1
    guard count <= InterfaceParser.mostElements else {
      return fail("The file has more than \(InterfaceParser.mostElements) elements.")
    }
    guard open.count < InterfaceParser.deepest else {
      return fail("The elements are nested more than \(InterfaceParser.deepest) deep.")
    }
    var attributes: [String: String] = [:]
    // Names and values by turns, up to a null pointer.
    var next = list
    while let place = next, let name = place[0], let value = place[1] {
      attributes[String(cString: name)] = String(cString: value)
      next = place + 2
    }
    open.append(InterfaceElement(name: String(cString: name), attributes: attributes, line: line))
  }

  private func end() {
    guard failure == nil, let last = open.popLast() else { return }
    if open.isEmpty { root = last } else { open[open.count - 1].children.append(last) }
  }

  private func add(_ text: UnsafePointer<CChar>?, _ length: Int32) {
    guard failure == nil, !open.isEmpty, let text, length > 0 else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(length))
    open[open.count - 1].text += String(decoding: bytes, as: UTF8.self)
  }
}
