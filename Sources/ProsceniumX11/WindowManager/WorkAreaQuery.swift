import ProsceniumPlatform

/// Asks what panels leave of the screens, once the program wants to know: see `Screen.visibleFrame`.
///
/// The window manager writes `_NET_WORKAREA` anew whenever a panel or the screens change (EWMH, "Root Window
/// Properties"), the sign to ask everything anew; where windows are asked, `_NET_CLIENT_LIST` is one, too.
@MainActor final class WorkAreaQuery: X11Component {
  /// How many windows of the client list are asked, at most.
  private static let mostClients = 512

  /// The number of the question under way; answers to older ones are dropped.
  private var number = 0
  private var question = SingleQuestion()
  /// The struts of the windows in the client list; nil for those without.
  private var struts: [UInt32: Strut?] = [:]
  /// `_GTK_WORKAREAS_D<n>`, by n.
  private var gtkAtoms: [UInt32: UInt32] = [:]

  /// A property of the root has changed that has to do with panels.
  func propertyChanged(_ name: AtomName) {
    if name == .netClientList, !readsStruts { return }
    refresh(anew: name == .netWorkArea)
  }

  /// Whether the windows are asked: no property has the areas of several monitors, unless the window manager is GTK's.
  ///
  /// A window manager may write `_NET_WORKAREA` before the client list that has the panel, as openbox does: what is
  /// read in between is the old list.
  private var readsStruts: Bool {
    !parts.support.lists(.gtkWorkAreas)
      && !(parts.screens.current.count == 1 && parts.support.lists(.netWorkArea))
  }

  /// Asks again; at most one question is under way.
  /// - Parameter anew: Whether windows are asked for their struts that have been asked already.
  func refresh(anew: Bool = false) {
    if anew { struts = [:] }
    guard parts.screens.areFollowed, !server.isLost, server.atoms[.netWorkArea] != 0 else { return }
    guard root.isManaged || question.isUnderWay else { return parts.screens.setWorkAreas(.none) }
    guard question.begin() else { return }
    number += 1
    let number = number
    let frames = parts.screens.current.map(\.frame)
    if readsStruts {
      connection.property(server.root, server.atoms[.netClientList], limit: UInt32(Self.mostClients)) {
        [weak self] value in
        self?.readStruts(of: value?.words(ofType: PredefinedAtom.window) ?? [], number)
      }
    } else if parts.support.lists(.gtkWorkAreas) {
      readGTKAreas(of: root.currentWorkspace ?? 0, number, frames)
    } else {
      connection.property(server.root, server.atoms[.netWorkArea], limit: 1024) { [weak self] value in
        guard let self else { return }
        let words = value?.words(ofType: PredefinedAtom.cardinal) ?? []
        let area = WorkAreas.area(words, workspace: root.currentWorkspace)
        finish(number, .areas(area.map { [$0] } ?? [], monitors: frames))
      }
    }
  }

  private func readGTKAreas(of workspace: UInt32, _ number: Int, _ frames: [Rect]) {
    guard let atom = gtkAtoms[workspace] else {
      return connection.internAtom("_GTK_WORKAREAS_D\(workspace)") { [weak self] atom in
        self?.gtkAtoms[workspace] = atom
        self?.readGTKAreas(of: workspace, number, frames)
      }
    }
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
    let isStale = question.end()
    parts.screens.setWorkAreas(source)
    if isStale { refresh() }
  }
}

