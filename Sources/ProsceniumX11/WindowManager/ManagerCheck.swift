import CXCB
import ProsceniumPlatform

/// Asks whether a window manager runs, without waiting.
///
/// The signs are the redirect of the root, and a supporting window that exists and points to itself (EWMH,
/// `_NET_SUPPORTING_WM_CHECK`: crashed window managers leave the property behind).
final class ManagerCheck {
  /// The answers of a check.
  struct Answers {
    var redirects = false
    var isValidated = false
    var name: String?
    var supported: Set<UInt32> = []

    /// Whether a window manager runs.
    var isPresent: Bool { redirects || isValidated }
  }

  private let server: XServer
  /// The number of the newest check; answers to older ones are dropped.
  private var number = 0
  private var answers = Answers()

  init(_ server: XServer) { self.server = server }

  /// Begins a check; one that is under way ends without an answer.
  /// - Parameters:
  ///   - redirected: Called as soon as a window manager is known to redirect the root.
  ///   - finished: Called at the end.
  func begin(redirected: @escaping () -> Void, _ finished: @escaping (Answers) -> Void) {
    let connection = server.connection
    number += 1
    answers = Answers()
    let number = number
    connection.windowAttributes(server.root) { [weak self] found in
      guard let self, self.number == number else { return }
      answers.redirects = found?.isManaged ?? false
      if answers.redirects { redirected() }
    }
    connection.property(server.root, server.atoms[.netSupported], limit: 4096) { [weak self] value in
      guard let self, self.number == number else { return }
      answers.supported = Set(value?.words(ofType: PredefinedAtom.atom) ?? [])
    }
    connection.property(server.root, server.atoms[.netSupportingWMCheck], limit: 1) { [weak self] value in
      guard let self, self.number == number else { return }
      guard let window = value?.first(ofType: PredefinedAtom.window), window != 0 else { return finished(answers) }
      validate(window, number, finished)
    }
  }

  private func validate(_ window: UInt32, _ number: Int, _ finished: @escaping (Answers) -> Void) {
    server.connection.property(window, server.atoms[.netSupportingWMCheck], limit: 1) { [weak self] value in
      guard let self, self.number == number else { return }
      answers.isValidated = value?.first(ofType: PredefinedAtom.window) == window
    }
    server.connection.property(window, server.atoms[.netWMName], limit: 64) { [weak self] value in
      guard let self, self.number == number else { return }
      if answers.isValidated { answers.name = value?.text }
      finished(answers)
    }
  }
}

/// The features that the window manager supports (EWMH, `_NET_SUPPORTED`).
///
/// A property that it does not maintain was left behind by another window manager that is gone.
final class ManagerSupport {
  private let server: XServer
  /// The supported atoms; nil until the first check of a window manager has ended.
  var atoms: Set<UInt32>?

  init(_ server: XServer) { self.server = server }

  /// Whether an atom is supported, or may be as far as known.
  func allows(_ name: AtomName) -> Bool { atoms?.contains(server.atoms[name]) ?? true }

  /// Whether an atom is known to be supported.
  func lists(_ name: AtomName) -> Bool { server.atoms[name] != 0 && atoms?.contains(server.atoms[name]) == true }

  /// Whether a state of windows that may have been written onto them means nothing.
  var lacksStates: Bool {
    !allows(.netWMState) || !allows(.netWMStateHidden) || !allows(.netWMDesktop) || !allows(.netWMStateFullScreen)
      || !allows(.netWMStateMaximizedHorizontally) || !allows(.netWMStateMaximizedVertically)
  }

  /// What a property of a window says; nil of one that is none of the window manager's.
  /// - Parameters:
  ///   - name: The property.
  ///   - value: Its value.
  ///   - isFirst: Whether it was there when the window began to be followed.
  /// - Returns: The signal.
  func signal(_ name: AtomName, _ value: PropertyValue?, isFirst: Bool) -> WindowSignal? {
    switch name {
    // Its type is WM_STATE, and its first unit the state (ICCCM 4.1.3.1).
    case .wmState: return .wmState(value?.first(ofType: server.atoms[.wmState]))
    case .netWMState:
      let states = value?.words(ofType: PredefinedAtom.atom).map(netState)
      return isFirst ? .netStateFound(states) : .netState(states)
    case .netWMDesktop:
      return .workspace(allows(.netWMDesktop) ? value?.first(ofType: PredefinedAtom.cardinal) : nil)
    case _: return nil
    }
  }

  /// The states of `_NET_WM_STATE` that are known; those that a program has written itself are only a wish where the
  /// window manager has none.
  ///
  /// One that it does not list it has not written: a program has, or the window manager before it, as i3 leaves them.
  private func netState(_ atoms: [UInt32]) -> WindowSignal.NetState {
    guard allows(.netWMState) else { return [] }
    return atoms.reduce(into: []) { state, atom in
      guard let name = server.atoms.name(of: atom), allows(name) else { return }
      switch name {
      case .netWMStateHidden:
        state.insert(
          state.contains(.hiddenTwice) ? .hiddenThrice : state.contains(.hidden) ? .hiddenTwice : .hidden)
      case .netWMStateFullScreen: state.insert(.fullScreen)
      case .netWMStateMaximizedHorizontally: state.insert(.maximizedHorizontally)
      case .netWMStateMaximizedVertically: state.insert(.maximizedVertically)
      case .netWMStateShaded: state.insert(.shaded)
      case _: break
      }
    }
  }
}
