public import ProsceniumPlatform

/// A monitor of a ``HeadlessDesk``.
public struct HeadlessScreen: Hashable, Sendable {
  /// Its name, as `DP-1`: the monitor is the same as long as the name is.
  public var name: String
  /// Where it is on the desktop, in pixels.
  public var frame: Rect
  /// Whether it is the primary one.
  public var isPrimary = false
  /// How many of its pixels one point is.
  public var scale = 1.0
  /// Millimetres; zero where unknown.
  public var physicalSize = Size(width: 0, height: 0)
  /// How it is turned.
  public var rotation = ScreenRotation.normal
  /// The part that panels leave of it, in pixels; all of it where nil.
  public var visibleFrame: Rect?
  /// The modes that a program can choose from, the one that the monitor is made for first; none at first.
  ///
  /// Set those before a program asks for them. See ``mode(_:refreshRate:)``.
  public var modes: [ScreenMode] = []

  /// A mode of a monitor.
  /// - Parameters:
  ///   - size: The size in pixels.
  ///   - refreshRate: How often the content is shown, in hertz.
  /// - Returns: The mode.
  public static func mode(_ size: Size, refreshRate: Double = 60) -> ScreenMode {
    // Two modes of one size and rate are one.
    let name = UInt32(truncatingIfNeeded: size.width &* 65_537 &+ size.height &* 31 &+ Int(refreshRate))
    return ScreenMode(size: size, refreshRate: refreshRate, id: name)
  }

  /// A monitor.
  /// - Parameters:
  ///   - name: Its name.
  ///   - frame: Where it is on the desktop, in pixels.
  ///   - isPrimary: Whether it is the primary one.
  public init(_ name: String, frame: Rect, isPrimary: Bool = false) {
    self.name = name
    self.frame = frame
    self.isPrimary = isPrimary
  }

  init(_ screen: ScreenDescription) {
    self.init(screen.name, frame: screen.frame, isPrimary: screen.isPrimary)
    scale = screen.scale
    physicalSize = screen.physicalSize
    rotation = screen.rotation
    visibleFrame = screen.visibleFrame == screen.frame ? nil : screen.visibleFrame
    modes = screen.modes?.available ?? []
  }

  /// The monitor.
  /// - Parameter last: The same one as it has been until now; nil for one that was not there.
  /// - Returns: The monitor, in the mode in which it is.
  func description(after last: ScreenDescription? = nil) -> ScreenDescription {
    let kept = last?.modes?.current.flatMap { $0.size == frame.size && modes.contains($0) ? $0 : nil }
    return ScreenDescription(
      name: name, frame: frame, isPrimary: isPrimary, physicalSize: physicalSize, scale: scale,
      visibleFrame: visibleFrame, rotation: rotation,
      modes: modes.isEmpty
        ? nil
        : ScreenModes(
          available: modes, current: kept ?? modes.first { $0.size == frame.size }, preferred: modes.first))
  }
}
