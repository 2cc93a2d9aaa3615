import Glibc
import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UIStage {
  /// A window with one view at a place in it.
  convenience init(_ view: View, _ frame: Rect, _ style: InterfaceStyle = .light) throws {
    try self.init { window in
      let root = View()
      view.frame = frame
      root.addSubview(view)
      window.rootView = root
      window.overrideAppearance = style
    }
    settle()
  }

  /// The pixels of a part of what the window shows.
  func pixels(_ part: Rect) throws -> [UInt32] {
    settle()
    let surface = try surface()
    return (0..<part.size.height).flatMap { y in
      (0..<part.size.width).map { surface[part.origin.x + $0, part.origin.y + y] & 0xFF_FFFF }
    }
  }

  /// How many frames were requested since the launch.
  var frameRequests: Int {
    program.platform.commands.count { command in if case .requestFrame = command { true } else { false } }
  }

  /// Has the user prefer more contrast.
  func preferHighContrast() {
    var settings = DesktopSettings()
    settings.prefersHighContrast = true
    program.platform.send(.settings(settings))
    settle()
  }

  func pixel(_ x: Int, _ y: Int) throws -> UInt32 {
    try #require(try pixels(Rect(x: x, y: y, width: 1, height: 1)).first)
  }
}

extension Color {
  /// The colour as a pixel of a window.
  var pixel: UInt32 {
    [red, green, blue].reduce(0) { $0 << 8 | UInt32(($1 * 255).rounded()) }
  }

  /// The contrast with another colour (WCAG 2.1, "contrast ratio").
  func contrast(with other: Color) -> Double { Color.contrast(pixel, other.pixel) }

  /// The contrast of two pixels.
  static func contrast(_ one: UInt32, _ other: UInt32) -> Double {
    func luminance(_ pixel: UInt32) -> Double {
      let parts = [16, 8, 0].map { shift -> Double in
        let part = Double(pixel >> UInt32(shift) & 0xFF) / 255
        return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    let (light, dark) = (max(luminance(one), luminance(other)), min(luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
  }
}

extension Control {
  /// The names of the events that the control sends from now on.
  func recordEvents() -> EventRecord {
    let record = EventRecord()
    let names: KeyValuePairs<String, ControlEvents> = [
      "down": .touchDown, "inside": .touchUpInside, "outside": .touchUpOutside, "cancel": .touchCancel,
      "value": .valueChanged, "primary": .primaryActionTriggered,
    ]
    for (name, events) in names { addAction(for: events) { record.names.append(name) } }
    return record
  }
}

@MainActor final class EventRecord {
  var names: [String] = []

  /// The names since the last call.
  func take() -> [String] {
    defer { names = [] }
    return names
  }
}
