import FoundationEssentials
import ProsceniumTrace
import SceneLifecycle

/// Screens come, change and go, and scenes find themselves in other surroundings.
extension Stage {
  /// Takes the screens that there are now; answers who hears of it once the batch has been settled.
  func changeScreens(to descriptions: [ScreenDescription]) -> [Afterwards] {
    let news = application.update(screens: descriptions)
    for record in records.ordered { noteSurroundings(of: record) }
    guard !news.isEmpty || news.isFirstWord else { return [] }
    if trace.isOn, !news.isFirstWord {
      func names(_ key: String, _ screens: [Screen]) -> [(key: String, value: TraceEntry.Value)] {
        screens.isEmpty ? [] : [(key, .list(screens.map(\.name)))]
      }
      trace.record(
        "system",
        [("name", .text("screens"))] + names("disconnected", news.disconnected) + names("connected", news.connected)
          + names("changed", news.changed) + names("visibleFrame", news.visibleFrames))
    }
    return [
      { [weak self] in
        news.post()
        self?.post(.externalDisplays)
      }
    ]
  }

  /// Something around the scene may have changed: looked at once for all that a batch does.
  func noteSurroundings(of record: SceneRecord) {
    guard record.scene != nil, !surroundingsDue.contains(where: { $0 === record }) else { return }
    surroundingsDue.append(record)
  }

  /// Tells scenes whose surroundings are different now; after the notifications and the geometry.
  func tellSurroundings() {
    guard !surroundingsDue.isEmpty else { return }
    let due = surroundingsDue
    surroundingsDue = []
    for record in due { tellSurroundings(of: record) }
  }

  private func tellSurroundings(of record: SceneRecord) {
    guard let scene = record.windowScene, record.isListed else { return }
    let (old, now) = (record.surroundings, scene.surroundings)
    // While it is nowhere there is nothing to compare with, but for what it was told before.
    guard old != nil || now.space != nil else { return }
    record.surroundings = now
    guard let old, old.differs(from: now) else { return }
    if !old.hasSameLook(as: now) { for window in scene.windows { window.display.surroundingsChanged() } }
    watched("windowScene(_:didUpdate:interfaceOrientation:traitCollection:)", record) {
      (scene.delegate as? any WindowSceneDelegate)?.windowScene(
        scene, didUpdate: old.space ?? scene.coordinateSpace, interfaceOrientation: old.orientation,
        traitCollection: old.traits)
    }
  }
}

/// What is around a scene: what `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)` tells the end of.
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
