import SceneLifecycle
import TestSupport
import Testing

@Suite("The conversation with the session manager")
struct SessionManagerTests {
  typealias Machine = SessionManagerMachine
  typealias Cell = (Machine.State, [Machine.Effect])

  static let inputs: [Machine.Input] = [
    .registered, .saveYourself(shutdown: false, mayInteract: false), .saveYourself(shutdown: false, mayInteract: true),
    .saveYourself(shutdown: true, mayInteract: false), .saveYourself(shutdown: true, mayInteract: true), .interact,
    .interactionRefused, .shutdownCancelled, .saveComplete, .die, .lost, .userAnswered(cancels: false),
    .userAnswered(cancels: true), .saved(success: false), .saved(success: true),
  ]

  /// What is not in the sheet changes nothing, and gives nothing to do.
  static let sheet: [Machine.State: [Machine.Input: Cell]] = {
    let checkpoint: Cell = (.savingCheckpoint, [.setProperties, .save(endsSession: false, mayInteract: false)])
    let continued: Cell = (checkpoint.0, [.resume] + checkpoint.1)
    let saves: [Machine.Input: Cell] = [
      .saveYourself(shutdown: false, mayInteract: false): checkpoint,
      .saveYourself(shutdown: false, mayInteract: true): checkpoint,
      .saveYourself(shutdown: true, mayInteract: false): (
        .savingForEnd, [.setProperties, .save(endsSession: true, mayInteract: false)]
      ),
      .saveYourself(shutdown: true, mayInteract: true): (.awaitingTurn, [.setProperties, .requestInteraction]),
    ]
    let always: [Machine.Input: Cell] = [.die: (.dying, [.end])]
    func row(_ state: Machine.State, begins: Bool = false, _ cells: [Machine.Input: Cell]) -> [Machine.Input: Cell] {
      let late: [Machine.Input: Cell] = [.interact: (state, [.finishInteraction(cancels: false)])]
      return always.merging(late) { $1 }.merging(begins ? saves : [:]) { $1 }.merging(cells) { $1 }
    }
    func answers(_ next: Machine.State, _ before: [Machine.Effect] = []) -> [Machine.Input: Cell] {
      [
        .saved(success: false): (next, before + [.finishSave(success: false)]),
        .saved(success: true): (next, before + [.finishSave(success: true)]),
      ]
    }
    return [
      .offline: [.registered: (.idle, [.setProperties])],
      .idle: row(.idle, begins: true, [.lost: (.offline, [])]),
      .savingCheckpoint: row(.savingCheckpoint, [.lost: (.offline, [])].merging(answers(.checkpointSaved)) { $1 }),
      .savingForEnd: row(
        .savingForEnd,
        [.lost: (.offline, [.resume]), .shutdownCancelled: (.idle, [.finishSave(success: false), .resume])]
          .merging(answers(.endSaved)) { $1 }),
      .awaitingTurn: row(
        .awaitingTurn,
        [
          .interact: (.interacting, [.save(endsSession: true, mayInteract: true)]),
          .interactionRefused: (.savingForEnd, [.save(endsSession: true, mayInteract: false)]),
          .shutdownCancelled: (.idle, [.finishSave(success: false)]), .lost: (.offline, []),
        ]),
      .interacting: row(
        .interacting,
        [
          .interact: (.interacting, []), .lost: (.offline, [.resume]),
          .shutdownCancelled: (.idle, [.finishInteraction(cancels: false), .finishSave(success: false), .resume]),
          .userAnswered(cancels: false): (.answered, [.finishInteraction(cancels: false)]),
          .userAnswered(cancels: true): (.answered, [.finishInteraction(cancels: true)]),
        ].merging(answers(.endSaved, [.finishInteraction(cancels: false)])) { $1 }),
      .answered: row(
        .answered,
        [.lost: (.offline, [.resume]), .shutdownCancelled: (.idle, [.finishSave(success: false), .resume])]
          .merging(answers(.endSaved)) { $1 }),
      .checkpointSaved: row(
        .checkpointSaved, begins: true,
        [.lost: (.offline, []), .saveComplete: (.idle, []), .shutdownCancelled: (.idle, [])]),
      // A checkpoint says that the session goes on.
      .endSaved: row(
        .endSaved, begins: true,
        [
          .saveYourself(shutdown: false, mayInteract: false): continued,
          .saveYourself(shutdown: false, mayInteract: true): continued,
          .lost: (.offline, [.resume]), .shutdownCancelled: (.idle, [.resume]),
        ]),
      .dying: [:],
    ]
  }()

  @Test("Every state answers every input as the sheet says")
  func grid() throws {
    for state in Machine.State.allCases {
      let row = try #require(Self.sheet[state])
      for input in Self.inputs {
        let (next, effects) = Machine.reduce(state, input)
        let expected = row[input] ?? (state, [])
        #expect(next == expected.0 && effects == expected.1, "\(state) \(input): is \(next) \(effects)")
      }
    }
  }

  private func play(_ inputs: [Machine.Input]) -> [Machine.Effect] {
    var state = Machine.State.offline
    return inputs.flatMap { input in
      let (next, effects) = Machine.reduce(state, input)
      state = next
      return effects
    }
  }

  @Test("The user is asked in turn, and may cancel the end of the session")
  func asks() {
    let effects = play([
      .registered, .saveYourself(shutdown: true, mayInteract: true), .interact, .userAnswered(cancels: true),
      .saved(success: true), .shutdownCancelled,
    ])
    #expect(
      effects == [
        .setProperties, .setProperties, .requestInteraction, .save(endsSession: true, mayInteract: true),
        .finishInteraction(cancels: true), .finishSave(success: true), .resume,
      ])
  }

  @Test("Whatever comes in whatever order, each request to save is answered once, and the last word is the end")
  func walks() {
    var generator = SeededNumbers(testSeed(3))
    for walk in 0..<2_000 {
      var state = Machine.State.offline
      var asked = 0
      var answered = 0
      var turns = 0
      for _ in 0..<60 {
        guard let input = Self.inputs.randomElement(using: &generator) else { return }
        let (next, effects) = Machine.reduce(state, input)
        for effect in effects {
          switch effect {
          case .finishSave: answered += 1
          case .finishInteraction: turns -= 1
          case .setProperties, .requestInteraction, .save, .resume, .end: break
          }
        }
        if case .interact = input, state != .offline, state != .dying, state != .interacting { turns += 1 }
        if case .saveYourself = input, effects.contains(.setProperties) { asked += 1 }
        if effects.contains(.end) { #expect(next == .dying) }
        state = next
        if state == .offline { (asked, answered, turns) = (0, 0, 0) }
        if state == .dying { break }
        let isOpen: Bool =
          switch state {
          case .savingCheckpoint, .savingForEnd, .awaitingTurn, .interacting, .answered: true
          case .offline, .idle, .checkpointSaved, .endSaved, .dying: false
          }
        #expect(asked - answered == (isOpen ? 1 : 0), "walk \(walk): \(state) after \(input)")
        #expect(turns == (state == .interacting ? 1 : 0), "walk \(walk): \(state) after \(input)")
      }
    }
  }
}
