import ProsceniumCore

/// A press of the pointer, or a touch, on a list.
struct ListDrag {
  enum Kind: Hashable, Sendable {
    case none
    /// The pointer has not moved away; `selects` where the release selects the item.
    case pressed(item: Int, selects: Bool)
    /// A rectangle selects what is in it.
    case band
    /// The pressed item is moved.
    case moving
    /// A finger is on an item, which its release selects; nil for none.
    case tapped(item: Int?)
    /// A finger scrolls.
    case scrolling
  }
  var kind = Kind.none
  /// Where the press began, in the list's own points.
  var start = Point.zero
  /// Where the pointer is, in points from the upper left of the visible part.
  var point = Point.zero
  /// The cell that was pressed; it is kept while the list scrolls.
  var cell: ListCell?
  var item: Int?
  /// The selection before the press.
  var before = ListSelection()
  var band = ListBand()
  var finger: ScrollFinger?
  var clicks = ClickCount()
  /// Draws the rectangle, or the place that the item is moved to.
  var overlay: View?
  /// Scrolls while the pointer is outside of the list.
  var link: FrameLink?
}

/// What a rectangle does with the items in it.
struct ListBand {
  /// What is selected whatever is in the rectangle.
  var base = RangeSet<Int>()
  /// Whether the rectangle deselects, because the press with which it began did.
  var deselects = false

  /// What is selected with items in the rectangle.
  func selection(with items: [Range<Int>]) -> RangeSet<Int> {
    let items = RangeSet(items)
    return deselects ? base.without(items) : base.union(items)
  }
}

/// Presses, drags and touches on a list.
@MainActor final class ListPointer {
  private unowned let core: ListCore
  private(set) var drag = ListDrag()
  /// Whether one press opens an item; else two do.
  var activatesOnClick = false
  /// Whether the delegate is told of an item that the user chooses although it is selected, as in UIKit.
  var tellsOfSelected = true

  init(of core: ListCore) { self.core = core }

  private var host: ListView { core.host }
  private var layout: any ListLayout { core.layout }
  private var sections: ListSections { core.sections }
  private var selection: ListSelection { core.selection }
  private var mode: ListSelection.Mode { core.mode }

  /// Ends what a change of the items makes meaningless: all but a finger's scrolling.
  func listChanges() { if drag.kind != .scrolling { stopDragging() } }

  /// Whether a cell is pressed.
  func holds(_ cell: ListCell) -> Bool { drag.kind != .none && drag.cell === cell }

  /// Handles a press or a touch.
  /// - Returns: Whether the list uses the event.
  func handle(_ event: Event) -> Bool {
    guard let point = event.location(in: host) else { return false }
    switch event.kind {
    case .button(let button) where button.number == 1:
      if button.isDown { press(point, button.modifiers, event.timestamp) } else { release(point) }
      return true
    case .motion(let motion):
      guard drag.kind != .none, drag.finger == nil, motion.phase == .moved else { return false }
      drag(to: point)
      return true
    case .touch(let touch): return handle(touch, event, at: point)
    case .button, .key, .scroll, .remoteControl, .deviceMotion, .exposed, .resized: return false
    }
  }

  /// The item at a point, where no header is in front of it.
  private func item(at point: Point) -> Int? {
    let isCovered = layout.supplements(in: host.bounds).values.contains { $0.contains(point) }
    return isCovered ? nil : layout.item(at: point)
  }

  private func press(_ point: Point, _ modifiers: ModifierFlags, _ time: Duration) {
    stopDragging()
    host.becomeFirstResponder()
    let item = item(at: point)
    let clicks = drag.clicks.press(at: point - host.bounds.origin, time, most: 2)
    drag.start = point
    drag.point = point - host.bounds.origin
    drag.before = selection
    drag.band = ListBand()
    drag.item = item
    drag.cell = item.flatMap(core.cell)
    var new = selection
    let (extends, adds) = (modifiers.contains(.shift), modifiers.contains(.control))
    guard let item else {
      drag.kind = mode == .multiple ? .band : .none
      if mode == .multiple, !extends, !adds { new.items = RangeSet() }
      drag.band.base = new.items
      return core.userSelects(new)
    }
    if clicks == 2, !extends, !adds, !activatesOnClick {
      if mode == .none || selection.items.contains(item) { host.performPrimaryAction(at: sections.path(of: item)) }
      return
    }
    drag.kind = .pressed(item: item, selects: false)
    guard mode != .none else { return }
    let wasSelected = selection.items.contains(item)
    if extends, mode == .multiple {
      new.extend(to: item, adds: adds)
    } else if adds {
      if mode == .single, !wasSelected { new.items = RangeSet() }
      new.toggle(item)
    } else if wasSelected {
      // Several selected items may be dragged.
      drag.kind = .pressed(item: item, selects: true)
      return
    } else {
      new.selectOnly(item)
    }
    core.userSelects(new)
    // A pointer that is not still may make any click a small rectangle.
    guard extends || adds else { return }
    drag.band = ListBand(base: selection.items, deselects: !extends && wasSelected)
  }

  private func drag(to point: Point) {
    drag.point = point - host.bounds.origin
    if case .pressed(let item, _) = drag.kind {
      guard abs(point.x - drag.start.x) > 4 || abs(point.y - drag.start.y) > 4 else { return }
      let canMove = item < sections.itemCount && host.canMove(sections.path(of: item))
      // The data source may have changed the list.
      guard case .pressed = drag.kind else { return }
      if canMove {
        drag.kind = .moving
      } else if mode == .multiple {
        drag.kind = .band
      } else {
        return
      }
    }
    followPointer()
    scrollIfOutside()
  }

