import CSystem
import FoundationEssentials
import Glibc
import ProsceniumCore
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// What a process and its children have open, by the kernel.
@MainActor @Suite("The use of the machine by a process", .serialized) struct ProcessUseTests {
  private static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(100)) + [0]) }
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  private static func localSocket() throws -> Descriptor {
    try Descriptor(checking: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
  }

  @Test("A connection to a sound server, a socket of the internet and a device are seen, in a child too")
  func sockets() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "use-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    ).path
    try #require(mkdir(folder, 0o700) == 0)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/pipewire-0"
    // A server of a local socket, and one of the internet.
    let server = try Self.localSocket()
    try #require(Self.withAddress(path) { bind(server.number, $0, $1) } == 0 && listen(server.number, 1) == 0)
    let client = try Self.localSocket()
    try #require(Self.withAddress(path) { connect(client.number, $0, $1) } == 0)
    let internet = try Descriptor(checking: socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(4713).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(internet.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(connected == 0)
    let unconnected = try Descriptor(checking: socket(AF_INET6, Int32(SOCK_DGRAM.rawValue), 0))
    let device = try Descriptor(opening: "/dev/full", O_WRONLY)
    let expected: Set<OpenFile> = [
      .local(peer: path), .internet(port: 4713), .internet(port: 0), .device("/dev/full"),
    ]
    #expect(Set(LinuxProcess().use().files).isSuperset(of: expected))

    // A child of a child has them by inheritance.
    for number in [client.number, internet.number, unconnected.number, device.number] {
      try #require(fcntl(number, F_SETFD, 0) == 0)
    }
    var child: pid_t = 0
    let arguments = ["/bin/sh", "-c", "sleep 100 & echo $! > '\(folder)/grandchild'; exec 0<&-; wait"]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { (text: String) in strdup(text) } + [nil]
    defer { words.forEach { free($0) } }
    try #require(posix_spawn(&child, "/bin/sh", nil, nil, &words, environ) == 0)
    defer {
      if let number = KernelFile.text(of: folder + "/grandchild").flatMap({ Int32($0.dropLast()) }) {
        kill(number, SIGKILL)
      }
      kill(child, SIGKILL)
      var status: Int32 = 0
      waitpid(child, &status, 0)
    }
    var files: [OpenFile] = []
    func count() -> Int { files.count { $0 == .local(peer: path) } }
    for _ in 0..<6000 {
      if count() == 2 { break }
      usleep(10_000)
      files = LinuxProcess.use(of: child).files
    }
    #expect(Set(files).isSuperset(of: expected) && count() == 2, "\(files)")
  }

  @Test("Processor time is that of all threads and of children, also of those that have ended")
  func time() throws {
    let tail = " S 1 2 3 4 5 6 7 8 9 10 150 50 30 20 20 0"
    #expect(LinuxProcess.allTime(ofStat: "1 (a) b)\(tail)", ticks: 100) == 2.5)
    for line in ["", "1", "1 (x) S 1 2"] { #expect(LinuxProcess.allTime(ofStat: line, ticks: 100) == nil) }
    let start = LinuxProcess().use().seconds
    var child: pid_t = 0
    let loop = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
    var words: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-c", loop].map { (text: String) in strdup(text) } + [nil]
    defer { words.forEach { free($0) } }
    try #require(posix_spawn(&child, "/bin/sh", nil, nil, &words, environ) == 0)
    var status: Int32 = 0
    waitpid(child, &status, 0)
    #expect(LinuxProcess().use().seconds > start)
  }

  @Test("A process that is gone uses nothing")
  func gone() { #expect(LinuxProcess.use(of: 0) == ProcessUse()) }
}
