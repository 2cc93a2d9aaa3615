import ProsceniumTrace
import SceneLifecycle

extension Stage {
  /// Calls a piece of the program's code, and has it watched meanwhile; without a phase the launch's limit counts.
  func watched<Result, Failure: Error>(
    _ name: String, _ record: SceneRecord? = nil, _ phase: WatchedPhase? = .sceneUpdate,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = beginWatch(name, record, phase)
    defer { endWatch(within: outer) }
    return try body()
  }

  func beginWatch(_ name: String, _ record: SceneRecord?, _ phase: WatchedPhase?) -> Vigil.Watch? {
    guard let watch = application.callbackWatch else { return nil }
    return watch.begin(WatchedCallback(name, scene: record?.session.persistentIdentifier, phase: phase))
  }

  func endWatch(within outer: Vigil.Watch?) {
    if let overrun = application.callbackWatch?.end(within: outer) { note(overrun) }
  }

  /// The launch lasts until the program has handled a batch: one that is sure to come.
  func expectFirstBatch() {
    guard application.callbackWatch != nil else { return }
    isLaunchWatched = true
    _ = makeDeadline(.firstBatch, milliseconds: 0)
  }

  func firstBatchHandled() {
    isLaunchWatched = false
    if let overrun = application.callbackWatch?.endLaunch() { note(overrun) }
  }

  private func note(_ overrun: WatchdogOverrun) {
    guard trace.isOn else { return }
    var fields: [(key: String, value: TraceEntry.Value)] = [("name", .text("watchdog"))]
    if let scene = overrun.callback.scene { fields.append(("scene", .text(scene))) }
    fields.append(("callback", .text(overrun.callback.name)))
    fields.append(("milliseconds", .number(Int(overrun.nanoseconds / 1_000_000))))
    trace.record("system", fields)
  }
}

extension SceneEdge {
  /// The delegate's method.
  var callbackName: String {
    switch self {
    case .sceneWillConnect: "scene(_:willConnectTo:options:)"
    case .sceneWillEnterForeground: "sceneWillEnterForeground(_:)"
    case .sceneDidBecomeActive: "sceneDidBecomeActive(_:)"
    case .sceneWillResignActive: "sceneWillResignActive(_:)"
    case .sceneDidEnterBackground: "sceneDidEnterBackground(_:)"
    case .sceneDidDisconnect: "sceneDidDisconnect(_:)"
    }
  }

  var watchedPhase: WatchedPhase { self == .sceneDidEnterBackground ? .background : .sceneUpdate }
}

extension ApplicationEdge {
  /// The delegate's method.
  var callbackName: String {
    switch self {
    case .applicationWillEnterForeground: "applicationWillEnterForeground(_:)"
    case .applicationDidBecomeActive: "applicationDidBecomeActive(_:)"
    case .applicationWillResignActive: "applicationWillResignActive(_:)"
    case .applicationDidEnterBackground: "applicationDidEnterBackground(_:)"
    }
  }

  var watchedPhase: WatchedPhase { self == .applicationDidEnterBackground ? .background : .sceneUpdate }
}
