/// Present's CompleteNotify (presentproto.txt, section 8).
struct PresentCompletion: Hashable, Sendable {
  var window: UInt32
  var serial: UInt32
  /// The clock of the server, in microseconds, and its count of frames.
  var ust: UInt64
  var msc: UInt64
}
