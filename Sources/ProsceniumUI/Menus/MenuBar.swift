public import ProsceniumCore

/// A row of menus, at the top of a window; more than one row where the window is narrow (``View/sizeThatFits(_:)``).
///
/// A press on a title opens its menu; while one is open, the others open under the pointer and by the arrows. F10 opens
/// the first menu, and Alt with the underlined letter of a title its menu: its mnemonic
/// (``MenuElement/titleWithMnemonic``), else its first letter that no other title has. A menu without items does not
/// open: F10, the arrows and the pointer go past it. The key equivalents of all items are performed while no menu is
/// open, unless a responder of the window uses the key. Actions of items begin at the window's first responder; where
/// there is none, at the innermost controller that is shown, else at the root view.
open class MenuBar: View, MenuSession.Opener {
  private var titles: [TextLayout] = []
  /// The titles with the letters that open their menus.
  private var marked: [MarkedText] = []
  private(set) var session: MenuSession?
  #if !WITHOUT_PanelMenus
    let panelNumbers = PanelMenuNumbers()
    /// Whether a panel shows the bar, in place of the window.
    var isWithPanel = false {
      didSet {
        super.isHidden = isHiddenByProgram || isWithPanel
        invalidateIntrinsicContentSize()
      }
    }
  #endif
  /// The menu that is open.
  private(set) var open: Int? { didSet { if oldValue != open { setNeedsDisplay() } } }
  private static let room = Size(width: 10, height: 6)

  /// Creates a menu bar.
  /// - Parameter menus: The menus, from left to right.
  public init(_ menus: [Menu] = []) {
    self.menus = menus
    super.init()
    makeTitles()
  }

  /// The menus, from left to right.
  open var menus: [Menu] {
    didSet {
      session?.end()
      makeTitles()
      invalidateIntrinsicContentSize()
      updatePanel()
    }
  }

  private var isHiddenByProgram = false

  /// Whether the bar is hidden: by the program, or because a panel of the desktop shows it (`PanelMenu`).
  ///
  /// The key equivalents of a bar in a panel are performed, and its mnemonics have the panel open its menus.
  open override var isHidden: Bool {
    get { super.isHidden }
    set {
      isHiddenByProgram = newValue
      #if WITHOUT_PanelMenus
        super.isHidden = newValue
      #else
        super.isHidden = newValue || isWithPanel
      #endif
    }
  }

  /// Whether the window has the bar, wherever it is shown.
  var isInUse: Bool { !isHiddenByProgram && tree?.menuBar === self }

  private func updatePanel() {
    #if !WITHOUT_PanelMenus
      window?.setNeedsPanelMenuUpdate()
    #endif
  }

  private func makeTitles() {
    marked = Self.mnemonics(of: menus.map(\.content))
    titles = menus.map { menu in
      let layout = TextLayout(in: self)
      layout.text = menu.title
      layout.maximumLines = 1
      return layout
    }
  }

  /// The size of the titles in one row; none while a panel shows the bar.
  open override var intrinsicContentSize: Size {
    #if !WITHOUT_PanelMenus
      if isWithPanel { return Size(width: 0, height: 0) }
    #endif
    return Size(width: widths.reduce(0, +), height: rowHeight)
  }

  open override func sizeThatFits(_ size: Size) -> Size {
    var fitting = intrinsicContentSize
    if fitting.width > size.width, let last = places(in: size.width).last {
      fitting = Size(width: max(0, size.width), height: last.origin.y + last.size.height)
    }
    return wished(over: fitting)
  }

  private var rowHeight: Int { (titles.map { $0.size.height }.max() ?? 17) + 2 * Self.room.height }

  private var widths: [Int] { titles.map { $0.size.width + 2 * Self.room.width } }

  /// The places of the titles: a title that has no room in a row begins the next one.
  private func places(in room: Int) -> [Rect] {
    var corner = Point.zero
    return widths.map { width in
      if corner.x > 0, corner.x + width > room { corner = Point(x: 0, y: corner.y + rowHeight) }
      defer { corner.x += width }
      return Rect(corner, Size(width: max(0, min(width, room)), height: rowHeight))
    }
  }

  /// The place of a title.
  func rect(of index: Int) -> Rect {
    let places = places(in: bounds.size.width)
    guard places.indices.contains(index) else { return Rect(.zero, Size(width: 0, height: 0)) }
    var place = places[index]
    // A single row is as high as the bar.
    if places.last?.origin.y == 0 { place.size.height = bounds.size.height }
    return place
  }

