import FoundationEssentials
import ProsceniumCore
import Testing

@Suite("User activities", .serialized)
@MainActor
struct UserActivityTests {
  private final class Part: Responder {
    var entries: [String: any Sendable] = [:]
    var seen: [Int] = []
    var onUpdate: (@MainActor (UserActivity) -> Void)?
    override func updateUserActivityState(_ activity: UserActivity) {
      seen.append(activity.userInfo?.count ?? -1)
      activity.addUserInfoEntries(from: entries)
      onUpdate?(activity)
    }
  }

  private final class Saver: UserActivityDelegate {
    var saved: [String] = []
    func userActivityWillSave(_ userActivity: UserActivity) {
      saved.append((userActivity.userInfo ?? [:]).keys.sorted().joined(separator: ","))
    }
  }

  private struct Odd: Sendable {}

  private func messages(_ body: () -> Void) -> [String] {
    let before = UserActivity.report
    var messages: [String] = []
    UserActivity.report = { messages.append($0) }
    defer { UserActivity.report = before }
    body()
    return messages
  }

  @Test("All that is kept survives JSON; the required keys alone are kept of userInfo")
  func roundTrip() throws {
    let activity = UserActivity(activityType: "org.example.edit")
    activity.title = "A"
    activity.userInfo = ["a": 1, "b": 2.5, "c": ["x": Set(["y"])], "d": Date(timeIntervalSinceReferenceDate: 12)]
    activity.requiredUserInfoKeys = ["a", "d", "none"]
    activity.webpageURL = URL(string: "https://example.org/a")
    activity.referrerURL = URL(string: "https://example.org/")
    activity.expirationDate = Date(timeIntervalSinceReferenceDate: 0.5)
    activity.keywords = ["k"]
    activity.targetContentIdentifier = "target"
    activity.persistentIdentifier = "id"
    try activity.setPayload(["caret": 7])

    let data = try JSONEncoder().encode(activity.stored)
    let back = UserActivity(try JSONDecoder().decode(StoredActivity.self, from: data))

    #expect(back.stored == activity.stored)
    #expect(back.activityType == "org.example.edit" && back.title == "A" && back.keywords == ["k"])
    #expect(back.userInfo?.keys.sorted() == ["a", "d"])
    #expect(back.userInfo?["a"] as? Int == 1)
    #expect(back.webpageURL == activity.webpageURL && back.referrerURL == activity.referrerURL)
    #expect(back.expirationDate == activity.expirationDate)
    #expect(back.targetContentIdentifier == "target" && back.persistentIdentifier == "id")
    #expect(try back.payload(as: [String: Int].self) == ["caret": 7])
    #expect(activity.userInfo?.count == 4)
    activity.requiredUserInfoKeys = nil
    #expect(activity.stored.userInfo?.count == 4)
  }

  @Test("A payload of another type is an error and stays; none is nil")
  func payload() throws {
    let activity = UserActivity(activityType: "t")
    #expect(try activity.payload(as: Int.self) == nil)
    try activity.setPayload("text")
    #expect(throws: DecodingError.self) { try activity.payload(as: Int.self) }
    #expect(throws: EncodingError.self) { try activity.setPayload(Double.nan) }
    #expect(try activity.payload(as: String.self) == "text")
  }

  @Test("A value that cannot be stored is left out and named, the others stay")
  func unstorable() {
    let activity = UserActivity(activityType: "org.example.edit")
    let messages = messages {
      activity.userInfo = ["good": 1, "bad": Odd()]
      activity.addUserInfoEntries(from: ["worse": [Odd()], "fine": "x"])
    }
    #expect(activity.userInfo?.keys.sorted() == ["fine", "good"])
    #expect(messages.count == 2)
    #expect(messages[0].contains("\"bad\"") && messages[0].contains("Odd"))
    #expect(messages[0].contains("org.example.edit"))
    #expect(messages[1].contains("\"worse[0]\""))
  }

  @Test("One activity is current at most, and none that is invalid")
  func current() {
    let first = UserActivity(activityType: "1")
    let second = UserActivity(activityType: "2")
    first.becomeCurrent()
    #expect(first.isCurrent)
    second.becomeCurrent()
    #expect(!first.isCurrent && second.isCurrent)
    first.resignCurrent()
    #expect(second.isCurrent)
    second.invalidate()
    #expect(!second.isCurrent)
    second.becomeCurrent()
    #expect(!second.isCurrent)
  }

