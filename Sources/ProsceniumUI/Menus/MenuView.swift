import ProsceniumCore

/// The rows of one menu.
final class MenuView: View {
  @MainActor private struct Row {
    /// Nil for a separator.
    var element: MenuElement?
    var isEnabled = false
    var top = 0
    var height = 0
    let title: TextLayout
    let keys: TextLayout

    init(_ element: MenuElement?, _ displayScale: Double) {
      self.element = element
      (title, keys) = (TextLayout(displayScale: displayScale), TextLayout(displayScale: displayScale))
    }
  }

  private static let margin = 5
  private static let edge = 28
  private static let rowRoom = 10

  private(set) weak var session: MenuSession?
  private var rows: [Row] = []
  private(set) var navigation: MenuNavigation
  private let wish: Size
  /// The finger that began on the menu.
  private var finger: ScrollFinger?
  /// Scrolls while the pointer is at an edge, since the frame before.
  private var scrolling: (link: FrameLink, edge: MenuEdge, since: Duration?)?
  /// The numbers of the rows among those that are no separators, for assistive programs.
  private(set) lazy var itemNumbers: [Int: Int] = Dictionary(
    uniqueKeysWithValues: rows.indices.filter { rows[$0].element != nil }.enumerated().map { ($1, $0) })

  init(_ menu: Menu, start: Responder?, session: MenuSession, displayScale: Double) {
    self.session = session
    var (rows, y, width, keysWidth) = ([Row](), Self.margin, 80, 0)
    for element in menu.rows {
      var row = Row(element, displayScale)
      row.top = y
      row.height = 9
      if let element {
        row.isEnabled = (element as? MenuItem)?.validate(from: start) ?? ((element as? Menu)?.children.isEmpty == false)
        row.title.text = element.title
        row.title.maximumLines = 1
        let size = row.title.measured()
        row.height = size.height + Self.rowRoom
        width = max(width, size.width)
        if let keys = (element as? MenuItem)?.keyEquivalent?.keysTitle {
          row.keys.text = keys
          keysWidth = max(keysWidth, row.keys.measured().width + 24)
        }
      }
      y += row.height
      rows.append(row)
    }
    self.rows = rows
    wish = Size(width: min(width, 600) + keysWidth + 2 * Self.edge, height: y + Self.margin)
    navigation = MenuNavigation(
      rows.map { row in
        MenuNavigation.Row(
          title: row.element?.title ?? "", isEnabled: row.element != nil && row.isEnabled,
          opensMenu: row.element is Menu, mnemonic: row.element?.content.mnemonic)
      })
    super.init()
    clipsToBounds = true
  }

  override var intrinsicContentSize: Size { wish }

  /// Whether no submenu is open that belongs to it.
  var isInnermost: Bool { session?.innermost === self }

  func element(at index: Int) -> MenuElement? { rows.indices.contains(index) ? rows[index].element : nil }

  /// The place of a row in the view.
  func rect(of index: Int) -> Rect {
    guard rows.indices.contains(index) else { return bounds }
    return Rect(x: 0, y: rows[index].top, width: bounds.size.width, height: rows[index].height)
  }

  // MARK: Highlighting

  func change(_ body: (inout MenuNavigation) -> Void) {
    let old = navigation.highlighted
    body(&navigation)
    guard old != navigation.highlighted else { return }
    for index in [old, navigation.highlighted] { if let index { setNeedsDisplay(rect(of: index)) } }
    reveal()
  }

  /// Scrolls to the highlighted row.
  private func reveal() {
    guard let index = navigation.highlighted else { return }
    let room = isScrollable ? MenuEdge.height : Self.margin
    let (top, bottom) = (rows[index].top - room, rows[index].top + rows[index].height + room)
    if top < bounds.origin.y { scroll(to: top) }
    if bottom > bounds.origin.y + bounds.size.height { scroll(to: bottom - bounds.size.height) }
  }

  private func scroll(to y: Int) {
    bounds.origin.y = max(0, min(y, wish.height - bounds.size.height))
  }

  private var isScrollable: Bool { wish.height > bounds.size.height }

