import ProsceniumCore

/// A press of the pointer on a text.
struct TextDrag {
  enum Kind: Hashable, Sendable {
    case none
    case scrollBar
    case characters, words, paragraphs
    /// On the selection, which is dragged from here, or given up with the release.
    case onSelection
  }
  var kind = Kind.none
  /// The range that the press selected, which stays selected during the drag.
  var origin = 0..<0
  var point = Point(x: 0, y: 0)
  private var clicks = ClickCount()
  /// The press on the scroll bar.
  var scrollBar: ScrollBarPress?
  /// Scrolls while the pointer is pressed above or below the text.
  var link: FrameLink?

  /// Counts a click, up to three at about the same place and time, and begins a drag.
  mutating func begin(at point: Point, _ time: Duration) {
    self.point = point
    kind = [1: .characters, 2: .words][clicks.press(at: point, time, most: 3)] ?? .paragraphs
  }

  /// Whether a press on a character leaves the selection as it is, so that it can be dragged.
  mutating func keeps(_ selection: TextSelection, at character: Int, _ modifiers: ModifierFlags) -> Bool {
    guard kind == .characters, !modifiers.contains(.shift), selection.range.contains(character) else { return false }
    kind = .onSelection
    return true
  }

  /// The offset in a text at which it selects: that of the character at a point for words, else of the nearest caret.
  @MainActor func offset(at point: Point, in editor: any TextEditor) -> Int {
    kind == .words ? editor.characterOffset(at: point) : editor.offset(at: point)
  }

  /// The range that a press at an offset selects.
  func unit(at offset: Int, in storage: TextStorage) -> Range<Int> {
    switch kind {
    case .words: storage.wordRange(at: offset)
    case .paragraphs: storage.contentRange(at: offset)
    case .none, .scrollBar, .characters, .onSelection: offset..<offset
    }
  }

  /// Whole units from the start of the drag to an offset.
  func selection(upTo offset: Int, in storage: TextStorage) -> TextSelection {
    let here = unit(at: offset, in: storage)
    return here.lowerBound < origin.lowerBound
      ? TextSelection(anchor: origin.upperBound, head: here.lowerBound)
      : TextSelection(anchor: origin.lowerBound, head: max(origin.upperBound, here.upperBound))
  }
}

/// Clicks, drags and the wheel.
extension TextView {
  func handlePointer(_ event: Event) -> Bool {
    guard let point = event.location(in: self) else { return false }
    switch event.kind {
    case .button(let button):
      if button.isDown { input.endComposition() }
      switch button.number {
      case 1: return button.isDown ? press(point, button.modifiers, event.timestamp) : release()
      case 2:
        guard button.isDown, isEditable, isLaidOut else { return false }
        becomeFirstResponder()
        let target = offset(at: point)
        change(reveal: false) { $0.moveCaret(to: target) }
        paste(from: .primary)
        return true
      default: return false
      }
    case .motion(let motion):
      guard dragging.kind != .none, motion.phase == .moved else { return false }
      drag(to: point)
      return true
    default: return false
    }
  }

  private func press(_ point: Point, _ modifiers: ModifierFlags, _ time: Duration) -> Bool {
    becomeFirstResponder()
    guard isLaidOut else { return true }
    if thumb != nil, point.x >= bounds.origin.x + bounds.size.width - ScrollBars.width {
      let press = ScrollBarPress()
      (dragging.kind, dragging.scrollBar) = (.scrollBar, press)
      press.begin(at: point.y - bounds.origin.y, in: window) { [weak self] in
        self?.thumb
      } _: { [weak self] in
        self?.scrollOffset = $0
      }
      return true
    }
    dragging.begin(at: point, time)
    if dragsSelection, dragging.keeps(editing.selection, at: characterOffset(at: point), modifiers) { return true }
    let target = dragging.offset(at: point, in: self)
    if modifiers.contains(.shift) {
      dragging.kind = .characters
      dragging.origin = editing.selection.anchor..<editing.selection.anchor
      change(reveal: false) { $0.moveCaret(to: target, extending: true) }
      return true
    }
    dragging.origin = dragging.unit(at: target, in: editing.storage)
    select(upTo: target)
    return true
  }

  private func release() -> Bool {
    guard dragging.kind != .none else { return false }
    giveUpSelection(dragging, offset)
    let wasText = dragging.kind != .scrollBar
    stopDragging()
    if wasText { publishSelection() }
    return true
  }

  func stopDragging() {
    dragging.kind = .none
    dragging.scrollBar?.end()
    dragging.scrollBar = nil
    dragging.link?.invalidate()
    dragging.link = nil
  }

  private func drag(to point: Point) {
    if let bar = dragging.scrollBar { return bar.move(to: point.y - bounds.origin.y) }
    if dragging.kind == .onSelection { return }
    dragging.point = point
    select(upTo: dragging.offset(at: point, in: self))
    let isOutside = point.y < area.origin.y || point.y >= area.origin.y + area.size.height
    guard isOutside else {
      dragging.link?.invalidate()
      dragging.link = nil
      return
    }
    guard dragging.link == nil, let window else { return }
    dragging.link = FrameLink(window: window) { [weak self] _ in self?.scrollWhileDragging() }
  }

  private func scrollWhileDragging() {
    let point = dragging.point
    let above = min(0, point.y - area.origin.y)
    let below = max(0, point.y - area.origin.y - area.size.height + 1)
    // The speed grows with the distance, up to a limit.
    let step = min(max((above + below) / 4 + (above < 0 ? -1 : 1), -60), 60)
    if scroll(by: step) { select(upTo: dragging.offset(at: point, in: self)) }
  }

  /// Selects whole units from the start of the drag to an offset.
  private func select(upTo offset: Int) {
    let selection = dragging.selection(upTo: offset, in: editing.storage)
    change(reveal: false) { $0.select(selection) }
  }

  func handleScroll(_ scroll: Scroll) -> Bool {
    let turned = scroll.distance.y
    guard isLaidOut, turned.isFinite else { return false }
    // A step of a wheel is three lines of text.
    scrollRemainder += min(max(turned, -1000), 1000) * Double(3 * lines.lineHeight)
    let whole = scrollRemainder.rounded(.towardZero)
    scrollRemainder -= whole
    input.textDidChange()
    // At the end of the content the surrounding view scrolls.
    return whole == 0 ? turned != 0 : self.scroll(by: Int(whole))
  }
}

/// Touches: a drag scrolls, a tap moves the caret.
extension TextView {
  func handleTouch(_ touch: Touch, _ event: Event) -> Bool {
    guard let point = event.location(in: self) else { return false }
    switch touch.phase {
    case .began:
      // A second finger is for nothing else either.
      if finger == nil { finger = ScrollFinger(touch, event) }
    case .moved:
      guard finger?.identifier == touch.identifier, let step = finger?.move(touch, event, in: self) else {
        return false
      }
      let isUsed = step.y != 0 && scroll(by: step.y)
      // At the end of the text the surrounding view scrolls.
      ScrollFinger.scroll(self, by: Point(x: step.x, y: isUsed ? 0 : step.y))
    case .ended, .cancelled:
      guard let held = finger, held.identifier == touch.identifier else { return false }
      finger = nil
      guard touch.phase == .ended, !held.isScrolling else { return true }
      input.endComposition()
      becomeFirstResponder()
      let target = offset(at: point)
      change(reveal: false) { $0.moveCaret(to: target) }
    }
    return true
  }
}
