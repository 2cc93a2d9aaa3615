import ProsceniumTrace
import SceneLifecycle

extension Stage {
  /// The user asks to close a window.
  func closeRequested(_ id: WindowID) -> [Afterwards] {
    guard let record = owners[id], !isConcealing else { return [] }
    guard let scene = record.scene else { return closeBare(record) }
    guard record.ending == nil else { return [] }
    if id != record.primary && id != record.bare?.id {
      record.windows[id]?.window?.isHidden = true
      return []
    }
    guard !record.isAskingToClose else { return [] }
    record.isAskingToClose = true
    return [
      { [weak self] in
        // The window may have been destroyed in the very batch.
        guard let self, record.scene === scene, record.ending == nil else { return }
        let reply = watched("sceneShouldClose(_:)", record) { scene.delegate?.askShouldClose(scene) } ?? .now
        traceRequest("sceneShouldClose", scene.session, "\(reply)")
        switch reply {
        case .now: post(.closeReply(record, true))
        case .cancel: record.isAskingToClose = false
        case .later: break
        }
      }
    ]
  }

  /// A bare window is closed without connecting its session, unless the delegate may refuse.
  private func closeBare(_ record: SceneRecord) -> [Afterwards] {
    guard record.mayRefuseClose else {
      forget(record)
      post(.checkLastScene)
      return []
    }
    let window = record.bare?.id
    guard connect(record, options: Scene.ConnectionOptions(), inBackground: true) else { return [] }
    // Asked after willConnect, as any other scene that is in the background.
    return [{ [weak self] in if let window { self?.post(.batch([.closeRequested(window)])) } }]
  }

  /// What the delegate said, at once or later.
  func answerClose(_ record: SceneRecord, closes: Bool) {
    guard record.isAskingToClose else { return }
    record.isAskingToClose = false
    guard closes, record.scene != nil, record.ending == nil else { return }
    switch record.session.configuration.closePolicy {
    case .discard: end(record, SceneRecord.Ending(reason: .closedByUser, discards: true))
    case .background:
      record.closedWindows = record.windowScene?.windows.filter { !$0.isHidden } ?? []
      for window in record.closedWindows { window.isHidden = true }
    }
  }

  /// Sends a scene on its way out.
  func end(_ record: SceneRecord, _ ending: SceneRecord.Ending) {
    record.ending = ending
    record.scene?.disconnectionReason = ending.reason
    redirectParcels(of: record)
    apply(.disconnect, to: record)
    markDirty(record)
  }

  /// Another client destroyed a window of ours.
  func windowLost(_ id: WindowID) {
    guard let record = owners[id] else { return }
    if let bare = record.bare, bare.id == id {
      cancelBareHold(record)
      traceDestroyed(id, bare.levels, record)
      record.bare = nil
      owners[id] = nil
      post(.checkLastScene)
      return
    }
    let isPrimary = record.primary == id
    let window = record.windows[id]?.window
    record.windowScene?.windows.removeAll { $0 === window }
    if let window, window.isKeyWindow { record.windowScene?.keyWindow = nil }
    record.drop(id)
    window?.forget()
    markDirty(record)
    guard isPrimary else { return }
    // A panel is no place to come back to: nothing stays of the scene but its session.
    record.primary = nil
    guard record.ending == nil else { return }
    report("Another client destroyed the window \(id) of the scene \(record.session.persistentIdentifier).")
    end(record, SceneRecord.Ending(reason: .windowLost, discards: false))
  }

  func destroy(
    _ session: SceneSession, _ options: SceneDestructionRequestOptions,
    _ errorHandler: (@MainActor (any Error) -> Void)?
  ) -> [Afterwards] {
    do throws(SceneError) {
      guard !isConcealing else { throw SceneError(.requestDenied, "The application is ending.") }
      let record = try find(session)
      traceRequest(
        "requestSceneSessionDestruction", session, "done", [("dismissal", .text("\(options.dismissalReason)"))])
      if record.scene == nil {
        // A session without a window is none that anybody saw closing.
        if record.bare != nil { post(.checkLastScene) }
        forget(record)
      } else if record.ending == nil {
        end(record, SceneRecord.Ending(reason: .requested, discards: true))
      } else {
        record.ending?.discards = true
      }
      return []
    } catch {
      traceRequest("requestSceneSessionDestruction", session, "denied")
      return fail(error, errorHandler, otherwise: "A session could not be destroyed")
    }
  }

  func disconnect(
    _ session: SceneSession, _ errorHandler: (@MainActor (any Error) -> Void)?
  ) -> [Afterwards] {
    do throws(SceneError) {
      guard !isConcealing else { throw SceneError(.requestDenied, "The application is ending.") }
      guard law.model == .sceneBased else {
        throw SceneError(.requestDenied, "The implicit scene of the app-based life cycle stays connected.")
      }
      let record = try find(session)
      guard record.scene != nil, record.ending == nil else { return [] }
      guard record.activation == .background, record.machine.target == .background else {
        throw SceneError(.requestDenied, "Only a scene in the background can be disconnected.")
      }
      traceRequest("requestSceneDisconnection", session, "done")
      end(record, SceneRecord.Ending(reason: .requested, discards: false))
      return []
    } catch {
      traceRequest("requestSceneDisconnection", session, "denied")
      return fail(error, errorHandler, otherwise: "A scene could not be disconnected")
    }
  }

  /// What a session looks like has changed: its state is asked for and kept, and its picture is taken.
  func refresh(_ session: SceneSession, _ errorHandler: (@MainActor (any Error) -> Void)?) -> [Afterwards] {
    do throws(SceneError) {
      guard !isConcealing else { throw SceneError(.requestDenied, "The application is ending.") }
      let record = try find(session)
      guard record.ending == nil else { throw SceneError(.requestDenied, "The scene is being disconnected.") }
      if record.scene == nil {
        try checkRoom(for: session.role)
        guard connect(record, options: Scene.ConnectionOptions(), inBackground: true) else {
          throw SceneError(.requestDenied, "The session cannot connect; the message before says why.")
        }
      }
      traceRequest("requestSceneSessionRefresh", session, "done")
      return [
        { [weak self] in
          guard let self else { return }
          collectState(of: record)
          sessionChanged(record)
          saveSoon(record)
          refreshSnapshot(of: record)
          // What was made for it is not needed while nobody sees the scene.
          if record.scene != nil, record.activation == .background { purge(record) }
        }
      ]
    } catch {
      traceRequest("requestSceneSessionRefresh", session, "denied")
      return fail(error, errorHandler, otherwise: "A session could not be refreshed")
    }
  }
}
