public import FoundationEssentials

extension Application {
  /// The user's choices for the appearance; light and defaults until the desktop environment reports others.
  ///
  /// Changes are reported by `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)` and
  /// ``TraitCollectionDidChangeMessage``.
  public var traitCollection: TraitCollection { conductor?.feature(Surroundings.self)?.traits ?? TraitCollection() }

  /// Whether the user wants carets to blink; true where the desktop has no such setting.
  ///
  /// On X11 the setting `Net/CursorBlink` of XSETTINGS.
  public var caretBlinks: Bool { conductor?.feature(Surroundings.self)?.caretBlinks ?? true }

  /// The screens, the primary one first.
  public var screens: [Screen] { conductor?.feature(Surroundings.self)?.screens ?? [] }

  /// The orientations that the program supports for a window; those of the whole program where nil.
  ///
  /// The result of ``ApplicationLifecycleDelegate/application(_:supportedInterfaceOrientationsFor:)``, reduced to those
  /// of the window's root view controller, where there is one. Where the two have nothing in common, the delegate's.
  /// - Parameter window: The window.
  /// - Returns: The orientations; never none.
  public func supportedInterfaceOrientations(for window: Window?) -> InterfaceOrientationMask {
    var supported = delegate?.application(self, supportedInterfaceOrientationsFor: window) ?? .all
    if supported.isEmpty { supported = .all }
    let common = supported.intersection(window?.content?.supportedInterfaceOrientations ?? .all)
    return common.isEmpty ? supported : common
  }

  /// Posted when ``Application/traitCollection`` has changed, after the scenes' own calls, in both models.
  public struct TraitCollectionDidChangeMessage: ApplicationMessage {
    /// The application.
    public let application: Application
    /// The traits before the change.
    public let previousTraitCollection: TraitCollection
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Application.TraitCollectionDidChangeMessage> {
  /// Names ``Application/TraitCollectionDidChangeMessage``.
  public static var traitCollectionDidChange: Self { .init() }
}
