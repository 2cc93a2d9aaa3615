import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop

/// A user has few watches in all processes together (inotify(7), max_user_instances).
@MainActor @Suite("Watches of documents") struct DocumentWatchTests {
  private let home: RealHome

  init() throws { home = try RealHome() }

  /// How many watches the process has.
  private var watches: Int {
    KernelFile.names(in: "/proc/self/fd").count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == "anon_inode:inotify"
    }
  }

  @Test("The documents in one folder have one watch together, by which each one hears of its file")
  func together() async {
    // Other tests have watches in this process.
    await #expect(processExitsWith: .success) { try await DocumentWatchTests().checkTogether() }
  }

  private func checkTogether() async throws {
    let run = DocumentRun(home)
    var letters: [Letter] = []
    for name in ["a.txt", "b.txt", "c.txt"] { letters.append(try await run.open(name, name)) }
    #expect(watches == 1)
    let other = try await run.open("folder/d.txt", "d")
    #expect(watches == 2)
    for letter in letters + [other] {
      try Data("theirs".utf8).write(to: letter.fileURL)
      #expect(await run.passes { letter.text == "theirs" })
    }
    // One that is closed takes none from the others
    #expect(await letters[0].close())
    #expect(await other.close())
    #expect(watches == 1)
    try home.write("c.txt", "more")
    #expect(await run.passes { letters[2].text == "more" })
    // One that comes later, and one that moves
    let last = try await run.open("e.txt", "e")
    #expect(await last.save(to: run.url("folder/e.txt"), for: .forCreating))
    #expect(watches == 2)
    try home.write("folder/e.txt", "theirs")
    #expect(await run.passes { last.text == "theirs" })
    for letter in [letters[1], letters[2], last] { #expect(await letter.close()) }
    #expect(watches == 0)
  }
}
