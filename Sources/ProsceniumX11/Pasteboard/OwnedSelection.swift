import FoundationEssentials
import ProsceniumPlatform

/// The data of a pasteboard that the program owns.
struct OwnedSelection {
  var items: [PasteboardItem]
  /// When the program became the owner; 0 until the server has reported its time.
  var time: UInt32 = 0
  /// The number of the claim; answers to older ones are dropped.
  var number: Int
}
