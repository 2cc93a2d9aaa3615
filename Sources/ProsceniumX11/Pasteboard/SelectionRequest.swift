/// Another client's request for the program's items (X protocol, SelectionRequest; ICCCM 2.2).
struct SelectionRequest: Hashable, Sendable {
  var time: UInt32
  var owner: UInt32
  var requestor: UInt32
  var selection: UInt32
  var target: UInt32
  /// The property for the answer; 0 from clients older than the ICCCM, which mean the target's name.
  var property: UInt32
}
