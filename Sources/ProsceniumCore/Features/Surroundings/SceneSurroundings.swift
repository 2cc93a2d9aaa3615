import ProsceniumPlatform

/// What is around a scene: the end of what `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)` tells.
@MainActor struct SceneSurroundings {
  /// Nil while the scene is nowhere.
  var space: SceneCoordinateSpace?
  var orientation: InterfaceOrientation
  var traits: TraitCollection
  /// The screen; nil for one that stood for all of them.
  var screen: Screen?

  /// Whether a scene hears of the difference: a place alone is none.
  func differs(from other: SceneSurroundings) -> Bool {
    guard let space, let otherSpace = other.space else { return !hasSameLook(as: other) }
    return space.bounds != otherSpace.bounds || !hasSameLook(as: other)
  }

  /// Whether everything but the size is as it was: what does not bring a frame by itself.
  func hasSameLook(as other: SceneSurroundings) -> Bool {
    // As soon as it is known which screens there are it is known which one it was all the time.
    guard let screen, let otherScreen = other.screen else { return traits == other.traits }
    return screen === otherScreen && orientation == other.orientation && traits == other.traits
  }
}

extension WindowScene {
  /// What is around the scene now.
  var surroundings: SceneSurroundings {
    let screen = screen
    return SceneSurroundings(
      space: effectiveGeometry.map { SceneCoordinateSpace($0.frame) }, orientation: interfaceOrientation,
      traits: traitCollection,
      screen: screen?.isProvisional == false ? screen : nil)
  }
}

/// `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)`, where something is different.
struct SurroundingsCall: ProgramCall {
  var scene: SceneRecord
  var call: CallDescription {
    CallDescription(
      "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)", scene: scene.identifier)
  }

  func perform(for application: Application) -> [FeatureAction] {
    guard let windowScene = scene.windowScene, scene.isListed else { return [] }
    let state = scene.state(of: Surroundings.self)
    let (old, now) = (state.known, windowScene.surroundings)
    // While the scene is nowhere there is nothing to compare with, but for what it was told before.
    guard old != nil || now.space != nil else { return [] }
    state.known = now
    guard let old, old.differs(from: now) else { return [] }
    if !old.hasSameLook(as: now) { for window in windowScene.windows { window.display.surroundingsChanged() } }
    (windowScene.delegate as? any WindowSceneDelegate)?.windowScene(
      windowScene, didUpdate: old.space ?? windowScene.coordinateSpace, interfaceOrientation: old.orientation,
      traitCollection: old.traits)
    return []
  }
}
