import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

@Suite("Where memory pressure is heard of", .serialized) @MainActor struct MemoryPressureTests {
  let host = TestHost()

  func start(_ environment: [String: String], root: String = "/nowhere") -> MemoryPressureSource {
    let source = MemoryPressureSource(environment: environment, root: root)
    source.start(host)
    host.passTime()
    return source
  }

  @Test("A FIFO that the environment names warns at each writing; a writer that leaves makes no wake-up")
  func fifo() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pressure")
    try #require(mkfifo(path, 0o600) == 0)
    let source = start(["MEMORY_PRESSURE_WATCH": path])
    #expect(host.messages == [])
    #expect(!host.turn())
    for round in 1...3 {
      let writer = open(path, O_WRONLY | O_NONBLOCK)
      #expect(write(writer, "x", 1) == 1)
      #expect(host.settle())
      #expect(host.events.count == round)
      close(writer)
      // Nothing is said any more: the loop sleeps.
      #expect(!host.turn(milliseconds: 50))
    }
    #expect(host.wakeUps == 3)
    #expect(host.events.allSatisfy { $0 == .memoryPressure(.warning) })
    source.stop()
    #expect(host.watched.isEmpty)
  }

  /// A socket that takes connections at a path.
  private func listen(at path: String) throws -> Int32 {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(isBound == 0 && Glibc.listen(listener, 1) == 0)
    return listener
  }

  @Test("A socket that the environment names is told what to watch, and forgotten when its other end goes")
  func socketPlace() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/socket"
    defer { unlink(path) }
    let listener = try listen(at: path)
    defer { close(listener) }
    // "hello", in base64.
    let source = start(["MEMORY_PRESSURE_WATCH": path, "MEMORY_PRESSURE_WRITE": "aGVsbG8="])
    let server = accept(listener, nil, nil)
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(server, &bytes, 16) == 5)
    #expect(String(decoding: bytes.prefix(5), as: UTF8.self) == "hello")
    #expect(!host.turn())
    #expect(write(server, "x", 1) == 1)
    #expect(host.settle())
    #expect(host.events == [.memoryPressure(.warning)])
    close(server)
    #expect(host.settle(), "the loop never sleeps")
    #expect(host.watched.isEmpty)
    #expect(host.messages.count == 1)
    #expect(host.events.count == 1)
    source.stop()
  }

  @Test("A socket whose other end only says that nothing more comes is forgotten too")
  func halfClosedSocket() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/socket"
    defer { unlink(path) }
    let listener = try listen(at: path)
    defer { close(listener) }
    let source = start(["MEMORY_PRESSURE_WATCH": path])
    let server = accept(listener, nil, nil)
    defer { close(server) }
    // It reads on, and will never write again.
    #expect(shutdown(server, Int32(SHUT_WR)) == 0)
    #expect(host.settle(), "the loop never sleeps")
    #expect(host.watched.isEmpty)
    #expect(host.events == [])
    source.stop()
  }

  @Test("A pressure file that is named without a trigger, or with rubbish for one, leaves another place to be watched")
  func fileWithoutTrigger() throws {
    let real = "/proc/pressure/memory"
    if access(real, R_OK) != 0 { try cancelTest("no pressure files", lacking: .pressure) }
    let folder = try TemporaryFolder()
    try folder.write("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n")
    for environment in [
      ["MEMORY_PRESSURE_WATCH": real], ["MEMORY_PRESSURE_WATCH": real, "MEMORY_PRESSURE_WRITE": "!"],
    ] {
      let source = start(environment, root: folder.path)
      #expect(host.settle())
      #expect(host.watched.count == 1, "\(host.messages)")
      source.stop()
    }
  }

  @Test("/dev/null turns everything off: nothing is opened, nothing is said")
  func off() {
    let source = start(["MEMORY_PRESSURE_WATCH": "/dev/null"], root: "")
    #expect(host.watched.isEmpty)
    #expect(host.messages == [])
    source.stop()
  }

  @Test("Nothing is opened before the launch is over, and nothing after the end")
  func delay() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pressure")
    try #require(mkfifo(path, 0o600) == 0)
    let source = MemoryPressureSource(environment: ["MEMORY_PRESSURE_WATCH": path], root: "/nowhere")
    source.start(host)
    #expect(host.watched.isEmpty)
    source.stop()
    host.passTime()
    #expect(host.watched.isEmpty)
  }

  @Test("What is missing is said once, in a line that names every place, and nothing is watched")
  func missing() throws {
    let folder = try TemporaryFolder()
    let source = start(["MEMORY_PRESSURE_WATCH": folder.path + "/none"], root: folder.path)
    #expect(host.watched.isEmpty)
    #expect(host.messages.count == 1)
    #expect(host.messages.first?.contains(folder.path + "/none: No such file or directory") == true)
    #expect(host.messages.first?.contains("/proc/pressure/memory") == true)
    source.stop()
  }

  @Test("A place that is no file, FIFO or socket, and base64 that is none, do no harm")
  func rubbish() throws {
    let folder = try TemporaryFolder()
    for (path, request) in [(folder.path, "!"), ("/dev/zero", "====")] {
      let source = start(["MEMORY_PRESSURE_WATCH": path, "MEMORY_PRESSURE_WRITE": request], root: folder.path)
      #expect(host.watched.isEmpty)
      source.stop()
    }
    #expect(host.messages.count == 2)
  }

  @Test("The counters of the own group's limits are read when their file changes")
  func counters() throws {
    let folder = try TemporaryFolder()
    try folder.write("proc/self/cgroup", "0::/app\n")
    try folder.write("proc/self/mountinfo", "30 25 0:27 / /groups rw - cgroup2 cgroup2 rw\n")
    try folder.write("groups/app/memory.events", "high 0\nmax 0\noom 0\noom_kill 0\n")
    let source = start([:], root: folder.path)
    #expect(host.watched.count == 1)
    try folder.write("groups/app/memory.events", "high 1\nmax 0\noom 0\noom_kill 0\n")
    #expect(host.settle())
    #expect(host.events.last == .memoryPressure(.warning))
    try folder.write("groups/app/memory.events", "high 1\nmax 0\noom 1\noom_kill 1\n")
    #expect(host.settle())
    #expect(host.events.last == .memoryPressure(.critical))
    let count = host.events.count
    try folder.write("groups/app/memory.events", "high 1\nmax 0\noom 1\noom_kill 1\n")
    #expect(host.settle())
    #expect(host.events.count == count)
    source.stop()
    #expect(host.watched.isEmpty)
  }
}
