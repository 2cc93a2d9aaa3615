import Glibc

/// An input device of ``XorgServer``: what is sent through its socket is what its user does.
///
/// Layouts: xf86-input-inputtest-protocol.h of the server, version 1. Each call returns after the server has taken what
/// was done.
package final class TestDevice: Sendable {
  package enum Touch: UInt32, Sendable { case begin = 18, update, end }

  private enum Kind: UInt32 { case clientVersion, waitForSync, motion, proximity, button, key, touch }

  private let socket: Int32

  /// Connects to the socket that the driver has made.
  init(_ path: String) throws {
    socket = try UnixSocket.connect(to: path)
    guard socket >= 0 else { throw DeskFailure("nothing listens at \(path)") }
    // Versions: ours is 1.1; the answer is the server's, 12 bytes.
    try send(.clientVersion, [1 | 1 << 16])
    try receive(12)
  }

  deinit { close(socket) }

  /// Moves a pointer by so many pixels, and its wheels by so much: 120 is a click of a wheel that has clicks.
  package func move(x: Double = 0, y: Double = 0, wheelX: Double? = nil, wheelY: Double? = nil) throws {
    var axes: [Int: Double] = [:]
    if x != 0 || y != 0 { (axes[0], axes[1]) = (x, y) }
    axes[2] = wheelX
    axes[3] = wheelY
    try send(.motion, [0, 0], axes)
  }

  /// Presses or releases a button.
  package func button(_ number: Int, isDown: Bool) throws {
    try send(.button, [0, UInt32(number), isDown ? 1 : 0, 0], [:])
  }

  /// What a finger does, at a place of the touch screen: from 0 to 1 in both directions.
  package func touch(_ touch: Touch, _ finger: Int, x: Double, y: Double) throws {
    try send(.touch, [UInt32(finger), touch.rawValue], [0: x * 65535, 1: y * 65535])
  }

  private func send(_ kind: Kind, _ fields: [UInt32], _ axes: [Int: Double]? = nil) throws {
    var bytes: [UInt8] = []
    func add<Value>(_ value: Value) { withUnsafeBytes(of: value) { bytes += $0 } }
    add(UInt32(8 + fields.count * 4 + (axes == nil ? 0 : 1040)))
    add(kind.rawValue)
    fields.forEach { add($0) }
    if let axes {
      // No unaccelerated values; a bit for each of 64 axes; the values, and the unaccelerated ones.
      add(UInt32(0))
      add(axes.keys.reduce(UInt32(0)) { $0 | 1 << UInt32($1) })
      add(UInt64(0))
      for axis in 0..<64 { add(axes[axis] ?? 0) }
      for _ in 0..<64 { add(0.0) }
    }
    if kind != .clientVersion {
      add(UInt32(8))
      add(Kind.waitForSync.rawValue)
    }
    guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw DeskFailure("a device of Xorg: errno \(errno)")
    }
    if kind != .clientVersion { try receive(8) }
  }

  private func receive(_ count: Int) throws {
    var bytes = [UInt8](repeating: 0, count: count)
    var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 60_000) == 1, recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count else {
      throw DeskFailure("a device of Xorg does not answer: errno \(errno)")
    }
  }
}
