import Dispatch
import Glibc
import Synchronization

/// Stands between programs and their X server: hides extensions, counts requests, delays both directions, and cuts them.
package final class XProxy: Sendable {
  /// What went through.
  package struct Counts: Sendable {
    package var connections = 0
    package var requests = 0
    package var replies = 0
    /// Requests by their major opcode.
    package var byOpcode: [UInt8: Int] = [:]
    /// When the last request of each major opcode came, after its connection was made.
    package var lastAt: [UInt8: Duration] = [:]
    /// How many requests had been made with the last one of each major opcode, itself included.
    package var requestsAtLast: [UInt8: Int] = [:]
    /// The extensions that were asked for and denied.
    package var hidden: Set<String> = []
  }

  /// Hides all TrueColor visuals: the name of no extension.
  package static let trueColor = "TrueColor"

  /// What clients put in `DISPLAY`.
  package let display: String
  private let server: XServer?
  private let path: String
  private let listener: Int32
  /// Closing the second end wakes the thread for the last time.
  private let stop: (wake: Int32, end: Int32)
  private let counters = Counters()
  private let finished = DispatchSemaphore(value: 0)

  package var counts: Counts { counters.value.withLock { $0 } }

  /// Cuts a connection as soon as a request of this major opcode comes, which nobody answers any more: to its client the
  /// server dies in the middle of what it does.
  package func cut(at opcode: UInt8) { counters.cutAt.withLock { $0 = opcode } }

  /// Starts to listen on a display of its own.
  ///
  /// The server seems to lack the hidden extensions, and ``trueColor`` where that is among them; each direction is delayed.
  package convenience init(
    to server: XServer, hiding hidden: Set<String> = [], delay: Duration = .zero
  ) throws {
    try self.init(to: server, number: server.number, hiding: hidden, delay: delay)
  }

  /// As above, to a server that somebody else keeps, by the number of its display.
  package convenience init(toDisplay number: Int, hiding hidden: Set<String>) throws {
    try self.init(to: nil, number: number, hiding: hidden, delay: .zero)
  }

  private init(to server: XServer?, number serverNumber: Int, hiding hidden: Set<String>, delay: Duration) throws {
    var number = 400 + serverNumber
    var found: Int32 = -1
    while found < 0, number < 2000 {
      number += 1
      found = try Self.listen(at: Self.path(number))
    }
    guard found >= 0 else { throw DeskFailure("no free display for a proxy") }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      close(found)
      throw DeskFailure("pipe: errno \(errno)")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stop = (ends[0], ends[1])
    listener = found
    path = Self.path(number)
    display = ":\(number)"
    let upstream = Self.path(serverNumber)
    self.server = server
    let (listener, wake, finished, counters) = (listener, stop.wake, finished, counters)
    DispatchQueue(label: "proxy \(display)").async {
      Self.run(listener, wake, upstream, hidden, delay, counters)
      finished.signal()
    }
  }

  deinit {
    close(stop.end)
    finished.wait()
    close(stop.wake)
    close(listener)
    unlink(path)
  }

  private final class Counters: Sendable {
    let value = Mutex(Counts())
    let cutAt = Mutex<UInt8?>(nil)
  }

  private static func path(_ number: Int) -> String { "/tmp/.X11-unix/X\(number)" }

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static func makeSocket() -> Int32 { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }

  /// A listening socket, or -1 where the display is taken.
  private static func listen(at path: String) throws -> Int32 {
    let descriptor = makeSocket()
    guard descriptor >= 0 else { throw DeskFailure("socket: errno \(errno)") }
    // libxcb falls back to the path where nobody listens on the abstract name.
    guard withAddress(path, { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 16) == 0 else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  /// The proxy's only thread: everything is read, cut, counted, delayed and written here.
  private static func run(
    _ listener: Int32, _ stop: Int32, _ upstream: String, _ hidden: Set<String>, _ delay: Duration,
    _ counters: Counters
  ) {
    func count(_ body: (inout Counts) -> Void) { counters.value.withLock { body(&$0) } }
    var links: [XProxyLink] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    defer { links.forEach { shut($0) } }
    while true {
      var polled = [
        pollfd(fd: stop, events: Int16(POLLIN), revents: 0), pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      ]
      var next: ContinuousClock.Instant?
      let now = ContinuousClock.now
      for link in links {
        for (descriptor, queue, isClosed) in [
          (link.client, link.toClient, link.clientHasClosed), (link.server, link.toServer, link.serverHasClosed),
        ] {
          var events = isClosed ? 0 : Int16(POLLIN)
          if let due = queue.first?.due {
            if due <= now { events |= Int16(POLLOUT) } else { next = next.map { min($0, due) } ?? due }
          }
          polled.append(pollfd(fd: events == 0 ? -1 : descriptor, events: events, revents: 0))
        }
      }
      // Rounded up: a due time that is nearly there must not make the thread spin.
      let wait = next.map {
        Int32(clamping: ($0 - now) / .milliseconds(1) < 0 ? 0 : Int(($0 - now) / .milliseconds(1)) + 1)
      }
      if poll(&polled, nfds_t(polled.count), wait ?? -1) < 0, errno != EINTR { return }
      if polled[0].revents != 0 { return }
      for index in links.indices {
        if polled[2 + 2 * index].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0, !links[index].clientHasClosed {
          let length = recv(links[index].client, &buffer, buffer.count, Int32(MSG_DONTWAIT))
          if length > 0 {
            let opcode = counters.cutAt.withLock { $0 }
            let isCut = counters.value.withLock { counts in
              let before = opcode.map { counts.byOpcode[$0] ?? 0 }
              links[index].fromClient(buffer[..<length], delay: delay, counts: &counts)
              return before != opcode.map { counts.byOpcode[$0] ?? 0 }
            }
            if isCut { links[index].cut() }
          } else if length == 0 || errno != EAGAIN {
            links[index].clientHasClosed = true
          }
        }
        if polled[3 + 2 * index].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0, !links[index].serverHasClosed {
          let length = recv(links[index].server, &buffer, buffer.count, Int32(MSG_DONTWAIT))
          if length > 0 {
            count { links[index].fromServer(buffer[..<length], delay: delay, hidden: hidden, counts: &$0) }
          } else if length == 0 || errno != EAGAIN {
            links[index].serverHasClosed = true
          }
        }
        if !push(&links[index].toServer, links[index].server) { links[index].serverHasClosed = true }
        if !push(&links[index].toClient, links[index].client) { links[index].clientHasClosed = true }
      }
      links.removeAll { link in
        let isOver =
          (link.clientHasClosed && link.toServer.isEmpty) || (link.serverHasClosed && link.toClient.isEmpty)
          || (link.clientHasClosed && link.serverHasClosed)
        if isOver { shut(link) }
        return isOver
      }
      if polled[1].revents != 0 {
        let client = accept(listener, nil, nil)
        if client >= 0 { _ = fcntl(client, F_SETFD, FD_CLOEXEC) }
        let server = makeSocket()
        if client >= 0, server >= 0, withAddress(upstream, { connect(server, $0, $1) }) == 0 {
          links.append(XProxyLink(client: client, server: server))
          count { $0.connections += 1 }
        } else {
          close(client)
          close(server)
        }
      }
    }
  }

  private static func shut(_ link: XProxyLink) {
    close(link.client)
    close(link.server)
  }

  /// Writes what is due; false where the other side has gone.
  private static func push(_ queue: inout [XProxyLink.Chunk], _ descriptor: Int32) -> Bool {
    while let chunk = queue.first, chunk.due <= .now {
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      let length = send(descriptor, chunk.bytes, chunk.bytes.count, flags)
      if length < 0 {
        if errno == EAGAIN { return true }
        queue.removeAll()
        return false
      }
      if length == chunk.bytes.count {
        queue.removeFirst()
      } else {
        queue[0].bytes.removeFirst(length)
      }
    }
    return true
  }
}
