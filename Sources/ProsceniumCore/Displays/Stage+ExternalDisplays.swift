import FoundationEssentials
import ProsceniumTrace
import SceneLifecycle

/// Scenes of their own for displays that are plugged in.
///
/// A session connects for every screen but the main one, where the delegate has a configuration for it. Its window fills the
/// screen, the scene is never active and hears no input, and both go with the screen.
extension Stage {
  /// Brings the sessions and the screens together; after the launch, and whenever screens have changed.
  func matchExternalDisplays() {
    guard law.model == .sceneBased, !isConcealing, law.phase == .launched || law.phase == .running else { return }
    let screens = externalScreens
    for record in records.ordered {
      guard let display = record.display, !screens.contains(display) else { continue }
      leaveDisplay(record)
    }
    // Whose display is gone waits for another one, which may have come at the same time.
    settle()
    // What starts in the background shows nothing before something of it is shown.
    guard !screens.isEmpty, showsAnything else { return }
    for screen in screens where !screen.isDeclined {
      guard !records.contains(where: { $0.display === screen && ($0.scene != nil || $0.bare != nil) }) else { continue }
      // Where there may be one scene, the others wait until its display goes.
      guard hasRoom(for: .windowExternalDisplayNonInteractive) else { return }
      connectDisplay(screen)
    }
  }

  /// All screens but the main one, once it is known which there are.
  private var externalScreens: [Screen] {
    guard !application.screens.contains(where: \.isProvisional) else { return [] }
    return Array(application.screens.dropFirst())
  }

  private var showsAnything: Bool { records.contains { $0.isInteractive && $0.hasBeenInForeground } }

  /// A scene has come to the foreground: who starts with it hears of displays that are there already.
  func sceneMayHaveCompany(_ record: SceneRecord) {
    guard record.isInteractive else { return }
    if !followsScreens {
      followsScreens = true
      owesScreens = true
    }
    if application.screens.count > 1 { post(.externalDisplays) }
  }

  /// Whether the delegate may have something to show on a display.
  private var mayShowOnDisplays: Bool {
    guard let delegate = application.delegate else { return false }
    return delegate.configuresScenes || registry?.has(role: .windowExternalDisplayNonInteractive) == true
  }

  private func connectDisplay(_ screen: Screen) {
    guard mayShowOnDisplays else { return screen.isDeclined = true }
    do throws(SceneError) {
      let record = try displayRecord(for: screen)
      record.display = screen
      guard connect(record, options: Scene.ConnectionOptions(), inBackground: false) else {
        screen.isDeclined = true
        record.display = nil
        if !record.hasConnected { remove(record) }
        return
      }
      traceRequest("connectExternalDisplay", record.session, "done", [("screen", .text(screen.name))])
    } catch {
      screen.isDeclined = true
      traceRequest("connectExternalDisplay", nil, "declined", [("screen", .text(screen.name))])
    }
  }

  /// A session that waits for a display, that of the screen's name first, else a new one.
  private func displayRecord(for screen: Screen) throws(SceneError) -> SceneRecord {
    let waiting = records.ordered.filter {
      !$0.isInteractive && $0.scene == nil && $0.bare == nil && $0.holdReason == nil
    }
    if let known = waiting.first(where: { $0.displayName == screen.name }) ?? waiting.first { return known }
    return insert(try makeSession(role: .windowExternalDisplayNonInteractive, options: Scene.ConnectionOptions()))
  }

  /// The display is gone, or is the main one now: its scene is disconnected, and the session waits for another one.
  private func leaveDisplay(_ record: SceneRecord) {
    guard record.scene == nil else {
      if record.ending == nil { end(record, SceneRecord.Ending(reason: .displayDisconnected, discards: false)) }
      return
    }
    dropBareWindow(of: record)
    forgetDisplay(of: record)
  }

  /// The scene of a display has been disconnected.
  func displaySceneEnded(_ record: SceneRecord, _ ending: SceneRecord.Ending?) {
    guard let ending, record.display != nil else { return }
    // Closed by the user, or by the program: not again before the display is plugged in again.
    if ending.discards { record.display?.isDeclined = true }
    guard ending.discards || ending.reason == .displayDisconnected else { return }
    forgetDisplay(of: record)
    // Another one may have waited for its place.
    post(.externalDisplays)
  }

  private func forgetDisplay(of record: SceneRecord) {
    record.displayName = record.display?.name
    record.display = nil
  }
}
