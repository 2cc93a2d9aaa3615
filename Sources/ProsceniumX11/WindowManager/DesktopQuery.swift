import CXCB
import ProsceniumPlatform

/// Asks which of the desktop's own windows lie above ours while the desktop is shown: the windows of type DESKTOP that
/// shells have, with the background and its icons.
///
/// Asked whenever the window manager has restacked windows. What lies above what is the server's answer, because JWM
/// writes `_NET_CLIENT_LIST_STACKING` the wrong way round.
@MainActor final class DesktopQuery: X11Component {
  /// How many windows of the client list are asked, at most.
  private static let mostClients: UInt32 = 512
  /// No window manager nests windows deeper.
  private static let deepest = 16

  private var question = SingleQuestion()
  /// The children of the root that are the desktop's own windows or their frames, and where they are.
  private var found: [UInt32: Rect] = [:]
  /// How many desktop's windows have not been found in the tree yet.
  private var missing = 0

  /// Asks again, where the desktop is shown; at most one question is under way.
  func refresh() {
    guard root.isShowingDesktop, !server.isLost, question.begin() else { return }
    server.intern(AtomName.forShowingDesktop) { [weak self] in self?.askClients() }
  }

  private func askClients() {
    connection.property(server.root, server.atoms[.netClientList], limit: Self.mostClients) { [weak self] value in
      guard let self else { return }
      var desktops: [UInt32] = []
      for client in value?.words(ofType: PredefinedAtom.window) ?? [] where windows[client] == nil {
        connection.property(client, server.atoms[.netWMWindowType], limit: 16) { [weak self] value in
          guard let self, let types = value?.words(ofType: PredefinedAtom.atom) else { return }
          if types.contains(server.atoms[.netWMWindowTypeDesktop]) { desktops.append(client) }
        }
      }
      connection.whenDone { [weak self] in self?.find(desktops) }
    }
  }

  private func find(_ desktops: [UInt32]) {
    found = [:]
    missing = desktops.count
    if desktops.isEmpty { return compare() }
    for desktop in desktops { climb(from: desktop, steps: Self.deepest) }
  }

  /// Goes up to the child of the root, and asks where that is and whether it is shown.
  private func climb(from window: UInt32, steps: Int) {
    connection.parent(of: window) { [weak self] parent in
      guard let self else { return }
      if let parent, parent != server.root, steps > 0 { return climb(from: parent, steps: steps - 1) }
      var isShown = false
      connection.windowAttributes(window) { isShown = $0?.isMapped ?? false }
      connection.geometry(of: window) { [weak self] place in
        guard let self else { return }
        if isShown, let place { found[window] = place }
        missing -= 1
        if missing == 0 { compare() }
      }
    }
  }

  private func compare() {
    connection.children(of: server.root) { [weak self] children in
      guard let self else { return }
      for window in windows.all {
        let above = children.drop { $0 != window.frames.outermost ?? window.id }
        windows.apply(.desktopsAbove(above.compactMap { found[$0] }), to: window)
      }
      if question.end() { refresh() }
    }
  }
}
