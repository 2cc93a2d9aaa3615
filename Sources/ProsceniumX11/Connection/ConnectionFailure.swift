import CXCB

/// The messages for libxcb's errors of a whole connection (xcb.h, `XCB_CONN_*`).
enum ConnectionFailure {
  /// The message for an error.
  /// - Parameters:
  ///   - code: libxcb's number of it.
  ///   - display: The name of the display.
  ///   - wasConnected: Whether the connection had been established.
  /// - Returns: What happened, and what to do.
  static func text(_ code: Int32, display: String, wasConnected: Bool) -> String {
    switch code {
    case XCB_CONN_CLOSED_PARSE_ERR:
      "\"\(display)\" is not the name of an X display. DISPLAY should look like \":0\" or \"host:0\"."
    case XCB_CONN_CLOSED_INVALID_SCREEN: "the X display \"\(display)\" does not have the screen that its name asks for."
    case XCB_CONN_CLOSED_MEM_INSUFFICIENT: "out of memory while talking to the X display \"\(display)\"."
    case XCB_CONN_CLOSED_EXT_NOTSUPPORTED, XCB_CONN_CLOSED_REQ_LEN_EXCEED, XCB_CONN_CLOSED_FDPASSING_FAILED:
      "libxcb closed the connection to the X display \"\(display)\" (error \(code)); this is a bug of Proscenium."
    case _ where wasConnected: "the X server of the display \"\(display)\" closed the connection."
    case _:
      "cannot connect to the X display \"\(display)\": no server answers there, or it refused this program. "
        + "Check that DISPLAY names a running server and that this user may use it (XAUTHORITY, xhost)."
    }
  }
}
