import FoundationEssentials

/// A large answer on its way to another client, piece by piece (ICCCM 2.7.2).
struct SelectionDelivery {
  var data: Data
  var type: UInt32
  var offset = 0
}
