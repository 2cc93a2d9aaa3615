extension WindowScene {
  /// A picture of the scene's primary window: the ``snapshotPicture`` if there is one, else drawn at once.
  ///
  /// The framework takes one right after `sceneDidEnterBackground(_:)` and its notification, when the state has been
  /// saved, before any frame (in the app-based model after `applicationDidEnterBackground(_:)`); and again when a session
  /// is refreshed and when a piece of work in the background is done. It is kept beside the session, in a file that only
  /// the user may read and that goes with the session, at reduced size where the window has more than four million pixels,
  /// and is shown as the window's background while a disconnected or restored session comes back, until its first frame.
  ///
  /// It also covers what the window showed before, where a window stays mapped while its scene is in the background:
  /// compositing managers show its pixels in switchers. So what must not be seen there is hidden, or covered with a view,
  /// in `sceneDidEnterBackground(_:)`, and shown again in `sceneWillEnterForeground(_:)`. Alerts and panels are covered with
  /// pictures of their own and are in nobody's snapshot.
  ///
  /// The window is drawn as it is now, laid out, by ``Window/draw(_:damage:)`` or its views; nothing is read from the
  /// screen. Whatever has been hidden, moved, added or faded is so in the picture, though no frame was drawn since, and so
  /// is whatever else a `draw` function finds in the program's own state: unlike UIKit's layers, windows and views keep no
  /// picture of what they drew, so there is none that could be out of date. The exception are views that do
  /// (`cachesDrawing`): their `setNeedsDisplay()` alone changes nothing in a picture that is taken without updates.
  ///
  /// This is no frame: frame links are not called, appearance and traits stay as they are, and what needs display is still
  /// drawn in the next frame.
  /// - Parameter afterUpdates: Whether views that keep their drawing draw what they have said needs display.
  /// - Returns: The picture; nil where the scene has no window, has never had anything to draw (a program that draws by
  ///   its own means), is larger than ``Picture/mostPixels``, or is being drawn now.
  public func snapshot(afterUpdates: Bool) -> Picture? {
    snapshotPicture ?? record?.primaryWindow?.display.picture(afterUpdates: afterUpdates)
  }
}
