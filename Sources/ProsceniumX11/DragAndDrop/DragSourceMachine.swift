import ProsceniumPlatform

/// A window that dragged items may be dropped on (XDND, "XdndAware").
struct DragTarget: Hashable, Sendable {
  /// The window that messages are about.
  var window: UInt32
  /// The window that they are sent to: itself, or its `XdndProxy`.
  var receiver: UInt32
  /// The version of the protocol that both know.
  var version: UInt32
  /// Whether it is one of the program's own.
  var isOwn = false
}

/// The source's side of the drag-and-drop protocol (XDND 5): a pure total function.
///
/// ```
///           begin             released, answered yes
///   idle ----------> dragging ----------------------> dropped
///    ^                |   | released, not answered      |
///    |                |   v                             |
///    |                | released ---------------------->|  answered yes
///    |  cancelled     |   | answered no, timed out      | finished, timed out, target gone
///    +----------------+---+-----------------------------+
/// ```
/// At most one position is sent before the target has answered it; the newest one follows then.
struct DragSourceMachine: Hashable, Sendable {
  /// The items are over a target.
  struct Visit: Hashable, Sendable {
    var target: DragTarget
    /// Whether the target has not answered the last position.
    var awaitsStatus = true
    /// Where the pointer has gone since.
    var next: Point?
    /// The target's last answer.
    var operation = DropOperation.cancel
  }

  enum Phase: Hashable, Sendable {
    case idle
    case dragging(Visit?)
    /// The button is up at a point, and the target has not answered its last position.
    case released(Visit, Point)
    /// The target reads the data.
    case dropped(DragTarget)
  }

  enum Input: Hashable, Sendable {
    case begin
    /// The pointer is at a point, over a target or none.
    case moved(Point, DragTarget?)
    /// XdndStatus about a window.
    case status(UInt32, DropOperation)
    /// XdndFinished about a window.
    case finished(UInt32, DropOperation)
    /// The button is up.
    case released(Point)
    case cancelled
    case targetGone(UInt32)
    case timedOut
  }

  enum Effect: Hashable, Sendable {
    case enter(DragTarget)
    case position(DragTarget, Point)
    case leave(DragTarget)
    case drop(DragTarget)
    case startTimeout
    case stopTimeout
    /// What would happen now, for the pointer's shape.
    case show(DropOperation)
    case end(DragEnd)
  }

  private(set) var phase = Phase.idle

  init(_ phase: Phase = .idle) { self.phase = phase }

  mutating func reduce(_ input: Input) -> [Effect] {
    let (next, effects) = Self.next(phase, input)
    phase = next
    return effects
  }

  private static func next(_ phase: Phase, _ input: Input) -> (Phase, [Effect]) {
    switch phase {
    case .idle: input == .begin ? (.dragging(nil), [.show(.cancel)]) : (.idle, [])
    case .dragging(let visit): dragging(visit, input)
    case .released(let visit, let point): released(visit, point, input)
    case .dropped(let target): dropped(target, input)
    }
  }

  private static func dragging(_ visit: Visit?, _ input: Input) -> (Phase, [Effect]) {
    switch input {
    case .moved(let point, let target): return moved(visit, point, target)
    case .status(let window, let operation):
      guard var visit, visit.target.window == window else { return (.dragging(visit), []) }
      visit.operation = operation
      return (.dragging(visit.answered), [.show(operation)] + visit.following)
    case .released(let point):
      guard let visit else { return (.idle, [.end(.nowhere(point))]) }
      return visit.awaitsStatus ? (.released(visit, point), [.startTimeout]) : decided(visit, point)
    case .cancelled: return (.idle, (visit.map { [.leave($0.target)] } ?? []) + [.end(.cancelled)])
    case .targetGone(let window) where visit?.target.window == window: return (.dragging(nil), [.show(.cancel)])
    case .begin, .finished, .targetGone, .timedOut: return (.dragging(visit), [])
    }
  }

  private static func moved(_ visit: Visit?, _ point: Point, _ target: DragTarget?) -> (Phase, [Effect]) {
    if var visit, visit.target == target {
      guard !visit.awaitsStatus else {
        visit.next = point
        return (.dragging(visit), [])
      }
      visit.awaitsStatus = true
      return (.dragging(visit), [.position(visit.target, point)])
    }
    let left: [Effect] = visit.map { [.leave($0.target), .show(.cancel)] } ?? []
    guard let target else { return (.dragging(nil), left) }
    return (.dragging(Visit(target: target)), left + [.enter(target), .position(target, point)])
  }

  private static func released(_ visit: Visit, _ point: Point, _ input: Input) -> (Phase, [Effect]) {
    switch input {
    case .status(visit.target.window, let operation):
      var visit = visit
      visit.operation = operation
      // The answer was to an older place.
      if visit.next != nil { return (.released(visit.answered, point), visit.following + [.startTimeout]) }
      let (phase, effects) = decided(visit, point)
      return (phase, [.stopTimeout] + effects)
    case .cancelled, .timedOut: return (.idle, [.stopTimeout, .leave(visit.target), .end(.cancelled)])
    case .targetGone(visit.target.window): return (.idle, [.stopTimeout, .end(.cancelled)])
    case .begin, .moved, .status, .finished, .released, .targetGone: return (.released(visit, point), [])
    }
  }

  /// The button is up, and the target has answered.
  private static func decided(_ visit: Visit, _ point: Point) -> (Phase, [Effect]) {
    if visit.operation.takes { return (.dropped(visit.target), [.drop(visit.target), .startTimeout]) }
    return (.idle, [.leave(visit.target), .end(visit.target.isOwn ? .dropped(visit.operation) : .nowhere(point))])
  }

  private static func dropped(_ target: DragTarget, _ input: Input) -> (Phase, [Effect]) {
    switch input {
    case .finished(target.window, let operation): (.idle, [.stopTimeout, .end(.dropped(operation))])
    case .timedOut, .targetGone(target.window): (.idle, [.stopTimeout, .end(.dropped(.cancel))])
    case .begin, .moved, .status, .finished, .released, .cancelled, .targetGone: (.dropped(target), [])
    }
  }
}

extension DragSourceMachine.Visit {
  /// The visit after an answer: the newest position follows, if there is one.
  fileprivate var answered: Self {
    var visit = self
    visit.awaitsStatus = next != nil
    visit.next = nil
    return visit
  }

  fileprivate var following: [DragSourceMachine.Effect] { next.map { [.position(target, $0)] } ?? [] }
}
