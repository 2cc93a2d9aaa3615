import FoundationEssentials
import ProsceniumCore
import ProsceniumJSON
import ProsceniumStore
import Testing

@Suite("What a session keeps")
@MainActor
struct SessionValueTests {
  private func makeSession() -> SceneSession {
    SceneSession(
      persistentIdentifier: "1", role: .windowApplication,
      configuration: SceneConfiguration(name: nil, sessionRole: .windowApplication))
  }

  private func makeStored() -> StoredSession {
    var stored = StoredSession(identifier: "1", role: "windowApplication", configuration: nil)
    stored.userInfo = ["k": .int(1)]
    stored.activity = StoredActivity(activityType: "t")
    stored.activity?.expirationDate = Date(timeIntervalSinceReferenceDate: 100)
    stored.conditions.canActivateForTargetContentIdentifier = .prefix("note:")
    return stored
  }

  @Test("A stored session is read once, when something of it is asked for, and not overwritten by what is set first")
  func lazy() {
    let session = makeSession()
    var reads = 0
    session.load = {
      reads += 1
      return makeStored()
    }
    #expect(reads == 0 && session.persistentIdentifier == "1")
    session.userInfo = ["k": 2]
    session.clock = { Date(timeIntervalSinceReferenceDate: 0) }
    #expect(session.userInfo?["k"] as? Int == 2)
    #expect(session.stateRestorationActivity?.activityType == "t")
    #expect(session.activationConditions.canActivateForTargetContentIdentifier == .prefix("note:"))
    #expect(reads == 1)
  }

  @Test("A session that cannot be read says so each time, and is empty")
  func damaged() {
    let session = makeSession()
    session.load = { nil }
    #expect(session.userInfo == nil && session.stateRestorationActivity == nil)
    #expect(!session.loadStored())
    #expect(!session.loadStored())
  }

  @Test("An expired activity is kept but not handed out")
  func expired() {
    let session = makeSession()
    session.fill(from: makeStored())
    session.clock = { Date(timeIntervalSinceReferenceDate: 99) }
    #expect(session.stateRestorationActivity != nil)
    session.clock = { Date(timeIntervalSinceReferenceDate: 100) }
    #expect(session.stateRestorationActivity == nil)
    #expect(session.storedActivity?.activityType == "t")
  }

  @Test("Each change is heard of, also one of the activity that the session keeps")
  func changes() {
    let session = makeSession()
    var changes = 0
    session.onChange = { changes += 1 }
    let activity = UserActivity(activityType: "t")
    session.userInfo = ["a": 1]
    #expect(changes == 1)
    session.stateRestorationActivity = activity
    #expect(changes == 2)
    session.activationConditions = SceneActivationConditions()
    #expect(changes == 3)
    session.stateRestorationActivity?.userInfo?["b"] = 1
    #expect(changes > 3 && session.storedActivity?.userInfo == ["b": .int(1)])
    changes = 0
    session.stateRestorationActivity = nil
    activity.title = "nobody's"
    #expect(changes == 1 && session.storedActivity == nil)
  }

  @Test("Conditions and fields of newer versions are read as well as they can be")
  func newer() throws {
    let decoder = JSONDecoder()
    var conditions = SceneActivationConditions()
    conditions.canActivateForTargetContentIdentifier = .oneOf(["a"])
    conditions.prefersToActivateForTargetContentIdentifier = .equals("b")
    let data = try JSONEncoder().encode(conditions)
    #expect(try decoder.decode(SceneActivationConditions.self, from: data) == conditions)

    let text = String(decoding: data, as: UTF8.self)
      .replacing("\"oneOf\"", with: "\"matches\"").replacing("\"equals\"", with: "\"sounds\"")
    #expect(text.contains("matches") && text.contains("sounds"))
    let read = try decoder.decode(SceneActivationConditions.self, from: Data(text.utf8))
    #expect(read == SceneActivationConditions())
    #expect(try decoder.decode(SceneActivationConditions.self, from: Data("{}".utf8)) == SceneActivationConditions())

    let activity = Data(#"{"activityType":"t","mood":{"new":[1]},"title":"A"}"#.utf8)
    #expect(try decoder.decode(StoredActivity.self, from: activity).title == "A")
  }
}
