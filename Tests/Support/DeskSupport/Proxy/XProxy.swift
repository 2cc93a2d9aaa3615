import Glibc
import Synchronization

/// Stands between programs and their X server: hides extensions, refuses and counts requests, says what no server says,
/// and does with the bytes what ``Faults`` has.
package final class XProxy: Sendable {
  /// What went through.
  package struct Counts: Sendable {
    package var connections = 0
    package var requests = 0
    package var replies = 0
    /// What the server has said, besides its setups.
    package var messages = 0
    /// Bytes that the clients and the server wrote.
    package var bytes: (toServer: Int, toClient: Int) = (0, 0)
    /// Requests by their major opcode.
    package var byOpcode: [UInt8: Int] = [:]
    /// When the last request of each major opcode came, after its connection was made.
    package var lastAt: [UInt8: Duration] = [:]
    /// How many requests had been made with the last one of each major opcode, itself included.
    package var requestsAtLast: [UInt8: Int] = [:]
    /// The extensions that were asked for and denied.
    package var hidden: Set<String> = []
    /// The requests that were refused: their major and minor opcodes (a core request has no minor one).
    package var refused: [(major: UInt8, minor: UInt8)] = []
  }

  /// What the connections share.
  final class Shared: Sendable {
    let counts = Mutex(Counts())
    let cutAt = Mutex<UInt8?>(nil)
    let faults: XFaults
    init(_ faults: XFaults) { self.faults = faults }
  }

  /// Hides all TrueColor visuals: the name of no extension.
  package static let trueColor = "TrueColor"

  /// What clients put in `DISPLAY`.
  package let display: String
  private let server: XServer?
  private let proxy: SocketProxy
  private let shared: Shared

  package var counts: Counts {
    var counts = shared.counts.withLock { $0 }
    counts.connections = proxy.connections
    return counts
  }

  /// Starts to listen on a display of its own.
  ///
  /// The server seems to lack the hidden extensions, and ``trueColor`` where that is among them; each direction is
  /// delayed.
  package convenience init(
    to server: XServer, hiding hidden: Set<String> = [], delay: Duration = .zero
  ) throws {
    try self.init(to: server, Faults(delay: delay), XFaults(hiding: hidden))
  }

  /// As above, with anything that can go wrong.
  package convenience init(to server: XServer, _ faults: Faults, _ xFaults: XFaults = XFaults()) throws {
    try self.init(to: server, number: server.number, faults, xFaults)
  }

  /// As above, to a server of another owner, by the number of its display.
  package convenience init(
    toDisplay number: Int, hiding hidden: Set<String> = [], _ faults: Faults = Faults()
  ) throws {
    try self.init(to: nil, number: number, faults, XFaults(hiding: hidden))
  }

  /// As `ssh -X` stands between: the clients are untrusted ones (SECURITY extension).
  package convenience init(forUntrusted server: XServer) throws {
    let cookie = try XClient(display: server.display).makeUntrustedCookie()
    try self.init(to: server, Faults(), XFaults(cookie: cookie))
  }

  private init(to server: XServer?, number serverNumber: Int, _ faults: Faults, _ xFaults: XFaults) throws {
    var number = 400 + serverNumber
    var found: Int32 = -1
    while found < 0, number < 2000 {
      number += 1
      // libxcb falls back to the path where no server listens on the abstract name.
      found = try UnixSocket.listen(at: Self.path(number))
    }
    guard found >= 0 else { throw DeskFailure("no free display for a proxy") }
    self.server = server
    display = ":\(number)"
    let shared = Shared(xFaults)
    self.shared = shared
    proxy = try SocketProxy(
      listener: found, path: Self.path(number), upstream: Self.path(serverNumber), faults: faults
    ) { XTalk(shared) }
  }

  private static func path(_ number: Int) -> String { "/tmp/.X11-unix/X\(number)" }

  /// Cuts a connection as soon as a request of this major opcode comes, which is not answered: to its client
  /// the server dies in the middle of what it does.
  package func cut(at opcode: UInt8) { shared.cutAt.withLock { $0 = opcode } }

  /// Says something to every client, between two messages of the server.
  package func say(_ message: [UInt8], about sequence: XSequence = .lastSaid) {
    proxy.say(ProxyMessage(bytes: message, sequence: sequence))
  }
}
