import CSystem
import FoundationEssentials
import Glibc
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTesting
import Testing

/// A document's file in a real folder.
@Suite("The files of documents") struct DocumentFileTests {
  private let home: RealHome
  private let kept: KeptVersions

  init() throws {
    home = try RealHome()
    kept = try KeptVersions(applicationIdentifier: "org.example.Test", environment: ["HOME": home.path])
  }

  private func file(_ name: String, process: pid_t = getpid()) throws -> DocumentFile {
    let place = try DocumentPlace(following: home.path + "/" + name)
    return DocumentFile(try place.open(), place, kept: kept, process: process)
  }

  /// No process has that number (proc_sys_kernel(5)).
  private static let killed: pid_t = 5_000_000

  /// Makes a file one that was written so long ago.
  private func age(_ name: String, seconds: Int) {
    let time = timespec(tv_sec: Glibc.time(nil) - seconds, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, home.path + "/" + name, [time, time], 0) == 0)
  }

  @discardableResult
  private func save(_ name: String, _ text: String) throws -> FileIdentity {
    let file = try file(name)
    return try file.write(Array(text.utf8), expecting: .known(file.status().identity))
  }

  private func inode(_ name: String) -> ino_t {
    var status = stat()
    stat(home.path + "/" + name, &status)
    return status.st_ino
  }

  /// Fails under the thread sanitizer where nothing is read into an array of no capacity.
  @Test("Several threads read nothing of a file at once")
  func nothing() async throws {
    try home.write("letter", "old")
    let path = home.path
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let files = try PosixFiles(path: path)
          for _ in 0..<2000 where try files.start(of: "letter", limit: 10, count: 0) != ([], 3) { return 1 }
          return 0
        }
      }
      let wrong = try await group.reduce(0, +)
      #expect(wrong == 0)
    }
  }

  @Test("Another file takes its place with its mode, also of one that only its owner may read")
  func mode() throws {
    for mode: mode_t in [0o600, 0o644, 0o664, 0o755] {
      try home.write("letter", "old")
      chmod(home.path + "/letter", mode)
      let before = inode("letter")
      let identity = try save("letter", "new")
      #expect(home.read("letter") == "new" && home.mode("letter") == mode && inode("letter") != before)
      #expect(identity.inode == inode("letter") && identity.size == 3)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.hasPrefix(".letter") } == [])
  }

  @Test("A new file has the mode of any new file, and replaces none")
  @MainActor func new() throws {
    let file = try file("letter")
    _ = try file.write([65], expecting: .none)
    // Asked without a change for the files of other tests, on the main actor where another test changes it.
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    let word = try #require(status.first { $0.hasPrefix("Umask:") }?.split(separator: "\t").last)
    let mask = try #require(UInt32(word, radix: 8))
    #expect(home.read("letter") == "A" && home.mode("letter") == 0o666 & ~mask)
    #expect(throws: DocumentFailure.exists) { try file.write([66], expecting: .none) }
    #expect(home.read("letter") == "A")
  }

  @Test("A symbolic link stays, and its target is replaced, through several links and relative ones")
  func links() throws {
    try home.write("real/letter", "old")
    symlink("real/letter", home.path + "/first")
    symlink(home.path + "/first", home.path + "/second")
    symlink("real", home.path + "/folder")
    try save("second", "new")
    #expect(home.read("real/letter") == "new")
    try save("folder/letter", "newer")
    #expect(home.read("real/letter") == "newer")
    var status = stat()
    for name in ["first", "second", "folder"] {
      #expect(lstat(home.path + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }
    // One that leads nowhere yet: the target is made
    symlink("real/later", home.path + "/dangling")
    _ = try file("dangling").write([65], expecting: .none)
    #expect(home.read("real/later") == "A")
    symlink("loop", home.path + "/loop")
    #expect(throws: FileError.system(ELOOP)) { try DocumentPlace(following: home.path + "/loop") }
  }

  @Test(
    "A name may begin with what is a part of the character before it",
    arguments: ["\u{301}letter", "\u{200D}letter", "\u{20DD}"])
  func joinedName(_ name: String) throws {
    let path = home.path + "/" + name
    let letter = try file(name)
    let identity = try letter.write([65], expecting: .none)
    _ = try letter.write([66], expecting: .known(identity))
    #expect(home.read(name) == "B" && DocumentPlace(unfollowed: path).name.utf8.elementsEqual(name.utf8))
    let known = try letter.open(limit: 99).content.identity
    try letter.keep([67], of: known)
    #expect(try letter.open(limit: 99).unsaved?.bytes == [67])
    // A link to it, absolute or not
    for (number, target) in [name, path, "/" + name].enumerated() {
      let link = home.path + "/link \(number)"
      try #require(symlink(target, link) == 0)
      let place = try DocumentPlace(following: link)
      #expect(place.name.utf8.elementsEqual(name.utf8) && place.folder == (number == 2 ? "/" : letterFolder))
    }
  }

  /// The folder of the letters, where no link leads to it.
  private var letterFolder: String { (try? DocumentPlace(following: home.path + "/letter").folder) ?? "" }

  @Test("What a killed save has left goes with the next opening, and nothing that is another document's")
  func left() throws {
    try home.write("letter", "old")
    let killed = try file("letter", process: Self.killed)
    let own = [killed.temporary, killed.temporary]
    let number = try #require(killed.temporary.split(separator: "-").dropFirst().first)
    let others = [
      ".letter.5000000-05-01.1-\(number)-tmp", ".letter.5000000-3.1-\(number)-tmp",
      ".letter.5000000-.proscenium-tmp", ".letter.5000000.proscenium-tmp", try file("letter").temporary,
      try file("letter.txt", process: Self.killed).temporary,
    ]
    for name in own + others { try home.write(name, "half") }
    _ = try file("letter").open(limit: 99)
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.hasPrefix(".letter") }
    #expect(names.sorted() == others.sorted())
  }

  // Another machine and another namespace of processes have other numbers: none here means nothing there.
  @Test("What a process elsewhere is writing stays, and goes where it is older than a day")
  func elsewhere() throws {
    try home.write("letter", "old")
    let folder = ".local/state/org.example.Test/documents/"
    let stems = [".letter", folder + "." + KeptVersions.name(of: letterFolder + "/letter")]
    // Whether a process here has the number of one there says nothing, either.
    let endings = [".5000000-3.proscenium-tmp", ".\(getpid())-3.proscenium-tmp"]
    let (fresh, old) = (stems.map { $0 + endings[0] }, stems.map { $0 + endings[1] })
    for name in fresh + old { try home.write(name, "half") }
    for name in fresh { age(name, seconds: 23 * 3600) }
    for name in old { age(name, seconds: 25 * 3600) }
    _ = try file("letter").open(limit: 99)
    #expect(fresh.allSatisfy { home.read($0) == "half" } && old.allSatisfy { home.read($0) == nil })
    // One that is being written here stays, however long that takes
    let living = try file("letter").temporary
    try home.write(living, "half")
    age(living, seconds: 25 * 3600)
    _ = try file("letter").open(limit: 99)
    #expect(home.read(living) == "half")
  }

  @Test("Nobody knows what the next file is called, whose name another user might take in a folder of all")
  func unknownNames() throws {
    let letter = try file("letter")
    let numbers = try (0..<100).map { _ in
      let digits = letter.temporary.split(separator: "-").dropFirst().first?.prefix { $0.isNumber }
      return try #require(digits.flatMap { UInt64($0) })
    }
    let halves = Set(numbers.map { UInt32(truncatingIfNeeded: $0) })
    #expect(halves.count == 100 && halves.contains { $0 > 1 << 24 })
    #expect(!zip(numbers, numbers.dropFirst()).contains { $1 == $0 + 1 })
  }

  @Test("What a process has left that was killed as it kept a version goes with the next opening of the document")
  func leftOfVersion() throws {
    try home.write("letter", "old")
    let folder = ".local/state/org.example.Test/documents/"
    let stem = folder + "." + KeptVersions.name(of: letterFolder + "/letter")
    let left = try stem + String(file("letter", process: Self.killed).temporary.dropFirst(".letter".count))
    let living = try stem + String(file("letter").temporary.dropFirst(".letter".count))
    for name in [left, living] { try home.write(name, "half") }
    _ = try file("letter").open(limit: 99)
    #expect(home.read(left) == nil && home.read(living) == "half")
    // No two processes write one file
    let disk = CuttableDisk()
    // The same is not written again, for which there may be no room
    for bytes: [UInt8] in [[65], [66], [66]] {
      try KeptVersions(disk).keep(KeptVersion(.unsaved, base: nil, bytes: bytes), of: "/a/letter")
    }
    let written = disk.operations.compactMap { if case .write(let name, _) = $0 { name } else { nil } }
    #expect(
      written.count == 2 && Set(written).count == 2 && written.allSatisfy { $0.contains(".\(getpid())-") }, "\(written)"
    )
    #expect(try disk.names() == [KeptVersions.name(of: "/a/letter")])
  }

  @Test("A file system without permissions is written all the same")
  func noPermissions() throws {
    // That of the processes refuses them (EPERM).
    let files = try PosixFiles(path: "/proc/self")
    try files.adopt("comm", attributesOf: nil)
    try files.adopt("comm", attributesOf: "comm")
    #expect(throws: FileError.missing) { try files.adopt("none", attributesOf: nil) }
  }

  @Test("A file with two names is written into, and keeps both; nothing is kept afterwards")
  func hardLinks() throws {
    try home.write("letter", "a long old text")
    link(home.path + "/letter", home.path + "/other")
    let before = inode("letter")
    try save("letter", "new")
    #expect(home.read("letter") == "new" && home.read("other") == "new" && inode("letter") == before)
    #expect(kept.version(of: home.path + "/letter", limit: 99) == nil)
  }

  @Test("A write into a file that was interrupted is ended by the next opening; a change of another program is none")
  func interrupted() throws {
    try home.write("letter", "NEW old")
    let old = Array("old old".utf8)
    link(home.path + "/letter", home.path + "/other")
    let path = home.path + "/letter"
    // Of another file it is an unsaved version
    let other = KeptVersion(.writing, base: FileIdentity(inode: 1, size: 1, modified: 1), bytes: [65], old: old)
    try kept.keep(other, of: path)
    #expect(try file("letter").open(limit: 99).unsaved == other)
    var base = try file("letter").status().identity
    // The number of a disk may be another one after a restart.
    base.device += 1
    // What stands in neither version is another program's, whenever that was written
    for theirs in ["NEW NEW, edited", "NEW Old", "xNEW"] {
      try home.write("letter", theirs)
      let version = KeptVersion(.writing, base: base, bytes: Array("NEW NEW".utf8), old: old)
      try kept.keep(version, of: path)
      let opened = try file("letter").open(limit: 99)
      #expect(opened.content.bytes == Array(theirs.utf8) && opened.unsaved == version)
      #expect(home.read("letter") == theirs)
    }
    try home.write("letter", "NEW old")
    let opened = try file("letter").open(limit: 99)
    #expect(opened.content.bytes == Array("NEW NEW".utf8) && opened.unsaved == nil)
    #expect(home.read("letter") == "NEW NEW" && home.read("other") == "NEW NEW")
    #expect(kept.version(of: path, limit: 99) == nil)
  }

  @Test("What a failed write has left in a file is its own: it is written whole by the next one, or by the opening")
  func torn() throws {
    try home.write("letter", "old old")
    link(home.path + "/letter", home.path + "/other")
    let path = home.path + "/letter"
    let known = try file("letter").open(limit: 99).content.identity
    // A disk that fails in the middle, and again as the old content is to be put back
    let version = KeptVersion(.writing, base: known, bytes: Array("NEW NEW".utf8), old: Array("old old".utf8))
    func tear() throws {
      try home.write("letter", "NEW old")
      try kept.keep(version, of: path)
    }
    try tear()
    #expect(try file("letter").isTorn(since: known))
    _ = try file("letter").write(Array("NEWER".utf8), expecting: .known(known))
    #expect(home.read("other") == "NEWER" && kept.version(of: path, limit: 99) == nil)
    try tear()
    // It cannot be written now either, and is kept
    try file("letter").keep(Array("NEWEST".utf8), of: known)
    #expect(try file("letter").isTorn(since: known))
    let opened = try file("letter").open(limit: 99)
    #expect(opened.content.bytes == Array("NEWEST".utf8) && opened.unsaved == nil && home.read("other") == "NEWEST")
    // Another program's change is no part of it
    try tear()
    try home.write("letter", "theirs!")
    #expect(throws: DocumentFailure.changed) { try file("letter").write([65], expecting: .known(known)) }
    #expect(home.read("letter") == "theirs!")
  }

  /// user::rw-, user:65534:rw-, group::---, mask::rw-, other::--- (linux/posix_acl_xattr.h).
  private static let accessList: [UInt8] = {
    let none = UInt32.max
    let entries: [(tag: UInt16, may: UInt16, id: UInt32)] = [
      (0x01, 6, none), (0x02, 6, 65534), (0x04, 0, none), (0x10, 6, none), (0x20, 0, none),
    ]
    var list: [UInt8] = [2, 0, 0, 0]
    for entry in entries {
      for number in [UInt32(entry.tag) | UInt32(entry.may) << 16, entry.id] {
        list += withUnsafeBytes(of: number.littleEndian) { Array($0) }
      }
    }
    return list
  }()

  @Test("A file without an access control list gets none by a save, also where its folder gives one to new files")
  func defaultList() throws {
    try home.write("letter", "old")
    chmod(home.path + "/letter", 0o640)
    let folder = try Descriptor(opening: home.path, O_RDONLY)
    let list = Self.accessList
    let hasList = linux_set_attribute(folder.number, "system.posix_acl_default", list, UInt(list.count), 0) == 0
    #expect(hasList || errno == ENOTSUP)
    try save("letter", "new")
    #expect(home.read("letter") == "new" && home.mode("letter") == 0o640)
    let letter = try Descriptor(opening: home.path + "/letter", O_RDONLY)
    #expect(linux_get_attribute(letter.number, "system.posix_acl_access", nil, 0) == -1)
  }

  @Test("The user's attributes and the access control list stay, and no group gets what the list did not give it")
  func attributes() throws {
    try home.write("letter", "old")
    let path = home.path + "/letter"
    chmod(path, 0o600)
    let letter = try Descriptor(opening: path, O_RDONLY)
    #expect(linux_set_attribute(letter.number, "user.note", "value", 5, 0) == 0 || errno == ENOTSUP)
    let list = Self.accessList
    let hasList = linux_set_attribute(letter.number, "system.posix_acl_access", list, UInt(list.count), 0) == 0
    #expect(hasList || errno == ENOTSUP)
    func attribute(_ name: String) throws -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 200)
      let file = try Descriptor(opening: path, O_RDONLY)
      let count = linux_get_attribute(file.number, name, &bytes, 200)
      return Array(bytes.prefix(max(0, count)))
    }
    let before = (try attribute("user.note"), try attribute("system.posix_acl_access"), home.mode("letter"))
    try save("letter", "new")
    #expect(home.read("letter") == "new")
    #expect(try attribute("user.note") == before.0)
    #expect(try attribute("system.posix_acl_access") == before.1)
    #expect(home.mode("letter") == before.2)
    if hasList { #expect(before.0 == Array("value".utf8) && before.1 == list && before.2 == 0o660) }
  }

  @Test("Nothing is written over a file that is not the one that is known")
  func changed() throws {
    try home.write("letter", "old")
    let file = try file("letter")
    let known = try file.open(limit: 99).content.identity
    try home.write("letter", "other")
    #expect(throws: DocumentFailure.changed) { try file.write([65], expecting: .known(known)) }
    #expect(home.read("letter") == "other")
    unlink(home.path + "/letter")
    #expect(throws: DocumentFailure.vanished) { try file.write([65], expecting: .known(known)) }
    #expect(home.read("letter") == nil)
    _ = try file.write([65], expecting: .anything)
    #expect(home.read("letter") == "A")
  }

  @Test("What is no regular file is neither read nor written, and nothing waits for it")
  func strange() throws {
    mkfifo(home.path + "/pipe", 0o600)
    mkdir(home.path + "/folder", 0o700)
    for name in ["pipe", "folder"] {
      #expect(throws: FileError.notAFile) { try file(name).open(limit: 99) }
      #expect(throws: DocumentFailure.file(.notAFile)) { try file(name).write([65], expecting: .anything) }
    }
    #expect(throws: FileError.missing) { try file("none").open(limit: 99) }
    #expect(throws: FileError.missing) { try file("no folder/none") }
    try home.write("large", "0123456789")
    #expect(throws: FileError.tooLarge(10)) { try file("large").open(limit: 9) }
  }

  @Test(
    "How a file is written follows from its status",
    arguments: [
      (FileStatus(identity: FileIdentity(inode: 1, size: 0, modified: 0)), true, SavingWay.replace),
      (FileStatus(identity: FileIdentity(inode: 1, size: 0, modified: 0)), false, .inPlace),
      (FileStatus(identity: FileIdentity(inode: 1, size: 0, modified: 0), links: 2), true, .inPlace),
      (FileStatus(identity: FileIdentity(inode: 1, size: 0, modified: 0), isOwn: false), true, .inPlace),
      (FileStatus(identity: FileIdentity(inode: 1, size: 0, modified: 0), isWritable: false), true, .refused),
    ])
  func ways(_ status: FileStatus, _ folderIsWritable: Bool, _ way: SavingWay) {
    #expect(SavingWay(status, folderIsWritable: folderIsWritable) == way)
  }

  @Test("A kept version that is damaged, or of another document, is none")
  func damaged() throws {
    let path = home.path + "/letter"
    let base = FileIdentity(device: .max, inode: .max, size: 1, modified: .min)
    let version = KeptVersion(.unsaved, base: base, bytes: [1, 10])
    try kept.keep(version, of: path)
    #expect(kept.version(of: path, limit: 99) == version)
    #expect(kept.version(of: path + "x", limit: 99) == nil)
    let name = ".local/state/org.example.Test/documents/" + KeptVersions.name(of: path)
    let whole = try Data(contentsOf: URL(filePath: home.path + "/" + name))
    for count in 0..<whole.count {
      try whole.prefix(count).write(to: URL(filePath: home.path + "/" + name))
      #expect(kept.version(of: path, limit: 99) == nil, "\(count)")
    }
    #expect(home.mode(name) == 0o600 || home.mode(name) == 0o644)
  }

  @Test(
    "A kept version of a later format, or one that is damaged, is put aside before another one takes its name",
    arguments: [#"{"document":"/home/letter","reason":"merging","size":4}"# + "\nlost", "damaged"])
  func keptUnread(_ text: String) throws {
    let (path, disk) = ("/home/letter", CuttableDisk())
    let (kept, name) = (KeptVersions(disk), KeptVersions.name(of: path))
    try disk.write(name, Array(text.utf8))
    let version = KeptVersion(.unsaved, base: nil, bytes: [1])
    try kept.keep(version, of: path)
    #expect(kept.version(of: path, limit: 99) == version)
    #expect(try disk.names().sorted() == [name, name + ".unread"])
    #expect(try disk.read(name + ".unread", limit: 99) == Array(text.utf8))
    try kept.keep(KeptVersion(.unsaved, base: nil, bytes: [2]), of: path)
    #expect(try disk.names().count == 2)
  }

  @Test("What is made for a document has a name of at most 143 bytes, as in an encrypted home (eCryptfs)")
  func names() throws {
    for name in ["a", String(repeating: "ä", count: 120), String(repeating: "👩‍👩‍👧‍👦", count: 10)] {
      #expect((KeptVersions.name(of: "/home/" + name) + ".unread-999").utf8.count <= 143)
      let disk = CuttableDisk()
      let file = DocumentFile(disk, DocumentPlace(folder: "/", name: name), kept: KeptVersions(disk))
      #expect(file.temporary.utf8.count <= 143 && file.temporary != file.temporary)
      try file.keep([1], of: .unknown)
      for case .write(let written, _) in disk.operations { #expect(written.utf8.count <= 143) }
    }
  }

  @Test("A version that has been kept under a longer name is found, replaced and removed")
  func longName() throws {
    let (path, disk) = ("/home/" + String(repeating: "ä", count: 120), CuttableDisk())
    let (kept, name) = (KeptVersions(disk), KeptVersions.name(of: path))
    func keep(_ bytes: [UInt8]) throws { try kept.keep(KeptVersion(.unsaved, base: nil, bytes: bytes), of: path) }
    func lengthen() throws {
      let long = String(name.prefix { $0 != "ä" }) + String(repeating: "ä", count: 75) + ".kept"
      #expect(long.utf8.count <= 16 + 1 + 150 + 5)
      try disk.rename(name, to: long)
    }
    try keep([1])
    try lengthen()
    #expect(kept.version(of: path, limit: 99)?.bytes == [1])
    try lengthen()
    try keep([2])
    #expect(try disk.names() == [name] && kept.version(of: path, limit: 99)?.bytes == [2])
    try lengthen()
    try kept.remove(path)
    #expect(try disk.names() == [])
    try keep([3])
    try lengthen()
    #expect(try kept.putAside(path) == name + ".unread" && disk.names() == [name + ".unread"])
  }

  /// Something happens whenever a file is synced, and before the folder is, which has no name then.
  private struct Troubled: DocumentFiles {
    let files: PosixFiles
    let onSync: @Sendable (_ name: String?) throws(FileError) -> Void

    func names() throws(FileError) -> [String] { try files.names() }
    func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] { try files.read(name, limit: limit) }
    func write(_ name: String, _ bytes: [UInt8]) throws(FileError) { try files.write(name, bytes) }
    func append(_ name: String, _ bytes: [UInt8]) throws(FileError) { try files.append(name, bytes) }
    func sync(_ name: String) throws(FileError) {
      try files.sync(name)
      try onSync(name)
    }
    func rename(_ name: String, to new: String) throws(FileError) { try files.rename(name, to: new) }
    func remove(_ name: String) throws(FileError) { try files.remove(name) }
    func syncDirectory() throws(FileError) {
      try onSync(nil)
      try files.syncDirectory()
    }
    func status(_ name: String) throws(FileError) -> FileStatus { try files.status(name) }
    var isWritable: Bool { files.isWritable }
    func adopt(_ name: String, attributesOf original: String?) throws(FileError) {
      try files.adopt(name, attributesOf: original)
    }
    func overwrite(_ name: String, _ bytes: [UInt8]) throws(FileError) { try files.overwrite(name, bytes) }
    func renameNew(_ name: String, to new: String) throws(FileError) { try files.renameNew(name, to: new) }
  }

  @Test("What another program writes right after a save is not known, and not written over by the next one")
  func meddled() throws {
    for isInPlace in [false, true] {
      try home.write("letter", "old")
      if isInPlace { link(home.path + "/letter", home.path + "/other") }
      let place = try DocumentPlace(following: home.path + "/letter")
      // Another program writes into the file as soon as it has its name
      let files = Troubled(files: try place.open()) { name in
        guard name == nil || name == place.name else { return }
        try? Data("theirs".utf8).write(to: URL(filePath: place.path), options: [])
      }
      let meddled = DocumentFile(files, place, kept: kept)
      let identity = try meddled.write(Array("mine".utf8), expecting: .known(meddled.status().identity))
      #expect(home.read("letter") == "theirs" && identity == .unknown)
      #expect(throws: DocumentFailure.changed) {
        try file("letter").write(Array("mine, too".utf8), expecting: .known(identity)) { $0 == Array("mine".utf8) }
      }
      #expect(home.read("letter") == "theirs")
    }
  }

  @Test("Of a file whose name could not be synced the new content is known, and not saved; a new one is not there")
  func unsynced() throws {
    let place = try DocumentPlace(following: home.path + "/letter")
    let files = Troubled(files: try place.open()) { name throws(FileError) in if name == nil { throw .system(EIO) } }
    let unsynced = DocumentFile(files, place, kept: kept)
    #expect(throws: DocumentFailure.file(.system(EIO))) { try unsynced.write(Array("new".utf8), expecting: .none) }
    #expect(home.read("letter") == nil)
    try home.write("letter", "old")
    var known = try file("letter").status().identity
    for content in ["new", "newer"] {
      // The document's own content is no other program's.
      do throws(DocumentFailure) {
        _ = try unsynced.write(Array(content.utf8), expecting: .known(known))
        Issue.record("saved")
      } catch {
        guard case .notSynced(let identity, .system(EIO)) = error else { throw error }
        known = identity
      }
      #expect(try home.read("letter") == content && known == file("letter").status().identity)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.hasPrefix(".letter") } == [])
  }

  @Test("A file system that has no way to sync a directory is used without; other errors count")
  func unsyncedDirectories() throws {
    // That of the processes has none (EINVAL).
    try PosixFiles(path: "/proc").syncDirectory()
    // O_PATH: nothing can be done with such a descriptor.
    let path = PosixFiles(directory: try Descriptor(opening: home.path, O_DIRECTORY | 0o10000000))
    #expect(throws: FileError.system(EBADF)) { try path.syncDirectory() }
  }

  @Test("A change that leaves size and time as they were is one; other permissions are none")
  func restoredTime() throws {
    let identity = try save(made("letter", "old"), "mine")
    #expect(try file("letter").status().identity == identity)
    let old = Array("mine".utf8)
    #expect(chmod(home.path + "/letter", 0o640) == 0)
    #expect(try file("letter").status().identity != identity)
    #expect(throws: DocumentFailure.changed) { try file("letter").write([65], expecting: .known(identity)) }
    let next = try file("letter").write(Array("more".utf8), expecting: .known(identity)) { $0 == old }
    #expect(home.read("letter") == "more" && home.mode("letter") == 0o640)
    try changeSecretly("letter", "evil")
    #expect(try file("letter").status().identity != next)
    #expect(throws: DocumentFailure.changed) {
      try file("letter").write(old, expecting: .known(next)) { $0 == Array("more".utf8) }
    }
    #expect(home.read("letter") == "evil")
  }

  private func made(_ name: String, _ text: String) throws -> String {
    try home.write(name, text)
    return name
  }

  /// Writes a text of the same length in place, and sets the time of the file back.
  private func changeSecretly(_ name: String, _ text: String) throws {
    let path = home.path + "/" + name
    var status = stat()
    try #require(stat(path, &status) == 0 && Int(status.st_size) == text.utf8.count)
    let descriptor = try Descriptor(opening: path, O_WRONLY)
    try descriptor.write(Array(text.utf8))
    let times = [status.st_atim, status.st_mtim]
    try #require(futimens(descriptor.number, times) == 0)
  }
}