  /// The edges behind which there are more rows.
  private var edges: [MenuEdge] {
    MenuEdge.allCases.filter { $0.hasRows(behind: bounds, of: wish.height) }
  }

  private func index(at point: Point) -> Int? {
    guard bounds.contains(point), edge(at: point) == nil else { return nil }
    return rows.firstIndex { $0.top <= point.y && point.y < $0.top + $0.height }
  }

  private func edge(at point: Point) -> MenuEdge? { edges.first { $0.place(in: bounds).contains(point) } }

  /// Scrolls as long as the pointer is at an edge behind which there are more rows.
  private func scroll(atEdgeOf point: Point?) {
    guard let edge = point.flatMap(edge), let window else { return stopScrolling() }
    guard scrolling?.edge != edge else { return }
    stopScrolling()
    let link = FrameLink(window: window) { [weak self] in self?.scrollAtEdge($0.timestamp) }
    scrolling = (link, edge, nil)
  }

  /// Scrolls by 400 points in a second.
  private func scrollAtEdge(_ now: Duration) {
    guard let edge = scrolling?.edge else { return }
    // Not a page at once after a frame that was late.
    let time = min(now - (scrolling?.since ?? now), .milliseconds(100))
    scrolling?.since = now
    let step = Int((time / .milliseconds(1) * 0.4).rounded())
    scroll(to: bounds.origin.y + (edge == .top ? -step : step))
    if !edges.contains(edge) { stopScrolling() }
  }

  func stopScrolling() { scrolling.take()?.link.invalidate() }

  override func didMoveToWindow() { if window == nil { stopScrolling() } }

  // MARK: Input

  /// The pointer is at a place in the menu, or has left it where nil.
  private func point(at place: Point?, _ event: Event) {
    scroll(atEdgeOf: place)
    session?.pointer(over: place.flatMap(index), in: self, event)
  }

  private func follow(_ touch: Touch, _ event: Event) {
    if touch.phase == .began { finger = ScrollFinger(touch, event) }
    if isScrollable, finger?.identifier == touch.identifier, let step = finger?.move(touch, event, in: self) {
      scroll(to: bounds.origin.y + step.y)
    }
    let isScrolling = isScrollable && finger?.isScrolling == true
    let hasEnded = touch.phase == .ended || touch.phase == .cancelled
    if hasEnded { finger = nil }
    let place = isScrolling || touch.phase == .cancelled ? nil : event.location(in: self)
    point(at: place, event)
    guard hasEnded else { return }
    stopScrolling()
    if let place { session?.released(over: index(at: place), in: self) }
  }

  override var canBecomeFirstResponder: Bool { true }

  override func handle(_ event: Event) -> Bool {
    switch event.kind {
    case .key(let key): if key.isDown { session?.handle(key, in: self) }
    case .motion(let motion):
      // A menu that appears under the resting pointer is entered, and not pointed at before the pointer moves.
      guard motion.phase != .entered else { break }
      point(at: motion.phase == .exited ? nil : event.location(in: self), event)
    case .button(let button):
      let place = event.location(in: self)
      if button.isDown { point(at: place, event) } else { session?.released(over: place.flatMap(index), in: self) }
    case .touch(let touch): follow(touch, event)
    case .scroll(let turn):
      scroll(to: bounds.origin.y + Int((max(-1e4, min(turn.deltaY, 1e4)) * 30).rounded()))
      session?.pointer(over: event.location(in: self).flatMap(index), in: self, event)
    case .remoteControl, .deviceMotion, .exposed, .resized: return false
    }
    return true
  }

  override var texts: [TextLayout] { rows.flatMap { [$0.title, $0.keys] } }

  // MARK: Drawing

