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
  /// The screens, the primary one first.
  var screens: [Screen] = []
  /// How the user wants programs to look.
  private(set) var traits = TraitCollection()
  private(set) var caretBlinks = true
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
    lists.answer(.handle, .whileSuspended, by: self)
    lists.handle(.surroundings, by: self)
    lists.observe(.handled, .idle, by: self)
    lists.observe(after: [.sceneWillEnterForeground, .sceneDidDisconnect], by: self)
    lists.observe(moments: .geometryChanged, .scaleChanged, by: self)
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
    if case .settings(let settings) = event { change(settings, from: .portal) } else { [] }
  }

  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    if case .settings = event { .kept(kind: "settings", rank: 2) } else { nil }
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
    for record in roster.ordered { check(record) }
    guard !news.screens.isEmpty || news.isFirstWord else { return [] }
    let call = FeatureAction.afterSettling([.call(news), .announce(.screensChanged)])
    guard conductor.trace.isOn, !news.isFirstWord else { return [call] }
    var details: TraceDetails = [:]
    for change in ScreenNews.Change.allCases {
      details.append(change.rawValue, news.screens[change].map { .array($0.map { .string($0.name) }) })
    }
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
    var actions: [FeatureAction] = []
    if traits != before {
      actions.append(.traceSystem("appearance", ["to": .string(traits.userInterfaceStyle.rawValue)]))
      actions.append(.afterSettling([send(.traitsChanged(from: before))]))
    }
    return actions
  }

  /// Scenes in the background receive it too: their content is drawn when they return.
  private func traitsChanged(from before: TraitCollection) -> [FeatureAction] {
    var actions: [FeatureAction] = []
    for record in roster.ordered {
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
  private func changes() -> [FeatureAction] { exchange(&due, with: []).map { .call(SurroundingsCall(scene: $0)) } }
}

/// Posts that the user's choice for all programs is another one.
struct TraitsCall: Notice {
  var before: TraitCollection
  var call: CallDescription { CallDescription("Application.TraitCollectionDidChangeMessage", phase: .event) }

  func send(to application: Application) {
    Application.TraitCollectionDidChangeMessage(application: application, previousTraitCollection: before).post()
  }
}
