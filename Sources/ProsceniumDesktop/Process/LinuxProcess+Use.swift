private import CSystem
private import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

extension LinuxProcess {
  package func use() -> ProcessUse { Self.use(of: getpid()) }

  /// What a process and its children use, as far as the kernel shows it to this process.
  static func use(of process: Int32) -> ProcessUse {
    let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    return family(of: process).reduce(into: ProcessUse()) { use, process in
      let line = KernelFile.text(of: "/proc/\(process)/stat")
      use.seconds += line.flatMap { allTime(ofStat: $0, ticks: ticks) } ?? 0
      use.files += openFiles(of: process)
    }
  }

  /// The greatest number of processes that are looked at.
  private static let mostProcesses = 200

  /// A process and its children, and theirs (proc(5), `task/<id>/children`, which not every kernel has).
  private static func family(of process: Int32) -> [Int32] {
    var family = [process]
    var next = 0
    while next < family.count, family.count < mostProcesses {
      let parent = family[next]
      next += 1
      for thread in KernelFile.numbers(in: "/proc/\(parent)/task") {
        let line = KernelFile.text(of: "/proc/\(parent)/task/\(thread)/children") ?? ""
        family += line.split(separator: " ").compactMap { Int32($0) }.filter { !family.contains($0) }
      }
    }
    return family
  }

  /// The times of a line of `stat`, and of the children that were waited for: the 12th to 15th field after the name.
  static func allTime(ofStat line: String, ticks: Double) -> Double? {
    guard let close = line.lastIndex(of: ")") else { return nil }
    let fields = line[line.index(after: close)...].split(separator: " ")
    guard fields.count > 14 else { return nil }
    return fields[11...14].reduce(0) { $0 + (Double($1) ?? 0) } / ticks
  }

  private static func openFiles(of process: Int32) -> [OpenFile] {
    let folder = "/proc/\(process)/fd"
    let isOwn = process == getpid()
    let other = isOwn ? -1 : linux_process_descriptor(process)
    defer { if other >= 0 { close(other) } }
    var files: [OpenFile] = []
    for number in KernelFile.numbers(in: folder) {
      var path = [CChar](repeating: 0, count: Int(PATH_MAX))
      let length = readlink("\(folder)/\(number)", &path, path.count)
      guard length > 0 else { continue }
      let name = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if name.hasPrefix("/dev/") { files.append(.device(name)) }
      guard name.hasPrefix("socket:") else { continue }
      if isOwn {
        files += socket(number)
      } else if let copy = try? Descriptor(checking: linux_descriptor_of(other, number)) {
        // Of a child, which may be traced: the same socket under a number of this process, for a moment.
        files += socket(copy.number)
      }
    }
    return files
  }

  /// The socket, with its other end; none for one of another kind.
  private static func socket(_ descriptor: Int32) -> [OpenFile] {
    var address = sockaddr_storage()
    guard let (family, _) = read(&address, { getsockname(descriptor, $0, $1) }) else { return [] }
    switch Int32(family) {
    case AF_UNIX:
      var peer = sockaddr_storage()
      guard let (_, name) = read(&peer, { getpeername(descriptor, $0, $1) }) else {
        return [.local(peer: "")]
      }
      // The name of an abstract socket begins with a zero, and one in the file system ends with one (unix(7)).
      let text = name.first == 0 ? name.dropFirst() : name.prefix { $0 != 0 }
      return [.local(peer: String(decoding: text, as: UTF8.self))]
    case AF_INET, AF_INET6:
      var peer = sockaddr_storage()
      guard let (_, name) = read(&peer, { getpeername(descriptor, $0, $1) }), name.count >= 2 else {
        return [.internet(port: 0)]
      }
      return [.internet(port: UInt16(name[0]) << 8 | UInt16(name[1]))]
    case linux_family_bluetooth: return [.bluetooth]
    default: return []
    }
  }

  /// The family of an address, and its bytes after that.
  private static func read(
    _ address: inout sockaddr_storage,
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> (family: sa_family_t, bytes: [UInt8])? {
    let most = MemoryLayout<sockaddr_storage>.size
    var length = socklen_t(most)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
    }
    let start = MemoryLayout<sa_family_t>.size
    guard status == 0, Int(length) >= start else { return nil }
    let bytes = withUnsafeBytes(of: address) { Array($0[start..<min(Int(length), most)]) }
    return (address.ss_family, bytes)
  }
}
