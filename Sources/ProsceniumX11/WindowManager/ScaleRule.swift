import ProsceniumPlatform

/// The scale of screens and windows: how many pixels one point is.
enum ScaleRule {
  /// The user's choice, `Xft.dpi`, over 96; else 2 where a screen's pixels are small, by the size that it reports.
  static func scale(dpi: Double?, pixels: Size, millimetres: Size) -> Double {
    if let dpi { return min(max(dpi / 96, 0.5), 8) }
    // Projectors and televisions report nonsense: an aspect ratio for a size, or none; some of it is not square.
    guard millimetres.width >= 100, millimetres.height >= 60, !isAspectRatio(millimetres) else { return 1 }
    let across = Double(pixels.width) / Double(millimetres.width) * 25.4
    let down = Double(pixels.height) / Double(millimetres.height) * 25.4
    guard abs(across / down - 1) < 0.25, across < 1000 else { return 1 }
    return min(across, down) >= 144 ? 2 : 1
  }

  /// The scale of a window: that of the screen that shows most of it, and of the primary one where none shows any of
  /// it.
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