  override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    context.fill(bounds, with: theme.controlBackground)
    for (index, row) in rows.enumerated() where self.rect(of: index).intersects(rect) {
      draw(row, self.rect(of: index), isHighlighted: navigation.highlighted == index, context, theme)
    }
    for edge in edges { edge.draw(in: bounds, context, theme) }
    context.stroke(bounds, cornerRadius: 0, with: theme.separator)
  }

  private func draw(_ row: Row, _ place: Rect, isHighlighted: Bool, _ context: DrawingContext, _ theme: Theme) {
    guard let element = row.element else {
      let line = Rect(x: 8, y: place.origin.y + place.size.height / 2, width: max(0, place.size.width - 16), height: 1)
      return context.fill(line, with: theme.separator)
    }
    if isHighlighted {
      context.fill(place.inset(x: Self.margin, y: 0), cornerRadius: 4, with: theme.accentBackground)
    }
    let item = element as? MenuItem
    let own = item?.attributes.contains(.destructive) == true ? theme.destructive : theme.label
    let color = isHighlighted ? theme.accentLabel : own
    let alpha = theme.opacity(isEnabled: row.isEnabled)
    let y = place.origin.y + (place.size.height - row.title.size.height) / 2
    let keysWidth = row.keys.text.isEmpty ? 0 : row.keys.measured().width
    let right = place.size.width - Self.edge / 2
    row.title.width = max(0, right - Self.edge - keysWidth)
    context.draw(
      row.title, underlining: element.content.letter ?? 0..<0, at: Point(x: Self.edge, y: y), color: color, alpha: alpha
    )
    if keysWidth > 0 {
      // What is disabled is faint enough.
      let faint = isHighlighted || !row.isEnabled ? color : theme.secondaryLabel
      context.draw(row.keys, at: Point(x: right - keysWidth, y: y), color: faint, alpha: alpha)
    }
    let middle = Double(place.origin.y) + Double(place.size.height) / 2
    if let image = element.image, item?.state ?? .off == .off {
      context.draw(image, in: Rect(x: 7, y: Int(middle) - 8, width: 16, height: 16), alpha: alpha)
    }
    if let mark = Self.mark(of: element, middle, right: Double(place.size.width)) {
      context.stroke(mark, with: color, alpha: alpha, lineWidth: 1.8)
    }
  }

  /// The check mark or the dash of an item, or the arrow of a submenu.
  private static func mark(of element: MenuElement, _ y: Double, right: Double) -> Path? {
    var path = Path()
    if element is Menu {
      // It ends where the texts of keys do.
      let end = right - Double(edge) / 2 - 2
      path.move(toX: end - 4, y: y - 4)
      path.line(toX: end, y: y)
      path.line(toX: end - 4, y: y + 4)
      return path
    }
    switch (element as? MenuItem)?.state {
    case .on:
      path.move(toX: 10, y: y)
      path.line(toX: 13.5, y: y + 3.5)
      path.line(toX: 19, y: y - 4)
    case .mixed:
      path.move(toX: 10, y: y)
      path.line(toX: 19, y: y)
    case .off, nil: return nil
    }
    return path
  }
}

/// An edge of a menu behind which there may be more rows.
private enum MenuEdge: CaseIterable {
  case top, bottom

  /// The height of the arrow, in points.
  static let height = 20

  func hasRows(behind bounds: Rect, of whole: Int) -> Bool {
    self == .top ? bounds.origin.y > 0 : bounds.origin.y + bounds.size.height < whole
  }

  /// The place of the arrow.
  func place(in bounds: Rect) -> Rect {
    let y = self == .top ? 0 : bounds.size.height - Self.height
    return Rect(
      x: bounds.origin.x, y: bounds.origin.y + y, width: bounds.size.width, height: Self.height)
  }

  @MainActor func draw(in bounds: Rect, _ context: DrawingContext, _ theme: Theme) {
    let place = place(in: bounds)
    context.fill(place, with: theme.controlBackground)
    let (x, y) = (
      Double(place.origin.x) + Double(place.size.width) / 2, Double(place.origin.y) + Double(place.size.height) / 2
    )
    let tip = self == .top ? -2.0 : 2.0
    var arrow = Path()
    arrow.move(toX: x - 4, y: y - tip)
    arrow.line(toX: x, y: y + tip)
    arrow.line(toX: x + 4, y: y - tip)
    context.stroke(arrow, with: theme.label, lineWidth: 1.8)
  }
}
