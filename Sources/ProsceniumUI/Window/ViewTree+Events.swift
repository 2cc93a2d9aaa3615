import ProsceniumCore

/// Input: events with a position go to the view at that position, or to the view on which the press began.
extension ViewTree {
  func responder(for event: Event) -> Responder? {
    switch event.kind {
    case .key, .button, .scroll, .touch: toolTips.end()
    case .motion, .remoteControl, .deviceMotion, .exposed, .resized: break
    }
    #if !WITHOUT_DragAndDrop
      if dragAndDrop.begins(with: event, over: { hit(event) }) { return nil }
    #endif
    switch event.kind {
    case .key, .remoteControl, .deviceMotion: return keyResponder
    case .button(let button):
      let view = hit(event)
      if button.isDown {
        // A second press of the same button means that its release was lost.
        pressed[button.number]?.view.map(cancelPress(of:))
        pressed[button.number] = Held(view: view)
        return view
      }
      let held = pressed.removeValue(forKey: button.number)
      hover(over: view)
      return held?.view ?? view
    case .motion(let motion):
      let view = motion.phase == .exited ? nil : hit(event)
      let held = pressed.values.lazy.compactMap(\.view).first
      // While a button is down other views are not hovered.
      let isOverHeld = if let held, let view { view.isDescendant(of: held) } else { true }
      hover(over: isOverHeld ? view : nil)
      toolTips.moved(over: held == nil ? toolTipView(view, event) : nil, at: event.points(motion.location))
      return held ?? view
    case .scroll: return hit(event)
    case .touch(let touch):
      switch touch.phase {
      case .began:
        let view = hit(event)
        // Touches whose end was lost must not accumulate.
        if touched.count >= 64 { touched = [:] }
        touched[touch.identifier] = Held(view: view, finger: ScrollFinger(touch, event))
        return view
      case .moved: return holder(of: touch, event) ?? hit(event)
      case .ended, .cancelled: return touched.removeValue(forKey: touch.identifier)?.view ?? hit(event)
      }
    case .exposed, .resized: return nil
    }
  }

  /// The view that a finger which moves is for: that on which it began, or the scroll view that it scrolls instead.
  private func holder(of touch: Touch, _ event: Event) -> View? {
    guard let held = touched[touch.identifier], let view = held.view else { return nil }
    guard let finger = held.finger, let scroll = finger.scrollView(around: view, touch, event) else { return view }
    touched[touch.identifier]?.finger = nil
    view.pressCancelled()
    // The program, which is told of that, may have ended the touch, or removed the view.
    guard let now = touched[touch.identifier]?.view else { return nil }
    guard now === view, view.isDescendant(of: scroll), scroll.take(finger) else { return now }
    touched[touch.identifier] = Held(view: scroll)
    return scroll
  }

  func unhandled(_ event: Event) {
    if case .button(let button) = event.kind, button.isDown, button.number == 3 {
      return openContextMenu(for: hit(event), event)
    }
    guard case .key(let key) = event.kind, key.isDown else { return }
    let isContextKey = key.symbol == KeySymbol.function(10) && key.modifiers.contains(.shift)
    if isContextKey || key.symbol == KeySymbol.menu, openContextMenu() { return }
    if key.symbol == KeySymbol.escape, controller?.front.dismissByUser() == true { return }
    // The program chose the mnemonics of its views; those of a menu bar are chosen for it.
    if pressMnemonic(key, event) { return }
    if let menuBar, menuBar.tree === self, menuBar.performKey(key) { return }
    // With Control, too, which leaves a text where Tab is a letter.
    let others: ModifierFlags = [.alternate, .command]
    let symbol = KeySymbol.withoutKeypad(key.symbol)
    guard symbol == KeySymbol.tab || symbol == KeySymbol.backTab, key.modifiers.isDisjoint(with: others) else { return }
    let isBackwards = symbol == KeySymbol.backTab || key.modifiers.contains(.shift)
    // Of a long list no row is the last one soon. In a text the keys are those of Tab elsewhere.
    let leavesList = key.modifiers.contains(.control) && !(window?.firstResponder is TextView)
    moveFirstResponder(backwards: isBackwards, leavesList: leavesList)
  }

