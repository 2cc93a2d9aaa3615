extension WindowScene {
  /// The screen that shows most of the primary window, else the primary screen.
  ///
  /// For a scene of the role ``SceneSession/Role/windowExternalDisplayNonInteractive`` the screen that it was made for.
  public var screen: Screen? {
    guard let record, let application = record.conductor?.application else { return nil }
    if let screen = record.conductor?.assignedScreen(of: record) { return screen }
    guard let frame = pixelGeometry?.frame else { return application.screens.first }
    let best = application.screens.max { $0.pixelFrame.sharedArea(with: frame) < $1.pixelFrame.sharedArea(with: frame) }
    return best ?? application.screens.first
  }

  /// The orientation of the scene's interface.
  ///
  /// The one of ``Application/supportedInterfaceOrientations(for:)`` that is nearest to the screen's
  /// (``Screen/interfaceOrientation``). A window cannot rotate the display: on X11 the value is for the arrangement of
  /// the program's content; ask the screen for the display's orientation. A program that supports portrait alone gets
  /// `.portrait` in a window of any shape. `.unknown` while the scene is not connected.
  public var interfaceOrientation: InterfaceOrientation {
    interfaceOrientation(on: screen)
  }

  private func interfaceOrientation(on screen: Screen?) -> InterfaceOrientation {
    guard let application = record?.conductor?.application, let screen else { return .unknown }
    return screen.interfaceOrientation.nearest(of: application.supportedInterfaceOrientations(for: windows.first))
  }

  /// The scene's traits: ``Application/traitCollection``, and the scale of its window.
  public var traitCollection: TraitCollection {
    var traits = record?.conductor?.application.traitCollection ?? TraitCollection()
    traits.displayScale = windows.first?.scale ?? screen?.scale ?? 1
    return traits
  }

  /// The content of the primary window as it lies on the desktop; nothing while there is none.
  public var coordinateSpace: any CoordinateSpace {
    space ?? SceneCoordinateSpace(Rect(x: 0, y: 0, width: 0, height: 0), scale: 1)
  }

  private var space: SceneCoordinateSpace? {
    pixelGeometry.map { SceneCoordinateSpace($0.frame, scale: windows.first?.scale ?? 1) }
  }

  /// The scene's present surroundings.
  var surroundings: SceneSurroundings {
    let screen = screen
    return SceneSurroundings(
      space: space, orientation: interfaceOrientation(on: screen),
      traits: traitCollection,
      screen: screen?.isProvisional == false ? screen : nil)
  }
}