  @Test("An invalid activity can be read but not changed")
  func invalid() throws {
    let activity = UserActivity(activityType: "t")
    activity.userInfo = ["a": 1]
    activity.invalidate()
    activity.title = "new"
    activity.userInfo?["a"] = 2
    activity.addUserInfoEntries(from: ["b": 3])
    activity.needsSave = true
    try activity.setPayload(1)
    #expect(activity.userInfo?.count == 1 && activity.userInfo?["a"] as? Int == 1)
    #expect(activity.title == nil && !activity.needsSave && activity.stored.payload == nil)
  }

  @Test("Saving asks the delegate, then each responder in the order of their setting, from empty")
  func collects() {
    let activity = UserActivity(activityType: "t")
    let saver = Saver()
    let parts = [Part(), Part(), Part()]
    activity.delegate = saver
    activity.userInfo = ["old": 1]
    for index in [2, 0] { parts[index].userActivity = activity }
    parts[2].entries = ["two": 2, "both": 2]
    parts[0].entries = ["both": 0]
    activity.needsSave = true

    activity.collect()

    #expect(saver.saved == ["old"])
    #expect(parts.map(\.seen) == [[2], [], [0]])
    #expect(activity.userInfo?.keys.sorted() == ["both", "two"])
    #expect(activity.userInfo?["both"] as? Int == 0)
    #expect(!activity.needsSave)
  }

  @Test("Entries stay if nothing is added")
  func nothingAdded() {
    let activity = UserActivity(activityType: "t")
    let part = Part()
    activity.userInfo = ["old": 1]
    part.userActivity = activity
    activity.collect()
    #expect(part.seen == [0])
    #expect(activity.userInfo?["old"] as? Int == 1)
  }

  @Test("A responder that changes everything while it is asked neither loops nor is asked twice")
  func reentry() {
    let activity = UserActivity(activityType: "t")
    let other = UserActivity(activityType: "o")
    let parts = [Part(), Part(), Part()]
    parts[0].userActivity = activity
    parts[1].userActivity = activity
    parts[0].onUpdate = { activity in
      activity.needsSave = true
      activity.collect()
      parts[0].userActivity = other
      parts[1].userActivity = nil
      parts[2].userActivity = activity
    }
    parts[0].entries = ["a": 1]
    activity.userInfo = ["old": 1]

    activity.collect()

    #expect(parts.map(\.seen.count) == [1, 0, 0])
    #expect(parts[0].userActivity == other)
    #expect(!activity.needsSave)
    #expect(activity.userInfo?["a"] as? Int == 1)
  }

  @Test("The last responder that lets an activity go ends it, also by being deallocated")
  func release() {
    let shared = UserActivity(activityType: "t")
    let left = Part()
    left.userActivity = shared
    do {
      let right = Part()
      right.userActivity = shared
      left.userActivity = UserActivity(activityType: "u")
      shared.becomeCurrent()
      #expect(shared.isCurrent)
      withExtendedLifetime(right) {}
    }
    #expect(!shared.isCurrent)
    shared.title = "late"
    #expect(shared.title == nil)

    let last = left.userActivity
    left.userActivity = last
    last?.title = "still valid"
    left.userActivity = nil
    last?.title = "late"
    #expect(last?.title == "still valid")
  }

  @Test("An activity that needs to be saved names each responder that has it")
  func needsSave() {
    let before = UserActivity.didNeedSave
    defer { UserActivity.didNeedSave = before }
    let parts = [Part(), Part()]
    var named: [Responder] = []
    UserActivity.didNeedSave = { responder in if parts.contains(where: { $0 === responder }) { named.append(responder) }
    }
    let activity = UserActivity(activityType: "t")
    activity.needsSave = true
    for part in parts { part.userActivity = activity }
    activity.needsSave = false
    #expect(named.isEmpty)
    activity.needsSave = true
    #expect(named.count == 2 && named[0] === parts[0] && named[1] === parts[1])
  }
}
