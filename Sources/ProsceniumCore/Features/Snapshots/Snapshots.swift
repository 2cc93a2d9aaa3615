import ProsceniumStore

/// Captures, stores and shows the pictures that represent scenes in the background.
final class Snapshots: FeatureBase, Feature {
  /// The content of a scene has changed in the background.
  enum Message: Equatable { case renew(SceneRecord) }

  final class SceneState: SceneFeatureState {
    /// The picture that the program has set in place of a drawing.
    var ownPicture: Picture?
    /// The number of redraws when the picture was captured; nil before the first one.
    var changes: Int?
    /// The picture that the program set then.
    weak var handedPicture: Picture?
    /// A picture may be on disk.
    var mayHavePicture = false
    /// The picture was requested while the scene's state was being restored.
    var isAwaited = false
  }

  private var store: SessionStore? { conductor.store }

  override func join(_ lists: inout FeatureLists) {
    lists.observe(after: [.sceneWillConnect, .sceneDidDisconnect], by: self)
    lists.observe(moments: .sessionStored, .connecting, .windowCreated, .leftForeground, .workDone, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .sessionStored(let record): state(of: record).mayHavePicture = true
    case .connecting(let record): return showBare(record)
    case .windowCreated(let id, let record):
      if id == record.windows.primary, record.hasConnected, !record.connection.isInBackground {
        return show(record, in: id)
      }
    case .leftForeground(let record):
      return [.call(SnapshotCall(scene: record))]
    case .after(.sceneWillConnect, let record), .protectionChanged(let record):
      // Of a time when it was not protected.
      if conductor.protects(record) { save(nil, of: record) }
    case .after(.sceneDidDisconnect, let record): state(of: record).ownPicture = nil
    case .workDone(let record): return workDone(record)
    case .refreshed(let record): return refresh(record)
    case .restored(let record) where state(of: record).isAwaited:
      // Resources of the picture are freed while the scene is in the background, which may be disconnected again.
      return refresh(record) + (record.connection.isInBackground ? [.announce(.unseen(record))] : [])
    default: break
    }
    return []
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .renew(let record): renew(record, afterUpdates: true)
    }
  }

  // MARK: Capturing

  /// Captures the picture that represents the scene until it is visible again.
  ///
  /// Drawn by the program's own means, into memory of its own: the window may be gone. Only where something has been
  /// drawn, and the picture is stored or shown.
  fileprivate func capture(_ record: SceneRecord) -> [FeatureAction] {
    guard state(of: record).ownPicture != nil || record.primaryWindow?.display.hasDrawn == true else {
      // The picture of an earlier run of a program that draws by its own means, and sets none any more. A scene that
      // has not been visible yet, launched into the background, leaves it unchanged.
      let hasNone = record.primaryWindow?.display.hasContent == false
      if record.connection.hasBeenInForeground, hasNone { save(nil, of: record) }
      return []
    }
    return renew(record, afterUpdates: false)
  }

  /// Captures new pictures of the scenes whose content has changed since their last one.
  private func workDone(_ record: SceneRecord?) -> [FeatureAction] {
    let records = record.map { [$0] } ?? roster.ordered
    return records.filter(hasChanged).flatMap { record -> [FeatureAction] in
      [send(.renew(record)), .announce(.unseen(record))]
    }
  }

  private func hasChanged(_ record: SceneRecord) -> Bool {
    guard let display = record.primaryWindow?.display, let last = state(of: record).changes, canCapture(record) else {
      return false
    }
    return last != display.changes || state(of: record).ownPicture !== state(of: record).handedPicture
  }

  private func canCapture(_ record: SceneRecord) -> Bool {
    record.activation == .background && record.ending == nil && !conductor.isRestoring(record)
  }

  /// Captures a new picture of a scene whose session was refreshed; of a visible scene when it enters the background.
  private func refresh(_ record: SceneRecord) -> [FeatureAction] {
    state(of: record).isAwaited = conductor.isRestoring(record)
    return canCapture(record) ? [send(.renew(record))] : []
  }

  private func renew(_ record: SceneRecord, afterUpdates: Bool) -> [FeatureAction] {
    guard let scene = record.windowScene, record.ending?.discards != true else { return [] }
    let shown =
      conductor.machine.phase.isEnding
      ? [] : scene.windows.filter { $0.id.map(conductor.platform.keepsPixels) ?? false }
    var actions: [FeatureAction] = []
    if store != nil || shown.contains(where: { $0 === record.primaryWindow }) {
      let picture =
        state(of: record).ownPicture ?? record.primaryWindow?.display.picture(afterUpdates: afterUpdates)
      state(of: record).changes = record.primaryWindow?.display.changes
      state(of: record).handedPicture = state(of: record).ownPicture
      // Without a picture, because it is too large or memory is exhausted, the stored one is out of date.
      save(conductor.protects(record) ? nil : picture, of: record)
      if let picture {
        actions.append(.traceRequest("snapshot", record.session, "\(picture.size.width)x\(picture.size.height)"))
        if let id = record.windows.primary, shown.contains(where: { $0.id == id }) {
          actions.append(.command(.cover(id, Snapshot(picture))))
        }
      }
    }
    // Panels and alerts are windows of their own, and their pictures are not stored.
    for window in shown where window !== record.primaryWindow {
      guard let id = window.id, let picture = window.display.picture(afterUpdates: afterUpdates) else { continue }
      actions.append(.command(.cover(id, Snapshot(picture))))
    }
    return actions
  }

  // MARK: Storing and showing

  private func save(_ picture: Picture?, of record: SceneRecord) {
    let state = state(of: record)
    guard picture != nil || state.mayHavePicture, roster.contains(record) else { return }
    state.mayHavePicture = picture != nil
    store?.keep(picture, of: record.identifier)
  }

  /// Shows the picture in a visible bare window, at once, because code of the program that runs next may be slow.
  private func showBare(_ record: SceneRecord) -> [FeatureAction] {
    guard let bare = record.windows.bare, bare.isShown, !record.connection.isInBackground else { return [] }
    conductor.perform(show(record, in: bare.id))
    conductor.platform.flush()
    return []
  }

  /// Shows the session's last picture, until the first frame of its new scene.
  private func show(_ record: SceneRecord, in window: WindowID) -> [FeatureAction] {
    guard state(of: record).mayHavePicture, let snapshot = store?.snapshot(of: record.identifier) else { return [] }
    return [.command(.showPicture(window, snapshot))]
  }
}

/// The drawing of a scene's picture by the program.
private struct SnapshotCall: ProgramCall {
  var scene: SceneRecord
  var call: CallDescription { CallDescription("the drawing of the scene's picture", scene: scene.identifier) }

  func perform(for application: Application) -> [FeatureAction] {
    application.conductor?.feature(Snapshots.self)?.capture(scene) ?? []
  }
}
