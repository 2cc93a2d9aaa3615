import FoundationEssentials
import Testing

@testable import ProsceniumCore

@Suite("Arguments of the command line") struct LaunchOptionsTests {
  private func parse(_ arguments: [String]) -> LaunchOptions {
    LaunchOptions(
      arguments: arguments, schemes: ["note", "HTTPS"], extensions: ["txt"], directory: "/home/me",
      fileExists: { ["/home/me/a.txt", "/tmp/b.TXT"].contains($0) })
  }

  @Test("Declared URLs and existing declared files are taken, everything else is left alone")
  func taken() {
    let options = parse(["note:1", "a.txt", "/tmp/b.TXT", "c.txt", "other:2", "-x", "--scenes", "3", "Https://h/p", ""])
    #expect(
      options.urls.map(\.absoluteString) == ["note:1", "file:///home/me/a.txt", "file:///tmp/b.TXT", "Https://h/p"])
    #expect(!options.isBackground)
  }

  @Test("--background is taken, and nothing after a lone --")
  func background() {
    #expect(parse(["--background"]).isBackground)
    let ended = parse(["--", "--background", "note:1"])
    #expect(!ended.isBackground && ended.urls.isEmpty)
  }

  @Test("What a session manager tells its client is nothing to open")
  func sessionID() {
    let options = parse(["--session-id", "note:1", "note:2", "--session-id", "a.txt", "--session-id"])
    #expect(options.urls.map(\.absoluteString) == ["note:2"])
    #expect(!options.isBackground)
  }

  @Test("Rubbish is no URL and no crash")
  func rubbish() {
    let options = parse([String(repeating: "note:", count: 20_000), "note:\u{0}", ":", ".", "/", "note:%%%"])
    #expect(options.urls.count <= 3)
  }
}
