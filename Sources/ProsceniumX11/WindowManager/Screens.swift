import ProsceniumPlatform

/// The screens: RandR's monitors, or the root window without RandR 1.5.
@MainActor final class Screens: X11Component {
  let context: X11Context
  private(set) var current: [ScreenDescription] = []
  /// The size of the root window.
  private(set) var rootSize: Size
  /// The parts of the screens that no panel takes.
  private var workAreas = WorkAreas()
  /// Whether the program wants to know what panels leave, and how the screens are rotated.
  var areFollowed = false
  /// Whether the monitors are being asked for: their visible parts are delivered together with them.
  var areBeingAsked = false
  /// Windows that are left on no monitor, and where they are.
  var strays: [UInt32: Rect] = [:]
  /// The dots per inch that the user has chosen: by X resources, which desktop environments set as they set their
  /// settings, and by the settings where there are none.
  private var resourceDPI: Double?
  private var settingsDPI: Double?

  init(_ context: X11Context) {
    self.context = context
    rootSize = context.server.connection.screen.size
  }

  /// Sets the screen that stands for all until they are known.
  func begin() {
    let setup = connection.screen
    current = [
      ScreenDescription(
        name: "screen", frame: Rect(x: 0, y: 0, width: setup.size.width, height: setup.size.height), isPrimary: true,
        physicalSize: setup.physicalSize, isProvisional: server.extensions.has(.randr))
    ]
    windows.apply(.monitors(current.map(\.frame)))
  }

  /// The one screen of a server without RandR.
  var wholeRoot: ScreenDescription {
    let frame = Rect(x: 0, y: 0, width: rootSize.width, height: rootSize.height)
    return ScreenDescription(
      name: "screen", frame: frame, isPrimary: true, scale: scale(of: rootSize, Size(width: 0, height: 0)),
      visibleFrame: visibleFrame(of: "screen", frame))
  }

  func rootResized(to size: Size) { rootSize = size }

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
    if !areBeingAsked { change { $0.visibleFrame = visibleFrame(of: $0.name, $0.frame) } }
  }

  /// The part of a screen that no panel takes, as far as known.
  func visibleFrame(of name: String, _ frame: Rect) -> Rect {
    let before = current.first { $0.name == name }.map { ($0.frame, $0.visibleFrame) }
    return workAreas.visible(of: frame, root: rootSize, before: before)
  }

  // MARK: Scale

  func setResolution(resources dpi: Double?) { changeResolution { resourceDPI = dpi } }
  func setResolution(settings dpi: Double?) { changeResolution { settingsDPI = dpi } }

  private var dpi: Double? { resourceDPI ?? settingsDPI }

  private func changeResolution(_ change: () -> Void) {
    let before = dpi
    change()
    guard dpi != before else { return }
    current = current.map { screen in
      var screen = screen
      screen.scale = scale(of: screen.frame.size, screen.physicalSize)
      return screen
    }
    batch.append(.screens(current))
    updateScales()
  }

  func scale(of pixels: Size, _ millimetres: Size) -> Double {
    ScaleRule.scale(dpi: dpi, pixels: pixels, millimetres: millimetres)
  }

  private func updateScales() { for window in windows.all { updateScale(of: window, window.geometry(root).frame) } }

  /// A window has been created, moved or adopted.
  func updateScale(of window: TopLevel, _ frame: Rect) {
    let scale = ScaleRule.scale(ofWindow: frame, on: current)
    guard scale != window.scale else { return }
    window.scale = scale
    batch.append(.scale(window.windowID, scale))
  }

  /// Changes each screen, and hands them out where one differs.
  private func change(_ body: (inout ScreenDescription) -> Void) {
    var new = current
    for index in new.indices { body(&new[index]) }
    guard new != current else { return }
    current = new
    batch.append(.screens(new))
  }
}
