import ProsceniumStore
import SceneLifecycle

/// Snapshots: the pictures that stand for scenes while they are not there.
extension Stage {
  /// The picture that stands for the scene until it is seen again, taken before anything is given back.
  ///
  /// Drawn by the program's own means, into memory of its own: the window may be gone. Only where something has been
  /// drawn, and somebody keeps or sees the picture.
  func takeSnapshot(of record: SceneRecord) {
    guard record.windowScene?.snapshotPicture != nil || record.primaryWindow?.display.hasDrawn == true else {
      // What an earlier run of a program left that draws by its own means, and hands nothing over any more. A scene that
      // nobody has seen yet, launched into the background, leaves it as it is.
      if record.hasBeenInForeground, record.primaryWindow?.display.hasContent == false { keep(nil, of: record) }
      return
    }
    renewSnapshot(of: record, afterUpdates: false)
  }

  /// Something has been done in the background that may show: new pictures of the scenes that have something to draw
  /// since their last one.
  /// - Parameter record: The scene that it was done for; all of them where nil.
  func workDoneInBackground(_ record: SceneRecord? = nil) {
    for record in record.map({ [$0] }) ?? records.ordered where record.activation == .background {
      guard let display = record.primaryWindow?.display, record.ending == nil, record.restorations == 0,
        let last = record.snapshotChanges,
        last != display.changes || record.windowScene?.snapshotPicture !== record.handedPicture
      else { continue }
      renewSnapshot(of: record, afterUpdates: true)
      purge(record)
    }
  }

  /// A new picture of a scene whose session was refreshed; of one that can be seen it is taken when it no longer can.
  func refreshSnapshot(of record: SceneRecord) {
    record.awaitsSnapshot = record.restorations > 0
    guard record.activation == .background, record.ending == nil, record.restorations == 0 else { return }
    renewSnapshot(of: record, afterUpdates: true)
  }

  private func renewSnapshot(of record: SceneRecord, afterUpdates: Bool) {
    guard let scene = record.windowScene, record.ending?.discards != true else { return }
    let shown = isConcealing ? [] : scene.windows.filter { $0.id.map(platform.keepsPixels) ?? false }
    if store != nil || shown.contains(where: { $0 === record.primaryWindow }) {
      let picture = scene.snapshot(afterUpdates: afterUpdates)
      record.snapshotChanges = record.primaryWindow?.display.changes
      record.handedPicture = scene.snapshotPicture
      if let picture {
        traceRequest("snapshot", record.session, "\(picture.size.width)x\(picture.size.height)")
        keep(picture, of: record)
        if let id = record.primary, shown.contains(where: { $0.id == id }) {
          platform.perform(.cover(id, Snapshot(picture)))
        }
      } else {
        // Too large, or no memory for it: what was kept before is out of date.
        keep(nil, of: record)
      }
    }
    // Panels and alerts are windows of their own, and nobody keeps their pictures.
    for window in shown where window !== record.primaryWindow {
      guard let id = window.id, let picture = window.display.picture(afterUpdates: afterUpdates) else { continue }
      platform.perform(.cover(id, Snapshot(picture)))
    }
  }

  private func keep(_ picture: Picture?, of record: SceneRecord) {
    guard picture != nil || record.mayHaveSnapshot, records.find(record.session) === record else { return }
    record.mayHaveSnapshot = picture != nil
    store?.keep(picture, of: record.session.persistentIdentifier)
  }

  /// Shows what the session's window showed last, until the first frame of its new scene.
  func showSnapshot(of record: SceneRecord, in window: WindowID) {
    guard record.mayHaveSnapshot, let snapshot = store?.snapshot(of: record.session.persistentIdentifier) else {
      return
    }
    platform.perform(.showPicture(window, snapshot))
  }
}
