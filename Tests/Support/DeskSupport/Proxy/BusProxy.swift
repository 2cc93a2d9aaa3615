import Synchronization

/// Stands between programs and a message bus: says what no bus says, and does with the bytes what ``Faults`` has.
///
/// File descriptors are lost on the way, as they are with a bus that has run out of them.
package final class BusProxy: Sendable {
  /// What went through, of all connections.
  package struct Counts: Sendable {
    /// Bytes that the clients and the bus wrote.
    package var bytes: (toServer: Int, toClient: Int) = (0, 0)
    /// Bytes of the bus's until the first message: the authentication.
    package var authentication = 0
    package var messages = 0
  }

  final class Shared: Sendable {
    let counts = Mutex(Counts())
    let greeting = Mutex<[UInt8]>([])
  }

  /// What programs put in `DBUS_SESSION_BUS_ADDRESS` and `DBUS_SYSTEM_BUS_ADDRESS`.
  package let address: String
  private let bus: PrivateBus
  private let folder: TemporaryFolder
  private let proxy: SocketProxy
  private let shared = Shared()

  package var environment: [String: String] {
    ["DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address]
  }

  /// How many connections there have been.
  package var connections: Int { proxy.connections }
  package var counts: Counts { shared.counts.withLock { $0 } }
  /// What goes wrong with the connections that are made from now on.
  package var faults: Faults {
    get { proxy.faults }
    set { proxy.faults = newValue }
  }

  /// What is said before the bus's first word on each connection that is made from now on: within the authentication.
  package var greeting: [UInt8] {
    get { shared.greeting.withLock { $0 } }
    set { shared.greeting.withLock { $0 = newValue } }
  }

  /// Starts to listen at a place of its own.
  package init(to bus: PrivateBus, _ faults: Faults = Faults()) throws {
    self.bus = bus
    folder = try TemporaryFolder()
    let path = folder.file("bus")
    address = "unix:path=\(path)"
    let listener = try UnixSocket.listen(at: path)
    guard listener >= 0 else { throw DeskFailure("\(path) is taken") }
    let shared = shared
    proxy = try SocketProxy(listener: listener, path: path, upstream: bus.path, faults: faults) { BusTalk(shared) }
  }

  /// Says something to every client, between two messages of the bus.
  package func say(_ bytes: [UInt8]) { proxy.say(ProxyMessage(bytes: bytes)) }

  /// Ends every connection that there is.
  package func cut() { proxy.cut() }
}

/// One client's connection to a bus through a proxy.
private struct BusTalk: ProxyTalk {
  private let shared: BusProxy.Shared
  private var stream = BusStream()
  private var greeting: [UInt8]

  init(_ shared: BusProxy.Shared) {
    self.shared = shared
    greeting = shared.greeting.withLock { $0 }
  }

  mutating func fromClient(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
    shared.counts.withLock { $0.bytes.toServer += bytes.count }
    return [Array(bytes)]
  }

  mutating func fromServer(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    let messages = stream.cut(bytes)
    shared.counts.withLock { counts in
      counts.bytes.toClient += bytes.count
      for message in messages {
        if BusStream.isMessage(message) { counts.messages += 1 } else { counts.authentication += message.count }
      }
    }
    defer { greeting = [] }
    return greeting.isEmpty ? messages : [greeting] + messages
  }

  mutating func said(_ message: ProxyMessage) -> [UInt8]? { message.bytes }
}