  /// The responder that gets keys: the first responder, if it is in this window.
  var keyResponder: Responder? {
    // A first responder that was removed without resigning is in no responder chain.
    let first = window?.firstResponder
    let isHere = (first as? View).map { $0.tree === self } ?? first?.isFirstResponder ?? false
    return isHere ? first : controller?.front.innermost ?? root
  }

  private func hit(_ event: Event) -> View? {
    guard let root, let location = event.kind.location else { return nil }
    return root.convert(fromSuperview: event.points(location)).flatMap(root.hitTest)
  }

  /// The view whose tooltip is shown over a view that was hit: a disabled control in it, which gets no input, has one
  /// too.
  private func toolTipView(_ view: View?, _ event: Event) -> View? {
    let disabled = view?.subviews.last { view in
      guard view.toolTip?.isEmpty == false, (view as? Control)?.isEnabled == false else { return false }
      return !view.isHidden && view.alpha > 0.01 && event.location(in: view).map(view.point(inside:)) == true
    }
    return disabled ?? view
  }

  // MARK: Hover

  private func hover(over view: View?) {
    let chain = view.map { Array($0.selfAndSuperviews) } ?? []
    let before = hovered.compactMap(\.view)
    hovered = chain.map { Held(view: $0) }
    for one in before where !chain.contains(where: { $0 === one }) { one.isHovered = false }
    for one in chain.reversed() { one.isHovered = true }
    updateCursor()
  }

  func updateCursor() {
    guard let window else { return }
    let cursor = hovered.lazy.compactMap(\.view?.cursor).first ?? .arrow
    if window.cursor != cursor { window.cursor = cursor }
  }

  // MARK: Ends

  /// Cancels all presses and touches, and ends hovering.
  func cancelInput() {
    let views = (pressed.values.map(\.view) + touched.values.map(\.view)).compactMap { $0 }
    pressed = [:]
    touched = [:]
    #if !WITHOUT_DragAndDrop
      dragAndDrop.cancelPress()
    #endif
    for view in views { cancelPress(of: view) }
    toolTips.end()
    if !hovered.isEmpty { hover(over: nil) }
  }

  /// Cancels a press that began on a view, which may have left it to a view that contains it.
  private func cancelPress(of view: View) { for view in Array(view.selfAndSuperviews) { view.pressCancelled() } }

  /// Removes a view and its subviews from the state of input.
  func removeFromInput(_ view: View) {
    func isGone(_ held: Held) -> Bool { held.view?.isDescendant(of: view) ?? true }
    let cancelled = (pressed.values.filter(isGone) + touched.values.filter(isGone)).compactMap(\.view)
    pressed = pressed.filter { !isGone($0.value) }
    touched = touched.filter { !isGone($0.value) }
    hovered.removeAll(where: isGone)
    toolTips.end(of: view)
    focus.keepPlace(of: view)
    for view in cancelled { cancelPress(of: view) }
  }

  /// Takes all input from a page that is on its way out: Tab goes on in the one that is shown in place of it.
  func giveInput(of old: View, to new: View) {
    // It slides out for a while, in which keys would act on what the user has left.
    old.isUserInteractionEnabled = false
    focus.goOn(in: new, insteadOf: old)
  }

  /// Makes the next or the previous view that accepts keys the first responder, cyclically.
  /// - Parameters:
  ///   - backwards: Whether it is the previous one.
  ///   - leavesList: Whether the other rows of a list are left out.
  func moveFirstResponder(backwards: Bool, leavesList: Bool = false) {
    TabOrder(self)?.move(backwards: backwards, leavesList: leavesList)
  }
}