/// The parts of monitors that panels leave, as far as they are known.
struct WorkAreas: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// No window manager reports them.
    case none
    /// Rectangles that the window manager wrote while these were the monitors.
    case areas([Rect], monitors: [Rect])
    /// The strips that windows reserve.
    case struts([Strut])
  }

  var source = Source.none

  /// The part of a monitor that no panel takes.
  /// - Parameters:
  ///   - monitor: The monitor.
  ///   - root: The size of the root window.
  ///   - before: The same monitor and its visible part before; nil where it is new.
  /// - Returns: The rectangle, in pixels of the root window.
  func visible(of monitor: Rect, root: Size, before: (frame: Rect, visible: Rect)?) -> Rect {
    switch source {
    case .none: return monitor
    case .struts(let struts):
      return struts.reduce(monitor) { $1.reduce($0, of: monitor, root: root) }
    case .areas(let areas, let monitors):
      if monitors.contains(monitor) {
        return areas.compactMap { $0.intersection(monitor) }
          .max { $0.size.width * $0.size.height < $1.size.width * $1.size.height } ?? monitor
      }
      // The window manager has not written its properties for the monitor as it is now: its panels will be as large.
      guard let before else { return monitor }
      let left = before.visible.origin.x - before.frame.origin.x
      let top = before.visible.origin.y - before.frame.origin.y
      let rest = Size(
        width: monitor.size.width - (before.frame.size.width - before.visible.size.width),
        height: monitor.size.height - (before.frame.size.height - before.visible.size.height))
      guard rest.width > 0, rest.height > 0 else { return monitor }
      return Rect(x: monitor.origin.x + left, y: monitor.origin.y + top, width: rest.width, height: rest.height)
    }
  }

  /// The rectangle of one workspace in `_NET_WORKAREA`: four numbers each; of the first where there are too few.
  static func area(_ words: [UInt32], workspace: UInt32?) -> Rect? {
    let rects = areas(words)
    guard let workspace, Int(workspace) < rects.count else { return rects.first }
    return rects[Int(workspace)]
  }

  /// The rectangles of `_GTK_WORKAREAS_D<n>`, one for each monitor; an incomplete one is left out.
  static func areas(_ words: [UInt32]) -> [Rect] {
    stride(from: 0, to: words.count - words.count % 4, by: 4).map { start in
      let numbers = words[start..<start + 4].map { Int(Int32(bitPattern: $0)) }
      return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
  }
}

/// The strips that a window reserves along the edges of the root window, in pixels (EWMH, `_NET_WM_STRUT_PARTIAL`).
struct Strut: Hashable, Sendable {
  /// The strip along one edge: its depth, and where along the edge it begins and ends.
  struct Side: Hashable, Sendable {
    var depth: Int
    var along: ClosedRange<Int>
  }

  var left, right, top, bottom: Side

  /// Reads twelve numbers of `_NET_WM_STRUT_PARTIAL`, or the four of `_NET_WM_STRUT`, which go along whole edges; nil
  /// where they are fewer, or reserve nothing.
  init?(_ words: [UInt32]) {
    guard words.count >= 4, words[..<4].contains(where: { $0 > 0 }) else { return nil }
    let numbers = words.map { Int(min($0, 1 << 20)) }
    func side(_ index: Int) -> Side {
      guard numbers.count >= 12 else { return Side(depth: numbers[index], along: 0...(1 << 20)) }
      let (start, end) = (numbers[4 + 2 * index], numbers[5 + 2 * index])
      return Side(depth: numbers[index], along: min(start, end)...max(start, end))
    }
    (left, right, top, bottom) = (side(0), side(1), side(2), side(3))
  }

  /// The part of a monitor that the strips leave.
  ///
  /// A panel along an edge that two monitors share reserves all of the one between it and the edge of the root, as it
  /// is written: that is not meant, and only the monitor in which the strip ends is made smaller.
  func reduce(_ area: Rect, of monitor: Rect, root: Size) -> Rect {
    let (right, bottom) = (monitor.origin.x + monitor.size.width, monitor.origin.y + monitor.size.height)
    var (x1, y1) = (area.origin.x, area.origin.y)
    var (x2, y2) = (x1 + area.size.width, y1 + area.size.height)
    func meets(_ side: Side, _ start: Int, _ end: Int) -> Bool {
      side.depth > 0 && side.along.overlaps(start...max(start, end - 1))
    }
    if meets(left, monitor.origin.y, bottom), left.depth < right { x1 = max(x1, left.depth) }
    if meets(self.right, monitor.origin.y, bottom), root.width - self.right.depth > monitor.origin.x {
      x2 = min(x2, root.width - self.right.depth)
    }
    if meets(top, monitor.origin.x, right), top.depth < bottom { y1 = max(y1, top.depth) }
    if meets(self.bottom, monitor.origin.x, right), root.height - self.bottom.depth > monitor.origin.y {
      y2 = min(y2, root.height - self.bottom.depth)
    }
    guard x2 > x1, y2 > y1 else { return area }
    return Rect(x: x1, y: y1, width: x2 - x1, height: y2 - y1)
  }
}
