// The functions are named and documented in proscenium.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CProscenium
import FoundationEssentials
import Proscenium

// The functions of the header about scenes, sessions and windows.

/// The type of the activity that has a session's state, and the key of the bytes in it.
private let stateType = "org.proscenium.c.state"
private let stateKey = "bytes"

private let done = Int32(PSC_OK)

// MARK: Scenes

@c @implementation public func psc_scene_state(_ scene: psc_scene) -> Int32 {
  onMainThread(scene) { scene throws(Failure) in
    let state =
      switch try Program.running().scene(scene).1.activationState {
      case .unattached: PSC_SCENE_UNATTACHED
      case .background: PSC_SCENE_BACKGROUND
      case .foregroundInactive: PSC_SCENE_FOREGROUND_INACTIVE
      case .foregroundActive: PSC_SCENE_FOREGROUND_ACTIVE
      }
    return Int32(state)
  }
}

@c @implementation public func psc_scene_session(_ scene: psc_scene) -> psc_session {
  onMainThread(scene) { scene throws(Failure) in
    let program = try Program.running()
    return program.handle(try program.scene(scene).1.session)
  }
}

@c @implementation public func psc_scene_set_data(_ scene: psc_scene, _ data: UnsafeMutableRawPointer!) -> Int32 {
  onMainThread(scene, data) { scene, data throws(Failure) in
    try Program.running().scene(scene).0.data = data
    return done
  }
}

@c @implementation public func psc_scene_data(_ scene: psc_scene) -> UnsafeMutableRawPointer! {
  onMainThread(scene) { scene throws(Failure) in try Program.running().scene(scene).0.data }
}

@c @implementation public func psc_scene_set_title(_ scene: psc_scene, _ title: UnsafePointer<CChar>!) -> Int32 {
  onMainThread(scene, title) { scene, title throws(Failure) in
    try Program.running().scene(scene).1.title = try text(title, "title")
    return done
  }
}

@c @implementation public func psc_scene_invalidate_state(_ scene: psc_scene) -> Int32 {
  onMainThread(scene) { scene throws(Failure) in
    try Program.running().scene(scene).1.invalidateRestorableState()
    return done
  }
}

@c @implementation public func psc_scene_reply_to_should_close(_ scene: psc_scene, _ closes: Int32) -> Int32 {
  onMainThread(scene, closes) { scene, closes throws(Failure) in
    try Program.running().scene(scene).1.reply(toShouldClose: closes != 0)
    return done
  }
}

// MARK: Sessions

@c @implementation public func psc_session_list(_ sessions: UnsafeMutablePointer<psc_session>!, _ capacity: Int)
  -> Int64
{
  onMainThread(sessions, capacity) { sessions, capacity throws(Failure) in
    let program = try Program.running()
    try check(sessions, capacity, "sessions")
    let open = Application.shared.openSessions.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
    let handles = open.map { program.handle($0) }
    if let sessions {
      for (index, handle) in handles.prefix(capacity).enumerated() { sessions[index] = handle }
    }
    return Int64(handles.count)
  }
}

@c @implementation public func psc_session_scene(_ session: psc_session) -> psc_scene {
  onMainThread(session) { session throws(Failure) in
    let program = try Program.running()
    guard let delegate = try program.session(session).scene?.delegate as? SceneDelegate else { return 0 }
    return program.handle(delegate)
  }
}

@c @implementation public func psc_session_identifier(
  _ session: psc_session, _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int
) -> Int64 {
  onMainThread(session, buffer, capacity) { session, buffer, capacity throws(Failure) in
    let identifier = try Program.running().session(session).persistentIdentifier
    try check(buffer, capacity, "identifier")
    return write(Array(identifier.utf8), buffer, capacity, isText: true)
  }
}

@c @implementation public func psc_session_set_state(
  _ session: psc_session, _ bytes: UnsafeRawPointer!, _ length: Int
) -> Int32 {
  onMainThread(session, bytes, length) { session, bytes, length throws(Failure) in
    let session = try Program.running().session(session)
    guard 0...Int(PSC_MOST_STATE) ~= length else {
      throw Failure(
        PSC_ERROR_ARGUMENT,
        "The state has \(UInt(bitPattern: length)) bytes, and \(PSC_MOST_STATE) are kept: store the rest in a file.")
    }
    guard length == 0 || bytes != nil else {
      throw Failure(PSC_ERROR_ARGUMENT, "The state is NULL, and its length \(length): pass 0 to remove it.")
    }
    guard let bytes else {
      session.stateRestorationActivity = nil
      return done
    }
    let activity = UserActivity(activityType: stateType)
    activity.userInfo = [stateKey: Data(bytes: bytes, count: length)]
    session.stateRestorationActivity = activity
    return done
  }
}

