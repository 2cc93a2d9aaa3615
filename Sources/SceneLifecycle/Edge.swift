/// One step of a scene between neighbouring states; each has exactly one delegate callback and one notification.
package enum SceneEdge: String, Hashable, Sendable, CaseIterable {
  case sceneWillConnect
  case sceneWillEnterForeground
  case sceneDidBecomeActive
  case sceneWillResignActive
  case sceneDidEnterBackground
  case sceneDidDisconnect

  /// The state that the step leaves.
  package var from: ActivationState {
    switch self {
    case .sceneWillConnect: .unattached
    case .sceneWillEnterForeground: .background
    case .sceneDidBecomeActive: .foregroundInactive
    case .sceneWillResignActive: .foregroundActive
    case .sceneDidEnterBackground: .foregroundInactive
    case .sceneDidDisconnect: .background
    }
  }

  /// The state that the step arrives at.
  package var to: ActivationState {
    switch self {
    case .sceneWillConnect: .background
    case .sceneWillEnterForeground: .foregroundInactive
    case .sceneDidBecomeActive: .foregroundActive
    case .sceneWillResignActive: .foregroundInactive
    case .sceneDidEnterBackground: .background
    case .sceneDidDisconnect: .unattached
    }
  }

  /// Whether the callback runs before the state changes (`will...`) or after it (`did...`).
  package var isAnnouncement: Bool {
    switch self {
    case .sceneWillConnect, .sceneWillEnterForeground, .sceneWillResignActive: true
    case .sceneDidBecomeActive, .sceneDidEnterBackground, .sceneDidDisconnect: false
    }
  }

  /// The first step on the way from one state to another; nil where they are the same.
  package static func first(from state: ActivationState, to target: ActivationState) -> SceneEdge? {
    if state == target { return nil }
    let up = state < target
    switch state {
    case .unattached: return .sceneWillConnect
    case .background: return up ? .sceneWillEnterForeground : .sceneDidDisconnect
    case .foregroundInactive: return up ? .sceneDidBecomeActive : .sceneDidEnterBackground
    case .foregroundActive: return .sceneWillResignActive
    }
  }

  /// All steps on the way from one state to another, in order.
  package static func walk(from state: ActivationState, to target: ActivationState) -> [SceneEdge] {
    var edges: [SceneEdge] = []
    var state = state
    while let edge = first(from: state, to: target) {
      edges.append(edge)
      state = edge.to
    }
    return edges
  }
}

/// One step of the whole program between neighbouring states.
package enum ApplicationEdge: String, Hashable, Sendable, CaseIterable {
  case applicationWillEnterForeground
  case applicationDidBecomeActive
  case applicationWillResignActive
  case applicationDidEnterBackground

  /// The state that the step arrives at.
  package var to: ApplicationState {
    switch self {
    case .applicationWillEnterForeground, .applicationWillResignActive: .inactive
    case .applicationDidBecomeActive: .active
    case .applicationDidEnterBackground: .background
    }
  }

  /// Whether the callback runs before the state changes (`will...`) or after it (`did...`).
  package var isAnnouncement: Bool {
    switch self {
    case .applicationWillEnterForeground, .applicationWillResignActive: true
    case .applicationDidBecomeActive, .applicationDidEnterBackground: false
    }
  }

  /// The first step on the way from one state to another; nil where they are the same.
  package static func first(from state: ApplicationState, to target: ApplicationState) -> ApplicationEdge? {
    if state == target { return nil }
    let up = state < target
    switch state {
    case .background: return .applicationWillEnterForeground
    case .inactive: return up ? .applicationDidBecomeActive : .applicationDidEnterBackground
    case .active: return .applicationWillResignActive
    }
  }
}