  /// Shows what the place of the pointer means, which changes by scrolling too.
  private func followPointer() {
    let point = drag.point + host.bounds.origin
    switch drag.kind {
    case .band:
      let band = Rect(
        x: min(point.x, drag.start.x), y: min(point.y, drag.start.y), width: abs(point.x - drag.start.x) + 1,
        height: abs(point.y - drag.start.y) + 1)
      var new = selection
      new.items = drag.band.selection(with: layout.items(in: band))
      if let item = layout.item(at: point) { new.lead = item }
      showOverlay(band, alpha: 0.2)
      core.userSelects(new)
    case .moving:
      showOverlay(layout.mark(of: layout.place(at: point)), alpha: 1)
    case .none, .pressed, .tapped, .scrolling: break
    }
  }

  private func showOverlay(_ frame: Rect, alpha: Double) {
    let overlay = drag.overlay ?? View()
    overlay.isUserInteractionEnabled = false
    overlay.backgroundColor = host.theme.accent
    overlay.alpha = alpha
    // No larger than what can be seen.
    let visible = host.bounds
    overlay.frame = frame.intersection(visible) ?? Rect(visible.origin, Size(width: 0, height: 0))
    drag.overlay = overlay
    if overlay.superview !== host { host.addSubview(overlay) }
  }

  private func release(_ point: Point) {
    let drag = drag
    stopDragging()
    switch drag.kind {
    case .band: if selection.items != drag.before.items { core.copying.publish() }
    case .pressed(let item, let selects) where item < sections.itemCount:
      var new = selection
      if selects { new.selectOnly(item) }
      let isInside = layout.item(at: point) == item
      open(item, selecting: new, isChosen: selects && isInside, if: isInside)
    case .moving:
      guard let item = drag.item, item < sections.itemCount, sections.count > 0 else { return }
      let place = layout.place(at: point)
      move(item, to: place)
    case .none, .pressed, .tapped, .scrolling: break
    }
  }

  /// Moves an item to a place between others.
  private func move(_ item: Int, to place: (section: Int, item: Int)) {
    let from = sections.path(of: item)
    var to = place
    // The item leaves a gap before the places behind it.
    if to.section == from.section, to.item > from.item { to.item -= 1 }
    guard to.section != from.section || to.item != from.item else { return }
    core.move(from, to: .init(item: to.item, section: to.section))
  }

  /// Selects, and opens an item where one press does so.
  /// - Parameters:
  ///   - item: The item.
  ///   - new: The selection.
  ///   - isChosen: Whether the user has just chosen the item, be it selected or not.
  ///   - isInside: Whether the press has ended on the item.
  private func open(_ item: Int, selecting new: ListSelection, isChosen: Bool, if isInside: Bool) {
    let generation = core.generation
    core.userSelects(new, choosing: isChosen && tellsOfSelected ? item : nil)
    guard activatesOnClick, isInside, generation == core.generation else { return }
    host.open(item)
  }

  /// Ends a press without its effect.
  func cancelPress() {
    let drag = drag
    stopDragging()
    if drag.kind == .band { core.userSelects(drag.before) }
  }

  func stopDragging() {
    drag.kind = .none
    drag.finger = nil
    drag.cell = nil
    drag.link?.invalidate()
    drag.link = nil
    drag.overlay?.removeFromSuperview()
    drag.overlay = nil
    host.setNeedsLayout()
  }

  // MARK: Scrolling

  private func scrollIfOutside() {
    guard [.band, .moving].contains(drag.kind), distanceOutside != 0 else {
      drag.link?.invalidate()
      drag.link = nil
      return
    }
    guard drag.link == nil, let window = host.window else { return }
    drag.link = FrameLink(window: window) { [weak self] _ in self?.scrollWhileDragging() }
  }

  /// How far the pointer is above the list (negative) or below it.
  private var distanceOutside: Int {
    min(0, drag.point.y) + max(0, drag.point.y - host.bounds.size.height + 1)
  }

  private func scrollWhileDragging() {
    let distance = distanceOutside
    // The speed grows with the distance, up to a limit.
    let step = min(max(distance / 4 + distance.signum(), -60), 60)
    let offset = host.contentOffset
    host.contentOffset = Point(x: offset.x, y: offset.y + step)
    if host.contentOffset != offset { followPointer() }
  }

  // MARK: Touch

  /// Follows a finger that began on a control in a cell.
  /// - Returns: Whether the finger is followed; not during another press.
  func take(_ finger: ScrollFinger) -> Bool {
    guard drag.kind == .none else { return false }
    (drag.kind, drag.finger) = (.scrolling, finger)
    return true
  }

  private func handle(_ touch: Touch, _ event: Event, at point: Point) -> Bool {
    switch touch.phase {
    case .began:
      // A second finger is for nothing else either.
      guard drag.kind == .none else { return true }
      drag.kind = .tapped(item: item(at: point))
      drag.finger = ScrollFinger(touch, event)
      drag.cell = item(at: point).flatMap(core.cell)
    case .moved:
      guard drag.finger?.identifier == touch.identifier, let step = drag.finger?.move(touch, event, in: host) else {
        return false
      }
      if drag.finger?.isScrolling == true { drag.kind = .scrolling }
      ScrollFinger.scroll(host, by: step)
    case .ended, .cancelled:
      guard drag.finger?.identifier == touch.identifier else { return false }
      let kind = drag.kind
      stopDragging()
      guard touch.phase == .ended, case .tapped(let item?) = kind else { return true }
      let generation = core.generation
      host.becomeFirstResponder()
      guard generation == core.generation, item < sections.itemCount else { return true }
      var new = selection
      if mode != .none { new.selectOnly(item) }
      open(item, selecting: new, isChosen: mode != .none, if: true)
    }
    return true
  }
}
