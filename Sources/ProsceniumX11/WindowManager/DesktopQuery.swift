import CXCB
import ProsceniumPlatform

/// Asks which of the desktop's own windows lie above ours while the desktop is shown: the windows of type DESKTOP that
/// shells have, with the background and its icons.
///
/// Asked whenever the window manager has restacked windows. What lies above what is the server's answer, because JWM
/// writes `_NET_CLIENT_LIST_STACKING` the wrong way round.
@MainActor final class DesktopQuery: X11Component {
  private lazy var search = DesktopSearch(server)

  /// Asks again, where the desktop is shown; at most one question is under way.
  func refresh() {
    guard root.isShowingDesktop, !server.isLost else { return }
    search.begin(isOwn: { [weak self] in self?.windows[$0] != nil }) { [weak self] found in
      guard let self else { return }
      for window in windows.all {
        windows.apply(.desktopsAbove(found.desktops(above: window.frames.outermost ?? window.id)), to: window)
      }
    }
  }
}

/// Finds the desktop's own windows, without waiting.
final class DesktopSearch {
  /// The children of the root, and which of them are the desktop's own windows or their frames.
  struct Result {
    /// The lowest first.
    var children: [UInt32] = []
    var places: [UInt32: Rect] = [:]

    /// Where the desktop's own windows are that lie above a child of the root.
    func desktops(above child: UInt32) -> [Rect] { children.drop { $0 != child }.compactMap { places[$0] } }
  }

  /// How many windows of the client list are asked, at most.
  private static let mostClients: UInt32 = 512
  /// No window manager nests windows deeper.
  private static let deepest = 16

  private let server: XServer
  private var question = SingleQuestion()
  private var result = Result()
  /// How many desktop's windows have not been found in the tree yet.
  private var missing = 0

  init(_ server: XServer) { self.server = server }

  /// Begins a search, and another one after one that is under way.
  /// - Parameters:
  ///   - isOwn: Whether a window is known to be none of the desktop's.
  ///   - finished: Called at the end of each search.
  func begin(isOwn: @escaping (UInt32) -> Bool, _ finished: @escaping (Result) -> Void) {
    guard !server.isLost, question.begin() else { return }
    server.intern(AtomName.forShowingDesktop) { [weak self] in self?.askClients(isOwn, finished) }
  }

  private func askClients(_ isOwn: @escaping (UInt32) -> Bool, _ finished: @escaping (Result) -> Void) {
    let connection = server.connection
    connection.property(server.root, server.atoms[.netClientList], limit: Self.mostClients) { [weak self] value in
      guard let self else { return }
      var desktops: [UInt32] = []
      for client in value?.words(ofType: PredefinedAtom.window) ?? [] where !isOwn(client) {
        connection.property(client, server.atoms[.netWMWindowType], limit: 16) { [weak self] value in
          guard let self, let types = value?.words(ofType: PredefinedAtom.atom) else { return }
          if types.contains(server.atoms[.netWMWindowTypeDesktop]) { desktops.append(client) }
        }
      }
      connection.whenDone { [weak self] in
        self?.find(desktops) { [weak self] in
          finished($0)
          if self?.question.end() == true { self?.begin(isOwn: isOwn, finished) }
        }
      }
    }
  }

  private func find(_ desktops: [UInt32], _ finished: @escaping (Result) -> Void) {
    result = Result()
    missing = desktops.count
    if desktops.isEmpty { return findChildren(finished) }
    for desktop in desktops { climb(from: desktop, steps: Self.deepest, finished) }
  }

  /// Goes up to the child of the root, and asks where that is and whether it is shown.
  private func climb(from window: UInt32, steps: Int, _ finished: @escaping (Result) -> Void) {
    let connection = server.connection
    connection.parent(of: window) { [weak self] parent in
      guard let self else { return }
      if let parent, parent != server.root, steps > 0 { return climb(from: parent, steps: steps - 1, finished) }
      var isShown = false
      connection.windowAttributes(window) { isShown = $0?.isMapped ?? false }
      connection.geometry(of: window) { [weak self] place in
        guard let self else { return }
        if isShown, let place { result.places[window] = place }
        missing -= 1
        if missing == 0 { findChildren(finished) }
      }
    }
  }

  private func findChildren(_ finished: @escaping (Result) -> Void) {
    server.connection.children(of: server.root) { [weak self] children in
      guard let self else { return }
      result.children = children
      finished(result)
    }
  }
}
