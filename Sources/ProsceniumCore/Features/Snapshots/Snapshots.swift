import ProsceniumPlatform
import ProsceniumStore
import SceneLifecycle

/// Takes, keeps and shows the pictures that stand for scenes while they are not there.
final class Snapshots: Feature {
  enum Message: Equatable {
    /// What a scene shows has been changed in the background.
    case renew(SceneRecord)
  }

  final class SceneState: SceneFeatureState {
    /// How often something had to be drawn again when the picture was taken; nil before the first one.
    var changes: Int?
    /// The picture that the program handed over then.
    weak var handedPicture: Picture?
    /// A picture may be on disk.
    var mayHavePicture = false
    /// The picture was asked for while the scene's state was being restored.
    var isAwaited = false
  }

  private unowned let conductor: Conductor

  init(_ conductor: Conductor) { self.conductor = conductor }

  private var store: SessionStore? { conductor.store }

  func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .sessionStored(let record): state(of: record).mayHavePicture = true
    case .connecting(let record): return showBare(record)
    case .windowCreated(let id, let record):
      if id == record.windows.primary, record.hasConnected, !record.connection.isInBackground {
        return show(record, in: id)
      }
    case .leftForeground(let record):
      return [.call(SnapshotCall(scene: record))]
    case .workDone(let record): return workDone(record)
    case .refreshed(let record): return refresh(record)
    case .restored(let record): return state(of: record).isAwaited ? refresh(record) + giveBack(record) : []
    default: break
    }
    return []
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .renew(let record): renew(record, afterUpdates: true)
    }
  }

  // MARK: Taking

  /// The picture that stands for the scene until it is seen again.
  ///
  /// Drawn by the program's own means, into memory of its own: the window may be gone. Only where something has been
  /// drawn, and the picture is kept or seen.
  fileprivate func take(_ record: SceneRecord) -> [FeatureAction] {
    guard record.windowScene?.snapshotPicture != nil || record.primaryWindow?.display.hasDrawn == true else {
      // What an earlier run of a program left that draws by its own means, and hands nothing over any more. A scene that
      // has not been seen yet, launched into the background, leaves it as it is.
      let hasNone = record.primaryWindow?.display.hasContent == false
      if record.connection.hasBeenInForeground, hasNone { keep(nil, of: record) }
      return []
    }
    return renew(record, afterUpdates: false)
  }

  /// Takes new pictures of the scenes that have something to draw since their last one.
  private func workDone(_ record: SceneRecord?) -> [FeatureAction] {
    let records = record.map { [$0] } ?? conductor.roster.ordered
    return records.filter(hasChanged).flatMap { record -> [FeatureAction] in
      [send(.renew(record)), .tell(.unseen(record))]
    }
  }

  private func hasChanged(_ record: SceneRecord) -> Bool {
    guard let display = record.primaryWindow?.display, let last = state(of: record).changes, canTake(record) else {
      return false
    }
    return last != display.changes || record.windowScene?.snapshotPicture !== state(of: record).handedPicture
  }

  private func canTake(_ record: SceneRecord) -> Bool {
    record.activation == .background && record.ending == nil && !conductor.isRestoring(record)
  }

  /// A new picture of a scene whose session was refreshed; of one that can be seen it is taken when it no longer can.
  private func refresh(_ record: SceneRecord) -> [FeatureAction] {
    state(of: record).isAwaited = conductor.isRestoring(record)
    return canTake(record) ? [send(.renew(record))] : []
  }

  /// What was made for the picture is not needed while the scene is not seen, and may be disconnected again.
  private func giveBack(_ record: SceneRecord) -> [FeatureAction] {
    record.connection.isInBackground ? [.tell(.unseen(record))] : []
  }

  private func renew(_ record: SceneRecord, afterUpdates: Bool) -> [FeatureAction] {
    guard let scene = record.windowScene, record.ending?.discards != true else { return [] }
    let shown =
      conductor.law.isEnding ? [] : scene.windows.filter { $0.id.map(conductor.platform.keepsPixels) ?? false }
    var actions: [FeatureAction] = []
    if store != nil || shown.contains(where: { $0 === record.primaryWindow }) {
      let picture = scene.snapshot(afterUpdates: afterUpdates)
      state(of: record).changes = record.primaryWindow?.display.changes
      state(of: record).handedPicture = scene.snapshotPicture
      // Where there is none, it is too large, or there is no memory for it: what was kept before is out of date.
      keep(picture, of: record)
      if let picture {
        actions.append(.traceRequest("snapshot", record.session, "\(picture.size.width)x\(picture.size.height)"))
        if let id = record.windows.primary, shown.contains(where: { $0.id == id }) {
          actions.append(.command(.cover(id, Snapshot(picture))))
        }
      }
    }
    // Panels and alerts are windows of their own, and their pictures are not kept.
    for window in shown where window !== record.primaryWindow {
      guard let id = window.id, let picture = window.display.picture(afterUpdates: afterUpdates) else { continue }
      actions.append(.command(.cover(id, Snapshot(picture))))
    }
    return actions
  }

  // MARK: Keeping and showing

  private func keep(_ picture: Picture?, of record: SceneRecord) {
    let state = state(of: record)
    guard picture != nil || state.mayHavePicture, conductor.roster.contains(record) else { return }
    state.mayHavePicture = picture != nil
    store?.keep(picture, of: record.identifier)
  }

  /// Shows the picture in a bare window that is seen: at once, because code of the program that runs next may take its
  /// time.
  private func showBare(_ record: SceneRecord) -> [FeatureAction] {
    guard let bare = record.windows.bare, bare.isShown, !record.connection.isInBackground else { return [] }
    conductor.perform(show(record, in: bare.id))
    conductor.platform.flush()
    return []
  }

  /// Shows what the session's window showed last, until the first frame of its new scene.
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
    application.conductor?.feature(Snapshots.self)?.take(scene) ?? []
  }
}