  private func index(at point: Point) -> Int? { menus.indices.first { rect(of: $0).contains(point) } }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    session?.end()
    tree?.menuBar = self
    updatePanel()
  }

  // MARK: Input

  open override func handle(_ event: Event) -> Bool {
    guard let point = event.location(in: self), event.isPress else { return false }
    if let index = index(at: point) { openMenu(index, press: event) }
    return true
  }

  /// The responder at which the actions of items begin.
  var actionStart: Responder? {
    guard let start = tree?.keyResponder, let superview else { return tree?.keyResponder }
    // On the way from the bar to it there may be views that perform actions, too.
    return sequence(first: superview as Responder, next: \.next).contains { $0 === start } ? superview : start
  }

  func openMenu(_ index: Int, byKey: Bool = false, press: Event? = nil) {
    guard menus.indices.contains(index) else { return }
    #if !WITHOUT_PanelMenus
      if openInPanel(index) { return }
    #endif
    let opened = MenuSession.open(
      menus[index], for: self, at: rect(of: index), kind: .dropDownMenu, from: actionStart, opener: self, byKey: byKey,
      press: press)
    (session, open) = (opened, opened == nil ? nil : index)
  }

  /// Opens a menu for F10 or for Alt and its letter, or performs the item with a key equivalent.
  func performKey(_ key: Key) -> Bool {
    guard key.isDown, isInUse else { return false }
    let held = key.modifiers.intersection([.shift, .control, .alternate, .command])
    if held == .alternate, let index = title(for: key.characters.folded) ?? title(for: key.latinCharacter) {
      openMenu(index, byKey: true)
      return true
    }
    if held.isEmpty, key.symbol == KeySymbol.function(10), !menus.isEmpty {
      if let first = menus.firstIndex(where: hasRows) { openMenu(first, byKey: true) }
      return true
    }
    for item in menus.flatMap(\.items) where item.keyEquivalent?.matches(key) == true {
      guard item.validate(from: actionStart) else { continue }
      item.perform(from: actionStart)
      return true
    }
    return false
  }

  /// The title that a letter opens with Alt.
  private func title(for letter: String) -> Int? {
    letter.isEmpty ? nil : marked.firstIndex { $0.mnemonic == letter }
  }

  /// The titles with the letter of each that opens its menu with Alt: the one that is marked, else the first one, that
  /// no other title has.
  static func mnemonics(of titles: [MarkedText]) -> [MarkedText] {
    var taken: Set<String> = []
    let own = titles.map { title in
      title.mnemonic.map { taken.insert($0).inserted } == true ? title : MarkedText(plain: title.text)
    }
    return own.map { title in
      guard title.mnemonic == nil else { return title }
      return title.marking { ($0.isLetter || $0.isNumber) && taken.insert(String($0).folded).inserted }
    }
  }

  // MARK: The open menu

  func menuHeard(_ event: Event) -> Bool {
    guard event.window === window, let point = event.location(in: self), let index = index(at: point) else {
      return false
    }
    switch event.kind {
    case .motion:
      guard index != open, hasRows(menus[index]) else { break }
      openMenu(index, press: session?.isPressed == true ? event : nil)
    // A press on the title closes its menu, the release of the one that opened it does not.
    case .button(let button) where button.isDown: session?.end()
    case .button: return false
    case .touch(let touch) where touch.phase == .began: session?.end()
    case .touch: return false
    case .key, .scroll, .remoteControl, .deviceMotion, .exposed, .resized: return false
    }
    return true
  }

  func menuLeft(forward: Bool) {
    guard let open else { return }
    let others = menus.indices.dropLast().map { (open + (forward ? $0 + 1 : menus.count - 1 - $0)) % menus.count }
    if let next = others.first(where: { hasRows(menus[$0]) }) { openMenu(next, byKey: true) }
  }

  /// Whether a menu opens.
  private func hasRows(_ menu: Menu) -> Bool { !menu.rows.isEmpty }

  func menuEnded(_ session: MenuSession) {
    guard session === self.session else { return }
    (self.session, open) = (nil, nil)
  }

  // MARK: Drawing

  override var texts: [TextLayout] { titles }

  open override func hoverDidChange() { setNeedsDisplay() }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    for (index, title) in titles.enumerated() {
      let place = self.rect(of: index)
      if open == index { context.fill(place.inset(x: 1, y: 1), cornerRadius: 4, with: theme.accentBackground) }
      let color = open == index ? theme.accentLabel : theme.label
      let corner = Point(
        x: place.origin.x + Self.room.width,
        y: place.origin.y + (place.size.height - title.size.height) / 2)
      context.draw(title, underlining: marked[index].letter ?? 0..<0, at: corner, color: color)
    }
  }
}

extension Event {
  /// Whether the first button or a finger goes down.
  var isPress: Bool {
    switch kind {
    case .button(let button): button.isDown && button.number == 1
    case .touch(let touch): touch.phase == .began
    case .key, .motion, .scroll, .remoteControl, .deviceMotion, .exposed, .resized: false
    }
  }
}
