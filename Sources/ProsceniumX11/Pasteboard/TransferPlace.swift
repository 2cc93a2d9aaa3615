/// The property of another client's window that an answer is written to.
package struct TransferPlace: Hashable {
  var requestor: UInt32
  var property: UInt32
}
