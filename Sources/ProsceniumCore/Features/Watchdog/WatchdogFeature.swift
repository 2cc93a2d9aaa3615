import ProsceniumJSON
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTrace

/// Reports the launch, and the beginning and the end of each call into the program, to the watchdog.
final class WatchdogFeature: FeatureBase, Feature, CallObserver, LoopObserver {
  /// The watchdog; nil where there is none, as in tests.
  private let watch: Watchdog?
  private var isLaunchWatched = false

  static let manifestProperties: [ManifestProperty] = [
    .choice("watchdogPolicy", \.watchdogPolicy),
    .object("watchdogLimits", \.watchdogLimits, WatchdogLimits.properties),
  ]

  required init(_ conductor: Conductor) {
    watch = conductor.application.host.isProcess ? Watchdog.begin() : nil
    super.init(conductor)
  }

  func callBegins(_ call: CallDescription) { watch?.begin(call) }

  func callEnded() { if let overrun = watch?.end() { trace(overrun) } }

  override func join(_ lists: inout FeatureLists) {
    lists.calls.append(self)
    lists.observe(.batchHandled, .resting, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    guard let watch else { return [] }
    switch moment {
    case .configured:
      let manifest = application.resolvedManifest
      watch.configure(manifest.watchdogPolicy, manifest.watchdogLimits, application: conductor.identity.id)
    case .handingOver: _ = watch.endLaunch()
    case .launchWaits(let waits): watch.launchWaits(waits)
    case .storeOpened: if let store = conductor.store { watch.storeOpened(store.access) }
    // The launch lasts until the program has handled a batch: one that is sure to come.
    case .started:
      isLaunchWatched = true
      return [.set(.firstBatch, after: .zero)]
    case .exiting: watch.finish()
    default: break
    }
    return []
  }

  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    switch moment {
    case .batchHandled where isLaunchWatched:
      isLaunchWatched = false
      trace(watch?.endLaunch())
    case .resting: watch?.rest()
    default: break
    }
    return []
  }

  /// Writes a call that has exceeded its limit, with its duration on the monotonic clock.
  private func trace(_ watch: WatchdogState.Watch?) {
    guard let watch, watch.isOverrun else { return }
    var details: TraceDetails = [:]
    details.append("scene", watch.callback.scene.map { .string($0) })
    details.append("callback", .string(watch.callback.name))
    details.append("milliseconds", .int(Int((MonotonicClock.nanoseconds - watch.since) / 1_000_000)))
    conductor.trace(.system("watchdog", details))
  }
}

/// Causes the first batch after the launch.
extension Deadline { fileprivate static let firstBatch = Deadline("firstBatch") }
