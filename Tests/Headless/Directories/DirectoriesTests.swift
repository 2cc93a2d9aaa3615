import FoundationEssentials
import Glibc
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumStore

@MainActor @Suite("The program's directories", .serialized) struct DirectoriesTests {
  private let home: RealHome
  private let program: HeadlessProgram

  init() throws {
    home = try RealHome()
    let disk = HeadlessDisk()
    disk.home = home.path
    program = HeadlessProgram(delegate: RecordingDelegate.init, disk: disk)
  }

  private var id: String { program.application.identifier }
  private func name(_ url: URL) -> String { String(url.path.dropFirst(home.path.count + 1)) }

  @Test("Each is made when it is asked for, closed to others, and made again; before the launch there is none")
  func made() throws {
    #expect(throws: DirectoryError.self) { try program.application.directories.support }
    program.launch()
    let directories = program.application.directories
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
    for _ in 0..<2 {
      #expect(try name(directories.support) == ".local/share/\(id)")
      #expect(try name(directories.caches) == ".cache/\(id)")
      #expect(try name(directories.state) == ".local/state/\(id)/program")
      #expect(try directories.documents.path == home.path)
      let temporary = try directories.temporary
      #expect(name(temporary).hasPrefix("\(id)-"))
      #expect(try directories.temporary == temporary)
      for folder in [".local/share/\(id)", ".cache/\(id)", ".local/state/\(id)/program", name(temporary)] {
        #expect(home.mode(folder) == 0o700, "\(folder)")
        try home.write(folder + "/file", "text")
      }
      #expect(
        home.read(".cache/\(id)/CACHEDIR.TAG")?.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n") == true)
      // Anybody may delete them
      for name in [".local", ".cache", name(temporary)] {
        try FileManager.default.removeItem(atPath: home.path + "/" + name)
      }
    }
  }

  @Test("From another thread, too")
  func threads() async throws {
    program.launch()
    let directories = program.application.directories
    let paths = try await Task.detached { [try directories.caches.path, try directories.temporary.path] }.value
    #expect(paths.allSatisfy { $0.hasPrefix(home.path) })
  }

  @Test("The temporary directory goes with the program, and nothing that is linked in it")
  func temporary() throws {
    program.launch()
    let temporary = name(try program.application.directories.temporary)
    try home.write(temporary + "/deep/file", "text")
    try home.write("kept/file", "text")
    #expect(symlink(home.path + "/kept", "\(home.path)/\(temporary)/link") == 0)
    program.application.terminate()
    program.advance(by: .seconds(1))
    #expect(program.exitStatus == 0 && home.mode(temporary) == nil && home.read("kept/file") == "text")
  }

  @Test("One to which others may write is closed to them; one in whose place a file is, is refused with its name")
  func refused() throws {
    program.launch()
    let directories = program.application.directories
    let support = name(try directories.support)
    #expect(chmod("\(home.path)/\(support)", 0o777) == 0)
    _ = try directories.support
    #expect(home.mode(support) == 0o755)
    try home.write(".cache/\(id)", "a file")
    let error = #expect(throws: DirectoryError.self) { try directories.caches }
    #expect(error?.description.contains(".cache/\(id)") == true, "\(error?.description ?? "")")
  }

  @Test("One that belongs to another user is refused", .enabled(if: geteuid() == 0))
  func foreign() throws {
    program.launch()
    let state = try program.application.directories.state
    #expect(chown(state.path, 12_345, 12_345) == 0)
    let error = #expect(throws: DirectoryError.self) { try program.application.directories.state }
    #expect(error?.description.contains("12345") == true)
  }

