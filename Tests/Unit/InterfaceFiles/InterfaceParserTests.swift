import Glibc
import ProsceniumLoop
import TestSupport
import Testing

@testable import ProsceniumCore

/// What expat makes of the bytes of interface files, good and bad.
@Suite("The XML of interface files", .enabled(if: InterfaceParser.library != nil)) struct InterfaceParserTests {
  private func parse(_ text: String) throws(InterfaceError) -> InterfaceElement { try parse(Array(text.utf8)) }
  private func parse(_ bytes: [UInt8]) throws(InterfaceError) -> InterfaceElement {
    try InterfaceParser.parse(bytes, with: InterfaceParser.library)
  }

  @Test("Elements have their names, attributes, texts, children and lines")
  func tree() throws {
    let root = try parse(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- a comment -->
      <interface domain="x">
        <object class="GtkLabel" id="a&amp;b">
          <property name="label">one &lt; <![CDATA[<two>]]> ä &#8364;</property>
        </object><empty/>
      </interface>
      """)
    #expect(root.name == "interface" && root["domain"] == "x" && root.line == 3 && root["none"] == nil)
    #expect(root.children.map(\.name) == ["object", "empty"])
    let object = root.children[0]
    #expect(object.line == 4 && object.attributes == ["class": "GtkLabel", "id": "a&b"])
    #expect(object.children(named: "property").map(\.text) == ["one < <two> ä €"])
    #expect(root.children[1].line == 6)
  }

  @Test("An encoding that the file declares is converted")
  func encoding() throws {
    let root = try parse(Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE4] + Array("</a>".utf8))
    #expect(root.text == "ä")
  }

  @Test(
    "Broken XML is an error with its line",
    arguments: [
      ("", 1, "no element found"), ("<a>\n<b>\n</a>", 3, "mismatched tag"), ("<a>\n", 2, "no element found"),
      ("<a></a>\n<b/>", 2, "junk after document element"), ("<a x='1' x='2'/>", 1, "duplicate attribute"),
      ("<a>\n&nothing;</a>", 2, "undefined entity"), ("text", 1, "syntax error"),
      ("<a>\n\u{1}</a>", 2, "not well-formed"),
    ])
  func broken(text: String, line: Int, reason: String) {
    let error = #expect(throws: InterfaceError.self) { try parse(text) }
    #expect(error?.line == line && error?.reason.contains(reason) == true, "\(error?.description ?? "none")")
  }

  @Test("Bytes that are no UTF-8 are an error")
  func notUTF8() {
    for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80]] {
      #expect(throws: InterfaceError.self) { try parse(Array("<a>".utf8) + bytes + Array("</a>".utf8)) }
    }
  }

  @Test("No entity is declared, and no other file is read")
  func entities() {
    let laughs =
      "<!DOCTYPE a [<!ENTITY l0 'lol'>"
      + (1...9).map { "<!ENTITY l\($0) '\(String(repeating: "&l\($0 - 1);", count: 10))'>" }.joined()
      + "]>\n<a>&l9;</a>"
    for text in [
      laughs, "<!DOCTYPE a [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><a>&f;</a>",
      "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
      "<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://localhost/'> %p;]><a/>",
    ] {
      let error = #expect(throws: InterfaceError.self) { try parse(text) }
      #expect(error?.reason.contains("<!DOCTYPE>") == true && error?.line == 1)
    }
  }

  @Test("A file that is too large, too deep or too rich is refused")
  func limits() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
    }
    _ = try parse(nested(InterfaceParser.deepest))
    #expect(throws: InterfaceError.self) { try parse(nested(InterfaceParser.deepest + 1)) }
    #expect(throws: InterfaceError.self) { try parse(nested(400_000)) }
    func row(_ count: Int) -> String { "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>" }
    #expect(try parse(row(InterfaceParser.mostElements)).children.count == InterfaceParser.mostElements - 1)
    #expect(throws: InterfaceError.self) { try parse(row(InterfaceParser.mostElements + 1)) }
    let long = String(repeating: "x", count: InterfaceParser.mostBytes - 20)
    #expect(try parse("<a b='\(long)'/>")["b"] == long)
    #expect(throws: InterfaceError.self) { try parse("<a b='\(long + "01234567890123")'/>") }
  }

  @Test("Without expat the error names Debian's package")
  func missing() {
    let error = #expect(throws: InterfaceError.self) { try InterfaceParser.parse(Array("<a/>".utf8), with: nil) }
    #expect(error?.description.contains("libexpat1") == true && error?.line == nil)
  }

  @Test("A path that leads to no file of that kind is an error, at once")
  func paths() throws {
    let fifo = "/tmp/proscenium-interface-\(getpid())"
    try #require(mkfifo(fifo, 0o600) == 0)
    defer { unlink(fifo) }
    for path in ["/nowhere/a.ui", "/tmp", "/dev/zero", fifo, "", "a\0b", "/proc/self/mem", "gone.ui"] {
      let error = #expect(throws: InterfaceError.self) { try InterfaceDocument(contentsOf: path) }
      #expect(error?.path?.hasPrefix("/") == true)
    }
    let file = TemporaryFile("<a>\n<b></a>")
    let error = #expect(throws: InterfaceError.self) { try InterfaceDocument(contentsOf: file.path) }
    #expect(error?.description.hasPrefix(file.path + ":2: This is no XML: mismatched tag") == true)
  }

  @Test("Files beside an interface are found from its folder")
  func beside() throws {
    let (file, other) = (TemporaryFile("<a/>"), TemporaryFile("picture"))
    let document = try InterfaceDocument(contentsOf: file.path)
    let name = String(other.path.split(separator: "/").last ?? "")
    #expect(try document.contents(of: name, most: 7) == Array("picture".utf8))
    #expect(try document.contents(of: other.path, most: 7).count == 7)
    #expect(throws: InterfaceError.self) { try document.contents(of: name, most: 6) }
    #expect(throws: InterfaceError.self) { try document.contents(of: "nothing", most: 6) }
  }

  @Test("Random changes of a file are an error or another tree, and never a crash")
  func fuzz() throws {
    var random = SeededNumbers(testSeed())
    let sample = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?><interface><requires lib="gtk+" version="3.20"/>
      <object class="GtkBox" id="a"><property name="spacing">8</property><child><object class="GtkLabel">
      <property name="label" translatable="yes">Grüße &amp; &#x20AC;<![CDATA[x]]></property></object></child>
      </object><!-- c --></interface>
      """.utf8)
    let pieces = ["<!DOCTYPE a [", "<!ENTITY x 'y'>", "&x;", "<a>", "</a>", "]]>", "<![CDATA[", "\0", "\u{FEFF}"]
    for _ in 0..<5000 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where !bytes.isEmpty: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        case 2: bytes.insert(contentsOf: bytes.prefix(place), at: place)
        case 3: bytes = Array(bytes.prefix(place))
        default: bytes.insert(contentsOf: Array(pieces.randomElement(using: &random)?.utf8 ?? "".utf8), at: place)
        }
      }
      do throws(InterfaceError) {
        #expect(try parse(bytes).line >= 1)
      } catch {
        #expect(!error.reason.isEmpty && error.line ?? 1 >= 1)
      }
    }
  }
}
