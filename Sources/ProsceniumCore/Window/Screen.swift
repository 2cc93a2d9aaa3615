/// A screen: on X11 a monitor of RandR 1.5, or the whole root window where the server has no RandR.
@preconcurrency @MainActor public final class Screen {
  /// The name of the output (`HDMI-1`).
  public internal(set) var name: String
  /// The rectangle that it shows of the desktop, in pixels.
  public internal(set) var frame: Rect
  /// Whether it is the primary one.
  public internal(set) var isPrimary: Bool
  /// Its size in millimetres; zero where unknown.
  public internal(set) var physicalSize: Size
  /// How many of its pixels one point is: 1, or more where pixels are small.
  public internal(set) var scale: Double

  /// Stands for all screens until the window system has said which there are.
  private(set) var isProvisional: Bool

  init(_ description: ScreenDescription) {
    name = description.name
    frame = description.frame
    isPrimary = description.isPrimary
    physicalSize = description.physicalSize
    isProvisional = description.isProvisional
    scale = description.scale
  }

  /// Takes what the window system says now; answers whether the screen's mode has changed by it.
  func update(_ description: ScreenDescription) -> Bool {
    let changes = frame != description.frame || isPrimary != description.isPrimary
    name = description.name
    frame = description.frame
    isPrimary = description.isPrimary
    physicalSize = description.physicalSize
    isProvisional = description.isProvisional
    scale = description.scale
    return changes
  }
}

extension Screen: @MainActor Hashable {
  /// Whether both are the same screen.
  public static func == (lhs: Screen, rhs: Screen) -> Bool { lhs === rhs }
  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
