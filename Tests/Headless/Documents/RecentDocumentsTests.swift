import Dispatch
import FoundationEssentials
import Glibc
import ProsceniumStore
import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumCore

@Suite("The list of recent files") struct RecentBookmarksTests {
  /// As GTK writes it, with what other programs may have in it.
  fileprivate static let others = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- <bookmark href="file:///commented"> -->
    <xbel version="1.0"
          xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
          xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info"
    >
      <bookmark href="file:///home/a%20b&amp;c.txt" added="2020-01-01T00:00:00Z" modified='2020-01-02T00:00:00Z' visited="2020-01-02T00:00:00Z">
        <title>A &lt; B</title>
        <info>
          <metadata owner="http://freedesktop.org">
            <mime:mime-type type="text/plain"/>
            <bookmark:groups><bookmark:group>Office</bookmark:group></bookmark:groups>
            <bookmark:applications>
              <bookmark:application name="gedit" exec="&apos;gedit %u&apos;" modified="2020-01-02T00:00:00Z" count="3"/>
            </bookmark:applications>
          </metadata>
          <metadata owner="somebody"><!-- > --><x:y z="1"/></metadata>
        </info>
      </bookmark>
      <bookmark href="file:///odd"/>
    </xbel>

    """

  private func bookmark(_ href: String, _ time: Int = 1, isPrivate: Bool = false) -> RecentBookmark {
    RecentBookmark(
      href: href, mediaType: "text/plain", application: "org.example.letters", command: "'letters %u'",
      time: "2026-01-01T00:00:\(10 + time).000000Z", isPrivate: isPrivate)
  }

  @Test("A file is added behind the others, whose text stays to the byte")
  func added() throws {
    var list = try RecentBookmarks(Self.others)
    try list.add(bookmark("file:///home/new%3C.txt"), most: 9)
    let end = "</xbel>\n"
    #expect(list.text.hasPrefix(Self.others.dropLast(end.count)) && list.text.hasSuffix(end))
    #expect(list.hrefs(of: "org.example.letters") == ["file:///home/new%3C.txt"])
    #expect(list.text.contains("exec=\"&apos;letters %u&apos;\"") && list.text.contains("count=\"1\""))
    #expect(!list.text.contains("bookmark:private"))
    try list.add(bookmark("file:///p", isPrivate: true), most: 9)
    #expect(list.text.contains("<bookmark:private/>"))
    try list.remove(["file:///home/new%3C.txt", "file:///p"], by: "org.example.letters")
    #expect(list.text == Self.others)
  }

  @Test("A file of another program gets this one's name, and loses it again; what the other has written stays")
  func shared() throws {
    var list = try RecentBookmarks(Self.others)
    let href = "file:///home/a%20b&c.txt"
    try list.add(bookmark(href), most: 9)
    try list.add(bookmark(href, 2), most: 9)
    #expect(list.text.contains("count=\"2\"") && list.text.contains("name=\"gedit\""))
    #expect(list.text.contains("<title>A &lt; B</title>") && list.text.contains("<x:y z=\"1\"/>"))
    #expect(list.text.contains("visited=\"2026-01-01T00:00:12.000000Z\""))
    #expect(list.text.contains("added=\"2020-01-01T00:00:00Z\""))
    #expect(list.text.components(of: "<bookmark href") == 3, "the one in the comment too")
    try list.remove([href], by: "org.example.letters")
    #expect(list.hrefs(of: "org.example.letters") == [] && list.hrefs(of: "gedit") == [href])
    // An entry without the part of the format gets it
    try list.add(bookmark("file:///odd"), most: 9)
    #expect(list.hrefs(of: "org.example.letters") == ["file:///odd"])
  }

  @Test("Only so many stay of this program alone, the latest ones; those of others do not count")
  func limited() throws {
    var list = try RecentBookmarks(Self.others)
    for number in 0..<9 { try list.add(bookmark("file:///\(number)", number), most: 3) }
    #expect(list.hrefs(of: "org.example.letters") == ["file:///8", "file:///7", "file:///6"])
    #expect(list.hrefs(of: "gedit").count == 1)
  }

  @Test("What was noted while the clock was ahead counts as the oldest, once that is over")
  func clockAhead() throws {
    var list = try RecentBookmarks(Self.others)
    for number in 0..<4 {
      var ahead = bookmark("file:///\(number)")
      ahead.time = "2090-01-01T00:00:\(10 + number).000000Z"
      try list.add(ahead, most: 3)
    }
    try list.add(bookmark("file:///new"), most: 3)
    #expect(list.hrefs(of: "org.example.letters").contains("file:///new"))
    try list.add(bookmark("file:///newer", 2), most: 3)
    let hrefs = list.hrefs(of: "org.example.letters", at: "2026-01-02T00:00:00.000000Z")
    #expect(hrefs == ["file:///newer", "file:///new", "file:///3"])
  }

  @Test("What is no whole list is left alone, wherever it was cut")
  func malformed() {
    let texts = [
      "nonsense", "<html></html>", "<xbel>", "<xbel></bookmark></xbel>", "<xbel/", "<xbel></xbel><xbel></xbel>",
      "<xbel/><xbel/>",
      "<xbel><bookmark href=></bookmark></xbel>", "<xbel><!-- </xbel>", "<xbel a='<'></xbel>",
      String(repeating: "<xbel>", count: 1000),
    ]
    for text in texts { #expect(throws: RecentBookmarks.Malformed.self) { try RecentBookmarks(text) } }
    let lines = Self.others.unicodeScalars
    let whole = Self.others.dropLast().unicodeScalars.count
    for count in stride(from: 30, to: whole, by: 1) {
      #expect(throws: RecentBookmarks.Malformed.self, "\(count)") {
        try RecentBookmarks(String(String.UnicodeScalarView(lines.prefix(count))))
      }
    }
  }

  @Test("Nothing is added to a list in which the prefixes of an entry would mean nothing, or another thing")
  func prefixes() throws {
    for root in ["<xbel version='1.0'>", "<xbel xmlns:bookmark='other' xmlns:mime='other'>"] {
      var list = try RecentBookmarks(root + "</xbel>")
      #expect(throws: RecentBookmarks.Malformed.self) { try list.add(bookmark("file:///x"), most: 9) }
    }
  }

  private static let root = """
    <xbel xmlns:bookmark='http://www.freedesktop.org/standards/desktop-bookmarks'
    xmlns:mime='http://www.freedesktop.org/standards/shared-mime-info'>
    """

  @Test("A list without files may be an empty element", arguments: ["", "\n", "\u{338}"])
  func emptyElement(_ end: String) throws {
    var list = try RecentBookmarks(Self.root.dropLast() + "/>" + end)
    #expect(list.hrefs(of: "org.example.letters") == [])
    try list.add(bookmark("file:///x"), most: 9)
    #expect(list.hrefs(of: "org.example.letters") == ["file:///x"])
    #expect(try RecentBookmarks(list.text).hrefs(of: "org.example.letters") == ["file:///x"])
  }

  @Test("No text of random signs ends the program, and what is added to a list is found again")
  func random() throws {
    var random = SeededNumbers(testSeed(0))
    let signs = Array("<>/=\"'&;#x!-?[]CDAT abhrefbookmark:\u{338}\u{301}\n\r\t\u{0}é👍".unicodeScalars)
    for _ in 0..<testRounds(2_000) {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        text.append(signs[Int.random(in: 0..<signs.count, using: &random)])
      }
      let href = String(text)
      guard var list = try? RecentBookmarks(Self.root + href + "</xbel>") else { continue }
      guard (try? list.add(bookmark("file:///x"), most: 3)) != nil else { continue }
      #expect(list.hrefs(of: "org.example.letters").contains("file:///x"), "\(href.debugDescription)")
    }
    var list = try RecentBookmarks("")
    for number in 0..<60 {
      var name = ""
      for _ in 0..<8 { name.unicodeScalars.append(signs[Int.random(in: 0..<signs.count, using: &random)]) }
      let href = "file:///" + name.filter { !$0.unicodeScalars.contains { $0.value < 32 } } + "\(number)"
      try list.add(bookmark(href), most: 1000)
      #expect(list.hrefs(of: "org.example.letters").contains(href), "\(href.debugDescription)")
    }
  }

}

/// The list in its file.
@MainActor @Suite("Recent documents", .serialized) struct RecentDocumentsTests {
  private static let others = RecentBookmarksTests.others
  private let home: RealHome
  init() throws { home = try RealHome() }

  private static let list = ".local/share/recently-used.xbel"

  @Test("Documents that are opened and made are in the list, the latest first; the file is the user's alone")
  func documents() async throws {
    let run = DocumentRun(home)
    let first = try await run.open("a b.txt", "one")
    _ = try await run.open("b.txt", "two")
    let recent = run.controller.recentDocuments
    #expect(await recent.urls() == [run.url("b.txt"), run.url("a b.txt")])
    #expect(await first.save(to: run.url("c.txt"), for: .forCreating))
    #expect(await recent.urls().first == run.url("c.txt"))
    #expect(home.mode(Self.list) == 0o600)
    #expect(home.read(Self.list)?.contains("href=\"file://\(home.path)/a%20b.txt\"") == true)
    recent.remove([run.url("b.txt")])
    #expect(await recent.urls() == [run.url("c.txt"), run.url("a b.txt")])
    recent.remove()
    #expect(await recent.urls() == [])
  }

  @Test("A list that is damaged is left alone and reported once; one that has become whole is used again")
  func damaged() async throws {
    let run = DocumentRun(home)
    try home.write(Self.list, "<xbel><bookmark")
    _ = try await run.open("a.txt", "one")
    _ = try await run.open("b.txt", "two")
    #expect(await run.controller.recentDocuments.urls() == [])
    #expect(await run.waits { run.errors.count == 1 })
    #expect(home.read(Self.list) == "<xbel><bookmark" && run.errors.first?.contains("recently-used.xbel") == true)
    try home.write(Self.list, Self.others)
    _ = try await run.open("c.txt", "three")
    #expect(await run.controller.recentDocuments.urls() == [run.url("c.txt")])
    #expect(home.read(Self.list)?.contains("gedit") == true)
  }

  @Test("What a killed program has left of a list goes with the next file that is noted")
  func left() async throws {
    let run = DocumentRun(home)
    try home.write(Self.list, Self.others)
    let place = try DocumentPlace(following: home.path + "/" + Self.list)
    // No process has that number (proc_sys_kernel(5)).
    let name = ".local/share/" + DocumentFile(try place.open(), place, kept: nil, process: 5_000_000).temporary
    try home.write(name, Self.others)
    _ = try await run.open("a.txt", "one")
    #expect(await run.controller.recentDocuments.urls() == [run.url("a.txt")])
    #expect(home.read(name) == nil && home.read(Self.list)?.contains("gedit") == true)
  }

  @Test("Two programs that write the list at the same time lose nothing of each other")
  func together() throws {
    try home.write(Self.list, Self.others)
    let file = try RecentFile(environment: ["HOME": home.path])
    let threads = DispatchGroup()
    for program in 0..<4 {
      DispatchQueue.global().async(group: threads) {
        for number in 0..<10 {
          let mark = RecentBookmark(
            href: "file:///\(program)/\(number)", mediaType: "text/plain", application: "program \(program)",
            command: "x", time: "2026-01-01T00:00:00Z")
          // Whoever has lost every race tries again.
          while file.change({ list throws(RecentBookmarks.Malformed) in try list.add(mark, most: 99) }) != nil {}
        }
      }
    }
    threads.wait()
    let list = try #require(file.list())
    // A program that loses a race between its last look and its renaming has written over the other one's entry: the
    // list has no lock. What matters is that it is whole, and that what others have written before is there.
    #expect(list.hrefs(of: "gedit").count == 1)
    #expect((0..<4).map { list.hrefs(of: "program \($0)").count }.reduce(0, +) > 10)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