  @Test("Variables that are no absolute paths do not count")
  func variables() throws {
    func path(_ folder: UserFolder, _ environment: [String: String]) -> String? {
      try? UserFolders(applicationIdentifier: "org.example.A", environment: environment).path(of: folder)
    }
    #expect(path(.support, ["XDG_DATA_HOME": "/data", "HOME": "/home/u"]) == "/data/org.example.A")
    #expect(path(.support, ["XDG_DATA_HOME": "data", "HOME": "/home/u"]) == "/home/u/.local/share/org.example.A")
    #expect(path(.caches, ["XDG_CACHE_HOME": "", "HOME": "/home/u"]) == "/home/u/.cache/org.example.A")
    #expect(path(.state, ["XDG_STATE_HOME": "/s"]) == "/s/org.example.A/program")
    #expect(path(.temporary, ["TMPDIR": "tmp"]) == "/tmp" && path(.temporary, ["TMPDIR": "/var/tmp"]) == "/var/tmp")
    for folder in [UserFolder.support, .caches, .state, .documents] {
      #expect(path(folder, ["HOME": "home"]) == nil && path(folder, [:]) == nil)
    }
    for identifier in ["", "..", ".", "a/b", "/etc"] {
      let folders = UserFolders(applicationIdentifier: identifier, environment: ["HOME": "/home/u"])
      #expect((try? folders.path(of: .support)) == nil, "\(identifier)")
    }
  }

  @Test("A TMPDIR that is gone, or no directory, is as none", arguments: ["/no/such/folder", "/dev/null", "/proc"])
  func wrongTemporary(_ path: String) throws {
    let folders = UserFolders(applicationIdentifier: "org.example.A", environment: ["TMPDIR": path])
    let made = try folders.open(.temporary).path
    defer { rmdir(made) }
    #expect(made.hasPrefix("/tmp/org.example.A-"))
  }

