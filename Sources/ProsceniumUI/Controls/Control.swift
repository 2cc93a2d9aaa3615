public import ProsceniumCore

/// A view that sends actions for input.
open class Control: View, RestorableView {
  private struct Connection {
    weak var target: Responder? = nil
    /// Whether the action goes along the responder chain, instead of to a target that may be gone.
    var isForChain = false
    var action: Action?
    var handler: (@MainActor () -> Void)?
    var events: ControlEvents
  }
  private var connections: [Connection] = []

  /// Whether the control gets input; true at first.
  open var isEnabled = true {
    didSet {
      guard oldValue != isEnabled else { return }
      if !isEnabled {
        pressCancelled()
        ViewInput(self).giveUpFirstResponder()
      }
      setNeedsDisplay()
    }
  }

  /// Whether the control is selected.
  open var isSelected = false { didSet { if oldValue != isSelected { setNeedsDisplay() } } }

  /// Whether the control is drawn as pressed.
  open var isHighlighted = false { didSet { if oldValue != isHighlighted { setNeedsDisplay() } } }

  /// The touch that is the press; nil for that of a button.
  private var touch: Int?

  /// Whether the primary action is that of a press, for which ``ControlEvents/touchUpInside`` has been sent.
  private var isPressed = false

  /// Whether a press that began on the control continues.
  public private(set) final var isTracking = false

  // MARK: Actions

  /// Adds an action for events.
  ///
  /// An action with a name, such as `Action(Order.send, name: "send")`, that has been added for the same target is
  /// performed once for each event, for those events and these. One without cannot be known again, and is added once
  /// more: add it where the control is made, not where a cell is used or a controller appears, which happens again.
  /// - Parameters:
  ///   - target: The object that performs the action, held weakly; where nil, the first responder in the chain that
  ///     can.
  ///   - action: The action.
  ///   - events: The events.
  public func addTarget(_ target: Responder?, action: Action, for events: ControlEvents) {
    Self.requireMainThread()
    let known = connections.firstIndex {
      $0.action?.isSame(as: action) == true && $0.target === target && $0.isForChain == (target == nil)
    }
    if let known { return connections[known].events.formUnion(events) }
    connections.append(Connection(target: target, isForChain: target == nil, action: action, events: events))
  }

  // Its attribute stands here too: left to the class, the compiler gives the function two names, which do not link.

  /// Adds a handler for events.
  /// - Parameters:
  ///   - events: The events.
  ///   - handler: Called for each of the events; held by the control.
  @preconcurrency public func addAction(for events: ControlEvents, _ handler: @escaping @MainActor () -> Void) {
    Self.requireMainThread()
    connections.append(Connection(handler: handler, events: events))
  }

  /// Removes the actions of a target for events; all actions and handlers where nil.
  /// - Parameters:
  ///   - target: The target.
  ///   - events: The events.
  public func removeTarget(_ target: Responder?, for events: ControlEvents) {
    Self.requireMainThread()
    for index in connections.indices where target == nil || connections[index].target === target {
      connections[index].events.subtract(events)
    }
    connections.removeAll { $0.events.isEmpty }
  }

  /// Performs the actions and calls the handlers for events, in the order in which they were added.
  ///
  /// One that is for both ``ControlEvents/touchUpInside`` and ``ControlEvents/primaryActionTriggered`` is performed
  /// once for a press, where the action is on its release.
  /// - Parameters:
  ///   - events: The events.
  ///   - event: The input event that caused them; nil for none.
  open func sendActions(for events: ControlEvents, _ event: Event? = nil) {
    for connection in connections where !connection.events.isDisjoint(with: events) {
      // An action for both events of a press has been performed for the first.
      if isPressed, events == .primaryActionTriggered, connection.events.contains(.touchUpInside) { continue }
      connection.handler?()
      guard let action = connection.action, connection.target != nil || connection.isForChain else { continue }
      if let application = Application.sharedIfLaunched {
        application.sendAction(action, to: connection.target, from: self, for: event)
      }
    }
    connections.removeAll { !$0.isForChain && $0.handler == nil && $0.target == nil }
  }

  // MARK: Tracking

  open override func hitTest(_ point: Point) -> View? { isEnabled ? super.hitTest(point) : nil }

  open override func handle(_ event: Event) -> Bool {
    switch event.kind {
    case .button(let button) where button.number == 1:
      // A touch whose end was lost must not keep the pointer away.
      if touch != nil, button.isDown { pressCancelled() }
      guard touch == nil else { return true }
      if button.isDown { beginTracking(event) } else { endTracking(event) }
      return true
    case .motion where isTracking: if touch == nil { continueTracking(event) }
    case .touch(let touch):
      // A second finger neither begins a press nor moves that of the first.
      if touch.phase == .began, !isTracking { self.touch = touch.identifier }
      guard self.touch == touch.identifier else { return true }
      switch touch.phase {
      case .began: if !isTracking { beginTracking(event) }
      case .moved: continueTracking(event)
      case .ended: endTracking(event)
      case .cancelled: pressCancelled()
      }
      if touch.phase == .ended { self.touch = nil }
    default: return false
    }
    return true
  }

