import CSystem
import Glibc
import ProsceniumCore
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

@MainActor @Suite("The process itself") struct LinuxProcessTests {
  @Test("The processor time of a thread is read whatever the thread calls itself")
  func lines() {
    let tail = " S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20"
    for name in ["Meter", "a b", ") S 9", "(", ""] {
      let time = LinuxProcess.time(ofStat: "123 (\(name))\(tail)", ticks: 100)
      #expect(time?.name == name && time?.seconds == 2)
    }
    for line in ["", "123", "123 (x", "123 (x) S 1", ")(", "123 (x) S 1 2 3 4 5 6 7 8 9 10 a b 0"] {
      #expect(LinuxProcess.time(ofStat: line, ticks: 100) == nil)
    }
  }

  @Test("Every thread is there, and one that works has its time")
  func threads() {
    let process = LinuxProcess()
    #expect(process.threadTimes()[getpid()] != nil)
    var sum = 0.0
    let start = process.threadTimes().values.reduce(0) { $0 + $1.seconds }
    while process.threadTimes().values.reduce(0, { $0 + $1.seconds }) - start < 0.1 {
      for number in 1...100_000 { sum += 1 / Double(number) }
    }
    #expect(sum > 0)
  }

  @Test("What a thread has freed is overwritten, of each size that the C library keeps for the thread")
  func freed() throws {
    let memory = try Descriptor(opening: "/proc/self/mem", O_RDONLY)
    let process = LinuxProcess()
    // What the thread does not keep is overwritten by the C library, as it is freed.
    process.beginOverwritingFreedMemory()
    defer { _ = linux_set_malloc_option(linux_malloc_perturb, 0) }
    for size in stride(from: 40, through: 1032, by: 16) {
      // More than the thread keeps.
      let pieces = (0..<24).compactMap { _ in malloc(size) }
      for piece in pieces { memset(piece, 0x53, size) }
      for piece in pieces { free(piece) }
      process.overwriteFreedMemory()
      for piece in pieces {
        var bytes = [UInt8](repeating: 0, count: size)
        let count = pread(memory.number, &bytes, size, off_t(Int(bitPattern: piece)))
        // Of memory that the process has no more nothing can be read.
        #expect(count <= 0 || bytes.count { $0 == 0x53 } < 16, "\(size)")
      }
    }
  }
}
