import ProsceniumPlatform

/// Asks what panels leave of the screens, once the program wants to know: see `Screen.visibleFrame`.
///
/// The window manager writes `_NET_WORKAREA` anew whenever a panel or the screens change (EWMH, "Root Window
/// Properties"), so that this is when everything is asked anew; where it does not, `_NET_CLIENT_LIST` is the sign.
@MainActor final class WorkAreaQuery: X11Component {
  /// How many windows of the client list are asked, at most.
  private static let mostClients = 512

  let context: X11Context
  private let support: ManagerSupport
  private let screens: Screens
  /// The number of the question under way; answers to older ones are dropped.
  private var number = 0
  private var isAsking = false
  private var isStale = false
  /// The struts of the windows in the client list; nil for those without.
  private var struts: [UInt32: Strut?] = [:]
  /// `_GTK_WORKAREAS_D<n>`, by n.
  private var gtkAtoms: [UInt32: UInt32] = [:]

  init(_ context: X11Context, _ support: ManagerSupport, _ screens: Screens) {
    self.context = context
    self.support = support
    self.screens = screens
  }

  /// A property of the root has changed that has to do with panels.
  func propertyChanged(_ name: AtomName) {
    // A change of struts changes `_NET_WORKAREA`, where that is maintained.
    if name == .netClientList, support.lists(.netWorkArea) { return }
    refresh(anew: name == .netWorkArea)
  }

  /// Asks again; at most one question is under way.
  /// - Parameter anew: Whether windows are asked for their struts that have been asked already.
  func refresh(anew: Bool = false) {
    if anew { struts = [:] }
    guard screens.areFollowed, !server.isLost, server.atoms[.netWorkArea] != 0 else { return }
    guard !isAsking else { return isStale = true }
    guard root.isManaged else { return screens.setWorkAreas(.none) }
    number += 1
    isAsking = true
    let number = number
    let frames = screens.current.map(\.frame)
    if support.lists(.gtkWorkAreas) {
      readGTKAreas(number, frames)
    } else if frames.count == 1, support.lists(.netWorkArea) {
      connection.property(server.root, server.atoms[.netWorkArea], limit: 1024) { [weak self] value in
        guard let self else { return }
        let words = value?.words(ofType: PredefinedAtom.cardinal) ?? []
        let area = WorkAreas.area(words, workspace: root.currentWorkspace)
        finish(number, .areas(area.map { [$0] } ?? [], monitors: frames))
      }
    } else {
      connection.property(server.root, server.atoms[.netClientList], limit: UInt32(Self.mostClients)) {
        [weak self] value in
        self?.readStruts(of: value?.words(ofType: PredefinedAtom.window) ?? [], number)
      }
    }
  }

  private func readGTKAreas(_ number: Int, _ frames: [Rect]) {
    let workspace = root.currentWorkspace ?? 0
    guard let atom = gtkAtoms[workspace] else {
      return connection.internAtom("_GTK_WORKAREAS_D\(workspace)") { [weak self] atom in
        self?.gtkAtoms[workspace] = atom
        self?.readGTKAreas(atom, number, frames)
      }
    }
    readGTKAreas(atom, number, frames)
  }

  private func readGTKAreas(_ atom: UInt32, _ number: Int, _ frames: [Rect]) {
    connection.property(server.root, atom, limit: 1024) { [weak self] value in
      let words = value?.words(ofType: PredefinedAtom.cardinal)
      self?.finish(number, .areas(words.map(WorkAreas.areas) ?? [], monitors: frames))
    }
  }

  /// Reads the struts of windows that are new in the client list.
  private func readStruts(of clients: [UInt32], _ number: Int) {
    guard number == self.number else { return }
    let known = Set(clients)
    struts = struts.filter { known.contains($0.key) }
    let new = clients.filter { struts[$0] == nil && windows[$0] == nil }
    guard let last = new.last else { return finishStruts(number) }
    for client in new {
      var partial: Strut?
      connection.property(client, server.atoms[.netWMStrutPartial], limit: 12) { value in
        partial = Strut(value?.words(ofType: PredefinedAtom.cardinal) ?? [])
      }
      // Answers come in order: the last one's when all are known.
      connection.property(client, server.atoms[.netWMStrut], limit: 4) { [weak self] value in
        guard let self, number == self.number else { return }
        struts.updateValue(partial ?? Strut(value?.words(ofType: PredefinedAtom.cardinal) ?? []), forKey: client)
        if client == last { finishStruts(number) }
      }
    }
  }

  private func finishStruts(_ number: Int) {
    finish(number, .struts(struts.sorted { $0.key < $1.key }.compactMap(\.value)))
  }

  private func finish(_ number: Int, _ source: WorkAreas.Source) {
    guard number == self.number else { return }
    isAsking = false
    screens.setWorkAreas(source)
    guard isStale else { return }
    isStale = false
    refresh()
  }
}
