import FoundationEssentials
import Testing

@testable import ProsceniumCore

@Suite("Lists of URIs") struct URIListTests {
  private func decoded(_ text: String) -> [String] {
    URIList.decode(Data(text.utf8), host: "Here.example.org").map(\.absoluteString)
  }

  @Test("Files of this machine have no machine's name, others keep theirs, and rubbish is left out")
  func files() {
    #expect(
      decoded("file:///a%20b\r\nfile://localhost/c\nfile://here.Example.org/d\r\n#x\r\nfile://there/e") == [
        "file:///a%20b", "file:///c", "file:///d", "file://there/e",
      ])
    #expect(decoded("https://example.org/?q=1\r\nmailto:a@b") == ["https://example.org/?q=1", "mailto:a@b"])
    #expect(decoded("") == [] && decoded("\r\n\0\r\nrubbish\r\n:\r\n") == [])
  }

  @Test("A promised file is written on this machine alone")
  func promised() {
    func path(_ text: String) -> String? {
      URIList.file(text, host: "here")?.path(percentEncoded: false)
    }
    #expect(path("file:///tmp/a%20b") == "/tmp/a b" && path("file://here/tmp/c") == "/tmp/c")
    #expect(path("file://there/tmp/c") == nil && path("https://here/tmp/c") == nil && path("/tmp/c") == nil)
  }

  @Test("What is written is read again")
  func both() throws {
    let urls = [URL(filePath: "/tmp/Grüße und mehr"), try #require(URL(string: "https://example.org/x#y"))]
    #expect(URIList.decode(URIList.encode(urls)).map(\.absoluteString) == urls.map(\.absoluteString))
  }
}
