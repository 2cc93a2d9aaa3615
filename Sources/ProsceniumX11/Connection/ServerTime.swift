import CXCB

/// The latest of the server's times that events have reported (X protocol, TIMESTAMP).
@MainActor final class ServerTime {
  /// The latest known time; 0 while none is known.
  private(set) var latest: UInt32 = 0
  private var waiters: [@MainActor (UInt32) -> Void] = []

  func observe(_ time: UInt32) { if latest == 0 || time.isLater(than: latest) { latest = time } }

  /// Calls back with the present time.
  ///
  /// A change of a property of the client leader reports it, once for all that wait (ICCCM 2.1).
  func ask(_ server: XServer, _ handler: @escaping @MainActor (UInt32) -> Void) {
    guard !server.isLost else { return }
    waiters.append(handler)
    guard waiters.count == 1 else { return }
    server.connection.touchProperty(server.leader, server.atoms[.netWMUserTime], type: PredefinedAtom.cardinal)
  }

  /// A property of the client leader has changed.
  func answer(_ time: UInt32) {
    let waiting = waiters
    waiters = []
    waiting.forEach { $0(time) }
  }

  /// No answer comes any more.
  func abandon() { waiters = [] }
}
