import ProsceniumPlatform
import Testing

@testable import ProsceniumX11

/// The target's side of the protocol: all that two sources and the program can do in any order.
@Suite("A drag's target") struct DropTargetMachineTests {
  typealias Machine = DropTargetMachine
  static let position = Machine.Position(point: Point(x: 1, y: 2))

  /// What has happened on a walk, for each visit.
  private struct Walk: Hashable {
    var machine = Machine()
    var open: Set<Int> = []
    var seen: Set<Int> = []
    var reading: Set<Int> = []
  }

  private static func inputs(_ machine: Machine) -> [Machine.Input] {
    let number = machine.visit?.number ?? 1
    var inputs: [Machine.Input] = [
      .named(number), .named(number + 7), .answered(number, .copy), .answered(number, .forbidden),
      .answered(number + 7, .copy), .finished(number, .copy), .sourceGone(9), .targetGone(9),
      .targetGone(10),
    ]
    for number in machine.reading.keys.sorted() { inputs.append(.finished(number, .move)) }
    for source: UInt32 in [1, 2] {
      inputs += [
        .entered(source: source, target: 10, version: 5), .position(source: source, target: 10, position),
        .left(source: source, target: 10), .dropped(source: source, target: 10), .sourceGone(source),
        .position(source: source, target: 11, position), .dropped(source: source, target: 11),
      ]
    }
    return inputs
  }

  @Test("Every visit that begins ends once, and every drop is finished unless its source is gone")
  func walks() {
    var walks = [Walk()]
    var known: Set<Walk> = [Walk()]
    for _ in 0..<10 {
      var next: [Walk] = []
      for walk in walks {
        for input in Self.inputs(walk.machine) {
          // The program answers what it has been asked.
          if case .answered(let number, _) = input, !walk.seen.contains(number) { continue }
          var new = walk
          let effects = new.machine.reduce(input)
          check(effects, input, &new, before: walk)
          if known.insert(new).inserted { next.append(new) }
        }
      }
      walks = next
    }
    #expect(known.count > 1000)
  }

  private func check(_ effects: [Machine.Effect], _ input: Machine.Input, _ walk: inout Walk, before: Walk) {
    var note: Comment { Comment(rawValue: "\(before.machine) \(input) -> \(effects)") }
    for effect in effects {
      switch effect {
      case .begin(let visit): #expect(walk.open.insert(visit.number).inserted, note)
      case .move(let visit, _):
        #expect(walk.open.contains(visit.number), note)
        walk.seen.insert(visit.number)
      case .exit(let visit): #expect(walk.open.contains(visit.number) && !walk.reading.contains(visit.number), note)
      case .drop(let visit):
        #expect(walk.seen.contains(visit.number), note)
        walk.reading.insert(visit.number)
      case .status(let visit, _): #expect(before.machine.visit == visit, note)
      case .finish(let visit, let operation):
        #expect(
          walk.open.contains(visit.number) && (operation == .forbidden || walk.reading.contains(visit.number)), note)
      case .end(let visit):
        #expect(walk.open.remove(visit.number) != nil, note)
        walk.reading.remove(visit.number)
      }
    }
    let open = Set(walk.machine.reading.keys).union(walk.machine.visit.map { [$0.number] } ?? [])
    #expect(open == walk.open, note)
    // Strangers and unknown windows.
    switch input {
    case .position(let source, let target, _), .left(let source, let target), .dropped(let source, let target):
      if before.machine.visit?.source != source || before.machine.visit?.target != target {
        #expect(effects.isEmpty && walk.machine == before.machine, note)
      }
    default: break
    }
  }

  @Test("A drop that comes before the names of the types, or the program's answer, waits for them")
  func early() throws {
    var machine = Machine()
    let visit = Machine.Visit(number: 1, source: 1, target: 10, version: 5)
    #expect(machine.reduce(.entered(source: 1, target: 10, version: 5)) == [.begin(visit)])
    #expect(machine.reduce(.position(source: 1, target: 10, Self.position)) == [])
    #expect(machine.reduce(.dropped(source: 1, target: 10)) == [])
    #expect(machine.reduce(.left(source: 1, target: 10)) == [])
    #expect(machine.reduce(.named(1)) == [.move(visit, Self.position)])
    #expect(machine.reduce(.answered(1, .copy)) == [.status(visit, .copy), .drop(visit)])
    #expect(machine.reduce(.finished(1, .copy)) == [.finish(visit, .copy), .end(visit)])
    #expect(machine.phase == .empty)
  }

  @Test("A drop without a position, or where nothing is taken, is finished at once")
  func refused() {
    let visit = Machine.Visit(number: 1, source: 1, target: 10, version: 5)
    var machine = Machine()
    _ = machine.reduce(.entered(source: 1, target: 10, version: 5))
    _ = machine.reduce(.dropped(source: 1, target: 10))
    #expect(machine.reduce(.named(1)) == [.exit(visit), .finish(visit, .forbidden), .end(visit)])
    machine = Machine()
    _ = machine.reduce(.entered(source: 1, target: 10, version: 5))
    _ = machine.reduce(.named(1))
    _ = machine.reduce(.position(source: 1, target: 10, Self.position))
    #expect(machine.reduce(.answered(1, .forbidden)) == [.status(visit, .forbidden)])
    // Without a question only what differs is said.
    #expect(machine.reduce(.answered(1, .forbidden)) == [])
    #expect(machine.reduce(.answered(1, .copy)) == [.status(visit, .copy)])
    #expect(machine.reduce(.answered(1, .cancel)) == [.status(visit, .cancel)])
    #expect(
      machine.reduce(.dropped(source: 1, target: 10)) == [.exit(visit), .finish(visit, .forbidden), .end(visit)])
  }

  @Test("Drops that the program does not end are not taken without limit")
  func many() {
    var machine = Machine()
    for source in 1...UInt32(Machine.mostDropped + 1) {
      _ = machine.reduce(.entered(source: source, target: 10, version: 5))
      _ = machine.reduce(.position(source: source, target: 10, Self.position))
      _ = machine.reduce(.named(Int(source)))
      _ = machine.reduce(.answered(Int(source), .copy))
      let effects = machine.reduce(.dropped(source: source, target: 10))
      #expect(effects.count == (source > UInt32(Machine.mostDropped) ? 3 : 1))
    }
    #expect(machine.reading.count == Machine.mostDropped)
  }
}
