import ProsceniumPlatform

/// The target's side of the drag-and-drop protocol (XDND 5): a pure total function.
///
/// Any client may send any message at any time. One that does not belong to the drag that is over a window changes
/// nothing; a drop that cannot be done is answered with XdndFinished all the same.
struct DropTargetMachine: Hashable, Sendable {
  /// The items of a source are over one of our windows.
  struct Visit: Hashable, Sendable {
    var number: Int
    var source: UInt32
    var target: UInt32
    var version: UInt32
  }

  /// Where the pointer is, in pixels of the desktop.
  struct Position: Hashable, Sendable {
    var point: Point
    /// Whether the source suggests to move the items.
    var allowsMove = false
  }

  enum Phase: Hashable, Sendable {
    case empty
    /// The names of the types are on their way; the newest position, and whether the button is up.
    case naming(Visit, Position?, isDropped: Bool)
    /// The program knows of it: its last answer, how many positions it has not answered, and whether the button is up.
    case over(Visit, DropOperation, awaited: Int, isDropped: Bool)
  }

  enum Input: Hashable, Sendable {
    case entered(source: UInt32, target: UInt32, version: UInt32)
    case named(Int)
    case position(source: UInt32, target: UInt32, Position)
    case left(source: UInt32, target: UInt32)
    case dropped(source: UInt32, target: UInt32)
    /// The program's answer to a position, or what has become of it.
    case answered(Int, DropOperation)
    /// The program has read what was dropped.
    case finished(Int, DropOperation)
    case sourceGone(UInt32)
    case targetGone(UInt32)
  }

  enum Effect: Hashable, Sendable {
    /// Watches the source, and finds the names of its types.
    case begin(Visit)
    case move(Visit, Position)
    case exit(Visit)
    case drop(Visit)
    case status(Visit, DropOperation)
    case finish(Visit, DropOperation)
    /// Nothing is expected of the source any more.
    case end(Visit)
  }

  /// More drops at once are refused: the program does not end them.
  static let mostDropped = 16

  private(set) var phase = Phase.empty
  /// The drops that the program reads.
  private(set) var reading: [Int: Visit] = [:]
  /// The number of the visit that has begun last.
  private(set) var last = 0

  mutating func reduce(_ input: Input) -> [Effect] {
    switch input {
    case .entered(let source, let target, let version):
      let effects = leave()
      last += 1
      let visit = Visit(number: last, source: source, target: target, version: version)
      phase = .naming(visit, nil, isDropped: false)
      return effects + [.begin(visit)]
    case .named(let number): return named(number)
    case .position(let source, let target, let position):
      guard visit?.source == source, visit?.target == target else { return [] }
      return move(to: position)
    case .left(let source, let target):
      return visit?.source == source && visit?.target == target && !isDropped ? leave() : []
    case .dropped(let source, let target):
      guard visit?.source == source, visit?.target == target else { return [] }
      return drop()
    case .answered(let number, let operation): return visit?.number == number ? answer(operation) : []
    case .finished(let number, let operation):
      return reading.removeValue(forKey: number).map { [.finish($0, operation), .end($0)] } ?? []
    case .sourceGone(let source):
      let gone = reading.values.filter { $0.source == source }.sorted { $0.number < $1.number }
      for visit in gone { reading[visit.number] = nil }
      return gone.map { .end($0) } + (visit?.source == source ? leave() : [])
    case .targetGone(let target): return visit?.target == target ? leave() : []
    }
  }

  /// The visit that messages may be about.
  var visit: Visit? {
    switch phase {
    case .empty: nil
    case .naming(let visit, _, _), .over(let visit, _, _, _): visit
    }
  }

  private var isDropped: Bool {
    switch phase {
    case .empty: false
    case .naming(_, _, let isDropped), .over(_, _, _, let isDropped): isDropped
    }
  }

  private mutating func leave() -> [Effect] {
    defer { phase = .empty }
    return switch phase {
    case .empty: []
    case .naming(let visit, _, _): [.end(visit)]
    case .over(let visit, _, _, _): [.exit(visit), .end(visit)]
    }
  }

  private mutating func named(_ number: Int) -> [Effect] {
    guard case .naming(let visit, let position, let isDropped) = phase, visit.number == number else { return [] }
    guard let position else {
      phase = .over(visit, .cancel, awaited: 0, isDropped: false)
      return isDropped ? drop() : []
    }
    phase = .over(visit, .cancel, awaited: 1, isDropped: isDropped)
    return [.move(visit, position)]
  }

  private mutating func move(to position: Position) -> [Effect] {
    switch phase {
    case .naming(let visit, _, isDropped: false):
      phase = .naming(visit, position, isDropped: false)
      return []
    case .over(let visit, let operation, let awaited, isDropped: false):
      phase = .over(visit, operation, awaited: awaited + 1, isDropped: false)
      return [.move(visit, position)]
    case .empty, .naming, .over: return []
    }
  }

  private mutating func drop() -> [Effect] {
    switch phase {
    case .empty: return []
    case .naming(let visit, let position, _):
      phase = .naming(visit, position, isDropped: true)
      return []
    case .over(let visit, let operation, let awaited, _):
      guard awaited == 0 else {
        phase = .over(visit, operation, awaited: awaited, isDropped: true)
        return []
      }
      guard operation.takes, reading.count < Self.mostDropped else {
        phase = .empty
        return [.exit(visit), .finish(visit, .forbidden), .end(visit)]
      }
      reading[visit.number] = visit
      phase = .empty
      return [.drop(visit)]
    }
  }

  private mutating func answer(_ operation: DropOperation) -> [Effect] {
    guard case .over(let visit, let before, let awaited, let isDropped) = phase else { return [] }
    phase = .over(visit, operation, awaited: max(0, awaited - 1), isDropped: isDropped)
    let isAnswer = awaited > 0 || operation != before
    return (isAnswer ? [.status(visit, operation)] : []) + (isDropped && awaited <= 1 ? drop() : [])
  }
}
