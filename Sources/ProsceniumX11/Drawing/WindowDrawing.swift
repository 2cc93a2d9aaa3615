import ProsceniumPlatform

/// The state of the drawing into a window: its surface, its picture and its frames.
struct WindowDrawing {
  /// The pixels that have been drawn; nil while there are none, or after they were given back.
  var surface: Surface?
  /// The size of the picture that is the window's background; nil where that is a colour.
  var picture: Size?
  var clock = FrameClock()
  /// Names the selection of Present's events; 0 while there was none.
  var presentEvents: UInt32 = 0
  var arePresentEventsSelected = false
  /// Whether it has been reported why the window cannot be drawn into.
  var isFailureReported = false
}