  @Test(
    "The documents are where xdg-user-dir says",
    arguments: [
      (#"XDG_DOCUMENTS_DIR="$HOME/Papers""#, "/h/Papers"), (#"XDG_DOCUMENTS_DIR="/mnt/papers""#, "/mnt/papers"),
      (#"  XDG_DOCUMENTS_DIR = "$HOME/My \"Papers\"" "#, #"/h/My "Papers""#), (#"XDG_DOCUMENTS_DIR="$HOME/""#, "/h"),
      ("# nothing\nXDG_DESKTOP_DIR=\"$HOME/D\"\n", nil), (#"XDG_DOCUMENTS_DIR="papers""#, nil),
      (#"XDG_DOCUMENTS_DIR=$HOME/Papers"#, nil), (#"XDG_DOCUMENTS_DIR="$HOMES/Papers""#, nil), ("\u{0}\u{ff}=\"", nil),
      ("XDG_DOCUMENTS_DIR=\"$HOME/1\"\nXDG_DOCUMENTS_DIR=\"$HOME/2\"\n", "/h/2"), ("XDG_DOCUMENTS_DIR=\"", nil),
      ("\tXDG_DOCUMENTS_DIR\t=\t\"$HOME/Papers\"", "/h/Papers"),
    ] as [(String, String?)])
  func documents(text: String, expected: String?) throws {
    #expect(UserFolders.documents(in: text, home: "/h") == expected)
    // And in a real file, whose directory is made
    try home.write(".config/user-dirs.dirs", text.replacing("/mnt", with: home.path))
    program.launch()
    let real = expected.map { path in
      path.hasPrefix("/mnt") ? home.path + path.dropFirst(4) : home.path + path.dropFirst(2)
    }
    #expect(try program.application.directories.documents.path == (real ?? home.path))
    if let real { #expect(home.mode(String(real.dropFirst(home.path.count + 1))) != nil) }
  }
}

@MainActor @Suite("Caches that should shrink", .serialized) struct CacheShortageTests {
  private let home: RealHome
  private let program: HeadlessProgram

  init() throws {
    home = try RealHome()
    let disk = HeadlessDisk()
    disk.home = home.path
    program = HeadlessProgram(delegate: RecordingDelegate.init, disk: disk)
  }

  /// Launches, and records the causes.
  private func launch(usesCaches: Bool = true) throws -> (causes: () -> [CacheShortage], token: Any) {
    final class Log { var causes: [CacheShortage] = [] }
    let log = Log()
    program.launch()
    program.advance(by: .seconds(1))
    if usesCaches { _ = try program.application.directories.caches }
    let token = NotificationCenter.default.addObserver(of: program.application, for: .cachesShouldShrink) { message in
      log.causes.append(message.cause)
    }
    return ({ log.causes }, token)
  }

  #if !WITHOUT_Memory
    @Test("Told of memory that is short, after the memory warning, once in ten seconds")
    func memory() throws {
      let (causes, token) = try launch()
      program.ignoreLines()
      program.machine.runShortOfMemory()
      program.machine.runShortOfMemory(.critical)
      #expect(causes() == [.memory])
      program.advance(by: .seconds(11))
      program.machine.runShortOfMemory()
      #expect(causes() == [.memory, .memory])
      let names = program.trace.map(\.description)
      let warning = try #require(names.firstIndex { $0.contains("memoryWarning") })
      #expect(names[(warning + 1)...].contains { $0.contains("cachesShouldShrink") })
      withExtendedLifetime(token) {}
    }
  #endif

  @Test("Told of a full disk when a session cannot be saved")
  func save() throws {
    let (causes, token) = try launch()
    program.disk.isFull = true
    program.scenes.first?.session.userInfo = ["page": 1]
    program.advance(by: .seconds(3))
    #expect(causes() == [.disk])
    withExtendedLifetime(token) {}
  }

  #if !WITHOUT_Documents
    @Test("Told of a full disk when a document cannot be saved")
    func document() throws {
      let (causes, token) = try launch()
      let document = Document(fileURL: URL(filePath: home.path + "/letter.txt"))
      document.application = program.application
      document.fail(DocumentError(.locked, document.fileURL))
      program.advance(by: .seconds(1))
      #expect(causes() == [])
      document.fail(DocumentError(.diskFull, document.fileURL))
      program.advance(by: .seconds(1))
      #expect(causes() == [.disk])
      // New tries: each is no new error, and ten seconds later the disk is full still.
      for isNew in [true, false] {
        document.fail(DocumentError(.diskFull, document.fileURL), isNew: isNew)
        program.advance(by: .seconds(1))
        #expect(causes() == [.disk])
      }
      program.advance(by: .seconds(10))
      document.fail(DocumentError(.diskFull, document.fileURL), isNew: false)
      program.advance(by: .seconds(1))
      #expect(causes() == [.disk, .disk])
      withExtendedLifetime(token) {}
    }
  #endif

  #if !WITHOUT_UserNotifications
    @Test("Told of a full disk when a notice for later cannot be saved")
    func schedule() throws {
      let (causes, token) = try launch()
      program.disk.isFull = true
      let content = UserNotificationContent(title: "Title", body: "Body")
      let request = UserNotificationRequest(identifier: "later", content: content, trigger: .after(.seconds(1000)))
      var errors = 0
      UserNotificationCenter.of(program.application).add(request) { _ in errors += 1 }
      program.advance(by: .seconds(1))
      #expect(errors == 1 && causes() == [.disk])
      withExtendedLifetime(token) {}
    }
  #endif

  @Test("Told when the last scene enters the background and the disk is nearly full, and not where there is room")
  func background() throws {
    let (causes, token) = try launch()
    let window = try #require(program.windows.first)
    program.desk.minimize(window)
    program.advance(by: .seconds(3))
    #expect(causes() == [])
    program.application.host.cacheSpace = { DiskSpace(available: 1 << 20, total: 1 << 40) }
    program.desk.restore(window)
    program.advance(by: .seconds(3))
    #expect(causes() == [])
    program.desk.minimize(window)
    program.advance(by: .seconds(3))
    #expect(causes() == [.disk])
    withExtendedLifetime(token) {}
  }

  @Test("A program that has not asked for its caches is told nothing, and nobody looks at the disk")
  func unused() throws {
    let (causes, token) = try launch(usesCaches: false)
    program.application.host.cacheSpace = {
      Issue.record("somebody looks at the disk")
      return nil
    }
    program.disk.isFull = true
    program.scenes.first?.session.userInfo = ["page": 1]
    program.advance(by: .seconds(3))
    try program.desk.minimize(#require(program.windows.first))
    program.advance(by: .seconds(3))
    #expect(causes() == [] && home.mode(".cache") == nil)
    withExtendedLifetime(token) {}
  }

  @Test("Little room is less than a twentieth and less than a gibibyte")
  func room() {
    #expect(DiskSpace(available: 0, total: 1 << 40).isShort && DiskSpace(available: 1 << 20, total: 1 << 30).isShort)
    #expect(!DiskSpace(available: 1 << 30, total: 1 << 40).isShort && !DiskSpace(available: 10, total: 100).isShort)
    #expect(!DiskSpace(available: 0, total: 0).isShort)
  }
}
