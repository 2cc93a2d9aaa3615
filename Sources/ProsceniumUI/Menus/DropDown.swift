import ProsceniumCore

/// The menu that a control opens below itself, by a press or a key.
@MainActor final class DropDown: MenuSession.Opener {
  private weak var control: Control?
  private var session: MenuSession?

  init(of control: Control) { self.control = control }

  var isOpen: Bool { session != nil }

  /// Opens a menu.
  /// - Parameters:
  ///   - menu: The menu.
  ///   - press: The event of the press that opens it, and may end on an item; nil for a key.
  ///   - selected: The row that is highlighted; none, or the first one by key, where nil.
  func open(_ menu: Menu, press: Event?, selected: Int? = nil) {
    guard let control else { return }
    session = MenuSession.open(
      menu, for: control, at: control.bounds, kind: .dropDownMenu, from: control, opener: self,
      byKey: press == nil, press: press, selected: selected)
    control.setNeedsDisplay()
  }

  func end() { session?.end() }

  func menuHeard(_ event: Event) -> Bool { false }
  func menuLeft(forward: Bool) {}
  func menuEnded(_ session: MenuSession) {
    guard session === self.session else { return }
    self.session = nil
    control?.setNeedsDisplay()
  }

  /// Draws the arrow of a control that opens a menu, at its right end.
  static func drawArrow(in bounds: Rect, _ context: DrawingContext, color: Color, alpha: Double) {
    let (x, y) = (Double(bounds.origin.x + bounds.size.width) - 16, Double(bounds.origin.y + bounds.size.height / 2))
    var arrow = Path()
    arrow.move(toX: x - 4, y: y - 2)
    arrow.line(toX: x, y: y + 2)
    arrow.line(toX: x + 4, y: y - 2)
    context.stroke(arrow, with: color, alpha: alpha, lineWidth: 1.8)
  }
}
