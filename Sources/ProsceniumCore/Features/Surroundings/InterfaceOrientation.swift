/// Which way up an interface is.
///
/// UIKit's words: in `landscapeRight` the device has been turned counterclockwise from portrait, in `landscapeLeft`
/// clockwise.
public enum InterfaceOrientation: String, Hashable, Sendable, CaseIterable {
  /// Unknown: the scene has no window yet.
  case unknown
  /// Higher than wide.
  case portrait
  /// Higher than wide, the other way up.
  case portraitUpsideDown
  /// Wider than high.
  case landscapeLeft
  /// Wider than high: how a desktop's screen usually stands.
  case landscapeRight

  /// Whether it is wider than high.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
  /// Whether it is higher than wide.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

  /// Each is the orientation of a panel that has been turned clockwise by a quarter from the one before.
  private static let clockwise: [InterfaceOrientation] = [
    .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight,
  ]

  /// The orientation of content on a screen of this size, whose content is rotated against its panel.
  ///
  /// Content is rotated left on a panel that is turned to the right.
  init(of size: Size, rotation: Screen.Rotation) {
    self = Self.clockwise[((rotation.isPanelTall(under: size) ? 0 : 3) + rotation.quarters) % 4]
  }

  /// Itself where that is supported, else the nearest one.
  ///
  /// First the other way up, which has the same shape, then a quarter turn clockwise, then one counterclockwise. Itself
  /// where nothing is supported.
  func nearest(of supported: InterfaceOrientationMask) -> InterfaceOrientation {
    guard let place = Self.clockwise.firstIndex(of: self) else { return self }
    return [0, 2, 1, 3].map { Self.clockwise[(place + $0) % 4] }.first { supported.contains($0.mask) } ?? self
  }

  /// The set of this one alone.
  public var mask: InterfaceOrientationMask {
    switch self {
    case .unknown: []
    case .portrait: .portrait
    case .portraitUpsideDown: .portraitUpsideDown
    case .landscapeLeft: .landscapeLeft
    case .landscapeRight: .landscapeRight
    }
  }
}

extension ScreenRotation {
  /// The quarters by which a panel is turned clockwise: the cases are in their order.
  fileprivate var quarters: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Whether the panel is higher than wide whose content has this size.
  ///
  /// It is as wide as the content is, or, by an odd number of quarters, as high.
  func isPanelTall(under size: Size) -> Bool {
    let isTall = size.height > size.width
    return quarters % 2 == 0 ? isTall : !isTall
  }
}

/// A set of orientations.
public struct InterfaceOrientationMask: OptionSet, Hashable, Sendable {
  /// The set as a number.
  public let rawValue: UInt
  /// A set by its number.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// ``InterfaceOrientation/portrait``.
  public static let portrait = InterfaceOrientationMask(rawValue: 1)
  /// ``InterfaceOrientation/portraitUpsideDown``.
  public static let portraitUpsideDown = InterfaceOrientationMask(rawValue: 2)
  /// ``InterfaceOrientation/landscapeLeft``.
  public static let landscapeLeft = InterfaceOrientationMask(rawValue: 4)
  /// ``InterfaceOrientation/landscapeRight``.
  public static let landscapeRight = InterfaceOrientationMask(rawValue: 8)
  /// Both that are wider than high.
  public static let landscape: InterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
  /// All but the one that is upside down.
  public static let allButUpsideDown: InterfaceOrientationMask = [.portrait, .landscape]
  /// All of them.
  public static let all: InterfaceOrientationMask = [.allButUpsideDown, .portraitUpsideDown]
}