@c @implementation public func psc_session_state(
  _ session: psc_session, _ buffer: UnsafeMutableRawPointer!, _ capacity: Int
) -> Int64 {
  onMainThread(session, buffer, capacity) { session, buffer, capacity throws(Failure) in
    let session = try Program.running().session(session)
    try check(buffer, capacity, "state")
    guard let activity = session.stateRestorationActivity,
      let bytes = activity.userInfo?[stateKey] as? Data
    else { throw Failure(PSC_ERROR_NOTHING, "The session has no state.") }
    return write(bytes, buffer, capacity, isText: false)
  }
}

@c @implementation public func psc_session_set_settings(_ session: psc_session, _ json: UnsafePointer<CChar>!) -> Int32
{
  onMainThread(session, json) { session, json throws(Failure) in
    let session = try Program.running().session(session)
    session.userInfo = try values(json, "settings")
    return done
  }
}

@c @implementation public func psc_session_settings(
  _ session: psc_session, _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int
) -> Int64 {
  onMainThread(session, buffer, capacity) { session, buffer, capacity throws(Failure) in
    let session = try Program.running().session(session)
    try check(buffer, capacity, "settings")
    guard let settings = session.userInfo else {
      throw Failure(PSC_ERROR_NOTHING, "The session has no settings.")
    }
    return write(json(settings), buffer, capacity, isText: true)
  }
}

@c @implementation public func psc_session_activate(
  _ session: psc_session, _ activityType: UnsafePointer<CChar>!, _ json: UnsafePointer<CChar>!
) -> Int32 {
  onMainThread(session, activityType, json) { session, activityType, json throws(Failure) in
    let program = try Program.running()
    var activity: UserActivity?
    if let type = try text(activityType, "type of the activity") {
      guard !type.isEmpty else {
        throw Failure(PSC_ERROR_ARGUMENT, "The type of the activity is \"\": name one, or pass NULL for no activity.")
      }
      activity = UserActivity(activityType: type)
      activity?.userInfo = try values(json, "values of the activity")
    } else if json != nil {
      throw Failure(PSC_ERROR_ARGUMENT, "The activity has values, and no type.")
    }
    Application.shared.requestSceneSessionActivation(
      session == 0 ? nil : try program.session(session), userActivity: activity,
      errorHandler: { [weak program] in program?.requestFailed($0) })
    return done
  }
}

@c @implementation public func psc_session_destroy(_ session: psc_session) -> Int32 {
  onMainThread(session) { session throws(Failure) in
    let program = try Program.running()
    Application.shared.requestSceneSessionDestruction(
      try program.session(session), errorHandler: { [weak program] in program?.requestFailed($0) })
    return done
  }
}

@c @implementation public func psc_session_disconnect(_ session: psc_session) -> Int32 {
  onMainThread(session) { session throws(Failure) in
    let program = try Program.running()
    Application.shared.requestSceneDisconnection(
      try program.session(session), errorHandler: { [weak program] in program?.requestFailed($0) })
    return done
  }
}

// MARK: Windows

@c @implementation public func psc_window_adopt(
  _ scene: psc_scene, _ xid: UInt32, _ owner: UnsafePointer<psc_window_owner>!
) -> Int32 {
  onMainThread(scene, xid, owner) { scene, xid, owner throws(Failure) in
    let program = try Program.running()
    let (delegate, scene) = try program.scene(scene)
    try program.adopt(xid, scene, try WindowOwner(owner, xid))
    if delegate.window == nil { delegate.window = scene.windows.first }
    return done
  }
}

@c @implementation public func psc_window_perform_close(_ xid: UInt32) -> Int32 {
  onMainThread(xid) { xid throws(Failure) in
    try Program.running().window(xid).performClose()
    return done
  }
}

@c @implementation public func psc_window_is_hidden(_ xid: UInt32) -> Int32 {
  onMainThread(xid) { xid throws(Failure) in try Program.running().window(xid).isHidden ? 1 : 0 }
}

@c @implementation public func psc_window_set_hidden(_ xid: UInt32, _ isHidden: Int32) -> Int32 {
  onMainThread(xid, isHidden) { xid, isHidden throws(Failure) in
    try Program.running().window(xid).isHidden = isHidden != 0
    return done
  }
}

@c @implementation public func psc_window_minimize(_ xid: UInt32) -> Int32 {
  onMainThread(xid) { xid throws(Failure) in
    let program = try Program.running()
    try program.window(xid).requestMinimize { [weak program] outcome in
      switch outcome {
      case .done: break
      case .refused(let why): program?.requestFailed("The window \(xid) was not minimised: \(why)")
      case .ignored: program?.requestFailed("The window \(xid) was not minimised: the window manager does not do it.")
      }
    }
    return done
  }
}
