import Glibc
import ProsceniumLoop
import Testing

@testable import ProsceniumStore

@Suite("Owners of the session store")
struct StoreOwnerTests {
  /// Waits for a lock that is never released, with this text, which says another one while it is waited for.
  /// - Parameters:
  ///   - text: The text of the lock.
  ///   - later: The text from the second wait on; nil where it stays.
  /// - Returns: The error, and the number of waits.
  /// - Throws: The error of the directory or of the file.
  private func owner(of text: String, later: String? = nil) throws -> (error: StoreError?, waits: Int) {
    let directory = try TemporaryDirectory()
    directory.put("lock", Array(text.utf8))
    let file = try Descriptor(opening: directory.path + "/lock", O_RDONLY)
    try #require(flock(file.number, LOCK_EX | LOCK_NB) == 0)
    var waits = 0
    func pause() {
      waits += 1
      if waits == 2, let later { directory.put("lock", Array(later.utf8)) }
    }
    do throws(StoreError) {
      try StoreLock.wait(for: (file.number, -1), atMost: .seconds(100), pause: pause) { false }
      return (nil, waits)
    } catch {
      return (error, waits)
    }
  }

  @Test(
    "An owner that has just taken the lock is named as soon as it says who it is", arguments: ["", "999999999 %3A7\n"])
  func ownerThatIsNew(_ text: String) throws {
    let owner = try owner(of: text, later: "\(getpid()) %3A1\n")
    #expect(owner.error == .owned(pid: Int(getpid()), display: ":1"))
    #expect(owner.waits == 2)
  }

  @Test(
    "An owner that never says who it is keeps nobody waiting for long",
    arguments: [("", nil, nil), ("999999999 %3A7\n", 999_999_999, ":7")] as [(String, Int?, String?)])
  func ownerWithoutName(_ text: String, _ pid: Int?, _ display: String?) throws {
    let owner = try owner(of: text)
    #expect(owner.error == .owned(pid: pid, display: display))
    #expect(owner.waits == 20)
  }

  @Test("A process that runs is named at once; one that does not have the lock may be another of its number")
  func ownerThatRuns() throws {
    for (pid, waits) in [(getpid(), 0), (getppid(), 20)] {
      let owner = try owner(of: "\(pid) %3A1\n")
      #expect(owner.error == .owned(pid: Int(pid), display: ":1") && owner.waits == waits)
    }
  }

  @Test("One on another machine is named with it, whatever its number is here")
  func ownerElsewhere() throws {
    let owner = try owner(of: "\(getpid()) %3A1 far%20away 0f0f\n")
    #expect(owner.error == .owned(pid: Int(getpid()), display: ":1", machine: "far away"))
    #expect(owner.waits == 20)
    #expect(owner.error?.description.hasSuffix("on display :1 of the machine far away") == true)
  }

  @Test("The text of a lock names its machine, and an earlier text, or one that is cut off, none")
  func lockText() {
    let (own, other) = (Machine(name: "a", start: "1"), Machine(name: "a", start: "2"))
    func read(_ text: String) -> LockText? { LockText(Array(text.utf8)) }
    #expect(read("7 %3A1 a 1\n")?.machine == own && read("7 %3A1 a 1\n")?.otherMachine(than: own) == nil)
    #expect(read("7 %3A1 a 1\n")?.otherMachine(than: other) == "a")
    #expect(read("7 %3A1 a 1\n")?.otherMachine(than: nil) == nil)
    for text in ["7 %3A1\n", "7 %3A1 a\n", "7 %3A1 a 1", "7 %3A1 - 1\n", "7 %3A1 a %\u{1}\n"] {
      #expect(read(text)?.process == 7 && read(text)?.display == ":1" && read(text)?.machine == nil, "\(text)")
    }
    #expect(read("") == nil && read("\n") == nil && read("0 %3A1\n") == nil && read("x\n") == nil)
    let written = LockText(own: ":1 x")
    #expect(read(written.line) == written && written.machine == Machine.own && written.machine != nil)
  }

