import FoundationEssentials
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

@Suite("Arguments of the command line") struct LaunchOptionsTests {
  private static func content(
    schemes: Set<String> = [], fileExtensions: Set<String> = [], shortcutItems: [ApplicationShortcutItem] = []
  ) -> OpenableContent {
    var content = OpenableContent()
    content.schemes = schemes
    content.fileExtensions = fileExtensions
    content.shortcutItems = shortcutItems
    return content
  }

  private func parse(_ arguments: [String]) -> LaunchOptions {
    LaunchOptions(
      arguments: arguments, openable: Self.content(schemes: ["note", "HTTPS"], fileExtensions: ["txt"]),
      directory: "/home/me",
      fileExists: { ["/home/me/a.txt", "/tmp/b.TXT"].contains($0) })
  }

  @Test("Declared URLs and existing declared files are taken, everything else is left alone")
  func taken() {
    let options = parse(["note:1", "a.txt", "/tmp/b.TXT", "c.txt", "other:2", "-x", "--scenes", "3", "Https://h/p", ""])
    #expect(
      options.urls.map(\.absoluteString) == ["note:1", "file:///home/me/a.txt", "file:///tmp/b.TXT", "Https://h/p"])
    #expect(!options.isBackground)
  }

  @Test("A file's URL is as good as its path")
  func fileURLs() {
    let options = parse(["file:///home/me/a.txt", "FILE:///tmp/b.TXT", "file:///home/me/c.txt", "file:///etc/passwd"])
    #expect(options.urls.map(\.path) == ["/home/me/a.txt", "/tmp/b.TXT"])
  }

  @Test("A file's URL that has no whole path is the program's own argument")
  func relativeURL() {
    let options = LaunchOptions(
      arguments: ["file:a.txt", "file:./a.txt"], openable: Self.content(fileExtensions: ["txt"]), directory: "/home/me",
      fileExists: { _ in true })
    #expect(options.urls == [] && options.programArguments == ["file:a.txt", "file:./a.txt"])
  }

  @Test(
    "The path of a file has no step at the beginning of its name that goes nowhere or out of a folder",
    arguments: [
      ("a.txt", "/home/me/a.txt"), ("./a.txt", "/home/me/a.txt"), (".//././a.txt", "/home/me/a.txt"),
      ("../a.txt", "/home/a.txt"), ("./..//.././a.txt", "/a.txt"), ("../../../../a.txt", "/a.txt"),
      (".a.txt", "/home/me/.a.txt"), ("./.a.txt", "/home/me/.a.txt"), ("..a.txt", "/home/me/..a.txt"),
      (".../a.txt", "/home/me/.../a.txt"),
      // A link may lead elsewhere.
      ("b/../a.txt", "/home/me/b/../a.txt"), ("/b/../a.txt", "/b/../a.txt"),
    ])
  func steps(name: String, path: String) {
    var asked: [String] = []
    let options = LaunchOptions(
      arguments: [name], openable: Self.content(fileExtensions: ["txt"]), directory: "/home/me",
      fileExists: {
        asked.append($0)
        return true
      })
    #expect(options.urls.map(\.path) == [path] && asked == [path])
  }

  @Test("In the root a file's path has one slash")
  func root() {
    let options = LaunchOptions(
      arguments: ["a.txt", "../a.txt"], openable: Self.content(fileExtensions: ["txt"]), directory: "/",
      fileExists: { $0 == "/a.txt" })
    #expect(options.urls.map(\.path) == ["/a.txt", "/a.txt"])
  }

  @Test("A file of another machine is not the one that has its path here")
  func hosts() throws {
    let own = try String(contentsOf: URL(filePath: "/proc/sys/kernel/hostname"), encoding: .utf8).replacing(
      "\n", with: "")
    for host in ["", "localhost", "LocalHost", own, own.uppercased()] {
      #expect(parse(["file://\(host)/home/me/a.txt"]).urls.count == 1, "\(host)")
    }
    for host in ["elsewhere", own + "x", "localhost.example"] {
      let options = parse(["file://\(host)/home/me/a.txt"])
      #expect(options.urls.isEmpty && options.refusals.isEmpty && options.programArguments.count == 1, "\(host)")
    }
  }

  @Test("Options are equal where their properties are, whatever else the command line has")
  func equality() throws {
    let options = parse(["note:1", "--own", "argument"])
    let made = LaunchOptions(urls: [try #require(URL(string: "note:1"))])
    #expect(options == made && options.hashValue == made.hashValue)
    #expect(options != parse(["note:1", "--background"]) && options != parse(["note:2"]))
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

  @Test("An action that the program has is taken; the word is the program's own where it has none")
  func actions() {
    let items = ["compose", "org.example.reply"].map { ApplicationShortcutItem(type: $0, localizedTitle: $0) }
    func parse(_ arguments: [String], _ items: [ApplicationShortcutItem]) -> LaunchOptions {
      LaunchOptions(
        arguments: arguments, openable: Self.content(fileExtensions: ["txt"], shortcutItems: items), directory: "/",
        fileExists: { _ in true })
    }
    #expect(parse(["--action", "compose"], items).shortcutItem == items[0])
    #expect(parse(["--action", "org-2eexample-2ereply"], items).shortcutItem == items[1])
    #expect(parse(["--", "--action", "compose"], items).shortcutItem == nil)
    for arguments in [["--action"], ["--action", "none"]] {
      let refusals = parse(arguments, items).refusals
      #expect(refusals.count == 1 && refusals[0].contains("compose, org-2eexample-2ereply"), "\(refusals)")
    }
    // The process that runs may have an item that the manifest lacks.
    let unknown = parse(["--action", "none"], items)
    #expect(unknown.invalidParts.isEmpty && unknown.unknownAction?.name == "none")
    // One at a time
    let two = parse(["--action", "org.example.reply", "--action", "compose"], items).refusals
    #expect(two.count == 1 && two[0].contains("2 times"), "\(two)")
    // Not again when the session manager brings the program back, whatever has become of the action
    for name in ["compose", "none"] {
      let restarted = parse(["--action", name, "--session-id", "7"], items)
      #expect(restarted.shortcutItem == nil && restarted.refusals.isEmpty)
    }
    let own = parse(["--action", "none", "a.txt"], [])
    #expect(own.shortcutItem == nil && own.refusals.isEmpty && own.urls.count == 1)
  }

  @Test("What cannot be opened is said, rather than left out")
  func refusals() {
    #expect(parse(["note:" + String(repeating: "x", count: 65_532)]).refusals.count == 1)
    #expect(parse(["note:" + String(repeating: "x", count: 65_531)]).urls.count == 1)
    // What is no URL of the program's may be as long as it likes
    #expect(parse([String(repeating: "x", count: 100_000)]).refusals.isEmpty)
    // Bytes that are no UTF-8 arrive as replacement characters
    #expect(parse(["caf\u{FFFD}.txt"]).refusals.first?.contains("not UTF-8") == true)
    #expect(parse(["caf\u{FFFD}"]).refusals.isEmpty)
    let removed = LaunchOptions(
      arguments: ["a.txt", "/tmp/b.TXT", "note:1"],
      openable: Self.content(schemes: ["note"], fileExtensions: ["txt"]), directory: nil,
      fileExists: { $0 == "/tmp/b.TXT" })
    #expect(removed.refusals.count == 1 && removed.refusals[0].contains("removed"))
    #expect(removed.urls.count == 2)
  }
}
