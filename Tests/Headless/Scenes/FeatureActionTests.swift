import ProsceniumPlatform
import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumCore

/// Features answer events and moments with values, which can be asserted without performing them.
@MainActor @Suite("The actions of features") struct FeatureActionTests {
  private let program = HeadlessProgram()
  private let conductor: Conductor
  private let record: SceneRecord
  private let id: WindowID

  init() throws {
    program.launch(RecordingDelegate())
    program.advance(by: .seconds(1))
    conductor = try #require(program.application.conductor)
    record = try #require(conductor.roster.ordered.first)
    id = try #require(record.windows.primary)
  }

  private func feature<Room: Feature>(_ room: Room.Type) throws -> Room { try #require(conductor.feature(room)) }

  @Test("A close asks the delegate once; its answer closes, keeps or hides the scene by its policy")
  func closing() throws {
    let closing = try feature(Closing.self)
    let ask = FeatureAction.afterSettling([.send(AnyMessage(Closing.self, .ask(record)))])
    #expect(closing.handle(.closeRequested(id)) == [ask])
    #expect(closing.handle(.closeRequested(id)) == [] && closing.keepsConnected(record))
    let actions = closing.receive(.reply(record, closes: true))
    #expect(actions.contains(.disconnect(record, SceneEnding(reason: .closedByUser, discards: true))), "\(actions)")
    #expect(!actions.contains(.disconnect(record, SceneEnding(reason: .closedByUser, discards: false))))
    #expect(closing.receive(.reply(record, closes: false)) == [])
  }

  @Test("Input is a call after the settling; another key is another call")
  func input() throws {
    func action(_ key: Character) throws -> [FeatureAction] {
      let press = Key(code: 38, symbol: UInt32(key.asciiValue ?? 0), characters: String(key), isDown: true)
      return try feature(Input.self).handle(.input(id, InputEvent(.key(press), time: 1)))
    }
    #expect(try action("a") == action("a") && action("a") != action("b"))
    guard case .callAfterSettling(let call)? = try action("a").first else {
      Issue.record("no call after the settling")
      return
    }
    #expect(call.base.call.name == "sendEvent(_:)" && call.description.contains("scene \(record.number)"))
  }

  @Test("A function that is called as it is equals itself alone")
  func functions() {
    let (first, second) = (FunctionCall {}, FunctionCall {})
    #expect(AnyCall(first) == AnyCall(first) && AnyCall(first) != AnyCall(second))
  }

  @Test("A lock conceals each scene; a second source of the same lock changes nothing")
  func presence() throws {
    let presence = try feature(Presence.self)
    let first = presence.handle(.concealment(.locked, isOn: true, source: "a"))
    #expect(first.contains(.updateConcealment(record)) && presence.conceals(record), "\(first)")
    let second = presence.handle(.concealment(.locked, isOn: true, source: "b"))
    #expect(!second.contains(.updateConcealment(record)), "\(second)")
    #expect(!presence.handle(.concealment(.locked, isOn: false, source: "a")).contains(.updateConcealment(record)))
    #expect(presence.handle(.concealment(.locked, isOn: false, source: "b")).contains(.updateConcealment(record)))
  }

  @Test("Rights of the foreground end with one command, and an application that stays is not asked to end")
  func rights() throws {
    let rights = try feature(ForegroundRights.self)
    #expect(rights.moment(.afterApplication(.applicationDidEnterBackground)) == [.command(.releaseGrabs)])
    #expect(rights.moment(.afterApplication(.applicationDidEnterBackground)) == [])
    program.application.isIdleTimerDisabled = true
    #expect(
      rights.moment(.after(.sceneWillEnterForeground, record)) == [.command(.suspendScreenSaver(true))])
  }
}
