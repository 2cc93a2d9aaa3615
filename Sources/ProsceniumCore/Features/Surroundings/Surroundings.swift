import FoundationEssentials
import ProsceniumJSON
import ProsceniumPlatform
import ProsceniumTrace
import SceneLifecycle

/// Knows the screens and the user's choices for all programs, and tells scenes when what is around them is different.
final class Surroundings: Feature {
  enum Message: Equatable {
    /// What the program looks like by the user's choice was different before.
    case traitsChanged(from: TraitCollection)
    /// Something around a scene may have changed.
    case check(SceneRecord)
  }

  final class SceneState: SceneFeatureState {
    /// What the program knows of what is around the scene.
    var known: SceneSurroundings?
  }

  private unowned let conductor: Conductor
  /// Scenes around which something may have changed: looked at once for all that an item does.
  private var due: [SceneRecord] = []
  private var settings: [DesktopSettings.Origin: DesktopSettings] = [:]
  private var knownRegion: String?
  /// The screens, the primary one first.
  var screens: [Screen] = []
  /// How the user wants programs to look.
  private(set) var traits = TraitCollection()
  private(set) var caretBlinks = true
  /// The region that the user has chosen; nil where nothing says it.
  private(set) var chosenRegion: String?
  /// The platform has been asked to tell what panels leave of screens.
  private var followsScreens = false
  /// The platform is asked to tell it, as soon as no answer is waited for: no launch takes longer because of it.
  private(set) var hasIdleWork = false

  init(_ conductor: Conductor) { self.conductor = conductor }

  private var application: Application { conductor.application }

  /// Something around the scene may have changed.
  func check(_ record: SceneRecord) {
    guard record.scene != nil, !due.contains(record) else { return }
    due.append(record)
  }

  func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .after(.sceneWillEnterForeground, let record):
      if record.isInteractive, !followsScreens { (followsScreens, hasIdleWork) = (true, true) }
    case .after(.sceneDidDisconnect, let record): state(of: record).known = nil
    case .idle:
      guard hasIdleWork else { return [] }
      hasIdleWork = false
      return [.command(.followScreens)]
    case .handled: return changes()
    // An adopted window is known from the beginning: nothing else may come that tells it.
    case .geometryChanged(let record), .scaleChanged(let record), .bareWindowAdopted(let record): check(record)
    default: break
    }
    return []
  }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    switch event {
    case .screens(let descriptions): changeScreens(to: descriptions)
    case .settings(let settings): change(settings, from: .xsettings)
    default: []
    }
  }

  func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .settings(let settings) = event else { return [] }
    return change(settings, from: .portal)
  }

  func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
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
    let call = FeatureAction.afterSettling([.call(ScreensCall(news: news)), .tell(.screensChanged)])
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
    // What the program was launched with is no change, though nothing had said it yet.
    let region = application.localeIdentifier
    if region != (knownRegion ?? Application.launchRegion) {
      actions.append(.traceSystem("locale", ["to": .string(region)]))
      actions.append(.afterSettling([.call(LocaleCall())]))
    }
    knownRegion = region
    return actions
  }

  /// Scenes in the background hear of it too: what they show is drawn when they come back.
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

  /// Tells scenes whose surroundings are different now; after the notifications and the geometry.
  private func changes() -> [FeatureAction] {
    guard !due.isEmpty else { return [] }
    defer { due = [] }
    return due.map { .call(SurroundingsCall(scene: $0)) }
  }
}

extension Application {
  /// How the user wants programs to look; light and nothing else until the desktop environment says otherwise.
  ///
  /// Told by `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)` and ``TraitCollectionDidChangeMessage``.
  public var traitCollection: TraitCollection { conductor?.feature(Surroundings.self)?.traits ?? TraitCollection() }

  /// Whether the user wants carets to blink; true where the desktop has no such setting.
  ///
  /// On X11 the setting `Net/CursorBlink` of XSETTINGS.
  public var caretBlinks: Bool { conductor?.feature(Surroundings.self)?.caretBlinks ?? true }

  /// The region, where the desktop environment says it.
  var chosenRegion: String? { conductor?.feature(Surroundings.self)?.chosenRegion }

  /// The screens, the primary one first.
  public var screens: [Screen] { conductor?.feature(Surroundings.self)?.screens ?? [] }
}
