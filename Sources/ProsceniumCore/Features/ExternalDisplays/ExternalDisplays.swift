import ProsceniumJSON
import ProsceniumTrace

/// Opens scenes on displays of their own.
///
/// A session connects for every screen but the main one, where the delegate has a configuration for it. Its window
/// fills the screen, the scene is never active and receives no input, and both go with the screen.
final class ExternalDisplays: FeatureBase, Feature {
  enum Message: Equatable {
    /// Matches the sessions and the screens.
    case match
    /// Connects sessions for screens that have none.
    case connect
  }

  final class SceneState: SceneFeatureState {
    /// The screen that the primary window has to fill.
    var screen: Screen?
    /// The name of the screen that the session had last.
    var screenName: String?
  }

  /// Screens without a scene: the delegate declined, or the user has closed it.
  private var declined: [Screen] = []

  override func assignedScreen(of record: SceneRecord) -> Screen? { knownState(of: record)?.screen }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.assignedScreen, by: self)
    lists.observe(after: [.sceneWillEnterForeground, .sceneDidDisconnect], by: self)
    lists.observe(moments: .discarded, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .screensChanged: return [post(.match)]
    // A program that starts with its first scene connects displays that are present already.
    case .after(.sceneWillEnterForeground, let record):
      if record.isInteractive, application.screens.count > 1 { return [post(.match)] }
    case .after(.sceneDidDisconnect, let record): return ended(record)
    // One whose scene had been reclaimed: any other one has been released by now.
    case .discarded(let record):
      if let screen = knownState(of: record)?.screen { return vacate(screen, by: record, isClosed: true) }
    default: break
    }
    return []
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .match: match()
    case .connect: connect()
    }
  }

  /// After the launch, and when screens have changed.
  private func match() -> [FeatureAction] {
    guard conductor.machine.model == .sceneBased, conductor.machine.phase.isLaunched else { return [] }
    let screens = externalScreens
    declined.removeAll { !application.screens.contains($0) }
    let lost = roster.ordered.filter { state(of: $0).screen.map { !screens.contains($0) } ?? false }
    // A session whose display is gone waits for another one, which may have been connected at the same time.
    return lost.flatMap(leave) + [.settle, send(.connect)]
  }

  private func connect() -> [FeatureAction] {
    let screens = externalScreens
    // A program that starts in the background opens no display before one of its scenes is shown.
    guard !screens.isEmpty, roster.contains(where: { $0.isInteractive && $0.connection.hasBeenInForeground }) else {
      return []
    }
    for screen in screens where !declined.contains(screen) {
      let isTaken = roster.contains { state(of: $0).screen === screen && ($0.scene != nil || $0.windows.bare != nil) }
      if isTaken { continue }
      // Where there may be one scene, the other screens wait until its display goes.
      guard conductor.connector.hasRoom(for: .windowExternalDisplayNonInteractive) else { return [] }
      if !connect(screen) { declined.append(screen) }
    }
    return []
  }

  /// All screens but the main one, once the screens are known.
  private var externalScreens: [Screen] {
    guard !application.screens.contains(where: \.isProvisional) else { return [] }
    return Array(application.screens.dropFirst())
  }

  /// Whether the delegate may have a configuration for a display.
  private var mayShow: Bool {
    guard let delegate = application.delegate else { return false }
    return delegate.implements(.configurationForConnecting)
      || application.registry?.has(role: .windowExternalDisplayNonInteractive) == true
  }

  /// Connects a session for a screen; whether it has a scene now.
  private func connect(_ screen: Screen) -> Bool {
    guard mayShow else { return false }
    guard let record = try? record(for: screen) else {
      conductor.traceRequest("connectExternalDisplay", nil, "declined", ["screen": .string(screen.name)])
      return false
    }
    state(of: record).screen = screen
    guard conductor.connector.connect(record, options: Scene.ConnectionOptions(), inBackground: false) else {
      state(of: record).screen = nil
      if !record.hasConnected { conductor.connector.remove(record) }
      return false
    }
    conductor.traceRequest("connectExternalDisplay", record.session, "done", ["screen": .string(screen.name)])
    return true
  }

  /// A session that waits for a display, that of the screen's name first, else a new one.
  private func record(for screen: Screen) throws(SceneError) -> SceneRecord {
    let waiting = roster.ordered.filter {
      !$0.isInteractive && $0.scene == nil && $0.windows.bare == nil && $0.session.holdReason == nil
    }
    if let known = waiting.first(where: { state(of: $0).screenName == screen.name }) ?? waiting.first { return known }
    let connector = conductor.connector
    let session = try connector.makeSession(
      role: .windowExternalDisplayNonInteractive, options: Scene.ConnectionOptions())
    return connector.insert(session)
  }

  /// The display is gone, or is the main one now: its scene is disconnected, and the session waits for another one.
  private func leave(_ record: SceneRecord) -> [FeatureAction] {
    guard record.scene == nil else {
      let ending = SceneEnding(reason: .displayDisconnected, discards: false)
      return record.ending == nil ? [.disconnect(record, ending)] : []
    }
    conductor.connector.destroyBareWindow(of: record)
    release(record)
    return []
  }

  /// The scene of a display has been disconnected.
  private func ended(_ record: SceneRecord) -> [FeatureAction] {
    guard let ending = record.ending, let screen = state(of: record).screen else { return [] }
    guard ending.discards || ending.reason == .displayDisconnected else { return [] }
    return vacate(screen, by: record, isClosed: ending.discards)
  }

  private func vacate(_ screen: Screen, by record: SceneRecord, isClosed: Bool) -> [FeatureAction] {
    // Closed by the user, or by the program: not again before the display is plugged in again.
    if isClosed { declined.append(screen) }
    release(record)
    // Another screen may wait for the only scene.
    return [post(.match)]
  }

  private func release(_ record: SceneRecord) {
    state(of: record).screenName = state(of: record).screen?.name
    state(of: record).screen = nil
  }
}

extension SceneSession.Role {
  /// The role of a scene on an external display, without interaction.
  ///
  /// For each screen but the main one a session of this role connects by itself, at launch and whenever a screen is
  /// connected, if ``ApplicationManifest/sceneConfigurations`` has a configuration for the role, or the delegate's
  /// `application(_:configurationForConnecting:options:)` returns one; a delegate that returns a configuration for
  /// another role declines, until the screen is connected again. A scene of the program has been in the foreground
  /// before. The primary window fills the screen (`_NET_WM_STATE_FULLSCREEN`, or without a window manager the screen's
  /// rectangle) and accepts no keyboard input (`WM_HINTS`); the scene enters the foreground and never becomes active,
  /// and receives no input events. It is disconnected when the screen goes, after ``Screen/DidDisconnectMessage``, for
  /// ``DisconnectionReason/displayDisconnected``; its session waits for the next one, for one of the same name first.
  /// If the user closes the window its session is discarded, and the screen gets no scene until it is connected again.
  /// Where ``ApplicationManifest/supportsMultipleScenes`` is false one screen has such a scene, and the next one gets
  /// its own when that has gone. Such a scene does not keep a program running.
  public static let windowExternalDisplayNonInteractive = SceneSession.Role(
    rawValue: "windowExternalDisplayNonInteractive")
}
