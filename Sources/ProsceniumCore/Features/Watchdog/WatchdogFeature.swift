import ProsceniumJSON
import ProsceniumPlatform
import ProsceniumStore
import ProsceniumTrace

/// Reports the launch, and the beginning and the end of each call into the program, to the watchdog.
final class WatchdogFeature: Feature, CallObserver {
  private unowned let conductor: Conductor
  /// The watchdog; nil where there is none, as in tests.
  private let watch: Watchdog?
  /// The calls that enclose the present one.
  private var outer: [WatchdogState.Watch?] = []
  private var isLaunchWatched = false

  static let manifestProperties: [ManifestProperty] = [
    .choice("watchdogPolicy", \.watchdogPolicy),
    .object("watchdogLimits", \.watchdogLimits, WatchdogLimits.properties),
  ]

  init(_ conductor: Conductor) {
    self.conductor = conductor
    watch = conductor.application.host.isProcess ? Watchdog.begin() : nil
  }

  func callBegins(_ call: CallDescription) { if let watch { outer.append(watch.begin(WatchedCallback(call))) } }

  func callEnded() {
    guard let watch, let last = outer.popLast() else { return }
    trace(watch.end(within: last))
  }

  func moment(_ moment: Moment) -> [FeatureAction] {
    guard let watch else { return [] }
    switch moment {
    case .configured:
      let manifest = conductor.application.resolvedManifest
      watch.configure(manifest.watchdogPolicy, manifest.watchdogLimits, application: conductor.identity.id)
    case .handingOver: _ = watch.endLaunch()
    case .storeOpened: if let store = conductor.store { watch.storeOpened(store.access) }
    // The launch lasts until the program has handled a batch: one that is sure to come.
    case .started:
      isLaunchWatched = true
      return [.set(.firstBatch, after: .zero)]
    case .batchHandled:
      guard isLaunchWatched else { return [] }
      isLaunchWatched = false
      trace(watch.endLaunch())
    case .resting: watch.rest()
    case .exiting: watch.finish()
    default: break
    }
    return []
  }

  private func trace(_ overrun: WatchdogOverrun?) {
    guard let overrun else { return }
    var details: TraceDetails = [:]
    details.append("scene", overrun.callback.scene.map { .string($0) })
    details.append("callback", .string(overrun.callback.name))
    details.append("milliseconds", .int(Int(overrun.nanoseconds / 1_000_000)))
    conductor.trace(.system("watchdog", details))
  }
}

extension Deadline {
  /// Causes the first batch after the launch.
  fileprivate static let firstBatch = Deadline("firstBatch")
}

extension WatchedCallback {
  init(_ call: CallDescription) {
    let phase: WatchedPhase? =
      switch call.phase {
      // It has no limit of its own: the launch's counts.
      case .launch, .event: nil
      case .background: .background
      case .termination: .termination
      case .update: .sceneUpdate
      }
    self.init(call.name, scene: call.scene, phase: phase)
  }
}
