import ProsceniumCore

/// A press of the pointer, or a touch, on a list.
struct ListDrag {
  enum Kind: Hashable, Sendable {
    case none
    /// The pointer has not moved away; `selects` where the release selects the item.
    case pressed(selects: Bool)
    /// A rectangle selects what is in it.
    case band
    /// The pressed item is moved.
    case moving
    /// A finger is on an item, which its release selects, or on none.
    case tapped
    /// A finger scrolls.
    case scrolling
  }
  var kind = Kind.none
  /// Where the press began, and where the pointer is, in points from the upper left of the visible part.
  var start = Point.zero
  var point = Point.zero
  /// The item that was pressed, whose cell is kept while the list scrolls; nil for none.
  var item: Int?
  /// Whether the items have changed since, which may have moved the pressed one from under a pointer that is still.
  var hasChanged = false
  /// Where a rectangle began.
  var corner = ListCorner()
  /// The selection before the press.
  var before = ListSelection()
  var band = ListBand()
  var finger: ScrollFinger?
  var clicks = ClickCount()
  /// Draws the rectangle, or the place that the item is moved to.
  var overlay: View?
  /// Scrolls while the pointer is outside of the list.
  var link: FrameLink?

  /// Whether the pointer is somewhere else than at the press.
  var isMoved: Bool { abs(point.x - start.x) > 4 || abs(point.y - start.y) > 4 }
}

/// A corner of a rectangle, which stays with an item while others come and go.
struct ListCorner {
  /// The item; nil in a list without any.
  private(set) var item: Int?
  /// The corner, from that of the item's place, else in the list's own points.
  private var distance = Point.zero

  init() {}

  /// - Parameters:
  ///   - point: The corner in the list's own points.
  ///   - sections: The items.
  ///   - layout: Where they are.
  init(at point: Point, _ sections: ListSections, _ layout: any ListLayout) {
    distance = point
    guard sections.itemCount > 0 else { return }
    let place = layout.place(at: point)
    let near = min(sections.items(in: place.section).lowerBound + place.item, sections.itemCount - 1)
    let item = layout.item(at: point) ?? near
    (self.item, distance) = (item, point - layout.frame(of: item).origin)
  }

  func point(in layout: any ListLayout) -> Point { (item.map { layout.frame(of: $0).origin } ?? .zero) + distance }

  /// Follows a change of the items.
  /// - Returns: Whether the item is left.
  mutating func follow(_ change: (Int) -> Int?) -> Bool {
    guard let old = item else { return true }
    item = change(old)
    return item != nil
  }
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
  /// Whether it follows the pointer already: the delegate, which is told of that, may scroll.
  private var isFollowing = false

  init(of core: ListCore) { self.core = core }

  private var host: ListView { core.host }
  private var layout: any ListLayout { core.layout }
  private var sections: ListSections { core.sections }
  private var selection: ListSelection { core.selection }
  private var mode: ListSelection.Mode { core.mode }

  /// Whether the user draws a rectangle or moves an item, beneath which what is in sight is to stay.
  var isDragging: Bool { drag.kind == .band || drag.kind == .moving }

  /// Follows a change of the items.
  ///
  /// A press ends where its item is gone, or gets another cell, but for a finger that scrolls.
  /// - Parameters:
  ///   - change: What becomes of each item; nil where nobody knows that.
  ///   - reloaded: The new numbers of the items whose cells are made anew.
  ///   - count: The number of items before.
  func listChanges(_ change: ListChange? = nil, _ reloaded: RangeSet<Int> = .init(), of count: Int = 0) {
    guard drag.kind != .none else { return }
    // The data source may have fewer items than it has said.
    let rest = sections.itemCount
    func now(_ item: Int) -> Int? { change?.item(item).flatMap { $0 < rest ? $0 : nil } }
    let old = drag.item
    drag.item = old.flatMap(now).flatMap { reloaded.contains($0) ? nil : $0 }
    drag.hasChanged = true
    if drag.kind == .scrolling { return }
    let isGone = old != nil && drag.item == nil
    // A rectangle from an empty place has begun near an item that is not pressed.
    func near(_ item: Int) -> Int? { change?.nearest(item, count).flatMap { $0 < rest ? $0 : nil } }
    let hasCorner = drag.corner.follow { old == nil ? near($0) : now($0) }
    guard let change, !isGone, hasCorner || drag.kind != .band else { return stopDragging() }
    drag.before = drag.before.mapped(by: change, of: count)
    drag.before.limit(to: mode, of: rest)
    drag.band.base = change.items(drag.band.base).intersection(RangeSet(0..<rest))
  }

  /// Whether an item is pressed.
  func holds(_ item: Int) -> Bool { drag.kind != .none && drag.item == item }

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
    drag.start = point - host.bounds.origin
    drag.point = drag.start
    drag.before = selection
    drag.band = ListBand()
    drag.item = item
    drag.hasChanged = false
    let layout = layout
    drag.corner = ListCorner(at: point, sections, layout)
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
    drag.kind = .pressed(selects: false)
    guard mode != .none else { return }
    let wasSelected = selection.items.contains(item)
    if extends, mode == .multiple {
      new.extend(to: item, adds: adds)
    } else if adds {
      if mode == .single, !wasSelected { new.items = RangeSet() }
      new.toggle(item)
    } else if wasSelected {
      // Several selected items may be dragged.
      drag.kind = .pressed(selects: true)
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
    if case .pressed = drag.kind {
      guard drag.isMoved, let item = drag.item else { return }
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
  func followPointer() {
    guard isDragging, !isFollowing else { return }
    isFollowing = true
    defer { isFollowing = false }
    let point = drag.point + host.bounds.origin
    switch drag.kind {
    case .band:
      let layout = layout
      // The data source may have changed the list.
      guard drag.kind == .band else { return }
      let corner = drag.corner.point(in: layout)
      let band = Rect(
        x: min(point.x, corner.x), y: min(point.y, corner.y), width: abs(point.x - corner.x) + 1,
        height: abs(point.y - corner.y) + 1)
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
    drag.point = point - host.bounds.origin
    let drag = drag
    stopDragging()
    switch drag.kind {
    case .band: if selection.items != drag.before.items { core.copying.publish() }
    case .pressed(let selects):
      guard let item = drag.item, item < sections.itemCount else { return }
      var new = selection
      if selects { new.selectOnly(item) }
      let isInside = layout.item(at: point) == item || (drag.hasChanged && !drag.isMoved)
      open(item, selecting: new, isChosen: selects && isInside, if: isInside)
    case .moving:
      guard let item = drag.item, item < sections.itemCount, sections.count > 0 else { return }
      let place = layout.place(at: point)
      move(item, to: place)
    case .none, .tapped, .scrolling: break
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
    drag.item = nil
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
    host.contentOffset.y += step
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
      drag.kind = .tapped
      drag.finger = ScrollFinger(touch, event)
      drag.item = item(at: point)
    case .moved:
      guard drag.finger?.identifier == touch.identifier, let step = drag.finger?.move(touch, event, in: host) else {
        return false
      }
      if drag.finger?.isScrolling == true { drag.kind = .scrolling }
      ScrollFinger.scroll(host, by: step)
    case .ended, .cancelled:
      guard drag.finger?.identifier == touch.identifier else { return false }
      let drag = drag
      stopDragging()
      guard touch.phase == .ended, drag.kind == .tapped, let item = drag.item else { return true }
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
