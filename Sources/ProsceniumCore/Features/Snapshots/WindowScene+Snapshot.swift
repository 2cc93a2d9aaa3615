extension WindowScene {
  /// The picture that represents the scene in the background, in place of a drawing of its primary window; nil at
  /// first.
  ///
  /// For a program that draws by its own means (OpenGL, xcb): without a picture such a scene has no snapshot. Set it
  /// before `sceneDidEnterBackground(_:)` returns. It is held until it is replaced, also by nil, or the scene is
  /// disconnected. See ``snapshot(afterUpdates:)``.
  public var snapshotPicture: Picture? {
    get { record?.state(of: Snapshots.self).ownPicture }
    set {
      assertMainThread()
      record?.state(of: Snapshots.self).ownPicture = newValue
    }
  }

  /// A picture of the scene's primary window: the ``snapshotPicture`` if there is one, else drawn at once.
  ///
  /// The framework takes one right after `sceneDidEnterBackground(_:)` and its notification, when the state has been
  /// saved, before any frame (in the app-based model after `applicationDidEnterBackground(_:)`); and again when a
  /// session is refreshed and when a background task ends. It is stored beside the session, in a file that only the
  /// user can read and that is deleted with the session, at reduced size where the window has more than four million
  /// pixels, and is shown as the window's background while a disconnected or restored session comes back, until its
  /// first frame.
  ///
  /// The picture of a scene whose ``Scene/document`` has a ``Document/protection`` is not stored, and an earlier one is
  /// removed as soon as it has one.
  ///
  /// It also covers the window's last pixels, where a window stays mapped while its scene is in the background:
  /// compositing managers show them in switchers. Hide private content, or cover it with a view, in
  /// `sceneDidEnterBackground(_:)`, and show it again in `sceneWillEnterForeground(_:)`. Alerts and panels are covered
  /// with pictures of their own and are in no snapshot.
  ///
  /// The window is drawn as it is now, laid out, by ``Window/draw(_:damage:)`` or its views; no pixels are read from
  /// the screen. Views that have been hidden, moved, added or faded are so in the picture, though no frame was drawn
  /// since, or an animation takes them there, and so is all state that a `draw` function reads: unlike UIKit's layers,
  /// windows and views store no pixels of their last drawing that could be out of date. The exception are views that do
  /// (`cachesDrawing`): their `setNeedsDisplay()` alone changes nothing in a picture that is taken without updates.
  ///
  /// A snapshot is no frame: frame links are not called, appearance and traits stay as they are, and parts that need
  /// display are still drawn in the next frame.
  /// - Parameter afterUpdates: Whether views that cache their drawing draw the parts that need display.
  /// - Returns: The picture; nil where the scene has no window, has never had content (a program that draws by
  ///   its own means), is larger than ``Picture/mostPixels``, or is being drawn now; nil, and an error is reported,
  ///   where its window is adopted (``Window/init(adopting:in:owner:)``) and there is no ``snapshotPicture``.
  public func snapshot(afterUpdates: Bool) -> Picture? {
    if let snapshotPicture { return snapshotPicture }
    guard let window = record?.primaryWindow else { return nil }
    guard !window.isAdopted else {
      record?.conductor?.report(
        "An adopted window has no snapshot, because its toolkit draws it. Set the scene's snapshotPicture.")
      return nil
    }
    return window.display.picture(afterUpdates: afterUpdates)
  }
}
