extension WindowScene {
  /// The screen that shows most of the primary window, else the primary screen.
  ///
  /// For a scene of the role ``SceneSession/Role/windowExternalDisplayNonInteractive`` the screen that it was made for.
  public var screen: Screen? {
    guard let record, let application = record.conductor?.application else { return nil }
    if let screen = record.assignedScreen { return screen }
    guard let frame = effectiveGeometry?.frame else { return application.screens.first }
    let best = application.screens.max { $0.frame.sharedArea(with: frame) < $1.frame.sharedArea(with: frame) }
    return best ?? application.screens.first
  }

  /// Which way up the scene is to be.
  ///
  /// The one of ``Application/supportedInterfaceOrientations(for:)`` that is nearest to the screen's
  /// (``Screen/interfaceOrientation``). A window cannot turn the display, and nothing else does because of it: on X11 the
  /// value says how the program should arrange its content, not how the display stands; ask the screen for that. A program
  /// that supports portrait alone gets `.portrait` in a window of whatever shape. `.unknown` while the scene is not connected.
  public var interfaceOrientation: InterfaceOrientation {
    guard let application = record?.conductor?.application, let screen else { return .unknown }
    return screen.interfaceOrientation.nearest(of: application.supportedInterfaceOrientations(for: windows.first))
  }

  /// What the scene looks different by: ``Application/traitCollection``, and the scale of its window.
  public var traitCollection: TraitCollection {
    var traits = record?.conductor?.application.traitCollection ?? TraitCollection()
    traits.displayScale = windows.first?.scale ?? screen?.scale ?? 1
    return traits
  }

  /// The content of the primary window as it lies on the desktop; nothing while there is none.
  public var coordinateSpace: any CoordinateSpace {
    SceneCoordinateSpace(effectiveGeometry?.frame ?? Rect(x: 0, y: 0, width: 0, height: 0))
  }
}
