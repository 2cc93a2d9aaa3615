import ProsceniumLoop
import ProsceniumPlatform

/// Is there a window manager, and what can it do?
extension X11Platform {
  /// Asks again, without waiting: the redirect of the root, and a supporting window that exists and points to itself
  /// (EWMH, `_NET_SUPPORTING_WM_CHECK`: crashed window managers leave the property behind).
  func checkManager() {
    guard !isLost, let connection else { return }
    loop.cancel(.recheckManager)
    manager.check += 1
    let check = manager.check
    manager.redirects = false
    manager.isValidated = false
    manager.name = nil
    var supported: Set<UInt32> = []
    let root = connection.screen.root
    connection.windowAttributes(root) { [weak self] reply in
      guard let self, manager.check == check else { return }
      manager.redirects = reply?.isManaged ?? false
      if manager.redirects { internForManager() }
    }
    connection.property(root, atoms[.netSupported], limit: 4096) { value in
      supported = Set(value?.words(ofType: PredefinedAtom.atom) ?? [])
    }
    connection.property(root, atoms[.netSupportingWMCheck], limit: 1) { [weak self] value in
      guard let self, manager.check == check else { return }
      guard let window = value?.first(ofType: PredefinedAtom.window), window != 0 else {
        return finishCheck(check, supported: supported)
      }
      connection.property(window, atoms[.netSupportingWMCheck], limit: 1) { [weak self] value in
        guard let self, manager.check == check else { return }
        manager.isValidated = value?.first(ofType: PredefinedAtom.window) == window
      }
      connection.property(window, atoms[.netWMName], limit: 64) { [weak self] value in
        guard let self, manager.check == check else { return }
        if manager.isValidated { manager.name = value?.text }
        finishCheck(check, supported: supported)
      }
    }
  }

  private func finishCheck(_ check: Int, supported: Set<UInt32>) {
    guard manager.check == check else { return }
    let isPresent = manager.redirects || manager.isValidated
    manager.supported = manager.isValidated ? supported : []
    if isPresent { internForManager() }
    signal(.windowManager(present: isPresent, name: manager.name))
    screens.work.struts = [:]
    refreshWorkAreas()
    guard isPresent else { return }
    // Until now everything counted as supported.
    if !supports(.netWMState) || !supports(.netWMDesktop) { windows.values.forEach(rereadProperties) }
    announceSupport()
    describeAllToManager()
  }

  /// The atoms that only a window manager needs, and then what it says about the desktop.
  ///
  /// Requests are answered in order, so that the last atom's answer comes when all are known.
  private func internForManager() {
    guard let connection, !manager.asked.contains(.wmChangeState) else { return }
    intern(AtomName.forManager)
    connection.internAtom(AtomName.netWMState.rawValue) { [weak self] _ in
      guard let self, desktop.isManaged else { return }
      announceSupport()
      describeAllToManager()
      // What was said about windows before the atoms were known could not be read.
      for window in windows.values { rereadProperties(window) }
    }
  }

  private func announceSupport() {
    guard atoms[.netActiveWindow] != 0, let supported = manager.supported else { return }
    signal(.supportsActiveWindow(supported.contains(atoms[.netActiveWindow])))
    readRoot(.netCurrentDesktop)
    guard manager.mayShowDesktop else { return }
    manager.mayShowDesktop = false
    readRoot(.netShowingDesktop)
  }

  /// A window manager that dies while it shows the desktop leaves `_NET_SHOWING_DESKTOP` behind, and most that come after
  /// it do not write it until they are asked to: from here on only what is written anew is believed.
  private func managerChanges(cause: String) {
    manager.mayShowDesktop = false
    // Nothing is known of the one that may be coming: what it writes onto windows before it is asked counts.
    manager.supported = nil
    suspension.hasManagerChanged = true
    signal(.showingDesktop(false))
    signal(.windowManagerChanged(cause: cause))
  }

  func supports(_ name: AtomName) -> Bool { manager.supported?.contains(atoms[name]) ?? true }

  /// A property that this window manager does not keep was left behind by another one that is gone (EWMH,
  /// `_NET_SUPPORTED`).
  private func readRoot(_ name: AtomName) {
    guard let root = connection?.screen.root else { return }
    guard supports(name) else { return takeRoot(name, nil) }
    properties?.read(root, atoms[name], limit: 1) { [weak self] value in
      guard let self, desktop.isManaged else { return }
      takeRoot(name, supports(name) ? value?.first(ofType: PredefinedAtom.cardinal) : nil)
    }
  }

  private func takeRoot(_ name: AtomName, _ number: UInt32?) {
    guard name == .netCurrentDesktop else { return signal(.showingDesktop(number == 1)) }
    signal(.currentDesktop(number))
    refreshWorkAreas()
  }

  func rootPropertyChanged(_ name: AtomName) {
    switch name {
    case .netSupportingWMCheck: managerChanges(cause: name.rawValue)
    case .netSupported: setTimer(.recheckManager, 500)
    case .netCurrentDesktop, .netShowingDesktop: readRoot(name)
    case .netWorkArea, .netClientList: workAreaChanged(name)
    case .xkbRulesNames: renewKeyboard()
    case _: break
    }
  }

  func selectionChanged(_ selection: UInt32) {
    switch atoms.name(of: selection) {
    case .managerSelection: managerChanges(cause: "WM_S owner")
    // A compositor alone manages no windows; one that comes with a window manager is a reason to ask again.
    case .compositorSelection: setTimer(.recheckManager, 500)
    case .settingsSelection: findSettingsManager()
    case _: break
    }
  }
}