  /// Called when a press begins on the control; override point.
  /// - Parameter event: The input event.
  open func beginTracking(_ event: Event) {
    guard isEnabled else { return }
    isTracking = true
    isHighlighted = true
    sendActions(for: .touchDown, event)
  }

  /// Called when the press moves; override point.
  /// - Parameter event: The input event.
  open func continueTracking(_ event: Event) {
    guard isTracking else { return }
    isHighlighted = event.location(in: self).map(point(inside:)) ?? false
  }

  /// Called when the press ends; override point.
  /// - Parameter event: The input event.
  open func endTracking(_ event: Event) { if stopTracking(event) { actOnPress { primaryAction(event) } } }

  /// Ends the press, and sends the event for it.
  /// - Returns: Whether the press was the control's, and ended on it.
  final func stopTracking(_ event: Event) -> Bool {
    guard isTracking else { return false }
    isTracking = false
    isHighlighted = false
    let isInside = event.location(in: self).map(point(inside:)) ?? false
    sendActions(for: isInside ? .touchUpInside : .touchUpOutside, event)
    return isInside
  }

  /// Whether a finger that moves on the control is for it alone; false by default.
  ///
  /// Else a finger that has moved too far for a tap scrolls the ``ScrollView`` around the control, where that shows not
  /// all of its content, and the press is cancelled (``ControlEvents/touchCancel``). Override it for a control that is
  /// dragged.
  open var followsFinger: Bool { false }

  open override func pressCancelled() {
    touch = nil
    guard isTracking else { return }
    isTracking = false
    isHighlighted = false
    sendActions(for: .touchCancel)
  }

  /// Triggers the primary action; the default sends ``ControlEvents/primaryActionTriggered``.
  /// - Parameter event: The event that triggers it; nil for an action of the program.
  open func primaryAction(_ event: Event?) { sendActions(for: .primaryActionTriggered, event) }

  /// Presses the control without the pointer: for a key, a mnemonic or an assistive program.
  func press(_ event: Event?) {
    sendActions(for: .touchUpInside, event)
    actOnPress { primaryAction(event) }
  }

  /// Triggers the primary action of a press, for which ``ControlEvents/touchUpInside`` has been sent.
  final func actOnPress(_ act: () -> Void) {
    isPressed = true
    act()
    isPressed = false
  }

  open override func accessibilityActivate() -> Bool {
    guard isEnabled else { return false }
    press(nil)
    return true
  }

  open override func hoverDidChange() { setNeedsDisplay() }

  /// The colour of the control's own area, by its state.
  final func fill(_ theme: Theme) -> Color {
    isHighlighted ? theme.controlPressed : isHovered ? theme.controlHover : theme.controlBackground
  }

  /// How much black lies on the accent colour; nil for none.
  ///
  /// It is the same for every accent colour, and white letters on it do not become fainter.
  final func accentShade(isPressed: Bool, isHovered: Bool) -> Double? { isPressed ? 0.25 : isHovered ? 0.12 : nil }

  // MARK: Keys

  /// The key of an event, by the symbol that it has without the number pad.
  /// - Returns: The key and its symbol; nil for other events, and with modifiers that make a command of a key.
  final func plainKey(_ event: Event) -> (key: Key, symbol: UInt32)? {
    guard case .key(let key) = event.kind, key.modifiers.isDisjoint(with: [.control, .alternate, .command]) else {
      return nil
    }
    return (key, KeySymbol.withoutKeypad(key.symbol))
  }

  /// Presses the control for Space and Return.
  /// - Returns: Whether the control uses the key; nil for other keys and events.
  final func pressedByKey(_ event: Event) -> Bool? {
    guard let (key, symbol) = plainKey(event), [KeySymbol.space, KeySymbol.return].contains(symbol) else { return nil }
    if key.isDown, !key.isRepeat, isEnabled { press(event) }
    return isEnabled
  }

  // MARK: Values

  // Its attribute stands here for the same reason as that of `addAction(for:_:)`.

  /// What the user has entered or chosen; nil, as by default, for a control without a value of its own.
  ///
  /// Override it for a control that has one, and let it ignore what is no such value.
  @preconcurrency open var restorationValue: (any Sendable)? {
    get { nil }
    set {}
  }

  /// A number that was kept; a whole one may have been read as such.
  final func number(_ kept: (any Sendable)?) -> Double? { kept as? Double ?? (kept as? Int).map(Double.init) }

  /// Records that the user changed the value.
  final func userChangedValue(_ event: Event?) {
    invalidateRestorableState()
    sendActions(for: .valueChanged, event)
  }
}
