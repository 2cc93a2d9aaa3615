import CSystem
import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// A control group with so little memory that its programs wait for it.
private final class TightGroup {
  let folder: String

  /// Cancels the test where root may not make such a group, or the kernel has no memory controller for it.
  init(bytes: Int) throws {
    let membership = try #require(KernelFile.text(of: "/proc/self/cgroup"))
    let mounts = try #require(KernelFile.text(of: "/proc/self/mountinfo"))
    // The first version's hierarchy, else the second's.
    let old = membership.split(separator: "\n").first { $0.contains(":memory:") }?.split(separator: ":").last
    let own = old.map { "/sys/fs/cgroup/memory" + $0 } ?? ControlGroup.folder(membership: membership, mounts: mounts)
    let root = old == nil ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
    let limit = old == nil ? "/memory.max" : "/memory.limit_in_bytes"
    // The process's own group is not in sight in some containers, and one of the second version that has processes
    // gives no memory to groups of its own.
    folder = try Self.make(in: [own ?? root, root], limit)
    try Descriptor(opening: folder + limit, O_WRONLY).write(Array("\(bytes)".utf8))
  }

  /// Makes a group with a limit in the first folder where that works.
  private static func make(in parents: [String], _ limit: String) throws -> String {
    var error: Int32 = 0
    for parent in parents {
      let folder = "\(parent)/proscenium-test-\(getpid())"
      if mkdir(folder, 0o700) == 0, access(folder + limit, W_OK) == 0 { return folder }
      error = errno
      rmdir(folder)
    }
    #expect([ENOENT, EPERM, EACCES, EROFS].contains(error))
    try cancelTest("no group in \(parents): \(Errno(error))", lacking: .memoryGroups)
  }

  /// Writes and reads a file within the group.
  func run(_ file: String, megabytes: Int, rounds: Int, _ home: TemporaryFolder) throws -> ChildProcess {
    let script = """
      echo $$ > \(folder)/cgroup.procs
      for i in $(seq \(rounds)); do
        dd if=/dev/zero of=\(file) bs=1M count=\(megabytes); dd if=\(file) of=/dev/null bs=1M
      done
      """
    return try ChildProcess(
      ["sh", "-c", script], environment: try privateEnvironment(home: home, display: nil),
      output: home.file("out"), errors: home.file("err"))
  }

  /// Removes the group; its programs have to have ended.
  func close() { rmdir(folder) }
}

/// Does something as a thread of a process without CAP_SYS_RESOURCE (capset(2)), which most programs are.
private func withoutPrivileges(_ body: () -> Void) {
  var header = linux_capability_header(version: UInt32(linux_capability_version), thread: 0)
  // The first 32 capabilities, and the others.
  var sets = [linux_capability_set](repeating: linux_capability_set(), count: 2)
  guard linux_get_capabilities(&header, &sets) == 0 else { return body() }
  let effective = sets[0].effective
  sets[0].effective &= ~(1 << UInt32(linux_capability_system_resources))
  _ = linux_set_capabilities(&header, sets)
  body()
  sets[0].effective = effective
  _ = linux_set_capabilities(&header, sets)
}

@Suite("What the kernel itself tells", .serialized) @MainActor struct RealPressureTests {
  let host = TestHost()

  /// The false first alarm is one of a process without privileges.
  @Test(
    "A program that waits for memory at its group's limit is warned; the first alarm, after a short stall, is no warning",
    arguments: [true, false])
  func limit(isPrivileged: Bool) async throws {
    let trigger = PressureTrigger.usual
    func total() -> UInt64? { KernelFile.text(of: "/proc/pressure/memory").flatMap(trigger.total) }
    guard let start = total() else { try cancelTest("no pressure files", lacking: .pressure) }
    let group = try TightGroup(bytes: 8 << 20)
    defer { group.close() }
    let home = try TemporaryFolder()
    let source = MemoryPressureSource(environment: [:])
    source.start(host)
    if isPrivileged { host.passTime() } else { withoutPrivileges { host.passTime() } }
    #expect(host.messages == [])
    #expect(!host.watched.isEmpty)
    defer { source.stop() }

    // A short stall: the kernel's first alarm comes whatever its length.
    let short = try group.run(home.file("small"), megabytes: 9, rounds: 1, home)
    while short.poll() == nil { host.turn(milliseconds: 20) }
    for _ in 0..<20 { host.turn(milliseconds: 100) }
    let grown = (total() ?? 0) - start
    if grown < trigger.stall {
      #expect(host.events == [], "\(grown) microseconds, \(host.wakeUps) alarms")
    }

    let long = (0..<2).map { index in
      Result { try group.run(home.file("large\(index)"), megabytes: 60, rounds: 20, home) }
    }
    let isWarned = host.waitForEvent(seconds: 30)
    #expect(isWarned, "\((total() ?? 0) - start) microseconds, \(host.wakeUps) wake-ups")
    #expect(host.events.allSatisfy { $0 == .memoryPressure(.warning) })
    for child in long {
      let child = try child.get()
      child.send(SIGKILL, toGroup: true)
      _ = try await child.wait()
    }
  }
}
