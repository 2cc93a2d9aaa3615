import ProsceniumCore

/// A transient window of a scene that gets the input of the scene's other windows while it is shown.
@MainActor final class ModalWindow {
  let window: Window
  /// The size that it has where the screen has room for it, in points.
  private(set) var wish: Size
  private weak var scene: WindowScene?

  /// Creates a window above another one, hidden at first; nil where that belongs to no scene.
  /// - Parameters:
  ///   - window: The window, which has not been shown; a new one where nil.
  ///   - parent: The window below it, in whose middle it is as far as the screen has room there.
  ///   - size: The size in points, limited by the screen.
  ///   - isResizable: Whether the user may give it another size.
  init?(_ window: Window? = nil, above parent: Window, size: Size, isResizable: Bool) {
    guard let scene = parent.windowScene else { return nil }
    self.scene = scene
    wish = size
    let window = window ?? Window(windowScene: scene)
    self.window = window
    // Its parent may have come to another scene since it was made.
    window.windowScene = scene
    // The server's windows have 32,767 pixels.
    let longest = max(Int(32_767 / max(parent.scale, 1)), 1)
    var (width, height) = (min(max(size.width, 1), longest), min(max(size.height, 1), longest))
    let (outer, area) = (parent.frame, MenuSession.area(around: parent.frame, of: parent))
    let room = Self.room(above: parent)
    (width, height) = (min(width, room.width), min(height, room.height))
    if !isResizable {
      window.minimumSize = Size(width: width, height: height)
      window.maximumSize = window.minimumSize
    }
    let place = Rect(
      x: Self.start(of: width, outer.origin.x, outer.size.width, area.origin.x, area.size.width),
      y: Self.start(of: height, outer.origin.y, outer.size.height, area.origin.y, area.size.height),
      width: width, height: height)
    window.frame = Self.frame(place, of: parent, for: window)
  }

  /// A frame that has the middle of a place on the screen of another window.
  ///
  /// A window that is made has the scale of its scene's first one, and keeps its middle when it gets another scale.
  private static func frame(_ place: Rect, of parent: Window, for window: Window) -> Rect {
    guard window.scale != parent.scale else { return place }
    let (pixels, scale) = (Pixels(of: parent).rect(place), Pixels(of: window).scale)
    func start(_ start: Int, _ length: Int, _ points: Int) -> Int {
      Int(((Double(start) + (Double(length) - Double(points) * scale) / 2) / scale).rounded())
    }
    return Rect(
      x: start(pixels.origin.x, pixels.size.width, place.size.width),
      y: start(pixels.origin.y, pixels.size.height, place.size.height), width: place.size.width,
      height: place.size.height)
  }

  /// What is left of a screen for the title bar, in points.
  private static let titleBar = 32

  /// The largest size of a window above another one, in points: what panels and a title bar leave of the screen.
  static func room(above parent: Window) -> Size { room(in: MenuSession.area(around: parent.frame, of: parent)) }

  private static func room(in area: Rect) -> Size {
    Size(width: max(area.size.width, 1), height: max(area.size.height - titleBar, 1))
  }

  /// The start of a length in the middle of another one, and on the screen where that has room for it.
  private static func start(of length: Int, _ start: Int, _ outer: Int, _ screen: Int, _ room: Int) -> Int {
    max(screen, min(start + (outer - length) / 2, screen + room - length))
  }

  /// Shows the window with a controller; presses in the other windows are cancelled.
  func show(_ controller: ViewController, _ focus: () -> Void) {
    scene?.modalWindows.append(window)
    for other in scene?.windows ?? [] where other !== window { ViewTree.existing(other)?.cancelInput() }
    // What is told of each step may close the window.
    if isOpen { window.rootViewController = controller }
    if isOpen { focus() }
    if isOpen { window.makeKeyAndVisible() }
  }

  private var isOpen: Bool { scene?.modalWindows.contains { $0 === window } == true }

  /// Gives a window that the user cannot resize another size, as far as the screen has room.
  func resize(to size: Size) {
    wish = size
    fit()
  }

  /// Limits a window that the user cannot resize to its screen, which may have got another scale.
  /// - Returns: Whether it is lower than it wishes to be.
  @discardableResult
  func fit() -> Bool {
    let (old, area) = (window.frame, MenuSession.area(around: window.frame, of: window))
    let room = Self.room(in: area)
    let size = Size(width: max(1, min(wish.width, room.width)), height: max(1, min(wish.height, room.height)))
    if size != window.maximumSize {
      (window.minimumSize, window.maximumSize) = (size, size)
      // Its lower right corner, where the buttons are, stays on the screen.
      window.frame = Rect(
        x: max(area.origin.x, min(old.origin.x, area.origin.x + area.size.width - size.width)),
        y: max(area.origin.y, min(old.origin.y, area.origin.y + area.size.height - size.height)),
        width: size.width, height: size.height)
    }
    return size.height < wish.height
  }

  /// Whether the user closed the window, or its scene is gone: not where it is hidden together with its scene by a
  /// close that does not discard the scene, and returns with it.
  var isGone: Bool {
    window.windowScene == nil || (window.isHidden && scene?.windows.first?.isHidden != true)
  }

  func close() {
    scene?.modalWindows.removeAll { $0 === window }
    window.isHidden = true
    window.windowScene = nil
    window.rootViewController = nil
  }
}
