import CSystem
import Glibc
import ProsceniumLoop

/// Whether the machine is on a network: whether the kernel has a default route that is up, besides the loopback's.
///
/// The routes are those of `/proc/net/route` and `/proc/net/ipv6_route` (proc(5)); rtnetlink(7) says when they change.
/// It says nothing of routes by IPv4 that go with their device (the kernel's ip-sysctl, `skip_notify_on_dev_down`), and
/// tells that a device is shut down before they have gone: devices are heard of too, and ``reread()`` is for those who
/// need to know it now.
/// Nothing is sent to find out whether anybody answers.
@MainActor final class RouteWatch {
  private(set) var isOnline: Bool
  private let folder: String
  private let socket: Descriptor
  private var registration: LoopRegistration?

  /// Begins to watch.
  /// - Parameters:
  ///   - folder: The folder of the files.
  ///   - host: The loop.
  ///   - onChange: Called when the machine is on a network, or no longer.
  /// - Throws: The error of the kernel, which does not say when routes change.
  init(folder: String, host: any LoopHost, onChange: @escaping @MainActor () -> Void) throws(Errno) {
    self.folder = folder
    // Before the files are read: a change in between is heard of.
    socket = try Self.open()
    isOnline = Self.isOnline(folder)
    registration = LoopRegistration(socket.number, host: host) { [weak self] isGone in
      self?.changed(isGone, onChange)
    }
  }

  private static func open() throws(Errno) -> Descriptor {
    let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let socket = try Descriptor(checking: Glibc.socket(linux_family_netlink, kind, linux_netlink_route))
    var address = linux_netlink_address(
      family: UInt16(linux_family_netlink), padding: 0, process: 0, groups: UInt32(linux_route_groups))
    let size = socklen_t(MemoryLayout<linux_netlink_address>.size)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket.number, $0, size) }
    }
    guard status == 0 else { throw .last }
    return socket
  }

  /// Messages say no more than that something has changed; one that was lost is one of many.
  ///
  /// The kernel reports a socket whose room was too small as one that has failed.
  private func changed(_ isGone: Bool, _ onChange: @MainActor () -> Void) {
    var buffer = [UInt8](repeating: 0, count: 1 << 13)
    var isHeard = false
    for _ in 0..<100 {
      guard recv(socket.number, &buffer, buffer.count, 0) > 0 || errno == ENOBUFS else { break }
      isHeard = true
    }
    if isGone, !isHeard { registration = nil }
    let wasOnline = isOnline
    reread()
    if isOnline != wasOnline { onChange() }
  }

  /// Reads the routes; nobody is told of a change.
  func reread() { isOnline = Self.isOnline(folder) }

  /// Whether the machine is on a network now.
  nonisolated static func isOnline(_ folder: String) -> Bool {
    hasDefault(routes: KernelFile.text(of: folder + "/route") ?? "")
      || hasDefault(routes6: KernelFile.text(of: folder + "/ipv6_route") ?? "")
  }

  /// RTF_UP and RTF_REJECT, route(7).
  private nonisolated static func isUsable(_ flags: Substring) -> Bool {
    guard let flags = UInt32(flags, radix: 16) else { return false }
    return flags & 1 != 0 && flags & 0x200 == 0
  }

  /// The columns are interface, destination, gateway, flags and others; the mask is the eighth.
  nonisolated static func hasDefault(routes text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      let columns = line.split { $0 == " " || $0 == "\t" }
      guard columns.count > 7, columns[0] != "lo" else { return false }
      return columns[1] == "00000000" && columns[7] == "00000000" && isUsable(columns[3])
    }
  }

  /// The columns are destination and the length of its prefix, six others, flags, interface.
  nonisolated static func hasDefault(routes6 text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      let columns = line.split { $0 == " " || $0 == "\t" }
      guard columns.count > 9, columns[9] != "lo" else { return false }
      return columns[0].allSatisfy { $0 == "0" } && columns[1] == "00" && isUsable(columns[8])
    }
  }
}
