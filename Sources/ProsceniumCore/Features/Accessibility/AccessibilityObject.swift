/// An element of a window that assistive programs, such as screen readers, know.
///
/// `View` of `ProsceniumUI` is one; a program that draws by its own means gives ``AccessibilityElement``s. Everything
/// is called on the main thread, only while an assistive program is there: at the end of a turn of the loop in which a
/// window was marked for drawing, its first responder, its title or its state has changed, or
/// ``Accessibility/post(notification:argument:)`` was called. What assistive programs read in between is what was
/// answered last.
@preconcurrency @MainActor public protocol AccessibilityObject: AnyObject {
  /// All that is known of the element but its place.
  var accessibilityProperties: AccessibilityProperties { get }
  /// Its rectangle in pixels of its window, relative to the upper left corner.
  var accessibilityFrame: Rect { get }
  /// The elements in it, in the order in which they are read; of a list those in sight.
  var accessibilityObjects: [any AccessibilityObject] { get }
  /// The element that has its name, such as a label beside it; nil, as by default, for none.
  var accessibilityLabelObject: (any AccessibilityObject)? { get }
  /// Does what an assistive program asks for, as if its user had done it.
  ///
  /// Called after the callbacks of the life cycle, like input, and only where the user could use the window: it is
  /// shown, its scene is in the foreground, and no alert is above it.
  /// - Parameter request: What it asks for.
  /// - Returns: Whether it is done.
  func accessibilityPerform(_ request: AccessibilityRequest) -> Bool
}

extension AccessibilityObject {
  /// No elements.
  public var accessibilityObjects: [any AccessibilityObject] { [] }
  /// None.
  public var accessibilityLabelObject: (any AccessibilityObject)? { nil }
  /// Does nothing.
  public func accessibilityPerform(_ request: AccessibilityRequest) -> Bool { false }
}

/// A ``WindowContent``, or a ``Window`` that draws by its own means, with elements for assistive programs.
@preconcurrency @MainActor public protocol AccessibilityContainer: AnyObject {
  /// The elements of the window, in the order in which they are read.
  ///
  /// Asked on the main thread, at the times that ``AccessibilityObject`` tells.
  var accessibilityElements: [any AccessibilityObject]? { get }
  /// The name of the window; its title where nil, as by default.
  ///
  /// Asked at the same times.
  var accessibilityLabel: String? { get }
}

extension AccessibilityContainer {
  /// None but the title.
  public var accessibilityLabel: String? { nil }
}

/// An element that is no view, for a program that draws by its own means (UIKit's `UIAccessibilityElement`).
///
/// ```swift
/// final class Board: Window, AccessibilityContainer {
///   let stone = AccessibilityElement(.button, label: "Black stone", frame: Rect(x: 10, y: 10, width: 20, height: 20))
///   var accessibilityElements: [any AccessibilityObject]? { [stone] }
/// }
/// ```
@preconcurrency @MainActor open class AccessibilityElement: AccessibilityObject {
  /// Makes an element.
  /// - Parameters:
  ///   - role: What it is.
  ///   - label: Its name.
  ///   - frame: Its rectangle in pixels of its window.
  public init(
    _ role: AccessibilityRole = .group, label: String = "", frame: Rect = Rect(x: 0, y: 0, width: 0, height: 0)
  ) {
    accessibilityProperties = AccessibilityProperties(role: role, label: label)
    accessibilityFrame = frame
  }

  open var accessibilityProperties: AccessibilityProperties {
    didSet { if oldValue != accessibilityProperties { changed() } }
  }
  open var accessibilityFrame: Rect { didSet { if oldValue != accessibilityFrame { changed() } } }
  open var accessibilityObjects: [any AccessibilityObject] = [] { didSet { changed() } }
  open weak var accessibilityLabelObject: (any AccessibilityObject)? { didSet { changed() } }

  /// Does what is asked for, and returns whether it is done; nil, as at first, for nothing.
  ///
  /// Called by ``accessibilityPerform(_:)``; ``AccessibilityProperties/actions`` has to name what can be done.
  open var accessibilityHandler: (@MainActor (AccessibilityRequest) -> Bool)? { didSet { assertMainThread() } }

  open func accessibilityPerform(_ request: AccessibilityRequest) -> Bool { accessibilityHandler?(request) ?? false }

  /// Its name, in a few words.
  public final var accessibilityLabel: String {
    get { accessibilityProperties.label }
    set { accessibilityProperties.label = newValue }
  }
  /// What it does, where the name does not say it.
  public final var accessibilityHint: String {
    get { accessibilityProperties.hint }
    set { accessibilityProperties.hint = newValue }
  }
  /// Its value in words.
  public final var accessibilityValue: String {
    get { accessibilityProperties.value }
    set { accessibilityProperties.value = newValue }
  }

  private func changed() {
    assertMainThread()
    Accessibility.post(notification: .layoutChanged)
  }
}
