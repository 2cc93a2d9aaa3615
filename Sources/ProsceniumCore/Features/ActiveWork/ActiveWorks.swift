/// Starts and stops the work that runs only while its scene is active.
final class ActiveWorks: FeatureBase, Feature {
  final class SceneState: SceneFeatureState { var works: [ActiveWork] = [] }

  override func join(_ lists: inout FeatureLists) {
    lists.observe(after: [.sceneDidBecomeActive, .sceneWillResignActive, .sceneDidDisconnect], by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .after(.sceneDidBecomeActive, let record): change(record, .start)
    case .after(.sceneWillResignActive, let record): change(record, .stop)
    // Work that the program still holds must not start in the session's next scene.
    case .after(.sceneDidDisconnect, let record): change(record, .cancel)
    default: []
    }
  }

  private func change(_ record: SceneRecord, _ change: ActiveWorkCall.Change) -> [FeatureAction] {
    let works = state(of: record).works
    return works.isEmpty ? [] : [.call(ActiveWorkCall(change: change, works: works, scene: record))]
  }
}

/// Starts or stops work of `whileActive`.
private struct ActiveWorkCall: Notice {
  enum Change { case start, stop, cancel }

  var change: Change
  var works: [ActiveWork]
  var scene: SceneRecord
  var call: CallDescription { CallDescription("whileActive(resumption:start:stop:)", scene: scene.identifier) }

  func send(to application: Application) {
    for work in works {
      switch change {
      case .start: work.sceneBecameActive()
      case .stop: work.sceneResigned()
      case .cancel: work.cancel()
      }
    }
  }
}
