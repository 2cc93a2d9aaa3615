/// Assistive programs, such as screen readers, that show the program's windows in another way (UIKit's
/// `UIAccessibility`).
///
/// On Linux these are programs of the accessibility bus (AT-SPI 2), as Orca. The program is there, and its windows are
/// read, only while the desktop says that one of them runs (`org.a11y.Status`). Without one nothing is read, made or
/// sent.
@MainActor public enum Accessibility {
  /// What the program says to assistive programs.
  public struct Notification: Hashable, Sendable {
    fileprivate enum Kind { case announcement, layoutChanged }
    fileprivate let kind: Kind

    /// A text that is said at once, such as "Saved".
    public static let announcement = Notification(kind: .announcement)
    /// Elements have changed, come or gone without a part of the window having been marked for drawing.
    public static let layoutChanged = Notification(kind: .layoutChanged)
    /// All of the window is another one: as ``layoutChanged``.
    public static let screenChanged = Notification(kind: .layoutChanged)
  }

  /// Says something to assistive programs; does nothing without one.
  /// - Parameters:
  ///   - notification: What it is about.
  ///   - argument: The text of an ``Notification/announcement``; with the others it is said too.
  public static func post(notification: Notification, argument: String? = nil) {
    guard let feature, feature.isWatched else { return }
    if notification.kind == .layoutChanged { feature.notes += 1 }
    if let argument, !argument.isEmpty { feature.announce(argument) }
  }

  /// Whether an assistive program is there.
  public static var isRunning: Bool { feature?.isWatched ?? false }

  /// Whether a program is there that reads the screen to its user (UIKit's `isVoiceOverRunning`).
  public static var isScreenReaderRunning: Bool { feature?.isReadAloud ?? false }

  private static var feature: AccessibilityFeature? {
    Application.sharedIfLaunched?.conductor?.feature(AccessibilityFeature.self)
  }
}

/// What an element is like, in UIKit's words (`UIAccessibilityTraits`).
public struct AccessibilityTraits: OptionSet, Hashable, Sendable {
  /// The traits as bits.
  public let rawValue: UInt64
  /// Makes traits of bits.
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// It is pressed: ``AccessibilityRole/button``.
  public static let button = AccessibilityTraits(rawValue: 1 << 0)
  /// It opens something: ``AccessibilityRole/link``.
  public static let link = AccessibilityTraits(rawValue: 1 << 1)
  /// It is a picture: ``AccessibilityRole/image``.
  public static let image = AccessibilityTraits(rawValue: 1 << 2)
  /// It is selected.
  public static let selected = AccessibilityTraits(rawValue: 1 << 3)
  /// It is a text that cannot be changed: ``AccessibilityRole/staticText``.
  public static let staticText = AccessibilityTraits(rawValue: 1 << 6)
  /// It cannot be used now.
  public static let notEnabled = AccessibilityTraits(rawValue: 1 << 8)
  /// It is moved up and down: ``AccessibilityRole/slider``.
  public static let adjustable = AccessibilityTraits(rawValue: 1 << 12)
  /// It is the title of what follows: ``AccessibilityRole/heading``.
  public static let header = AccessibilityTraits(rawValue: 1 << 16)
  /// It is a row of tabs: ``AccessibilityRole/tabList``.
  public static let tabBar = AccessibilityTraits(rawValue: 1 << 28)
  /// It is on or off: ``AccessibilityRole/toggleButton``.
  public static let toggleButton = AccessibilityTraits(rawValue: 1 << 53)

  private static let roles: [(AccessibilityTraits, AccessibilityRole)] = [
    (.adjustable, .slider), (.toggleButton, .toggleButton), (.button, .button), (.link, .link), (.header, .heading),
    (.image, .image), (.staticText, .staticText), (.tabBar, .tabList),
  ]

  /// The role that the traits stand for; nil for none.
  public var role: AccessibilityRole? { Self.roles.first { contains($0.0) }?.1 }

  /// The traits of a description.
  /// - Parameter properties: The description.
  public init(of properties: AccessibilityProperties) {
    self = Self.roles.first { $0.1 == properties.role }?.0 ?? []
    if properties.states.contains(.selected) { insert(.selected) }
    if !properties.states.contains(.enabled) { insert(.notEnabled) }
  }
}

/// Something that can be done with an element besides its press (UIKit's `UIAccessibilityCustomAction`).
@MainActor public final class AccessibilityCustomAction {
  /// What it is called.
  public let name: String
  /// Does it, and returns whether it is done.
  public let actionHandler: @MainActor () -> Bool

  /// Makes an action.
  /// - Parameters:
  ///   - name: What it is called.
  ///   - actionHandler: Does it, and returns whether it is done.
  @preconcurrency public init(name: String, actionHandler: @escaping @MainActor () -> Bool) {
    self.name = name
    self.actionHandler = actionHandler
  }
}
