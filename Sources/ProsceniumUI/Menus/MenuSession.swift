import ProsceniumCore

/// The menus that are open: one, and the submenus that belong to it.
@MainActor final class MenuSession {
  /// What a menu is opened from, and asks about the pointer and the keys that leave it.
  @MainActor protocol Opener: AnyObject {
    /// A pointer event outside of the menus; whether it is the opener's.
    func menuHeard(_ event: Event) -> Bool
    /// The user leaves the first menu to a side by key.
    func menuLeft(forward: Bool)
    func menuEnded(_ session: MenuSession)
  }

  /// The session whose menus are open.
  private(set) static var current: MenuSession?

  private var levels: [(window: MenuWindow, view: MenuView)] = []
  private let owner: Window
  private let start: Responder?
  private weak var opener: (any Opener)?
  private let appearance: InterfaceStyle
  /// The row on which the pointer rests, and the frames that are counted meanwhile.
  private var rest: (link: FrameLink, view: MenuView, row: Int, since: Duration?)?
  /// The press that opened the menu; nil once it has ended.
  private var press: Press?

  private struct Press {
    /// On the desktop, in points.
    private let start: Point
    /// How far a hand that trembles moves the pointer, or a finger.
    private let reach: Int
    /// Whether the pointer has been moved over an item since.
    private(set) var isDrag = false

    @MainActor init?(_ event: Event) {
      guard let place = event.desktopPoint else { return nil }
      start = place
      if case .touch = event.kind { reach = 8 } else { reach = 4 }
    }

    @MainActor mutating func moved(by event: Event) {
      guard let place = event.desktopPoint else { return }
      if abs(place.x - start.x) > reach || abs(place.y - start.y) > reach { isDrag = true }
    }
  }

  /// How long the pointer rests on a row before the submenu opens or closes.
  private static let restTime = Duration.milliseconds(150)

  private init(_ owner: Window, _ start: Responder?, _ opener: (any Opener)?, _ appearance: InterfaceStyle) {
    self.owner = owner
    self.start = start
    self.opener = opener
    self.appearance = appearance
  }

  /// Opens a menu for a view.
  /// - Parameters:
  ///   - menu: The menu.
  ///   - view: The view that it is for.
  ///   - place: What the menu is below of, in points of the view.
  ///   - kind: What its windows are.
  ///   - start: The responder at which actions begin.
  ///   - opener: What is asked about the pointer and the keys that leave the menu.
  ///   - byKey: Whether the first item is highlighted.
  ///   - press: The event of a press that may end on an item; nil where nothing is down.
  ///   - selected: The row that is highlighted; none or the first one where nil.
  /// - Returns: The session; nil where no menu can be shown now, or it is empty.
  @discardableResult
  static func open(
    _ menu: Menu, for view: View, at place: Rect, kind: PopUpWindow.Kind, from start: Responder?,
    opener: (any Opener)? = nil, byKey: Bool = false, press: Event? = nil, selected: Int? = nil
  ) -> MenuSession? {
    current?.end()
    guard let window = view.window else { return nil }
    let session = MenuSession(window, start, opener, view.effectiveAppearance)
    session.press = press.flatMap(Press.init)
    let corner = view.convert(place.origin, to: nil)
    let anchor = Rect(corner, place.size)
    guard session.open(menu, above: window, kind, at: session.onDesktop(anchor, of: window), .below, byKey: byKey)
    else {
      return nil
    }
    if let selected { session.levels.first?.view.change { $0.highlight(selected) } }
    current = session
    return session
  }

  /// A rectangle of a window, on the desktop.
  private func onDesktop(_ rect: Rect, of window: Window) -> Rect {
    rect.sensible.offset(x: window.frame.origin.x, y: window.frame.origin.y)
  }

