/// The surroundings of a scene, reported by `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)`.
@MainActor struct SceneSurroundings {
  /// Nil while the scene is nowhere.
  var space: SceneCoordinateSpace?
  var orientation: InterfaceOrientation
  var traits: TraitCollection
  /// The screen; nil for one that stood for all of them.
  var screen: Screen?

  /// Whether the difference is reported to a scene: a position alone is not.
  func differs(from other: SceneSurroundings) -> Bool {
    guard let space, let otherSpace = other.space else { return !hasSameLook(as: other) }
    return space.bounds != otherSpace.bounds || !hasSameLook(as: other)
  }

  /// Whether all but the size is equal: differences that cause no frame by themselves.
  func hasSameLook(as other: SceneSurroundings) -> Bool {
    // As soon as it is known which screens there are it is known which one it was all the time.
    guard let screen, let otherScreen = other.screen else { return traits == other.traits }
    return screen === otherScreen && orientation == other.orientation && traits == other.traits
  }
}

/// `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)`, where something is different.
struct SurroundingsCall: Notice {
  var scene: SceneRecord
  var call: CallDescription {
    CallDescription("windowScene(_:didUpdate:interfaceOrientation:traitCollection:)", scene: scene.identifier)
  }

  func send(to application: Application) {
    guard let windowScene = scene.windowScene, scene.isListed else { return }
    let state = scene.state(of: Surroundings.self)
    let (old, now) = (state.known, windowScene.surroundings)
    // A scene without a window has no surroundings to compare, except those reported before.
    guard old != nil || now.space != nil else { return }
    state.known = now
    guard let old, old.differs(from: now) else { return }
    if !old.hasSameLook(as: now) { for window in windowScene.windows { window.display.surroundingsChanged() } }
    (windowScene.delegate as? any WindowSceneDelegate)?.windowScene(
      windowScene, didUpdate: old.space ?? windowScene.coordinateSpace, interfaceOrientation: old.orientation,
      traitCollection: old.traits)
  }
}
