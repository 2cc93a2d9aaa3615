import ProsceniumLoop
import ProsceniumPlatform

/// The screens: RandR's monitors, or the root window without RandR 1.5.
@MainActor final class Screens: X11Component {
  private(set) var current: [ScreenDescription] = []
  /// The size of the root window.
  lazy var rootSize = connection.screen.size
  /// The parts of the screens that no panel takes.
  private var workAreas = WorkAreas()
  /// Whether the program wants to know what panels leave, and how the screens are rotated.
  var areFollowed = false
  /// The question for the monitors: their visible parts are delivered together with them.
  var question = SingleQuestion()
  /// Windows that are left on no monitor, and where they are.
  var strays: [UInt32: Rect] = [:]
  /// The dots per inch that the user has chosen: by X resources, which desktop environments set as they set their
  /// settings, and by the settings where there are none.
  var resourceDPI: Double? { didSet { updateScales(from: oldValue ?? settingsDPI) } }
  var settingsDPI: Double? { didSet { updateScales(from: resourceDPI ?? oldValue) } }

  /// Sets the screen that stands for all until they are known.
  func begin() {
    var screen = wholeRoot
    screen.isProvisional = server.extensions.has(.randr)
    current = [screen]
    windows.apply(.monitors(current.map(\.frame)))
  }

  /// The one screen of a server without RandR 1.5.
  var wholeRoot: ScreenDescription {
    let frame = Rect(x: 0, y: 0, width: rootSize.width, height: rootSize.height)
    let none = Size(width: 0, height: 0)
    return ScreenDescription(
      name: "screen", frame: frame, isPrimary: true,
      // Known of the size that the server began with.
      physicalSize: rootSize == connection.screen.size ? connection.screen.physicalSize : none,
      scale: scale(of: rootSize, none), visibleFrame: visibleFrame(of: "screen", frame))
  }

  func isOnScreen(_ frame: Rect) -> Bool { current.contains { $0.frame.intersects(frame) } }

  /// Replaces the screens.
  /// - Returns: The screens before; nil where nothing has changed.
  func replace(_ new: [ScreenDescription]) -> [ScreenDescription]? {
    guard !new.isEmpty, new != current else { return nil }
    let old = current
    current = new
    batch.append(.screens(new))
    updateScales()
    windows.apply(.monitors(new.map(\.frame)))
    followStrays(from: old)
    return old
  }

  // MARK: Work areas

  func setWorkAreas(_ source: WorkAreas.Source) {
    workAreas.source = source
    guard !question.isUnderWay else { return }
    var new = current
    for index in new.indices { new[index].visibleFrame = visibleFrame(of: new[index].name, new[index].frame) }
    guard new != current else { return }
    current = new
    batch.append(.screens(new))
  }

  /// The part of a screen that no panel takes, as far as known.
  func visibleFrame(of name: String, _ frame: Rect) -> Rect {
    let before = current.first { $0.name == name }.map { ($0.frame, $0.visibleFrame) }
    return workAreas.visible(of: frame, root: rootSize, before: before)
  }

  // MARK: Scale

  private var dpi: Double? { resourceDPI ?? settingsDPI }

  private func updateScales(from before: Double?) {
    guard dpi != before, !current.isEmpty else { return }
    for index in current.indices {
      current[index].scale = scale(of: current[index].frame.size, current[index].physicalSize)
    }
    batch.append(.screens(current))
    updateScales()
  }

  func scale(of pixels: Size, _ millimetres: Size) -> Double {
    ScaleRule.scale(dpi: dpi, pixels: pixels, millimetres: millimetres)
  }

  private func updateScales() { for window in windows.all { updateScale(of: window, window.geometry(root).frame) } }

  /// A window has been created, moved, resized or adopted.
  func updateScale(of window: TopLevel, _ frame: Rect, isResized: Bool = false) {
    let scale = current.scale(ofWindow: frame)
    // On no screen it keeps the scale that it had: so dwm hides the windows of other tags.
    guard scale != window.scale, !window.isPopUp, isOnScreen(frame) else { return }
    window.scale = scale
    batch.append(.scale(window.windowID, scale, isResized: isResized))
  }

