extension UInt32 {
  /// Whether this sequence number, or time of the server, comes after another one.
  ///
  /// Both kinds of number wrap: later means ahead by less than half of all (X protocol, TIMESTAMP).
  func isLater(than other: UInt32) -> Bool { Int32(bitPattern: self &- other) > 0 }
}
