import ProsceniumCore

/// The tooltip of a window: shown when the pointer rests on a view that has one, until it leaves the view or the user
/// does something else.
@MainActor final class ToolTips {
  /// How long the pointer rests before.
  private static let restTime = Duration.milliseconds(600)

  private weak var view: View?
  private var window: PopUpWindow?
  /// The frames that are counted while the pointer rests, and the first of them.
  private var link: FrameLink?
  private var since: Duration?
  private var place = Point.zero

  /// The pointer has moved.
  /// - Parameters:
  ///   - view: The innermost view under it; nil for none.
  ///   - place: Where it is in the window, in points.
  func moved(over view: View?, at place: Point) {
    let view = view?.selfAndSuperviews.first { $0.toolTip?.isEmpty == false }
    if let view, view === self.view, window?.isPresented == true { return }
    guard let view, let owner = view.window else { return end() }
    if view !== self.view { end() }
    (self.view, self.place, since) = (view, place, nil)
    guard link == nil else { return }
    let link = FrameLink(window: owner) { [weak self] in self?.rested($0.timestamp) }
    link.preferredFramesPerSecond = 10
    self.link = link
  }

  private func rested(_ now: Duration) {
    guard let since else {
      since = now
      return
    }
    guard now - since >= Self.restTime else { return }
    stopResting()
    guard let view, let owner = view.window, owner.windowScene?.activationState == .foregroundActive,
      let text = view.toolTip, !text.isEmpty
    else { return }
    let label = ToolTipView(text, displayScale: owner.scale)
    label.overrideAppearance = view.effectiveAppearance
    let window = PopUpWindow(above: owner, kind: .toolTip)
    window.title = text
    window.rootView = label
    // Below the pointer.
    let anchor = Rect(x: place.x, y: place.y - 4, width: 1, height: 24)
      .offset(x: owner.frame.origin.x, y: owner.frame.origin.y)
    let frame = MenuPlacement.below.frame(
      of: label.intrinsicContentSize, at: anchor, in: MenuSession.area(around: anchor, of: owner))
    if window.present(at: frame) { self.window = window }
  }

  private func stopResting() {
    link?.invalidate()
    (link, since) = (nil, nil)
  }

  /// Hides the tooltip of a view that is gone, with all that is in it, or has another text.
  func end(of gone: View) { if view?.isDescendant(of: gone) == true { end() } }

  /// Hides the tooltip, and shows none before the pointer moves again.
  func end() {
    stopResting()
    view = nil
    window.take()?.dismiss()
  }
}

/// The text of a tooltip.
private final class ToolTipView: View {
  private static let room = Size(width: 8, height: 5)
  private let layout: TextLayout

  init(_ text: String, displayScale: Double) {
    layout = TextLayout(displayScale: displayScale)
    layout.text = String(text.prefix(1000))
    super.init()
    let natural = layout.measured()
    layout.width = min(natural.width, 400)
  }

  override var intrinsicContentSize: Size {
    Size(width: layout.size.width + 2 * Self.room.width, height: layout.size.height + 2 * Self.room.height)
  }

  override var texts: [TextLayout] { [layout] }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    context.fill(bounds, with: theme.controlBackground)
    context.stroke(bounds, cornerRadius: 0, with: theme.separator)
    context.draw(layout, at: Point(x: Self.room.width, y: Self.room.height), color: theme.label)
  }
}
