/// The X server's present time, for a process without windows.
///
/// Window managers give the focus to the user's latest action, which they find by its time (EWMH, `_NET_WM_USER_TIME`).
/// A launcher passes the time of its start on; a terminal does not, and there "now" is the moment.
@MainActor package enum ServerClock {
  /// Connects, asks and closes again: two round trips.
  ///
  /// - Parameter display: The display; the one that `DISPLAY` names where nil.
  /// - Returns: The time; nil where there is no server.
  package static func now(display: String? = nil) -> UInt32? {
    guard let connection = try? Connection(display: display) else { return nil }
    let window = connection.makeID()
    connection.createPropertyWindow(window)
    connection.touchProperty(window, PredefinedAtom.wmClass, type: PredefinedAtom.string)
    connection.whenDone {}
    connection.awaitAll()
    while let event = connection.nextEvent() {
      if case .property(_, _, let time, _) = event { return time }
    }
    return nil
  }

  /// Makes an id for a start that has none of a launcher, as the Startup Notification protocol spells it.
  /// - Parameters:
  ///   - program: The program's file name.
  ///   - process: The number of its process.
  ///   - time: The server's time at the start, in milliseconds.
  /// - Returns: The id, such as `Notes-4711_TIME123456`.
  package static func startupID(program: String, process: Int32, time: UInt32) -> String {
    "\(program.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })-\(process)_TIME\(time)"
  }
}
