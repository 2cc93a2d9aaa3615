import ProsceniumPlatform

/// Drag and drop, for toolkits: views have `DragInteraction` and `DropInteraction`.
extension Window {
  /// Begins to drag items, while the first button is down in the window.
  ///
  /// From then on the pointer is the drag's: the window gets no button, motion or key before the end. The user ends it
  /// with the button or Escape; it is cancelled when its scene resigns active or enters the background, and when the
  /// pointer cannot be grabbed. On X11 it is a drag by version 5 of XDND.
  /// - Parameters:
  ///   - items: What is dragged.
  ///   - allowsMove: Whether a target may move the items, so that their source removes them.
  ///   - icon: Shown beside the pointer: a window of the kind ``PopUpKind/drag`` that is presented already. The
  ///     framework moves and dismisses it.
  ///   - hotSpot: Where in the icon the pointer is, in its pixels; outside of it: `(-8, -8)` at its upper left.
  ///   - localContext: The session's, at first.
  ///   - ended: Called once, on the main thread, with what has happened to the items.
  /// - Returns: The session; nil where nothing is dragged: without items, while another drag is under way, and while
  ///   the scene is not in the foreground.
  @discardableResult
  public final func beginDrag(
    _ items: [DragItem], allowsMove: Bool = false, icon: PopUpWindow? = nil, hotSpot: Point = Point(x: -8, y: -8),
    localContext: Any? = nil, ended: @escaping @MainActor (DropOperation) -> Void = { _ in }
  ) -> DragSession? {
    assertMainThread()
    guard !items.isEmpty, let id, let record, record.ending == nil, record.activation >= .foregroundInactive,
      let feature = record.conductor?.feature(DragAndDropFeature.self), feature.drag == nil
    else { return nil }
    let session = DragSession(
      items, from: self, of: record.session, allowsMove: allowsMove, icon: icon, ended: ended)
    session.localContext = localContext
    feature.begin(session, from: id, icon: icon?.id, hotSpot: hotSpot)
    return session
  }

  /// Lets drags come over the window, for as long as it belongs to its scene; see ``DropReceiver``.
  ///
  /// On X11 the window has the property `XdndAware` from then on.
  public final func acceptDrops() {
    assertMainThread()
    if let id { record?.perform(.acceptDrops(id)) }
  }
}
