import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The properties that a window manager writes onto our windows, read when they change.
extension WindowManagerClient {
  /// Reads all of them anew.
  func readProperties(of window: TopLevel) {
    for name in [AtomName.wmState, .netWMState, .netWMDesktop, .netWMAllowedActions] { read(name, of: window) }
  }

  /// A property has changed.
  func read(_ name: AtomName, of window: TopLevel) {
    let decode: @MainActor (WindowManagerClient, TopLevel, PropertyValue?) -> Void
    switch name {
    case .wmState:
      // Its type is WM_STATE, and its first unit the state (ICCCM 4.1.3.1).
      decode = { $0.setState($1, $2?.first(ofType: $0.server.atoms[.wmState])) }
    case .netWMState:
      decode = { $0.windows.apply(.netState($2?.words(ofType: PredefinedAtom.atom).map($0.netState)), to: $1) }
    case .netWMDesktop:
      decode = { manager, window, value in
        let workspace = value?.first(ofType: PredefinedAtom.cardinal)
        manager.windows.apply(.workspace(manager.support.allows(.netWMDesktop) ? workspace : nil), to: window)
      }
    case .netWMAllowedActions:
      decode = { $1.properties.allowedActions = $2?.words(ofType: PredefinedAtom.atom).map(Set.init) }
    case _: return
    }
    server.properties.read(window.id, server.atoms[name]) { [weak self, weak window] value in
      guard let self, let window, windows[window.id] === window else { return }
      decode(self, window, value)
    }
  }

  private func setState(_ window: TopLevel, _ state: UInt32?) {
    if state != nil { loop.cancel(.managerProbe(window.id)) }
    windows.apply(.wmState(state), to: window)
    // No state or WithdrawnState: the window manager does not manage the window any more (ICCCM 4.1.3.1).
    if state ?? ICCCM_WITHDRAWN_STATE.rawValue == ICCCM_WITHDRAWN_STATE.rawValue { mapper.finishLeaving(window) }
  }

  /// The states that are known; those that we have written ourselves are only a wish where the window manager has none.
  private func netState(_ atoms: [UInt32]) -> WindowSignal.NetState {
    guard support.allows(.netWMState) else { return [] }
    return atoms.reduce(into: []) { state, atom in
      switch server.atoms.name(of: atom) {
      case .netWMStateHidden: state.insert(.hidden)
      case .netWMStateFullScreen: state.insert(.fullScreen)
      case .netWMStateMaximizedHorizontally: state.insert(.maximizedHorizontally)
      case .netWMStateMaximizedVertically: state.insert(.maximizedVertically)
      case .netWMStateShaded: state.insert(.shaded)
      case _: break
      }
    }
  }
}