  // MARK: Windows that are left on no monitor when one goes
  // Window managers bring them back; where none does, the platform does, once, and only where nothing else has happened
  // to the window. A window that was on no monitor before has been moved there on purpose: some window managers use
  // such a place for the windows of other workspaces.

  /// How long a window manager has to bring windows back.
  private static let strayTimeout = Duration.seconds(1)

  /// The screens have changed.
  func followStrays(from old: [ScreenDescription]) {
    for window in windows.all where window.showing.isRequested && strays[window.id] == nil {
      let frame = window.geometry(root).frame
      if old.contains(where: { $0.frame.intersects(frame) }), !isOnScreen(frame) { strays[window.id] = frame }
    }
    fitFullScreens(old)
    if strays.isEmpty { loop.cancel(.strays) } else { loop.set(.strays, after: Self.strayTimeout) }
  }

  /// The window manager's time is over.
  func bringBackStrays() {
    for (id, frame) in exchange(&strays, with: [:]).sorted(by: { $0.key < $1.key }) {
      guard let window = windows[id], window.showing.isRequested, window.geometry(root).frame == frame,
        !isOnScreen(frame)
      else { continue }
      connection.configure(id, onScreen(frame))
    }
  }

  /// A window's place if it is on a screen, else one that is.
  func onScreen(_ frame: Rect) -> Rect {
    isOnScreen(frame) ? frame : WindowPlacement(frame: frame).onScreen(current.map(\.visibleFrame)).frame
  }

  /// Makes windows fit that fill a screen without a window manager.
  private func fitFullScreens(_ old: [ScreenDescription]) {
    for window in windows.all where window.frameBeforeFullScreen != nil {
      let frame = window.geometry(root).frame
      guard let before = old.first(where: { $0.frame == frame }),
        let new = current.first(where: { $0.name == before.name }) ?? current.first, new.frame != frame
      else { continue }
      strays[window.id] = nil
      connection.configure(window.id, new.frame)
    }
  }
}

/// The scale of screens and windows: how many pixels one point is.
enum ScaleRule {
  /// The user's choice, `Xft.dpi`, over 96; else 2 where a screen's pixels are small, by the size that it reports.
  static func scale(dpi: Double?, pixels: Size, millimetres: Size) -> Double {
    if let dpi { return min(max(dpi / 96, 0.5), 8) }
    // Projectors and televisions report nonsense: an aspect ratio for a size, or none; some of it is not square.
    let (long, short) = (
      max(millimetres.width, millimetres.height), min(millimetres.width, millimetres.height)
    )
    guard long >= 100, short >= 60, !isAspectRatio(long, short) else { return 1 }
    let across = Double(pixels.width) / Double(millimetres.width) * 25.4
    let down = Double(pixels.height) / Double(millimetres.height) * 25.4
    guard abs(across / down - 1) < 0.25, across < 1000 else { return 1 }
    return min(across, down) >= 144 ? 2 : 1
  }

  /// 16:9 or 16:10 in centimetres (EDID 1.3, section 3.6).
  private static func isAspectRatio(_ long: Int, _ short: Int) -> Bool { long == 160 && (short == 90 || short == 100) }

  /// `Xft.dpi` of RESOURCE_MANAGER's lines (X Resource Manager, section 15.3); nil where it is not a sensible number.
  static func dpi(inResources text: String) -> Double? {
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("Xft.dpi") {
      let rest = line.dropFirst(7).drop { $0 == " " || $0 == "\t" }
      guard rest.first == ":" else { continue }
      let value = rest.dropFirst().filter { $0 != " " && $0 != "\t" }
      guard let number = Double(value), number.isFinite, (20...2000).contains(number) else { return nil }
      return number
    }
    return nil
  }
}
