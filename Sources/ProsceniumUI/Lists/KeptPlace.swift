import ProsceniumCore

/// The uppermost item of a list, which stays there in another layout, as long as nobody scrolls.
///
/// It is the same one in several layouts, of which some show a line that begins with another item, or the end of the
/// list: so the list is where it was when it has its first width again.
struct KeptPlace {
  var item: Int
  /// How far its upper edge is above that of the view.
  var above: Int
  /// Where the list is scrolled to, and its height.
  var offset: Point
  var height: Int
  /// Whether the layout has changed, so that the next one scrolls to the item.
  var isDue = false

  /// How far its upper edge is above that of the view in a layout: of an item that is lower there something is shown.
  func above(in layout: any ListLayout) -> Int { min(above, layout.frame(of: item).size.height - 1) }

  /// The place when the item has another number.
  func moved(to item: Int) -> KeptPlace {
    KeptPlace(item: item, above: above, offset: offset, height: height, isDue: isDue)
  }
}
