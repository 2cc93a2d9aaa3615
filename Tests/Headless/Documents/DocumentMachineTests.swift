import TestSupport
import Testing

@testable import ProsceniumCore

@Suite("The machine of a document") struct DocumentMachineTests {
  private typealias Machine = DocumentMachine

  private static let inputs: [DocumentMachine.Input] =
    [
      .open, .failedToOpen, .changedSomehow, .writing, .written, .keeping, .notKept, .notTaken, .notLoaded, .reverted,
      .resolved,
      .close, .available,
    ]
    + [(false, false), (true, false), (true, true)].map { .opened(unsaved: $0.0, conflict: $0.1) }
    + Document.ChangeKind.allCases.map { .changed($0) } + DocumentMachine.Refusal.allCases.map { .notWritten($0) }
    + DocumentMachine.Finding.allCases.map { .found($0) }

  @Test("In a random life nothing unsaved is ever forgotten, and nothing is saved over what is another's")
  func life() {
    var random = SeededNumbers(testSeed(0))
    var state = Machine.State()
    var (conflicts, drops) = (0, 0)
    for step in 0..<testRounds(100_000) {
      let input = Self.inputs[Int.random(in: 0..<Self.inputs.count, using: &random)]
      // The shell writes, keeps and closes where the state says so.
      switch input {
      case .writing where state.writing != nil, .written where state.writing == nil,
        .notWritten where state.writing == nil, .close where state.isNowhere || state.writing != nil,
        .reverted where state.writing != nil, .found where state.writing != nil, .notLoaded where state.writing != nil,
        .keeping where state.next != .keep,
        .resolved where state.writing != nil:
        continue
      default: break
      }
      let (next, effects) = Machine.reduce(state, input)
      let place = "step \(step): \(state) \(input) -> \(next) \(effects)"
      if state.hasUnsavedChanges, !next.hasUnsavedChanges {
        switch input {
        case .written, .reverted, .close, .changed: break
        default: Issue.record("\(place)")
        }
      }
      if next.trouble == .conflict || next.trouble == .vanished {
        conflicts += 1
        #expect(next.next != .save, "\(place)")
      }
      if effects.contains(.reread) { #expect(!state.hasUnsavedChanges, "\(place)") }
      // A version of no changes would come back at the next opening.
      #expect(next.hasVersion ? next.hasUnsavedChanges : !next.isKept, "\(place)")
      if state.hasVersion, !next.hasVersion {
        switch input {
        case .written, .reverted: #expect(effects.allSatisfy { $0 == .saveSoon }, "\(place)")
        case .close: break
        default:
          drops += 1
          #expect(effects.contains(.dropKept) && !next.hasUnsavedChanges, "\(place)")
        }
      } else {
        #expect(!effects.contains(.dropKept), "\(place)")
      }
      // What is urgent has something that comes next.
      if next.isUrgent, !state.isUrgent { #expect(next.next != .nothing || next.writing != nil, "\(place)") }
      state = next
    }
    #expect(conflicts > testRounds(1000) && drops > testRounds(100))
  }

  @Test(
    "What another program has done leads to one of four things",
    arguments: [
      (false, DocumentMachine.Finding.known, DocumentMachine.Trouble.none, []),
      (true, .known, .none, [DocumentMachine.Effect.saveSoon]), (false, .other, .none, [.reread]),
      (true, .other, .conflict, [.keep]), (false, .missing, .vanished, []), (true, .missing, .vanished, [.keep]),
    ])
  func finding(
    _ isChanged: Bool, _ finding: DocumentMachine.Finding, _ trouble: DocumentMachine.Trouble,
    _ effects: [DocumentMachine.Effect]
  ) {
    var state = Machine.State(phase: .open)
    if isChanged { state = Machine.reduce(state, .changed(.done)).0 }
    let (next, found) = Machine.reduce(state, .found(finding))
    #expect(next.trouble == trouble && found == effects && next.hasUnsavedChanges == isChanged)
  }

  @Test("A write that fails again may have taken the kept version with it: the changes are kept again")
  func failedAgain() {
    var state = Machine.State(phase: .open)
    var effects: [DocumentMachine.Effect] = []
    let inputs: [DocumentMachine.Input] = [
      .changed(.done), .writing, .notWritten(.failed), .keeping, .writing, .notWritten(.failed),
    ]
    for input in inputs { (state, effects) = Machine.reduce(state, input) }
    #expect(state.isNowhere && state.canBeKept && effects == [.keep, .saveSoon])
  }

  @Test(
    "In a conflict changes are kept again when the file has another content: its writer may have had a version, too")
  func changedAgain() {
    var state = Machine.State(phase: .open)
    var effects: [DocumentMachine.Effect] = []
    for input in [DocumentMachine.Input.changed(.done), .found(.other), .keeping, .found(.other)] {
      (state, effects) = Machine.reduce(state, input)
    }
    #expect(state.trouble == .conflict && state.next == .keep && state.canBeKept && effects == [.keep])
  }

  @Test("A version goes when its changes are undone, and one of some of them with the last one")
  func undone() {
    func effects(_ inputs: [DocumentMachine.Input]) -> [DocumentMachine.Effect] {
      var state = Machine.reduce(Machine.State(phase: .open), .found(.missing)).0
      var last: [DocumentMachine.Effect] = []
      for input in inputs { (state, last) = Machine.reduce(state, input) }
      return last
    }
    let (done, undone) = (DocumentMachine.Input.changed(.done), DocumentMachine.Input.changed(.undone))
    #expect(effects([done, .keeping, undone]) == [.dropKept])
    #expect(effects([done, .keeping, done, undone]) == [.saveSoon])
    #expect(effects([done, .keeping, done, undone, undone]) == [.dropKept])
    #expect(effects([done, .keeping, .changed(.cleared)]) == [.dropKept])
    #expect(effects([done, .keeping, .changedSomehow]) == [.saveSoon])
    // None was made, and it has gone already
    #expect(effects([done, undone]) == [] && effects([done, .keeping, undone, done, undone]) == [])
  }

  @Test("What was withheld from the file is kept when the file turns out to be one that cannot be loaded")
  func withheld() {
    var state = Machine.State(phase: .open)
    for input in [DocumentMachine.Input.changed(.done), .writing, .notWritten(.withheld)] {
      state = Machine.reduce(state, input).0
    }
    #expect(state.isWithheld && state.trouble == .failed && !state.canBeKept)
    let (next, effects) = Machine.reduce(state, .notLoaded)
    #expect(effects == [.keep] && next.trouble == .conflict && next.canBeKept && next.next == .keep)
  }

  @Test("Changes are counted: undone to what was saved is none, and what cannot be reached any more is one")
  func counting() {
    var changes = DocumentChanges()
    changes.add(.done)
    changes.add(.undone)
    #expect(changes.isEmpty)
    changes.add(.undone)
    #expect(!changes.isEmpty)
    changes.add(.redone)
    #expect(changes.isEmpty)
    changes.add(.undone)
    changes.add(.done)
    #expect(!changes.isEmpty)
    changes.add(.cleared)
    #expect(changes.isEmpty && DocumentChanges() != DocumentChanges.untracked && !DocumentChanges.untracked.isEmpty)
  }
}