  @Test(
    "A process whose first thread has ended, ends or is to be killed is ending",
    arguments: [
      ("7 (a) S 1 7 7 0 -1 4194304 0", false), ("7 (a) b) Z 1 7 7 0 -1 4227084 0", true),
      ("7 (Z) R 1 7 7 0 -1 4194308 0", true), ("7 (a", false), ("", false),
      ("7 (a) D 1 7 7 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 9 1 1 9 1 1 1 1 1 256 0 0", true),
      ("7 (a) D 1 7 7 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 9 1 1 9 1 1 1 1 1 128 0 0", false),
    ])
  func ending(_ status: String, _ isEnding: Bool) { #expect(LockOwner.isEnding(status) == isEnding) }

  /// How the owner of a lock has left it to somebody else.
  enum Leaving: String, CaseIterable {
    /// A thread goes on when the first one has ended, as after a kill while the machine is busy.
    case thread
    /// A child goes on that has inherited it, and the owner, or another process of its number, runs without it.
    case child
  }

  @Test(
    "A lock whose owner was killed, and has not ended yet, is waited for", .enabled(if: OldOwner.isAvailable),
    arguments: Leaving.allCases)
  func ownerThatEnds(_ leaving: Leaving) throws {
    let owner = try OldOwner(leaving, ends: .whenAnotherComes)
    _ = try owner.place.open()
  }

  @Test("It is waited for no longer than a while", .enabled(if: OldOwner.isAvailable), arguments: Leaving.allCases)
  func ownerThatDoesNotEnd(_ leaving: Leaving) throws {
    let owner = try OldOwner(leaving, ends: .never)
    #expect(throws: StoreError.owned(pid: Int(owner.process), display: ":7")) {
      _ = try owner.place.open(patience: .milliseconds(50))
    }
    owner.end()
    _ = try owner.place.open()
  }
}

/// A process that has locked a store and was killed, but for what still has the lock.
private final class OldOwner {
  enum End: String { case whenAnotherComes, never }

  static var isAvailable: Bool { access("/usr/bin/python3", X_OK) == 0 }

  private static let script = """
    import ctypes, fcntl, os, platform, sys, threading, time
    folder, leaving, end, other = sys.argv[1:]
    os.makedirs(folder, 0o700)
    lock = os.open(folder + "/lock", os.O_RDWR | os.O_CREAT, 0o600)
    whole = os.open(folder, os.O_RDONLY)
    for number in lock, whole: fcntl.flock(number, fcntl.LOCK_EX)
    os.write(lock, b"%d %%3A7\\n" % os.getpid())

    def isThere():
      try: return any(os.path.realpath(entry.path) == folder + "/lock" for entry in os.scandir(f"/proc/{other}/fd"))
      except FileNotFoundError: return False

    def goOn():
      while end == "never" or not isThere(): time.sleep(0.005)
      os._exit(0)

    if leaving == "child":
      if os.fork() == 0:
        goOn()
      for number in lock, whole: os.close(number)
      open(folder + "/left", "w").close()
      while True: time.sleep(1)
    threading.Thread(target=goOn).start()
    open(folder + "/left", "w").close()
    ctypes.CDLL(None).syscall({"x86_64": 60}.get(platform.machine(), 93), 0)
    """

  let process: pid_t
  let place: StorePlace
  private let directory: TemporaryDirectory
  private var hasEnded = false

  /// - Returns: When the owner has left its lock.
  init(_ leaving: StoreOwnerTests.Leaving, ends end: End) throws {
    directory = try TemporaryDirectory()
    place = StorePlace(
      applicationIdentifier: "app", environment: ["XDG_STATE_HOME": directory.path], display: "", isSeparate: false)
    let words = [
      "/usr/bin/python3", "-c", Self.script, directory.path + "/app", leaving.rawValue, end.rawValue, "\(getpid())",
    ]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) } + [nil]
    defer { arguments.forEach { free($0) } }
    // A group of its own, to end its child with it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var child: pid_t = 0
    try #require(posix_spawn(&child, words[0], nil, &attributes, &arguments, environ) == 0)
    process = child
    for _ in 0..<12_000 where !hasLeft(leaving) { usleep(5000) }
    try #require(hasLeft(leaving))
  }

  private func hasLeft(_ leaving: StoreOwnerTests.Leaving) -> Bool {
    guard access(directory.path + "/app/left", F_OK) == 0 else { return false }
    return leaving == .child || KernelFile.text(of: "/proc/\(process)/stat")?.contains(") Z ") == true
  }

  /// Ends what has the lock.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    kill(-process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    // Its child, which init takes, may still have the lock.
    for _ in 0..<12_000 where kill(-process, 0) == 0 { usleep(5000) }
  }

  deinit { end() }
}
