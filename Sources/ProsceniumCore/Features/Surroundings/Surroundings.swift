import ProsceniumJSON
import ProsceniumTrace

/// Tracks the screens and the user's settings for all programs, and reports changed surroundings to scenes.
final class Surroundings: FeatureBase, Feature, WindowEventHandler, LoopObserver {
  enum Message: Equatable {
    /// The program's traits by the user's settings have changed.
    case traitsChanged(from: TraitCollection)
    /// Something around a scene may have changed.
    case check(SceneRecord)
  }

  /// The last surroundings that the scene received.
  final class SceneState: SceneFeatureState { var known: SceneSurroundings? }

  /// Scenes around which something may have changed: looked at once for all that an item does.
  private var due: [SceneRecord] = []
  private var settings: [DesktopSettings.Origin: DesktopSettings] = [:]
  private var knownRegion: String?
  /// The screens, the primary one first.
  var screens: [Screen] = []
  /// How the user wants programs to look.
  private(set) var traits = TraitCollection()
  private(set) var caretBlinks = true
  /// The region that the user has chosen; nil where it is unknown.
  private(set) var chosenRegion: String?
  /// The platform has been asked to report work areas.
  private var followsScreens = false
  /// Work areas are requested when the loop is idle, so that the launch does not wait for them.
  private var isFollowingDue = false

  /// Something around the scene may have changed.
  func check(_ record: SceneRecord) {
    guard record.scene != nil, !due.contains(record) else { return }
    due.append(record)
  }

  override var hasIdleWork: Bool { isFollowingDue }

  override func join(_ lists: inout FeatureLists) {
    lists.windowEvents.append(self)
    lists.observe(.handled, .idle, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .after(.sceneWillEnterForeground, let record):
      if record.isInteractive, !followsScreens { (followsScreens, isFollowingDue) = (true, true) }
    case .after(.sceneDidDisconnect, let record): state(of: record).known = nil
    // The surroundings of an adopted window are known from the beginning: no other event may report them.
    case .geometryChanged(let record), .scaleChanged(let record), .bareWindowAdopted(let record): check(record)
    default: break
    }
    return []
  }

  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    switch moment {
    case .handled: return changes()
    case .idle where isFollowingDue:
      isFollowingDue = false
      return [.command(.followScreens)]
    default: return []
    }
  }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    switch event {
    case .screens(let descriptions): changeScreens(to: descriptions)
    case .settings(let settings): change(settings, from: .xsettings)
    default: []
    }
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .settings(let settings) = event else { return [] }
    return change(settings, from: .portal)
  }

  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    guard case .settings = event else { return nil }
    return .kept(kind: "settings", rank: 2)
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .traitsChanged(let old): return traitsChanged(from: old)
    case .check(let record):
      check(record)
      return []
    }
  }

  // MARK: Screens

  private func changeScreens(to descriptions: [ScreenDescription]) -> [FeatureAction] {
    let news = update(screens: descriptions)
    for record in conductor.roster.ordered { check(record) }
    guard !news.isEmpty || news.isFirstWord else { return [] }
    let call = FeatureAction.afterSettling([.call(ScreensCall(news: news)), .announce(.screensChanged)])
    guard conductor.trace.isOn, !news.isFirstWord else { return [call] }
    var details: TraceDetails = [:]
    for (key, screens) in [
      ("disconnected", news.disconnected), ("connected", news.connected), ("changed", news.changed),
      ("visibleFrame", news.visibleFrames),
    ] where !screens.isEmpty { details.append(key, .array(screens.map { .string($0.name) })) }
    return [.traceSystem("screens", details), call]
  }

  // MARK: The user's choices

  private func change(_ settings: DesktopSettings, from origin: DesktopSettings.Origin) -> [FeatureAction] {
    self.settings[origin] = settings
    let known = DesktopSettings.Origin.allCases.compactMap { self.settings[$0] }
    let merged = known.reduce(DesktopSettings()) { $0.filled(from: $1) }
    let before = traits
    traits = merged.traits
    caretBlinks = merged.caretBlinks ?? true
    chosenRegion = merged.region
    var actions: [FeatureAction] = []
    if traits != before {
      actions.append(.traceSystem("appearance", ["to": .string(traits.userInterfaceStyle.rawValue)]))
      actions.append(.afterSettling([send(.traitsChanged(from: before))]))
    }
    // The region at the launch is no change, though no source had reported it yet.
    let region = application.localeIdentifier
    if region != (knownRegion ?? Self.launchRegion) {
      actions.append(.traceSystem("locale", ["to": .string(region)]))
      actions.append(.afterSettling([.call(LocaleCall())]))
    }
    knownRegion = region
    return actions
  }

  /// Scenes in the background receive it too: their content is drawn when they return.
  private func traitsChanged(from before: TraitCollection) -> [FeatureAction] {
    var actions: [FeatureAction] = []
    for record in conductor.roster.ordered {
      let state = state(of: record)
      // One that has not been anywhere yet knows how things looked when it connected.
      if record.isListed, state.known == nil, var known = record.windowScene?.surroundings {
        let scale = known.traits.displayScale
        known.traits = before
        known.traits.displayScale = scale
        state.known = known
      }
      check(record)
      for window in record.windowScene?.windows ?? [] {
        actions.append(.call(ContentCall(window: window, event: .traitsChanged)))
      }
    }
    return actions + changes() + [.call(TraitsCall(before: before))]
  }

  // MARK: Scenes

  /// Reports changed surroundings to scenes; after the notifications and the geometry.
  private func changes() -> [FeatureAction] {
    guard !due.isEmpty else { return [] }
    defer { due = [] }
    return due.map { .call(SurroundingsCall(scene: $0)) }
  }
}

extension Application {
  /// The user's choices for the appearance; light and defaults until the desktop environment reports others.
  ///
  /// Changes are reported by `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)` and
  /// ``TraitCollectionDidChangeMessage``.
  public var traitCollection: TraitCollection { conductor?.feature(Surroundings.self)?.traits ?? TraitCollection() }

  /// Whether the user wants carets to blink; true where the desktop has no such setting.
  ///
  /// On X11 the setting `Net/CursorBlink` of XSETTINGS.
  public var caretBlinks: Bool { conductor?.feature(Surroundings.self)?.caretBlinks ?? true }

  /// The screens, the primary one first.
  public var screens: [Screen] { conductor?.feature(Surroundings.self)?.screens ?? [] }
}
