import Dispatch
import Glibc
import Synchronization

/// Stands between programs and a server that they reach by a socket: everything is read, changed, put off and written
/// by one thread, which ends with this object.
///
/// File descriptors are not passed on: to a program, those that come with a message are lost on the way.
final class SocketProxy: Sendable {
  private enum Command: Sendable {
    case say(ProxyMessage)
    case cut
  }
  private struct Shared: Sendable {
    var faults: Faults
    var commands: [Command] = []
    var connections = 0
  }
  private final class State: Sendable {
    let value: Mutex<Shared>
    init(_ faults: Faults) { value = Mutex(Shared(faults: faults)) }
  }

  private let path: String
  private let listener: Int32
  /// A byte says that there are commands; closing the second end wakes the thread for the last time.
  private let wake: (read: Int32, write: Int32)
  private let state: State
  private let finished = DispatchSemaphore(value: 0)

  /// How many connections there have been.
  var connections: Int { state.value.withLock { $0.connections } }
  /// What goes wrong with the connections that are made from now on.
  var faults: Faults {
    get { state.value.withLock { $0.faults } }
    set { state.value.withLock { $0.faults = newValue } }
  }

  /// Takes over a listening socket, and the file that it is.
  init(
    listener: Int32, path: String, upstream: String, faults: Faults, talk: @escaping @Sendable () -> any ProxyTalk
  ) throws {
    var ends: [Int32] = [-1, -1]
    // Not inheritable for a moment: other tests start programs meanwhile.
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      close(listener)
      throw DeskFailure("socketpair: errno \(errno)")
    }
    wake = (ends[0], ends[1])
    self.listener = listener
    self.path = path
    state = State(faults)
    let (wake, state, finished) = (wake.read, state, finished)
    DispatchQueue(label: "proxy \(path)").async {
      Self.run(listener, wake, upstream, state, talk)
      finished.signal()
    }
  }

  deinit {
    close(wake.write)
    finished.wait()
    close(wake.read)
    close(listener)
    unlink(path)
  }

  /// Says something to every client, between two messages of its server.
  func say(_ message: ProxyMessage) { command(.say(message)) }

  /// Ends every connection that there is.
  func cut() { command(.cut) }

  private func command(_ command: Command) {
    state.value.withLock { $0.commands.append(command) }
    _ = write(wake.write, [1], 1)
  }

  // MARK: The thread

  private static func run(
    _ listener: Int32, _ wake: Int32, _ upstream: String, _ state: State, _ talk: () -> any ProxyTalk
  ) {
    var links: [ProxyLink] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    func shut(_ link: ProxyLink) {
      // Also for a program that was started between an accept() and its FD_CLOEXEC, and has the descriptor.
      for descriptor in [link.client, link.server] {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
      }
    }
    defer { links.forEach(shut) }
    while true {
      var (polled, wait) = waits(for: links)
      polled += [
        pollfd(fd: wake, events: Int16(POLLIN), revents: 0), pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&polled, nfds_t(polled.count), wait) < 0, errno != EINTR { return }
      if polled[polled.count - 2].revents != 0 {
        guard read(wake, &buffer, 64) > 0 else { return }
        for command in state.value.withLock({ takeCommands(&$0) }) {
          for index in links.indices {
            switch command {
            case .say(let message): links[index].say(message)
            case .cut: links[index].cut()
            }
          }
        }
      }
      for index in links.indices {
        move(&links[index], polled[2 * index].revents, polled[2 * index + 1].revents, &buffer)
      }
      links.removeAll { link in
        if link.isOver { shut(link) }
        return link.isOver
      }
      if polled[polled.count - 1].revents != 0 {
        let client = accept(listener, nil, nil)
        if client >= 0 { _ = fcntl(client, F_SETFD, FD_CLOEXEC) }
        let server = (try? UnixSocket.connect(to: upstream)) ?? -1
        let faults = state.value.withLock { shared in
          shared.connections += 1
          return shared.faults
        }
        if client >= 0, server >= 0 {
          links.append(ProxyLink(client: client, server: server, talk: talk(), faults: faults))
        } else {
          close(client)
          close(server)
        }
      }
    }
  }

  private static func takeCommands(_ shared: inout Shared) -> [Command] {
    defer { shared.commands = [] }
    return shared.commands
  }

  /// What to wait for, two descriptors for each link, and for how many milliseconds.
  private static func waits(for links: [ProxyLink]) -> ([pollfd], Int32) {
    var polled: [pollfd] = []
    var next: ContinuousClock.Instant?
    let now = ContinuousClock.now
    for link in links {
      for (descriptor, queue, isClosed) in [
        (link.client, link.toClient, link.clientHasClosed), (link.server, link.toServer, link.serverHasClosed),
      ] {
        var events = isClosed ? 0 : Int16(POLLIN)
        if let due = queue.due {
          if due <= now { events |= Int16(POLLOUT) } else { next = next.map { min($0, due) } ?? due }
        }
        polled.append(pollfd(fd: events == 0 ? -1 : descriptor, events: events, revents: 0))
      }
    }
    // Rounded up: a due time that is nearly there must not make the thread spin.
    let wait = next.map { Int32(clamping: max(0, Int(($0 - now) / .milliseconds(1))) + 1) }
    return (polled, wait ?? -1)
  }

  /// Reads and writes both sides of a link.
  private static func move(_ link: inout ProxyLink, _ client: Int16, _ server: Int16, _ buffer: inout [UInt8]) {
    let isReadable = Int16(POLLIN | POLLHUP | POLLERR)
    if client & isReadable != 0, !link.clientHasClosed {
      let length = recv(link.client, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if length > 0 {
        link.fromClient(buffer[..<length])
      } else if length == 0 || errno != EAGAIN {
        link.clientHasClosed = true
      }
    }
    if server & isReadable != 0, !link.serverHasClosed {
      let length = recv(link.server, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if length > 0 {
        link.fromServer(buffer[..<length])
      } else if length == 0 || errno != EAGAIN {
        link.serverHasClosed = true
      }
    }
    if !link.toServer.write(to: link.server) { link.serverHasClosed = true }
    if !link.toClient.write(to: link.client) { link.clientHasClosed = true }
  }
}
