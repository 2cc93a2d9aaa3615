import CXCB
import Glibc
package import ProsceniumPlatform

/// Lets the user click on a window, as xwininfo(1) does.
package enum WindowPicker {
  /// How many windows are asked for `WM_STATE` in the one that was clicked on.
  private static let mostWindows = 256

  /// Holds the pointer until a button is pressed and released, and finds the window below it.
  ///
  /// Waits for the user, and is for tools. Escape does not end it: the keyboard is not held.
  /// - Parameters:
  ///   - display: The display; the one that `DISPLAY` names where nil.
  ///   - isReady: Called once the pointer is held.
  /// - Returns: The window as its program knows it: the one with `WM_STATE` (ICCCM 4.1.3.1) in the child of the root
  ///   that was clicked on, or that child; nil where there was only the root.
  /// - Throws: `PlatformError` where there is no server, or another program holds the pointer.
  package static func pick(display: String?, isReady: () -> Void) throws(PlatformError) -> UInt32? {
    let server = try XServer(display: display)
    _ = try server.setUp([.wmState])
    let connection = server.connection
    var isGrabbed = false
    connection.grabPointer(server.root) { isGrabbed = $0 }
    connection.awaitAll()
    guard isGrabbed else {
      throw PlatformError("another program holds the pointer: close its menu, and try again.")
    }
    isReady()
    var place: Point?
    while !connection.isLost {
      guard let event = connection.nextEvent() else {
        var socket = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
        poll(&socket, 1, -1)
        continue
      }
      guard case .button(let press, let isDown) = event else { continue }
      if isDown { place = place ?? press.location } else if place != nil { break }
    }
    connection.releasePointer()
    guard let place else { throw PlatformError(connection.lossReason) }
    var child: UInt32 = 0
    connection.child(at: place, of: server.root) { child = $0 }
    connection.awaitAll()
    return child == 0 ? nil : client(in: child, server)
  }

  /// The window that a window manager manages in a child of the root; the child itself where there is none.
  private static func client(in child: UInt32, _ server: XServer) -> UInt32 {
    let connection = server.connection
    var candidates = [child]
    var index = 0
    while index < min(candidates.count, mostWindows) {
      let window = candidates[index]
      index += 1
      var isClient = false
      var children: [UInt32] = []
      connection.property(window, server.atoms[.wmState], limit: 2) { isClient = $0 != nil }
      connection.children(of: window) { children = $0 }
      connection.awaitAll()
      if isClient { return window }
      candidates += children
    }
    return child
  }
}
