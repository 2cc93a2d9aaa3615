/// What an X server seems to lack, to refuse and to say, besides what goes wrong on the way to it.
package struct XFaults: Sendable {
  /// One request of a connection, counted from 1: of all, or of those with a major opcode.
  package enum Request: Hashable, Sendable {
    case number(Int)
    case opcode(UInt8, Int)
  }

  /// The extensions that it seems to lack, and ``XProxy/trueColor``.
  package var hidden: Set<String>
  /// The errors with which it answers requests: they are not carried out.
  package var refused: [Request: UInt8]
  /// What it says besides, each before the message of the server that has that number (the first after the setup is 1).
  package var said: [Int: [UInt8]]
  /// The connection ends where this request would be; nil for nowhere.
  package var lastRequest: Int?
  /// The cookie (`MIT-MAGIC-COOKIE-1`) that clients have at the server in place of their own, as with ssh(1); nil for
  /// their own.
  package var cookie: [UInt8]?

  package init(
    hiding hidden: Set<String> = [], refusing refused: [Request: UInt8] = [:], saying said: [Int: [UInt8]] = [:],
    endingAt lastRequest: Int? = nil, cookie: [UInt8]? = nil
  ) {
    self.hidden = hidden
    self.refused = refused
    self.said = said
    self.lastRequest = lastRequest
    self.cookie = cookie
  }
}
