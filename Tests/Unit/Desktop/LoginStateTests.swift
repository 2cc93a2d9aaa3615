import ProsceniumPlatform
import Testing

@testable import ProsceniumDesktop

/// What is reported of the values that logind announces.
@Suite("The state of the login session") struct LoginStateTests {
  private let name = Logind.name

  @Test("A value is reported once, however often it is announced")
  func once() {
    var state = LoginState()
    #expect(state.set(.locked, false) == [])
    #expect(state.set(.locked, true) == [.concealment(.locked, isOn: true, source: name)])
    #expect(state.set(.locked, true) == [])
    #expect(state.isOn(.locked) && !state.isOn(.sleeping))
    #expect(state.set(.locked, false) == [.concealment(.locked, isOn: false, source: name)])
    #expect(!state.isOn(.locked))
  }

  @Test("Where nothing is on, the loss of logind is not reported")
  func harmlessLoss() {
    var state = LoginState()
    #expect(state.lose() == [])
    #expect(state.set(.sleeping, true) == [.concealment(.sleeping, isOn: true, source: name)])
  }

  @Test("What is on when logind is lost stays on, and is reported again, whatever it is, when it is back")
  func loss() {
    var state = LoginState()
    _ = state.set(.locked, true)
    _ = state.set(.sleeping, true)
    #expect(state.lose() == [.silence(isOn: true, source: name)])
    #expect(state.isOn(.locked) && state.isOn(.sleeping))
    // One of two values is confirmed: the other one is still unconfirmed
    #expect(state.set(.locked, true) == [.concealment(.locked, isOn: true, source: name)])
    #expect(state.set(.switchedAway, false) == [])
    #expect(
      state.set(.sleeping, false) == [
        .silence(isOn: false, source: name), .concealment(.sleeping, isOn: false, source: name),
      ])
    #expect(state.set(.locked, true) == [])
  }
}
