import Glibc
import ProsceniumStore
import Testing

@testable import ProsceniumCore
@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

@Suite("What the watchdog reads and writes") struct WatchdogReportTests {
  @Test("The start of a process, whatever its name", arguments: ["a", "a b) (c", ")", "(x) S 1 2"])
  func start(_ name: String) {
    let fields = (3...52).map { $0 == 22 ? "4711" : "\($0)" }
    #expect(ProcessStatus.startTicks(in: "12 (\(name)) \(fields.joined(separator: " "))\n") == 4711)
    #expect(ProcessStatus.startTicks(in: "12 (\(name)) S 1 2 3") == nil)
    #expect(ProcessStatus.startTicks(in: "") == nil)
  }

  @Test("The age of this process is more than none, and less than the machine's")
  func age() {
    let now = MonotonicClock.nanoseconds
    let uptime = MonotonicClock.uptime
    let age = ProcessStatus.age(at: uptime, now: now)
    #expect(age > 0 && age <= now)
    // A second later, and before there was a process.
    #expect(ProcessStatus.age(at: uptime + 1_000_000_000, now: .max) >= age + 1_000_000_000)
    #expect(ProcessStatus.age(at: 0, now: now) == 0)
  }

  @Test(
    "A debugger is one by its number",
    arguments: [("TracerPid:\t0\n", 0), ("a: b\nTracerPid:\t17\nUid: 0", 17), ("", 0)])
  func tracer(_ text: String, _ process: Int) { #expect(ProcessStatus.tracer(in: text) == process) }

  @Test("The sentence of each case")
  func headlines() {
    func headline(_ callback: CallDescription, running: CallDescription? = nil) -> String {
      var state = WatchdogState(step: 1_000_000_000)
      if callback.phase == .launch {
        state.beginLaunch(limit: 5_000_000_000, now: 0)
        state.countBeforeLaunch(4_260_000_000, below: 5_000_000_000)
      } else {
        state.begin(callback, limit: 1_000_000_000, now: 0)
      }
      let watch = state.check(at: 1_000_000_000).first
      let report = watch.map {
        WatchdogReport(watch: $0, running: running, application: "a", process: 1, date: "", ends: false)
      }
      return report?.headline ?? ""
    }
    #expect(
      headline(CallDescription("sceneDidEnterBackground(_:)", scene: "6F", phase: .background))
        == "sceneDidEnterBackground(_:) of the scene 6F has not returned for 1 s, and the limit is 1 s (return from an "
        + "entry to the background).")
    #expect(
      headline(CallDescription("launch", phase: .launch))
        == "The launch has taken 5.26 s, and the limit is 5 s: no callback is running.")
    #expect(
      headline(
        CallDescription("launch", phase: .launch),
        running: CallDescription("scene(_:willConnectTo:options:)", scene: "6F", phase: .update))
        == "The launch has taken 5.26 s, and the limit is 5 s: scene(_:willConnectTo:options:) of the scene 6F is running."
    )
  }

  @Test(
    "Seconds with up to two decimals",
    arguments: [(0, "0"), (5_000_000_000, "5"), (50_000_000, "0.05"), (5_109_999_999, "5.1"), (619_000_000, "0.61")]
      as [(UInt64, String)])
  func seconds(_ nanoseconds: UInt64, _ text: String) { #expect(WatchdogReport.seconds(nanoseconds) == text) }

  @Test("The latest reports are kept, readable by the user alone; nothing else is touched")
  func folder() throws {
    var template = Array("/tmp/proscenium-reports-XXXXXX".utf8CString)
    #expect(mkdtemp(&template) != nil)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let files = try PosixFiles(path: path)
    defer {
      for name in (try? files.names()) ?? [] { try? files.remove(name) }
      rmdir(path)
    }
    try files.write("A.session", [1])
    try files.write("watchdog-notes", [1])
    let folder = ReportFolder(files: files)
    for number in 1...25 {
      let date = "2026-01-01T00:00:\(number < 10 ? "0" : "")\(number)Z"
      #expect(folder.save("\(number)\n", date: date, process: 7, number: number) == nil)
    }
    // While the clock was ahead
    for number in 1...9 {
      #expect(folder.save("ahead\n", date: "2090-01-01T00:00:00Z", process: 8, number: number) == nil)
    }
    for number in 16...25 {
      #expect(folder.save("\(number)\n", date: "2026-01-01T00:00:\(number)Z", process: 7, number: number) == nil)
    }
    let names = try files.names().sorted()
    #expect(names.count == ReportFolder.mostReports + 2 && !names.contains { $0.contains("2090") }, "\(names)")
    #expect(names.contains("A.session") && names.contains("watchdog-notes"))
    #expect(names.contains("watchdog-2026-01-01T00-00-25Z-7-25.txt"))
    #expect(!names.contains("watchdog-2026-01-01T00-00-15Z-7-15.txt"))
    var status = stat()
    #expect(stat("\(path)/watchdog-2026-01-01T00-00-25Z-7-25.txt", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("A date is a date") func date() { #expect(ReportFolder.date(86_399) == "1970-01-01T23:59:59Z") }

  @Test("A report has an end, whatever is in it")
  func length() throws {
    var state = WatchdogState(step: 100)
    state.begin(CallDescription("a", phase: .update), limit: 100, now: 0)
    var report = WatchdogReport(
      watch: try #require(state.check(at: 100).first), application: "a", process: 1, date: "", ends: true)
    report.threads = (0..<64).map { ThreadBacktrace(thread: $0, name: "t", frames: (0..<64).map { UInt($0) }) }
    #expect(report.text.count <= WatchdogReport.mostCharacters + 1)
    report.threads = [ThreadBacktrace(thread: 1, name: "t", frames: nil)]
    #expect(report.text.contains("did not answer"))
  }
}

@Suite("Where threads are") struct BacktraceTests {
  @Test("Threads answer where they are; one that blocks signals does not")
  func threads() throws {
    let gates = [Gate(), Gate()]
    #expect(DetachedThread.run { gates[0].wait() })
    #expect(
      DetachedThread.run {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        gates[1].wait()
      })
    let (deaf, hearing) = (gates[0].thread, gates[1].thread)
    var (silent, heard): (ThreadBacktrace?, [UInt]?)
    // A busy machine may not let a thread answer in time.
    for _ in 0..<100 where heard == nil {
      let found = ThreadBacktraces.capture(most: .max)
      silent = found.first { $0.thread == deaf }
      heard = found.first { $0.thread == hearing }?.frames
    }
    #expect(try #require(silent).frames == nil)
    let frames = try #require(heard)
    var symbols = Symbolizer()
    let lines = frames.enumerated().map { symbols.describe($0 == 0 ? $1 : $1 - 1) }
    #expect(lines.contains { $0.contains("Gate") && $0.contains("wait()") }, "\(lines)")
    for gate in gates { gate.open() }
  }

  @Test("A file's own names; rubbish names nothing")
  func symbols() throws {
    // A file of one function "f" of 16 bytes at 0x1000, as elf(5) lays it out
    var file = [UInt8](repeating: 0, count: 64 + 3 * 64 + 2 * 24 + 3)
    func put(_ value: UInt64, _ offset: Int, _ size: Int) {
      for index in 0..<size { file[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
    }
    file.replaceSubrange(0..<6, with: [0x7f, 0x45, 0x4c, 0x46, 2, 1])
    put(3, 16, 2)
    put(64, 40, 8)
    put(64, 58, 2)
    put(3, 60, 2)
    let (symbolTable, names) = (64 + 64, 64 + 128)
    put(2, symbolTable + 4, 4)
    put(256, symbolTable + 24, 8)
    put(48, symbolTable + 32, 8)
    put(2, symbolTable + 40, 4)
    put(304, names + 24, 8)
    put(3, names + 32, 8)
    put(1, 256 + 24, 4)
    file[256 + 24 + 4] = 2
    put(0x1000, 256 + 24 + 8, 8)
    put(16, 256 + 24 + 16, 8)
    file[305] = UInt8(ascii: "f")
    let symbols = ElfSymbols(bytes: file)
    #expect(!symbols.isFixed)
    #expect(symbols.function(at: 0x1000)?.name == "f")
    #expect(symbols.function(at: 0x100f)?.offset == 15)
    #expect(symbols.function(at: 0x1010) == nil)
    #expect(symbols.function(at: 0xfff) == nil)
    // Cut anywhere, and with any byte turned, it is read without harm
    for length in 0...file.count { _ = ElfSymbols(bytes: Array(file[..<length])).function(at: 0x1000) }
    for index in file.indices {
      for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
        var other = file
        other[index] = value
        _ = ElfSymbols(bytes: other).function(at: 0x1000)
      }
    }
    #expect(ElfSymbols(path: "/nonexistent").function(at: 0x1000) == nil)
    #expect(ElfSymbols(path: "/dev/null").function(at: 0x1000) == nil)
  }

  /// Somewhere that a thread is, until it may go on.
  private final class Gate: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var number: Int32 = 0
    private var isOpen = false

    init() {
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(changed, nil)
    }

    @inline(never) func wait() {
      pthread_mutex_lock(mutex)
      number = ThreadBacktraces.current
      pthread_cond_broadcast(changed)
      while !isOpen { pthread_cond_wait(changed, mutex) }
      pthread_mutex_unlock(mutex)
    }

    /// The thread that has arrived.
    var thread: Int32 {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      while number == 0 { pthread_cond_wait(changed, mutex) }
      return number
    }

    func open() {
      pthread_mutex_lock(mutex)
      isOpen = true
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
  }
}

extension ElfSymbols {
  /// The symbols of a file with these bytes.
  fileprivate init(bytes: [UInt8]) {
    self.init { offset, count in
      guard offset >= 0, count > 0, offset < bytes.count else { return nil }
      return Array(bytes[offset..<min(bytes.count, offset &+ count)])
    }
  }
}
