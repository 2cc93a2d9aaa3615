/// Another client asks for what we have copied (X protocol, SelectionRequest; ICCCM 2.2).
struct SelectionRequest: Hashable, Sendable {
  var time: UInt32
  var owner: UInt32
  var requestor: UInt32
  var selection: UInt32
  var target: UInt32
  /// Where the answer is to be written; 0 from clients older than the ICCCM, which mean the target's name.
  var property: UInt32
}
