import FoundationEssentials
import SceneLifecycle

extension Stage {
  /// Begins the end: every scene to the background, then disconnected, then `applicationWillTerminate`.
  func terminate(status: Int32) {
    if exitStatus == 0 { exitStatus = status }
    reduce(.terminate)
  }

  func conceal() {
    for record in records.ordered where record.scene != nil {
      apply(.concealment(true), to: record)
      markDirty(record)
    }
    settle()
    reduce(.concealed)
  }

  func disconnectAll() {
    for record in records.ordered where record.scene != nil {
      if record.ending == nil {
        end(record, SceneRecord.Ending(reason: .applicationExit, discards: false))
      }
    }
    settle()
    reduce(.disconnected)
  }

  func finish() {
    reportDiscards()
    traceApplication("applicationWillTerminate")
    application.delegate?.applicationWillTerminate(application)
    NotificationCenter.default.post(Application.WillTerminateMessage(application: application), subject: application)
    platform.perform(.quit(exitStatus))
  }

  /// Ends the program when its last scene has been closed, unless it wants to stay.
  func checkLastScene() {
    guard !isConcealing, law.phase == .running || law.phase == .launched else { return }
    guard !records.contains(where: { $0.scene != nil || $0.bare != nil }) else { return }
    if application.delegate?.applicationShouldTerminateAfterLastSceneClosed(application) ?? true {
      terminate(status: 0)
    }
  }
}
