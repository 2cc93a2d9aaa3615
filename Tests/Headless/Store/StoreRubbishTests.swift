import CSystem
import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumJSON
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTesting
import Testing

@Suite("A session store's directory full of rubbish")
@MainActor struct StoreRubbishTests {
  private func path(_ directory: TemporaryDirectory, _ name: String) -> String { "\(directory.path)/\(name)" }

  /// What is damaged besides a letter of the body: the sum in the first line.
  enum Damage: CaseIterable { case body, sum }

  @Test(
    "A letter that has changed costs no session, and of many such records no more is decoded than a mebibyte",
    arguments: Damage.allCases)
  func changedLetters(_ damage: Damage) throws {
    let directory = try TemporaryDirectory()
    let text = String(repeating: "letters ", count: 8000)
    for number in 1...60 {
      var bytes = try SessionStore.recordBytes(titled("changed\(number)", text))
      let place = try #require(bytes.lastIndex(of: UInt8(ascii: "e")))
      bytes[place] = UInt8(ascii: "E")
      let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
      switch damage {
      case .body: break
      case .sum: bytes[end - 1] = UInt8(ascii: "x")
      }
      directory.put("changed\(number).session", bytes)
    }
    let store = try directory.store()
    let sessions = store.load().sessions
    #expect(sessions.count == 60)
    let decoded = sessions.compactMap { try? $0.decode() }
    #expect(decoded.count == store.decodedCount && decoded.count == (1 << 20) / (text.utf8.count + 12))
    #expect(decoded.allSatisfy { $0.title?.contains("lettErs") == true })
    #expect(directory.names.count { $0.hasSuffix(".damaged") } == 60 - decoded.count)
  }

