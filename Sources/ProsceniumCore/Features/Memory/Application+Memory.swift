extension Application {
  /// Which scenes in the background are disconnected so that their memory is freed; that of the manifest until it is
  /// set.
  ///
  /// May be set at any time; its disconnections follow after the present callback has returned, and after the launch.
  public var reclaimPolicy: ReclaimPolicy {
    get { value(ReclaimPolicyKey.self) ?? resolvedManifest.reclaimPolicy }
    set {
      let old = reclaimPolicy
      // Also where it is equal: set before the launch, it goes before a manifest that says otherwise.
      setValue(newValue, ReclaimPolicyKey.self)
      if newValue != old { conductor?.post(Memory.self, .reclaim) }
    }
  }

  /// Posted after `applicationDidReceiveMemoryWarning(_:)` and the view controllers' calls, in both models.
  public struct DidReceiveMemoryWarningMessage: ApplicationMessage {
    /// The application.
    public let application: Application
  }
}

extension Scene {
  /// The memory of the scene that can be made again, in bytes, as far as the framework knows it.
  ///
  /// The surfaces of its windows, the drawing that views cache, and every ``PurgeableCache`` of the scene; 0 once the
  /// scene has been disconnected. Counted when asked for, on the main thread.
  public var footprint: Int {
    guard let record else { return 0 }
    let windows = (self as? WindowScene)?.windows ?? []
    let caches = Int128(record.state(of: Memory.self).caches.cost)
    return Int(clamping: windows.reduce(caches) { $0 + Int128($1.display.footprint) })
  }
}

/// The policy that the program has set.
private enum ReclaimPolicyKey: ValueKey { static var initial: ReclaimPolicy? { nil } }

/// The caches of the whole program.
@MainActor enum CachesKey: ValueKey { static var initial: PurgeableList { PurgeableList() } }

extension ApplicationManifest {
  /// Which scenes in the background are disconnected so that their memory is freed; see ``ReclaimPolicy``.
  ///
  /// ``Application/reclaimPolicy`` replaces it while the program runs.
  public var reclaimPolicy: ReclaimPolicy {
    get { values[ManifestPolicyKey.self] }
    set { values[ManifestPolicyKey.self] = newValue }
  }
}

private enum ManifestPolicyKey: FeatureValueKey { static var initial: ReclaimPolicy { ReclaimPolicy() } }