  private func open(
    _ menu: Menu, above parent: Window, _ kind: PopUpWindow.Kind, at anchor: Rect, _ side: MenuPlacement, byKey: Bool
  ) -> Bool {
    let view = MenuView(menu, start: start, session: self, displayScale: Pixels(of: parent).scale)
    guard !view.navigation.rows.isEmpty else { return false }
    let window = MenuWindow(above: parent, kind: kind, session: self)
    window.title = menu.title
    window.overrideAppearance = appearance
    window.rootView = view
    let area = Self.area(around: anchor, of: owner)
    var size = view.intrinsicContentSize
    // A menu that belongs to a button looks like a part of it.
    if kind == .dropDownMenu, side == .below { size.width = max(size.width, anchor.size.width) }
    let frame = side.frame(of: size, at: anchor, in: area)
    guard window.present(at: frame) else { return false }
    // A submenu may be opened before the first frame.
    ViewTree.existing(window)?.layout(window.pixelSize)
    if byKey { view.change { $0.highlightFirst() } }
    levels.append((window, view))
    return true
  }

  /// The work area of the monitor that has most of a rectangle, in points of a window.
  static func area(around anchor: Rect, of window: Window) -> Rect {
    let pixels = Pixels(of: window)
    let anchor = pixels.rect(anchor).inset(x: -1, y: -1)
    func shared(_ screen: Screen) -> Int {
      screen.pixelFrame.intersection(anchor).map { $0.size.width * $0.size.height } ?? 0
    }
    let screens = Application.sharedIfLaunched?.screens ?? []
    guard let area = screens.max(by: { shared($0) < shared($1) })?.visiblePixelFrame else {
      return Rect(x: 0, y: 0, width: 1 << 20, height: 1 << 20)
    }
    func points(_ length: Int) -> Int { Int(Double(length) / pixels.scale) }
    return Rect(
      x: points(area.origin.x), y: points(area.origin.y), width: points(area.size.width),
      height: points(area.size.height))
  }

  // MARK: Ends

  /// Closes all menus.
  func end() {
    let first = levels.first?.window
    levels = []
    first?.dismiss()
    finish()
  }

  private func finish() {
    stopResting()
    if Self.current === self { Self.current = nil }
    opener.take()?.menuEnded(self)
  }

  /// Closes the submenus above a level.
  private func close(above level: Int) {
    if levels.indices.contains(level + 1) { levels[level + 1].window.dismiss() }
    levels.removeSubrange(min(level + 1, levels.count)...)
  }

  /// The framework has dismissed a menu.
  fileprivate func dismissed(_ window: MenuWindow) {
    guard let level = levels.firstIndex(where: { $0.window === window }) else { return }
    levels.removeSubrange(level...)
    if level == 0 { finish() }
  }

  func choose(_ row: Int, in view: MenuView) {
    guard view.navigation.rows.indices.contains(row), view.navigation.rows[row].isEnabled else { return }
    if view.element(at: row) is Menu { return openSubmenu(row, in: view, byKey: false) }
    guard let item = view.element(at: row) as? MenuItem else { return }
    let start = start
    end()
    item.perform(from: start)
  }

  /// The menu that gets the keys.
  var innermost: MenuView? { levels.last?.view }

  private func level(of view: MenuView) -> Int? { levels.firstIndex { $0.view === view } }

  private func openSubmenu(_ row: Int, in view: MenuView, byKey: Bool) {
    guard let level = level(of: view), let menu = view.element(at: row) as? Menu else { return }
    close(above: level)
    view.change { $0.highlight(row) }
    let place = view.rect(of: row).offset(x: 0, y: -view.bounds.origin.y)
    let window = levels[level].window
    let isOpen = open(menu, above: window, window.kind, at: onDesktop(place, of: window), .beside, byKey: byKey)
    if isOpen { levels.last?.window.row = row }
  }

  // MARK: Keys

