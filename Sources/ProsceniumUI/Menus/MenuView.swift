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
    let room = Self.margin
    let (top, bottom) = (rows[index].top - room, rows[index].top + rows[index].height + room)
    if top < bounds.origin.y { scroll(to: top) }
    if bottom > bounds.origin.y + bounds.size.height { scroll(to: bottom - bounds.size.height) }
  }

  private func scroll(to y: Int) {
    bounds.origin.y = max(0, min(y, wish.height - bounds.size.height))
  }

  private func index(at point: Point) -> Int? {
    guard bounds.contains(point) else { return nil }
    return rows.firstIndex { $0.top <= point.y && point.y < $0.top + $0.height }
  }

  // MARK: Input

  override var canBecomeFirstResponder: Bool { true }

  override func handle(_ event: Event) -> Bool {
    switch event.kind {
    case .key(let key): if key.isDown { session?.handle(key, in: self) }
    case .motion(let motion):
      let place = motion.phase == .exited ? nil : event.location(in: self)
      session?.pointer(over: place.flatMap(index), in: self)
    case .button(let button):
      let row = event.location(in: self).flatMap(index)
      if button.isDown { session?.pointer(over: row, in: self) } else { session?.released(over: row, in: self) }
    case .touch(let touch):
      let row = event.location(in: self).flatMap(index)
      session?.pointer(over: row, in: self)
      if touch.phase == .ended { session?.released(over: row, in: self) }
    case .scroll(let turn): scroll(to: bounds.origin.y + Int((max(-1e4, min(turn.deltaY, 1e4)) * 30).rounded()))
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
