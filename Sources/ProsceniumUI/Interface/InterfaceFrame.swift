import ProsceniumCore

/// What the file says of the window.
@MainActor struct InterfaceFrame {
  var title: String?
  /// Nil where the file says nothing of it.
  var size: Size?
  var minimumSize: Size?
  var isResizable = true

  /// What GTK gives a window that has no size of its own and is empty.
  private static let emptySize = Size(width: 200, height: 200)

  /// Sets the sizes; those that the file does not say are those of the content, as in GTK.
  /// - Parameters:
  ///   - wish: The size that the file says; a side that it does not say is not positive.
  ///   - request: What the window has at least, in the same way.
  ///   - content: What is in the window.
  mutating func fit(_ wish: Size, request: Size, around content: View) {
    if request.width > 0 || request.height > 0 {
      minimumSize = Size(width: max(1, request.width), height: max(1, request.height))
    }
    guard wish.width > 0 || wish.height > 0 || !isResizable else { return }
    let most = InterfaceProperty.lengths
    let isWhole = wish.width > 0 && wish.height > 0
    let room = Size(width: wish.width > 0 ? wish.width : most, height: wish.height > 0 ? wish.height : most)
    let fitting = isWhole ? wish : content.sizeThatFits(room)
    func length(_ side: KeyPath<Size, Int>) -> Int {
      let own = max(fitting[keyPath: side], content.stackPlacement.minimumSize[keyPath: side])
      let natural = own > 0 && own < most ? own : Self.emptySize[keyPath: side]
      return max(wish[keyPath: side] > 0 ? wish[keyPath: side] : natural, request[keyPath: side])
    }
    size = Size(width: length(\.width), height: length(\.height))
  }
}