  func handle(_ key: Key, in view: MenuView) {
    for level in levels { level.view.stopScrolling() }
    stopResting()
    var effect = MenuNavigation.Effect.none
    view.change { effect = $0.handle(key) }
    guard let level = level(of: view) else { return }
    switch effect {
    case .none, .moved: break
    case .choose(let row): choose(row, in: view)
    case .open(let row): openSubmenu(row, in: view, byKey: true)
    case .close: if level == 0 { end() } else { close(above: level - 1) }
    case .leave(forward: false) where level > 0: close(above: level - 1)
    case .leave(let forward): opener?.menuLeft(forward: forward)
    }
  }

  // MARK: The pointer

  /// Whether the press that opened the menu goes on.
  var isPressed: Bool { press != nil }

  /// The pointer is over a row of a menu, or over none.
  func pointer(over row: Int?, in view: MenuView, _ event: Event) {
    guard let level = level(of: view) else { return }
    // What led to this menu stays highlighted.
    for index in 0..<level { levels[index].view.change { $0.highlight(parentRow(of: index + 1)) } }
    if row != nil { press?.moved(by: event) }
    // The row whose submenu is open stays highlighted while the pointer is elsewhere.
    guard let row else {
      stopResting()
      if level == levels.count - 1 { view.change { $0.highlight(nil) } }
      return
    }
    view.change { $0.highlight(row) }
    if level < levels.count - 1, parentRow(of: level + 1) == row { return stopResting() }
    if rest?.view === view, rest?.row == row { return }
    stopResting()
    guard view.element(at: row) is Menu || level < levels.count - 1 else { return }
    let link = FrameLink(window: levels[level].window) { [weak self] in self?.rested($0.timestamp) }
    rest = (link, view, row, nil)
  }

  /// The row of the menu below whose submenu a level is.
  private func parentRow(of level: Int) -> Int? {
    guard levels.indices.contains(level) else { return nil }
    return levels[level].window.row
  }

  private func rested(_ now: Duration) {
    guard let rest, let since = rest.since else {
      rest?.since = now
      return
    }
    guard now - since >= Self.restTime else { return }
    stopResting()
    guard let level = level(of: rest.view) else { return }
    close(above: level)
    if rest.view.element(at: rest.row) is Menu { openSubmenu(rest.row, in: rest.view, byKey: false) }
  }

  private func stopResting() {
    rest?.link.invalidate()
    rest = nil
  }

  /// A button is released over a row of a menu, or over none.
  ///
  /// The press that opened the menu may end on a row where that lies under the pointer by chance.
  func released(over row: Int?, in view: MenuView) {
    if press.take()?.isDrag != false, let row { choose(row, in: view) }
  }

  /// A pointer event outside of the menus.
  fileprivate func heard(_ event: Event) {
    if opener?.menuHeard(event) == true { return }
    switch event.kind {
    case .button(let button) where button.isDown: end()
    case .button:
      // The press that opened the menu ends: dragged over items and out again it chooses none, else the menu stays.
      if press.take()?.isDrag == true { end() }
    case .touch(let touch) where touch.phase == .began: end()
    case .touch(let touch) where touch.phase == .ended || touch.phase == .cancelled:
      if press.take()?.isDrag == true { end() }
    case .touch: break
    case .key, .motion, .scroll, .remoteControl, .deviceMotion, .exposed, .resized: break
    }
  }
}

extension Event {
  /// The position on the desktop, in points; nil for events without one.
  @MainActor fileprivate var desktopPoint: Point? {
    guard let window, let pixels = kind.location else { return nil }
    return points(pixels) + window.frame.origin
  }
}

/// The window of a menu.
private final class MenuWindow: PopUpWindow {
  private let session: MenuSession
  /// The row of the menu below whose submenu it is.
  var row: Int?

  init(above owner: Window, kind: Kind, session: MenuSession) {
    self.session = session
    super.init(above: owner, kind: kind)
  }

  override func didDismiss() { session.dismissed(self) }

  override func eventOutside(_ event: Event) { session.heard(event) }
}
