public import ProsceniumCore

/// A view that turns input into actions.
open class Control: View {
  private struct Connection {
    weak var target: Responder?
    /// Goes along the responder chain, and not to a target that may be gone.
    var isForChain: Bool
    var action: Action?
    var handler: (@MainActor () -> Void)?
    var events: ControlEvents
  }
  private var connections: [Connection] = []

  /// Whether the control hears of input; true at first.
  open var isEnabled = true {
    didSet {
      guard oldValue != isEnabled else { return }
      if !isEnabled {
        pressCancelled()
        giveUpFirstResponder()
      }
      setNeedsDisplay()
    }
  }

  /// Whether the control stands for something chosen.
  open var isSelected = false {
    didSet { if oldValue != isSelected { setNeedsDisplay() } }
  }

  /// Whether the control looks pressed.
  open var isHighlighted = false {
    didSet { if oldValue != isHighlighted { setNeedsDisplay() } }
  }

  /// Whether a press that began on the control goes on.
  public private(set) final var isTracking = false

  // MARK: Actions

  /// Says what becomes of events.
  /// - Parameters:
  ///   - target: Who performs the action, held weakly; the first in the control's responder chain that can where nil.
  ///   - action: What is performed.
  ///   - events: What it is performed for.
  public func addTarget(_ target: Responder?, action: Action, for events: ControlEvents) {
    connections.append(
      Connection(target: target, isForChain: target == nil, action: action, handler: nil, events: events))
  }

  /// Says what is called for events.
  /// - Parameters:
  ///   - events: What it is called for.
  ///   - handler: Held as long as the control is.
  public func addAction(for events: ControlEvents, _ handler: @escaping @MainActor () -> Void) {
    connections.append(Connection(target: nil, isForChain: false, action: nil, handler: handler, events: events))
  }

  /// Takes a target's actions away for some events; those of all targets, and of the chain, where nil.
  public func removeTarget(_ target: Responder?, for events: ControlEvents) {
    for index in connections.indices where target == nil || connections[index].target === target {
      connections[index].events.subtract(events)
    }
    connections.removeAll { $0.events.isEmpty }
  }

  /// Performs what belongs to events, in the order in which it was added.
  /// - Parameters:
  ///   - events: What happened.
  ///   - event: What it comes from.
  open func sendActions(for events: ControlEvents, _ event: Event? = nil) {
    for connection in connections where !connection.events.isDisjoint(with: events) {
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
      if button.isDown { beginTracking(event) } else { endTracking(event) }
      return true
    case .motion where isTracking: continueTracking(event)
    case .touch(let touch):
      switch touch.phase {
      case .began: beginTracking(event)
      case .moved: continueTracking(event)
      case .ended: endTracking(event)
      case .cancelled: pressCancelled()
      }
    default: return false
    }
    return true
  }

  /// A press began on the control; override point.
  open func beginTracking(_ event: Event) {
    guard isEnabled else { return }
    isTracking = true
    isHighlighted = true
    sendActions(for: .touchDown, event)
  }

  /// The press moved; override point.
  open func continueTracking(_ event: Event) {
    guard isTracking else { return }
    isHighlighted = event.location(in: self).map(point(inside:)) ?? false
  }

  /// The press ended; override point.
  open func endTracking(_ event: Event) {
    guard isTracking else { return }
    isTracking = false
    isHighlighted = false
    let isInside = event.location(in: self).map(point(inside:)) ?? false
    sendActions(for: isInside ? .touchUpInside : .touchUpOutside, event)
    if isInside { primaryAction(event) }
  }

  open override func pressCancelled() {
    guard isTracking else { return }
    isTracking = false
    isHighlighted = false
    sendActions(for: .touchCancel)
  }

  /// Does what the control is there for; the default says so to its targets.
  open func primaryAction(_ event: Event?) { sendActions(for: .primaryActionTriggered, event) }

  open override func hoverDidChange() { setNeedsDisplay() }
}
