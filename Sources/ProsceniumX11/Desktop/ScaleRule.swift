import ProsceniumPlatform

/// How many pixels one point is.
enum ScaleRule {
  /// What the user says, `Xft.dpi`, over 96; else 2 where a screen's pixels are small, by its own account.
  static func scale(dpi: Double?, pixels: Size, millimetres: Size) -> Double {
    if let dpi { return min(max(dpi / 96, 0.5), 8) }
    // Projectors and televisions tell nonsense: an aspect ratio for a size, or none; some of it is not square.
    guard millimetres.width >= 100, millimetres.height >= 60, !isAspectRatio(millimetres) else { return 1 }
    let across = Double(pixels.width) / Double(millimetres.width) * 25.4
    let down = Double(pixels.height) / Double(millimetres.height) * 25.4
    guard abs(across / down - 1) < 0.25, across < 1000 else { return 1 }
    return min(across, down) >= 144 ? 2 : 1
  }

  /// A window has the scale of the screen that shows most of it; of the primary one where none shows anything.
  static func scale(ofWindow frame: Rect, on screens: [ScreenDescription]) -> Double {
    var best = screens.first(where: \.isPrimary) ?? screens.first
    func area(_ screen: ScreenDescription) -> Int {
      screen.frame.intersection(frame).map { $0.size.width * $0.size.height } ?? 0
    }
    var most = best.map(area) ?? 0
    for screen in screens where area(screen) > most { (best, most) = (screen, area(screen)) }
    return best?.scale ?? 1
  }

  /// 16:9 or 16:10 in centimetres (EDID 1.3, section 3.6).
  private static func isAspectRatio(_ size: Size) -> Bool {
    size.width == 160 && (size.height == 90 || size.height == 100)
  }

  /// `Xft.dpi` of RESOURCE_MANAGER's lines (X Resource Manager, section 15.3); nil where it is not a sensible number.
  static func dpi(inResources text: String) -> Double? {
    for line in text.split(separator: "\n") where line.hasPrefix("Xft.dpi") {
      let rest = line.dropFirst(7).drop { $0 == " " || $0 == "\t" }
      guard rest.first == ":" else { continue }
      let value = rest.dropFirst().filter { $0 != " " && $0 != "\t" && $0 != "\r" }
      guard let number = Double(value), number.isFinite, (20...2000).contains(number) else { return nil }
      return number
    }
    return nil
  }
}

extension X11Platform {
  /// Reads the user's resources; asked for at start and when they change.
  func readResources() {
    guard let connection else { return }
    properties?.read(connection.screen.root, PredefinedAtom.resourceManager, limit: 1 << 16) { [weak self] value in
      self?.resolutionChanged { $0.surfaces.dpi = value?.text.flatMap(ScaleRule.dpi) }
    }
  }

  /// What the user says of the screens' resolution becomes other.
  func resolutionChanged(_ change: (X11Platform) -> Void) {
    let before = dpi
    change(self)
    guard dpi != before else { return }
    // The screens say their scale anew.
    let screens = screens.current.map { screen in
      var screen = screen
      screen.scale = self.scale(of: screen.frame.size, screen.physicalSize)
      return screen
    }
    self.screens.current = screens
    batch.append(.screens(screens))
    renewScales()
  }

  /// The resources' word, which desktops keep as they keep their settings, and the settings' where there is none.
  private var dpi: Double? { surfaces.dpi ?? choices.dpi }

  func scale(of pixels: Size, _ millimetres: Size) -> Double {
    ScaleRule.scale(dpi: dpi, pixels: pixels, millimetres: millimetres)
  }

  /// The screens have changed, or what they say.
  func renewScales() {
    for id in windows.keys.sorted() { windows[id].map { renewScale($0, geometry(of: $0).frame) } }
  }

  /// A window has come, or has moved.
  func renewScale(_ window: TopLevel, _ frame: Rect) {
    let scale = ScaleRule.scale(ofWindow: frame, on: screens.current)
    guard scale != window.scale else { return }
    window.scale = scale
    batch.append(.scale(window.windowID, scale))
  }
}
