import SceneLifecycle
import Testing

@Suite("The bare window of a disconnected session")
struct BareWindowTests {
  typealias Machine = BareWindowMachine

  /// Rows are what is known, columns what happens; a cell is the next state and what the shell has to do.
  static let sheet: [Machine.State: [String: (Machine.State, [Machine.Effect])]] = [
    .resting: [
      "unbelievable": (.resting, []), "focus": (.recalled, [.reconnect]), "visible": (.appearing, [.hold]),
      "hidden": (.resting, []), "expired": (.resting, []),
    ],
    .appearing: [
      "unbelievable": (.resting, [.release]), "focus": (.recalled, [.release, .reconnect]),
      "visible": (.appearing, []), "hidden": (.resting, [.release]), "expired": (.recalled, [.reconnect]),
    ],
    .recalled: [
      "unbelievable": (.recalled, []), "focus": (.recalled, []), "visible": (.recalled, []),
      "hidden": (.recalled, []), "expired": (.recalled, []),
    ],
  ]

  static func name(_ input: Machine.Input) -> String {
    guard case .observe(let visible, let gainedFocus, let manager) = input else { return "expired" }
    if manager != .settled { return "unbelievable" }
    return gainedFocus ? "focus" : visible ? "visible" : "hidden"
  }

  @Test("Every state answers every input as the sheet says")
  func grid() throws {
    var inputs: [Machine.Input] = [.expired]
    for manager in WindowManagerState.allCases {
      for facts in 0..<4 {
        inputs.append(.observe(visible: facts & 1 != 0, gainedFocus: facts & 2 != 0, windowManager: manager))
      }
    }
    for state in Machine.State.allCases {
      for input in inputs {
        let (next, effects) = Machine.reduce(state, input)
        let expected = try #require(Self.sheet[state]?[Self.name(input)])
        #expect(next == expected.0 && effects == expected.1, "\(state) \(input)")
      }
    }
  }

  private func play(_ inputs: [Machine.Input]) -> [Machine.Effect] {
    var state = Machine.State.resting
    return inputs.flatMap { input in
      let (next, effects) = Machine.reduce(state, input)
      state = next
      return effects
    }
  }

  @Test("Visible for a moment under a settled window manager brings the session back, once")
  func appears() {
    let seen = Machine.Input.observe(visible: true, gainedFocus: false, windowManager: .settled)
    let focused = Machine.Input.observe(visible: true, gainedFocus: true, windowManager: .settled)
    #expect(play([seen, seen, .expired, seen, focused, .expired]) == [.hold, .reconnect])
    #expect(play([seen, focused, focused]) == [.hold, .release, .reconnect])
  }

  @Test("A flap, a dying window manager and a new one bring nothing back by themselves")
  func unbelievable() {
    let seen = Machine.Input.observe(visible: true, gainedFocus: false, windowManager: .settled)
    let hidden = Machine.Input.observe(visible: false, gainedFocus: false, windowManager: .settled)
    #expect(play([seen, hidden, .expired]) == [.hold, .release])
    for manager in [WindowManagerState.absent, .changing] {
      let mapped = Machine.Input.observe(visible: true, gainedFocus: true, windowManager: manager)
      #expect(play([mapped, mapped, .expired]).isEmpty)
      #expect(play([seen, mapped, .expired]) == [.hold, .release])
      #expect(play([mapped, seen, .expired]) == [.hold, .reconnect], "once it has settled, it is believed")
    }
  }
}
