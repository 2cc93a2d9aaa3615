import ProsceniumCore

/// The state of a view's layout, and its wishes for the layout of the superview.
struct ViewLayoutState {
  var preferredSize: Size?
  var isStretching = false
  var placement = StackPlacement()
  /// Whether `layoutSubviews()` is due.
  var isNeeded = true
}

/// The cached drawing of a view with `View.cachesDrawing`, and the colours that the view knows.
struct ViewDrawingCache {
  /// The appearance that the view was created in, or told of last.
  var appearance: ViewAppearance
  var isEnabled = false
  /// The drawing; nil until the first frame, and while the scene is in the background.
  var surface: CairoSurface?
  /// Whether the drawing has to be made again before the next frame.
  var isStale = false
  /// Whether there is to be a picture of the view with its subviews.
  var isLayerEnabled = false
  /// The picture; nil until the first frame, and while the scene is in the background.
  var layer: CairoSurface?
  /// Whether the picture has to be made again before the next frame.
  var isLayerStale = false

  /// The number of bytes of the pictures.
  var footprint: Int { [surface, layer].reduce(0) { $0 + ($1.map { $0.size.width * $0.size.height * 4 } ?? 0) } }

  /// Frees the pictures.
  mutating func purge() { (surface, layer) = (nil, nil) }
}

/// The object that a root view belongs to, besides its superview, and what is seldom set.
struct ViewHost {
  /// The controller whose root view this is.
  weak var controller: ViewController?
  /// Set for the root view of a window alone.
  weak var tree: ViewTree?
  /// The window whose first responder the view was when it was told last: the call may come from within another one.
  weak var firstResponderWindow: Window?
  var toolTip: String?
  #if !WITHOUT_DragAndDrop
    var interactions: [any Interaction] = []
  #endif
  /// Nil for the identity.
  var transform: Transform?
  /// What animations add to the view's values.
  var motions: [Motion] = []
}

extension Responder {
  /// The window at the end of the chain: a view that is being loaded is in no window yet, but its controller is.
  var windowInChain: Window? { sequence(first: self, next: \.next).lazy.compactMap { $0 as? Window }.first }
}
