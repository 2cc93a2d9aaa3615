/// The windows of one scene session, as the platform names them.
@MainActor struct SceneWindows {
  /// One of the scene's windows.
  ///
  /// A class, because copies of a weak reference cost more than all other work of a change of focus.
  final class State {
    let id: WindowID
    private(set) weak var window: Window?
    var levels: WindowLevels
    /// Whether the platform has been asked to map it.
    var isShown: Bool
    var hasBeenShown: Bool
    /// It is mapped because the session's bare window was, and the program has not shown it yet.
    var isShownAsBare = false
    var fitting: Fitting

    init(
      _ id: WindowID, window: Window, levels: WindowLevels = WindowLevels(), isShown: Bool = false,
      fitting: Fitting = .done
    ) {
      self.id = id
      self.window = window
      self.levels = levels
      self.isShown = isShown
      self.fitting = fitting
      hasBeenShown = isShown
    }
  }

  /// How far a window has been compared with what panels leave of its screen.
  enum Fitting {
    /// It is compared when it is shown.
    case due
    /// It is compared once panels are known, if it still has one of the sizes in pixels that it was given before.
    case given(first: Size, last: Size)
    /// It is not compared any more: somebody else has given it its size, or panels are known.
    case done
  }

  /// The bare window that a disconnected session keeps.
  struct Bare {
    var id: WindowID
    var levels: WindowLevels
    var isShown: Bool
    /// In pixels.
    var frame: Rect
    /// The pixels per point that the frame was made for.
    var scale: Double
    /// Whether it was made for a window that is not opaque; that cannot be changed (X protocol, CreateWindow: visual).
    var isTransparent: Bool
  }

  /// In the order in which they were made.
  private(set) var states: [State] = []
  /// Menus and tooltips, from which nothing follows about the scene.
  private var popUps: [State] = []
  var primary: WindowID?
  var bare: Bare?
  /// The windows that the user's close hid (`ClosePolicy.background`), for an activation to show again.
  var hiddenByClose: [Window] = []
  /// The number of windows that have been made, so that each has a role of its own.
  private(set) var made = 0

  /// Inlined: a call copies all that there is of the windows.
  @inline(__always) subscript(id: WindowID) -> State? {
    for state in states where state.id == id { return state }
    for state in popUps where state.id == id { return state }
    return nil
  }

  /// Counts a window that is being made.
  mutating func countMade() -> Int {
    made += 1
    return made
  }

  mutating func add(_ state: State) { states.append(state) }

  mutating func add(popUp state: State) { popUps.append(state) }

  /// Whether a menu or a tooltip is presented.
  var hasPopUps: Bool { !popUps.isEmpty }

  /// Removes a window; its state, if there was one.
  mutating func remove(_ id: WindowID) -> State? {
    if let index = popUps.firstIndex(where: { $0.id == id }) { return popUps.remove(at: index) }
    guard let index = states.firstIndex(where: { $0.id == id }) else { return nil }
    return states.remove(at: index)
  }

  /// Removes all windows but a bare one.
  mutating func removeAll() {
    states = []
    hiddenByClose = []
    primary = nil
  }

  /// Whether the platform has been asked to map any.
  var isAnyShown: Bool {
    for state in states where state.isShown { return true }
    return false
  }

  /// Whether no window can come back by itself.
  var areWithdrawn: Bool {
    for state in states where !state.levels.isWithdrawn && state.isShown { return false }
    return true
  }
}
