import ProsceniumPlatform

/// What is known of panels, and what is being asked.
struct WorkAreaKnowledge {
  var areas = WorkAreas()
  /// Somebody wants to know.
  var isFollowed = false
  /// The number of the question under way; answers to older ones are dropped.
  var question = 0
  var isAsking = false
  var isStale = false
  /// What windows of the client list keep free; nil for those that keep nothing free.
  var struts: [UInt32: Strut?] = [:]
  /// `_GTK_WORKAREAS_D<n>`, by n.
  var gtkAtoms: [UInt32: UInt32] = [:]
}

/// What panels leave of the monitors: see `Screen.visibleFrame`.
///
/// The window manager writes `_NET_WORKAREA` anew whenever a panel or the screens change (EWMH, "Root Window Properties"), so
/// that this is when everything is asked anew; where it does not, `_NET_CLIENT_LIST` is the sign.
extension X11Platform {
  /// How many windows of the client list are asked, at most.
  private static let mostClients = 512

  func followScreens() {
    guard !isLost, !screens.work.isFollowed else { return }
    screens.work.isFollowed = true
    intern(AtomName.forWorkAreas)
    // How they are turned.
    refreshScreens()
    // Requests are answered in order: this one's answer comes when the atoms are known.
    connection?.internAtom(AtomName.netWorkArea.rawValue) { [weak self] _ in self?.refreshWorkAreas() }
  }

  /// A property of the root has changed that has to do with panels, or another desktop is shown.
  func workAreaChanged(_ name: AtomName) {
    switch name {
    case .netClientList:
      // Struts that change are told by `_NET_WORKAREA`, where that is kept.
      guard !says(.netWorkArea) else { return }
      refreshWorkAreas()
    case .netWorkArea:
      screens.work.struts = [:]
      refreshWorkAreas()
    case _: refreshWorkAreas()
    }
  }

  /// Asks anew; at most one question is under way.
  func refreshWorkAreas() {
    guard screens.work.isFollowed, !isLost, let connection, atoms[.netWorkArea] != 0 else { return }
    guard !screens.work.isAsking else { return screens.work.isStale = true }
    guard desktop.isManaged else { return takeWorkAreas(.none) }
    screens.work.question += 1
    screens.work.isAsking = true
    let root = connection.screen.root
    let frames = screens.current.map(\.frame)
    let question = screens.work.question
    if says(.gtkWorkAreas) {
      readGTKAreas(connection, root) { [weak self] words in
        self?.answered(question, .areas(words.map(WorkAreas.areas) ?? [], monitors: frames))
      }
    } else if frames.count == 1, says(.netWorkArea) {
      connection.property(root, atoms[.netWorkArea], limit: 1024) { [weak self] value in
        guard let self else { return }
        let words = value?.words(ofType: PredefinedAtom.cardinal) ?? []
        let area = WorkAreas.area(words, desktop: desktop.current)
        answered(question, .areas(area.map { [$0] } ?? [], monitors: frames))
      }
    } else {
      connection.property(root, atoms[.netClientList], limit: UInt32(Self.mostClients)) { [weak self] value in
        self?.readStruts(of: value?.words(ofType: PredefinedAtom.window) ?? [], question)
      }
    }
  }

  /// What a window manager says that it keeps; a property that it does not keep was left behind by another one.
  private func says(_ name: AtomName) -> Bool { manager.supported?.contains(atoms[name]) ?? false && atoms[name] != 0 }

  private func readGTKAreas(
    _ connection: Connection, _ root: UInt32, _ handler: @escaping @MainActor ([UInt32]?) -> Void
  ) {
    let number = desktop.current ?? 0
    func read(_ atom: UInt32) {
      connection.property(root, atom, limit: 1024) { handler($0?.words(ofType: PredefinedAtom.cardinal)) }
    }
    if let atom = screens.work.gtkAtoms[number] { return read(atom) }
    connection.internAtom("_GTK_WORKAREAS_D\(number)") { [weak self] atom in
      self?.screens.work.gtkAtoms[number] = atom
      read(atom)
    }
  }

  /// Only windows that are new are asked.
  private func readStruts(of clients: [UInt32], _ question: Int) {
    guard let connection, question == screens.work.question else { return }
    let known = Set(clients)
    screens.work.struts = screens.work.struts.filter { known.contains($0.key) }
    let new = clients.filter { screens.work.struts[$0] == nil && windows[$0] == nil }
    guard let last = new.last else { return strutsKnown(question) }
    for client in new {
      var words: [UInt32]?
      connection.property(client, atoms[.netWMStrutPartial], limit: 12) { value in
        words = value?.words(ofType: PredefinedAtom.cardinal)
      }
      // Answers come in order: the last one's when all are known.
      connection.property(client, atoms[.netWMStrut], limit: 4) { [weak self] value in
        guard let self, question == screens.work.question else { return }
        let whole = value?.words(ofType: PredefinedAtom.cardinal)
        screens.work.struts.updateValue(Strut(words ?? []) ?? Strut(whole ?? []), forKey: client)
        if client == last { strutsKnown(question) }
      }
    }
  }

  private func strutsKnown(_ question: Int) {
    let struts = screens.work.struts.sorted { $0.key < $1.key }.compactMap(\.value)
    answered(question, .struts(struts))
  }

  private func answered(_ question: Int, _ source: WorkAreas.Source) {
    guard question == screens.work.question else { return }
    screens.work.isAsking = false
    takeWorkAreas(source)
    guard screens.work.isStale else { return }
    screens.work.isStale = false
    refreshWorkAreas()
  }

  private func takeWorkAreas(_ source: WorkAreas.Source) {
    screens.work.areas.source = source
    // Said together with the monitors that are being asked about: first what has gone and come, then what is left of it.
    guard !screens.isAsking else { return }
    let new = screens.current.map { screen in
      var screen = screen
      screen.visibleFrame = visibleFrame(of: screen.name, screen.frame)
      return screen
    }
    guard new != screens.current else { return }
    screens.current = new
    batch.append(.screens(new))
  }

  /// What is left of a monitor, as far as that is known.
  func visibleFrame(of name: String, _ frame: Rect) -> Rect {
    let before = screens.current.first { $0.name == name }.map { ($0.frame, $0.visibleFrame) }
    return screens.work.areas.visible(of: frame, desktop: rootSize, before: before)
  }

  private var rootSize: Size {
    screens.rootSize ?? connection?.screen.size ?? Size(width: 0, height: 0)
  }
}
