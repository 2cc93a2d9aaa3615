import Dispatch
import FoundationEssentials
import Glibc
import ProsceniumTesting
import Synchronization
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumStore

@MainActor @Suite("Default data in real folders", .serialized) struct FolderTreeTests {
  private let home: RealHome
  private let run: DataRun

  init() throws {
    home = try RealHome()
    let disk = HeadlessDisk()
    disk.home = home.path
    run = DataRun(disk: disk)
    run.data = DefaultData(folder: "Defaults", files: ["a", "Themes"])
    try home.write("Defaults/a", "a1")
    try home.write("Defaults/Themes/deep/dark", "dark1")
    try home.write("secret", "secret")
  }

  private func launch() -> (first: LaunchOptions.FirstLaunch?, errors: [String]) {
    run.program.relaunch()
    return (run.launches.last, run.errors)
  }

  /// The support directory, whose name is the test program's.
  private var folder: String { ".local/share/" + run.program.application.identifier }

  @Test("Copied with the modes of the user's own; folders are made, and a new version replaces")
  func copied() throws {
    let result = launch()
    #expect(result.first == .ofProgram && result.errors == [])
    #expect(home.read(folder + "/a") == "a1" && home.read(folder + "/Themes/deep/dark") == "dark1")
    #expect(home.mode(folder) == 0o700 && home.mode(folder + "/Themes/deep") == 0o700)
    #expect(home.mode(folder + "/a") == 0o600)
    try home.write("Defaults/a", "a2")
    run.version = "2"
    #expect(launch().first == .ofVersion(from: "1") && home.read(folder + "/a") == "a2")
    #expect(launch().first == .no)
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path + "/" + folder)
    #expect(Set(names) == ["a", "Themes", ".default-data.json"])
  }

  @Test("The owner's right to execute a file is copied, and nobody else's")
  func executable() throws {
    for (name, mode) in [("a", mode_t(0o755)), ("Themes/deep/dark", 0o611)] {
      #expect(chmod(home.path + "/Defaults/" + name, mode) == 0)
    }
    #expect(launch().errors == [])
    #expect(home.mode(folder + "/a") == 0o700 && home.mode(folder + "/Themes/deep/dark") == 0o600)
    // It changes with a version, and nothing else of the file
    #expect(chmod(home.path + "/Defaults/a", 0o644) == 0)
    #expect(chmod(home.path + "/Defaults/Themes/deep/dark", 0o755) == 0)
    run.version = "2"
    #expect(launch().errors == [])
    #expect(home.mode(folder + "/a") == 0o600 && home.mode(folder + "/Themes/deep/dark") == 0o700)
    // A right that the user has given or taken is the user's change
    #expect(chmod("\(home.path)/\(folder)/a", 0o700) == 0)
    try home.write("Defaults/a", "a3")
    run.version = "3"
    #expect(launch().errors == [] && home.read(folder + "/a") == "a1")
  }

  @Test("A file that becomes a folder with a version, or a folder that becomes a file, is reported and stays")
  func otherKind() throws {
    #expect(launch().errors == [])
    unlink(home.path + "/Defaults/a")
    try home.write("Defaults/a/inner", "inner")
    try FileManager.default.removeItem(atPath: home.path + "/Defaults/Themes")
    try home.write("Defaults/Themes", "no folder")
    run.version = "2"
    let result = launch()
    #expect(result.first == .ofVersion(from: "1") && home.read(folder + "/a") == "a1")
    #expect(home.read(folder + "/Themes/deep/dark") == "dark1")
    let text = result.errors.joined()
    #expect(text.contains("because \"a\" of another version is there") || text.contains("because \"Themes/deep/dark\""))
  }

  @Test("A record that cannot be read makes every launch the first one until it can be")
  func recordElsewhere() throws {
    #expect(launch().first == .ofProgram)
    let record = "\(home.path)/\(folder)/.default-data.json"
    try FileManager.default.moveItem(atPath: record, toPath: home.path + "/moved.json")
    #expect(symlink(home.path + "/moved.json", record) == 0)
    for _ in 0..<2 {
      let result = launch()
      #expect(result.first == .ofProgram && result.errors.last?.contains("cannot be read") == true)
    }
    #expect(unlink(record) == 0)
    try FileManager.default.moveItem(atPath: home.path + "/moved.json", toPath: record)
    #expect(launch().first == .no)
  }

  @Test("A link in the program's folder is followed by nothing", arguments: ["Defaults/Themes/link", "Defaults/a"])
  func linkInProgram(_ name: String) {
    unlink(home.path + "/" + name)
    #expect(symlink(home.path + "/secret", home.path + "/" + name) == 0)
    let result = launch()
    #expect(result.first == .ofProgram && home.read(folder + "/a") == nil)
    #expect(result.errors.count == 1 && result.errors[0].contains("not a regular file"), "\(result.errors)")
  }

  @Test("A pipe in the program's folder makes no launch wait")
  func pipe() {
    #expect(mkfifo(home.path + "/Defaults/Themes/pipe", 0o600) == 0)
    #expect(launch().errors.count == 1)
  }

  @Test("What the user has linked elsewhere stays, file or folder, and nothing is written through it")
  func linkInSupport() throws {
    #expect(launch().errors == [])
    try FileManager.default.removeItem(atPath: "\(home.path)/\(folder)/Themes")
    unlink("\(home.path)/\(folder)/a")
    try home.write("elsewhere/deep/dark", "dark1")
    #expect(symlink(home.path + "/elsewhere", "\(home.path)/\(folder)/Themes") == 0)
    #expect(symlink(home.path + "/secret", "\(home.path)/\(folder)/a") == 0)
    try home.write("Defaults/a", "a2")
    try home.write("Defaults/Themes/deep/dark", "dark2")
    try home.write("Defaults/Themes/new", "new2")
    run.version = "2"
    let result = launch()
    #expect(home.read("secret") == "secret" && home.read("elsewhere/deep/dark") == "dark1")
    #expect(home.read("elsewhere/new") == nil && result.errors == [], "\(result.errors)")
  }

  @Test(
    "What others may have written is not copied: a file, a folder in it, the folder itself",
    arguments: ["Defaults/Themes/deep/dark", "Defaults/Themes", "Defaults"])
  func foreign(_ name: String) {
    #expect(chmod(home.path + "/" + name, 0o777) == 0)
    let result = launch()
    #expect(home.read(folder + "/a") == nil && result.errors.count == 1)
    #expect(result.errors.first?.contains("another user") == true, "\(result.errors)")
  }

  /// Another program makes a file right before the copy gives its own one that name, and the copy may be killed there.
  private struct Meddled: StoreFiles {
    let files: FolderTree
    let meddles: @Sendable (_ name: String) throws(FileError) -> Void

    func names() throws(FileError) -> [String] { try files.names() }
    func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] { try files.read(name, limit: limit) }
    func write(_ name: String, _ bytes: [UInt8]) throws(FileError) { try files.write(name, bytes) }
    func append(_ name: String, _ bytes: [UInt8]) throws(FileError) { try files.append(name, bytes) }
    func sync(_ name: String) throws(FileError) { try files.sync(name) }
    func rename(_ name: String, to new: String) throws(FileError) {
      try meddles(new)
      try files.rename(name, to: new)
    }
    func renameNew(_ name: String, to new: String) throws(FileError) {
      try meddles(new)
      try files.renameNew(name, to: new)
    }
    func remove(_ name: String) throws(FileError) { try files.remove(name) }
    func syncDirectory() throws(FileError) { try files.syncDirectory() }
  }

  /// Copies what the home has to its folder `support`, in the place of a launch.
  private func copy(
    version: String = "1", _ meddles: @escaping @Sendable (_ name: String) throws(FileError) -> Void = { _ in }
  ) throws -> DefaultDataCopy.Outcome {
    let source = home.path + "/Defaults"
    mkdir(home.path + "/support", 0o700)
    let files = FolderTree(directory: try Descriptor(opening: home.path + "/support", O_RDONLY))
    return DefaultDataCopy(
      data: DefaultData(folder: "Defaults", files: ["a"], templates: ["Themes"]), version: version
    ).run(
      from: { names throws(StoreError) in
        do throws(FileError) {
          return try FolderTree(path: source, listing: names, owners: [geteuid()])
        } catch { throw .unusable("\(error)") }
      }, to: Meddled(files: files, meddles: meddles))
  }

  @Test("What another program makes while the data are copied stays, and is no file of the program's ever after")
  func race() throws {
    let path = home.path
    let outcome = try copy { name in
      guard name == "a" || name.hasSuffix("dark") else { return }
      let file = URL(filePath: path + "/support/" + name)
      try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try? Data("theirs".utf8).write(to: file, options: .withoutOverwriting)
    }
    #expect(outcome == .init(launch: .ofProgram, kept: 2))
    #expect(home.read("support/Themes/deep/dark") == "theirs" && home.read("support/a") == "theirs")
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path + "/support")
    #expect(Set(names) == ["a", "Themes", ".default-data.json"])
    try home.write("Defaults/a", "a2")
    #expect(try copy(version: "2") == .init(launch: .ofVersion(from: "1"), kept: 2))
    #expect(home.read("support/a") == "theirs")
  }

  @Test("What the user writes into a file while its new version is copied stays, and is the user's from then on")
  func edited() throws {
    #expect(try copy().copied == 2)
    try home.write("Defaults/a", "a2")
    let file = URL(filePath: home.path + "/support/a")
    let outcome = try copy(version: "2") { name in
      // All has been read by then.
      if name == ".default-data.json" { try? Data("edited".utf8).write(to: file) }
    }
    #expect(outcome == .init(launch: .ofVersion(from: "1"), kept: 1))
    #expect(home.read("support/a") == "edited")
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path + "/support")
    #expect(Set(names) == ["a", "Themes", ".default-data.json"])
    try home.write("Defaults/a", "a3")
    #expect(try copy(version: "3").copied == 0 && home.read("support/a") == "edited")
  }

  @Test("A copy that ends between two names is repeated, and takes what it has put there for its own")
  func interrupted() throws {
    let outcome = try copy { name throws(FileError) in if name == "a" { throw .system(EIO) } }
    #expect(outcome.problem != nil && home.read("support/Themes/deep/dark") == "dark1")
    #expect(home.read("support/a") == nil)
    try home.write("Defaults/a", "a2")
    #expect(try copy() == .init(launch: .ofProgram, copied: 1))
    #expect(home.read("support/a") == "a2" && home.read("support/Themes/deep/dark") == "dark1")
    try home.write("Defaults/a", "a3")
    #expect(try copy(version: "2") == .init(launch: .ofVersion(from: "1"), copied: 1))
    #expect(home.read("support/a") == "a3")
  }

  @Test("Of two files that are given one new name at once one gets it, and the other keeps its own")
  func twoAtOnce() throws {
    mkdir(home.path + "/support", 0o700)
    let names = ["one", "two"]
    for round in 0..<200 {
      for name in names { try home.write("support/" + name, name) }
      let files = FolderTree(directory: try Descriptor(opening: home.path + "/support", O_RDONLY))
      let results = Mutex<[String: FileError?]>([:])
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        var failure: FileError?
        do throws(FileError) { try files.renameNew(names[index], to: "folder/new") } catch { failure = error }
        results.withLock { [failure] in $0[names[index]] = .some(failure) }
      }
      let outcomes = results.withLock { $0 }
      let won = names.filter { outcomes[$0] == .some(nil) }
      try #require(won.count == 1 && outcomes.values.contains(.system(EEXIST)), "\(round)")
      try #require(home.read("support/folder/new") == won[0] && home.read("support/" + won[0]) == nil, "\(round)")
      for name in names where name != won[0] { try #require(home.read("support/" + name) == name, "\(round)") }
      unlink(home.path + "/support/folder/new")
    }
  }

  @Test("Only names within the folder are names")
  func names() {
    for name in [
      "", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\0b", String(repeating: "x", count: 300),
    ] {
      #expect(!FolderTree.isName(name), "\(name)")
    }
    for name in ["a", "a/b", "...", ".a/b c"] { #expect(FolderTree.isName(name), "\(name)") }
  }

  @Test(
    "Another instance that copies is waited for as long as it writes, and then told of; nothing is copied meanwhile")
  func busy() throws {
    let folder = ".local/share/org.example.Busy"
    try home.write(folder + "/mine", "")
    let other = try Descriptor(opening: home.path + "/" + folder, O_RDONLY)
    #expect(flock(other.number, LOCK_EX | LOCK_NB) == 0)
    let data = ProgramData(program: home.path + "/program", environment: ["HOME": home.path], lockSteps: 2)
    let place = ProgramDataPlace.support(applicationIdentifier: "org.example.Busy")
    let error = #expect(throws: StoreError.self) { _ = try data.open(place) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("another instance of the program"))
    // It goes on as soon as it writes no more, and the lock is gone
    var looks = 0
    let own = try Descriptor(opening: home.path + "/" + folder, O_RDONLY)
    let isLocked = StoreDirectory.lock(own.number, steps: 1) {
      looks += 1
      if looks == 5 { _ = flock(other.number, LOCK_UN) }
      return looks
    }
    #expect(isLocked && looks == 5)
  }
}
