import ProsceniumPlatform
import Testing

@testable import ProsceniumX11

/// The source's side of the protocol, over its whole grid.
@Suite("A drag's source") struct DragSourceMachineTests {
  typealias Machine = DragSourceMachine
  static let one = DragTarget(window: 1, receiver: 1, version: 5)
  static let own = DragTarget(window: 2, receiver: 2, version: 5, isOwn: true)
  static let here = Point(x: 3, y: 4)
  static let there = Point(x: 5, y: 6)

  static let phases: [Machine.Phase] = {
    var phases: [Machine.Phase] = [.idle, .dragging(nil)]
    for target in [one, own] {
      phases.append(.dropped(target))
      for operation in DropOperation.allCases {
        for awaits in [true, false] {
          for next in awaits ? [nil, there] : [nil] {
            let visit = Machine.Visit(target: target, awaitsStatus: awaits, next: next, operation: operation)
            phases.append(.dragging(visit))
            if awaits { phases.append(.released(visit, here)) }
          }
        }
      }
    }
    return phases
  }()

  static let inputs: [Machine.Input] =
    [.begin, .moved(here, nil), .moved(here, one), .moved(here, own), .released(here), .cancelled, .timedOut]
    + [UInt32(1), 2, 9].flatMap { window in
      [.targetGone(window)]
        + DropOperation.allCases.flatMap { [.status(window, $0), .finished(window, $0)] }
    }

  private func target(of phase: Machine.Phase) -> DragTarget? {
    switch phase {
    case .idle: nil
    case .dragging(let visit): visit?.target
    case .released(let visit, _): visit.target
    case .dropped(let target): target
    }
  }

  private func isTimed(_ phase: Machine.Phase) -> Bool {
    switch phase {
    case .idle, .dragging: false
    case .released, .dropped: true
    }
  }

  @Test("Whatever comes, a drag ends once, is timed while it waits for its target, and no stranger changes it")
  func grid() {
    for phase in Self.phases {
      for input in Self.inputs {
        var machine = Machine(phase)
        let effects = machine.reduce(input)
        let after = machine.phase
        var note: Comment { Comment(rawValue: "\(phase) \(input) -> \(after) \(effects)") }
        let ends = effects.filter { if case .end = $0 { true } else { false } }.count
        #expect(ends == (phase != .idle && machine.phase == .idle ? 1 : 0), note)
        #expect(effects.last.map { if case .end = $0 { true } else { ends == 0 } } ?? true, note)
        if isTimed(machine.phase), !isTimed(phase) { #expect(effects.contains(.startTimeout), note) }
        if isTimed(phase), !isTimed(machine.phase) { #expect(effects.contains(.stopTimeout), note) }
        // A target that was entered is left, dropped on, or gone.
        let (before, now) = (target(of: phase), target(of: after))
        if let now, before != now { #expect(effects.contains(.enter(now)), note) }
        if let before, before != now, !isTimed(phase) {
          #expect(effects.contains(.leave(before)) || input == .targetGone(before.window), note)
        }
        switch input {
        case .status(let window, _), .finished(let window, _), .targetGone(let window):
          if window != before?.window { #expect(machine.phase == phase && effects.isEmpty, note) }
        default: break
        }
        // The answer to the last position is waited for.
        let positions = effects.filter { if case .position = $0 { true } else { false } }.count
        #expect(positions <= 1, note)
        if case .dragging(let visit?) = phase, visit.awaitsStatus, case .moved(_, visit.target) = input {
          #expect(positions == 0, note)
        }
      }
    }
  }

  @Test("A drag over a target that takes it is dropped there")
  func whole() {
    var machine = Machine()
    #expect(machine.reduce(.begin) == [.show(.cancel)])
    #expect(machine.reduce(.moved(Self.here, Self.one)) == [.enter(Self.one), .position(Self.one, Self.here)])
    #expect(machine.reduce(.moved(Self.there, Self.one)) == [])
    #expect(machine.reduce(.status(1, .forbidden)) == [.show(.forbidden), .position(Self.one, Self.there)])
    #expect(machine.reduce(.released(Self.there)) == [.startTimeout])
    #expect(machine.reduce(.status(1, .move)) == [.stopTimeout, .drop(Self.one), .startTimeout])
    #expect(machine.reduce(.cancelled) == [])
    #expect(machine.reduce(.finished(1, .move)) == [.stopTimeout, .end(.dropped(.move))])
  }

  @Test("What is not taken ends nowhere, or over the program's own window")
  func refused() {
    for (target, end) in [(Self.one, DragEnd.nowhere(Self.here)), (Self.own, .dropped(.forbidden))] {
      var machine = Machine(.dragging(.init(target: target, awaitsStatus: false, operation: .forbidden)))
      #expect(machine.reduce(.released(Self.here)) == [.leave(target), .end(end)])
    }
    var machine = Machine(.dragging(nil))
    #expect(machine.reduce(.released(Self.here)) == [.end(.nowhere(Self.here))])
  }

  @Test("A target that never answers, or dies, does not hold a drag")
  func silent() {
    let visit = Machine.Visit(target: Self.one)
    for (phase, input, end) in [
      (Machine.Phase.released(visit, Self.here), Machine.Input.timedOut, DragEnd.cancelled),
      (.released(visit, Self.here), .targetGone(1), .cancelled),
      (.dropped(Self.one), .timedOut, .dropped(.cancel)), (.dropped(Self.one), .targetGone(1), .dropped(.cancel)),
    ] {
      var machine = Machine(phase)
      #expect(machine.reduce(input).last == .end(end))
      #expect(machine.phase == .idle)
    }
  }
}