  @Test("Records of an earlier version, which have no sum, are as good as others, however many they are")
  func withoutSums() throws {
    let directory = try TemporaryDirectory()
    let text = String(repeating: "letters ", count: 8000)
    for number in 1...30 {
      var bytes = try SessionStore.recordBytes(titled("old\(number)", text))
      let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
      bytes.removeSubrange(try #require(bytes[..<end].lastIndex(of: UInt8(ascii: " ")))..<end)
      directory.put("old\(number).session", bytes)
    }
    let sessions = try directory.store().load().sessions
    #expect(sessions.compactMap { try? $0.decode() }.count { $0.title == text } == 30)
    #expect(!directory.names.contains { $0.hasSuffix(".damaged") })
  }

  @Test("Only what is good is loaded, every other file is set aside with one message, and nothing waits or is lost")
  func rubbish() throws {
    let directory = try TemporaryDirectory()
    let good = try SessionStore.recordBytes(fullSession("good"))
    let other = try SessionStore.recordBytes(titled("twin", "1"))
    directory.put("good.session", good)
    directory.put("twin.session", other)
    directory.put("twin-copy.session", other)
    directory.put("empty.session", [])
    directory.put("noise.session", (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 131) })
    directory.put("taken.session", [1])
    directory.put("taken.session.damaged", [2])
    directory.put("taken.session.damaged.1", [3])
    directory.put("huge.session", good)
    #expect(truncate(path(directory, "huge.session"), 100_000_000) == 0)
    directory.put(".good.session.tmp", [1, 2])
    directory.put("notes.txt", [9])
    directory.put(".session", [9])
    #expect(mkdir(path(directory, "folder.session"), 0o700) == 0)
    #expect(mkdir(path(directory, ".folder.session.tmp"), 0o700) == 0)
    #expect(mkdir(path(directory, "folder.discarded"), 0o700) == 0)
    #expect(mkfifo(path(directory, "pipe.session"), 0o600) == 0)
    #expect(mknod(path(directory, "socket.session"), S_IFSOCK | 0o600, 0) == 0)
    #expect(symlink("good.session", path(directory, "link.session")) == 0)
    #expect(symlink("/nowhere", path(directory, "dangling.session")) == 0)
    #expect(mkfifo(path(directory, "runs"), 0o600) == 0)
    let before = directory.names

    let store = try directory.store()
    let contents = store.load()

    #expect(contents.sessions.map { $0.identifier } == ["twin", "good"])
    #expect(contents.discarded.isEmpty)
    #expect(try contents.sessions.last?.decode() == fullSession("good"))
    let aside = [
      "twin-copy.session", "empty.session", "noise.session", "huge.session", "folder.session", ".folder.session.tmp",
      "folder.discarded", "pipe.session", "socket.session", "link.session", "dangling.session", "runs",
    ]
    var expected = before.subtracting(aside).subtracting(["taken.session", ".good.session.tmp"])
    expected.formUnion(aside.map { $0 + ".damaged" } + ["taken.session.damaged.2", "runs"])
    #expect(directory.names == expected)
    #expect(contents.messages.count == aside.count + 1)
    for name in aside { #expect(contents.messages.count { $0.contains("\"\(name)\"") } == 1, "\(name)") }
    #expect(directory.bytes("taken.session.damaged") == [2])
    #expect(directory.bytes("taken.session.damaged.1") == [3])
    #expect(directory.bytes("notes.txt") == [9])

    // The next launch has nothing to say any more.
    let again = try directory.store().load()
    #expect(again.messages == [] && again.sessions.count == 2 && again.lastRun == .died)
  }

  @Test("Values that are many and nested deeply are written, and read again")
  func nested() throws {
    let disk = CuttableDisk()
    let store = SessionStore(files: disk, runsInline: true)
    _ = store.load()
    var failures: [StoreFailure] = []
    store.onFailure = { failures.append($0) }
    var value = JSONValue.int(1)
    for _ in 0..<400 { value = .array([value]) }
    var session = titled("deep", String(repeating: "[,", count: 1 << 16))
    session.userInfo = ["values": .array(Array(repeating: value, count: 100))]
    store.save(session)
    // The coder reads nothing that is deeper than 512.
    for _ in 0..<200 { value = .array([value]) }
    var deeper = titled("deeper", "1")
    deeper.userInfo = ["value": value]
    store.save(deeper)
    store.flush()
    #expect(failures.map(\.identifier) == ["deeper"])
    let isRead = try SessionStore(files: disk, runsInline: true).load().sessions.map { try $0.decode() } == [session]
    #expect(isRead)
  }

  @Test("A launch decodes no record, be it without its last line end, and lists the directory once for all damaged")
  func work() throws {
    let files = CountingFiles()
    for number in 0..<50 {
      // Given as many brackets as belong together, and no JSON
      try files.write("\(number).session", Array("proscenium-session 2 \(number) 0 shown r -\n{nonsense}".utf8))
    }
    let store = SessionStore(files: files, runsInline: true)
    let contents = store.load()
    #expect(contents.sessions.count == 50 && contents.messages == [] && files.listings == 1)
    for record in contents.sessions { #expect(throws: DamagedRecord.self) { try record.decode() } }
    #expect(files.listings == 2)
    #expect(try files.names().count { $0.hasSuffix(".damaged") } == 50)
  }

  @Test("A launch reads at most 64 KB of a record, whatever is in the file and however large it is")
  func size() throws {
    let directory = try TemporaryDirectory()
    func put(_ name: String, _ start: String, size: Int) {
      directory.put(name, Array(start.utf8))
      #expect(truncate(path(directory, name), size) == 0)
    }
    for number in 0..<4 {
      let header = "proscenium-session 2 \(number) 0 hidden r -\n{}"
      put("\(number).session", header, size: 16 << 20)
      put("\(number + 4).discarded", header, size: 16 << 20)
      put("zeros-\(number).session", "", size: 16 << 20)
      put("endless-\(number).session", "proscenium-session 2 " + String(repeating: "x", count: 1 << 20), size: 1 << 21)
    }
    let files = CountingFiles(try PosixFiles(path: directory.path))
    let contents = SessionStore(files: files, runsInline: true).load()
    #expect(contents.sessions.count == 4 && contents.discarded.count == 4 && contents.messages.count == 8)
    #expect(files.bytes == 16 * 65_536)
  }

  @Test("A launch reads first lines alone once it has read 20 MB")
  func manyRecords() throws {
    let directory = try TemporaryDirectory()
    for number in 0..<500 {
      directory.put("\(number).session", Array("proscenium-session 2 \(number) 0 hidden r -\n{}".utf8))
      #expect(truncate(path(directory, "\(number).session"), 1 << 20) == 0)
    }
    let files = CountingFiles(try PosixFiles(path: directory.path))
    #expect(SessionStore(files: files, runsInline: true).load().sessions.count == 500)
    // 320 records with 64 KB each, and 180 first lines.
    #expect(files.bytes == 20 << 20 + 180 * 4097)
  }

  @Test("A message about a damaged file is short, whatever is in the file")
  func message() throws {
    let disk = CuttableDisk()
    let header = "proscenium-session 2 \(String(repeating: "x", count: 3000)) 0 shown r -\n{}\n"
    try disk.write("a.session", Array(header.utf8))
    let messages = SessionStore(files: disk, runsInline: true).load().messages
    #expect(messages.count == 1 && messages.allSatisfy { $0.utf8.count < 1000 })
  }

  @Test("A tombstone that cannot be read still says what was discarded, until it is forgotten")
  func damagedTombstone() throws {
    let directory = try TemporaryDirectory()
    directory.put("a.discarded", [0, 1])
    directory.put("a.session", try SessionStore.recordBytes(titled("a", "1")))
    let store = try directory.store()
    let contents = store.load()
    #expect(contents.sessions.isEmpty)
    #expect(contents.discarded.map { $0.identifier } == ["a"])
    #expect(throws: DamagedRecord.self) { try contents.discarded.first?.decode() }
    store.forget("a")
    store.flush()
    #expect(directory.names == ["runs"])
  }

  @Test("A damaged record that its session has been saved over in the meantime stays out of the way")
  func damagedAndReplaced() throws {
    let directory = try TemporaryDirectory()
    directory.put("a.session", Array("proscenium-session 2 a 0 shown r -\n{nonsense}\n".utf8))
    let store = try directory.store()
    let contents = store.load()
    store.save(titled("a", "new"))
    store.flush()
    #expect(throws: DamagedRecord.self) { try contents.sessions.first?.decode() }
    #expect(try directory.store().load().sessions.first?.decode() == titled("a", "new"))
  }

  @Test("A record that may not be read is kept, with a message", .enabled(if: geteuid() == 0))
  func forbiddenRecord() throws {
    let directory = try TemporaryDirectory()
    directory.put("a.session", try SessionStore.recordBytes(titled("a", "1")))
    chmod(path(directory, "a.session"), 0o600)
    chmod(directory.path, 0o777)
    let store = try directory.store()
    let contents = asNobody { store.load() }
    #expect(contents.sessions.isEmpty)
    #expect(contents.messages.count == 1 && contents.messages.first?.contains("Permission denied") == true)
    #expect(directory.names.contains("a.session"))
    // And nothing is written in its place.
    store.save(titled("a", "2"))
    store.flush()
    #expect(try directory.store().load().sessions.first?.decode() == titled("a", "1"))
  }

  @Test(
    "A directory that becomes read-only is told of once; what was saved meanwhile is written when it can be",
    .enabled(if: geteuid() == 0))
  func readOnly() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store()
    _ = store.load()
    var failures: [StoreFailure] = []
    store.onFailure = { failures.append($0) }
    chmod(directory.path, 0o555)
    asNobody {
      for identifier in ["a", "b", "c"] { store.save(titled(identifier, "1")) }
      store.flush()
      store.save(titled("b", "2"))
      store.discard("c")
      store.flush()
      store.flush()
    }
    #expect(failures.count == 1 && failures.first?.message.contains("Permission denied") == true)
    chmod(directory.path, 0o700)
    store.flush()
    #expect(failures.count == 1)
    let contents = try directory.store().load()
    #expect(try contents.sessions.map { try $0.decode() } == [titled("a", "1"), titled("b", "2")])
    #expect(contents.discarded.map { $0.identifier } == ["c"])
  }

  @Test("A full disk is told of once, harms no record, and is written to when there is room again")
  func fullDisk() throws {
    let directory = try TemporaryDirectory()
    // A small disk of its own, where the machine lets tests have one.
    let isReal = mount("tmpfs", directory.path, "tmpfs", 0, "size=64k") == 0
    defer { if isReal { umount2(directory.path, Int32(MNT_DETACH)) } }
    let disk = CuttableDisk()
    let files: any StoreFiles = isReal ? try PosixFiles(path: directory.path) : disk
    let store = SessionStore(files: files, runsInline: true)
    _ = store.load()
    var failures: [StoreFailure] = []
    store.onFailure = { failures.append($0) }
    store.save(titled("a", "1"))
    store.flush()
    if isReal {
      directory.put("ballast", [UInt8](repeating: 1, count: 48 << 10))
    } else {
      disk.fail(with: .system(ENOSPC))
    }
    let large = titled("a", String(repeating: "x", count: 30_000))
    store.save(large)
    store.flush()
    store.save(titled("b", String(repeating: "y", count: 20_000)))
    store.flush()
    #expect(failures.count == 1 && failures.first?.message.contains("No space left") == true)
    #expect(try files.names().sorted() == (isReal ? ["a.session", "ballast", "runs"] : ["a.session", "runs"]))
    #expect(try SessionStore(files: files, runsInline: true).load().sessions.first?.decode() == titled("a", "1"))
    if isReal { unlink(path(directory, "ballast")) } else { disk.fail(with: nil) }
    store.flush()
    let contents = SessionStore(files: files, runsInline: true).load()
    #expect(contents.messages == [] && contents.sessions.map { $0.identifier } == ["a", "b"])
    #expect(try contents.sessions.first?.decode() == large)
  }

  /// Runs something with the file access of a user who is not root; of this thread alone.
  private func asNobody<Result>(_ body: () -> Result) -> Result {
    _ = linux_set_file_user(65534)
    defer { _ = linux_set_file_user(0) }
    return body()
  }
}
