import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import Testing

/// The declarations that a module with UIKit's names needs.
@MainActor @Suite("Porting from UIKit", .serialized) struct PortingTests {
  private func launch(_ delegate: RecordingDelegate, _ prepare: (Application) -> Void = { _ in }) -> HeadlessProgram {
    let program = HeadlessProgram()
    prepare(program.application)
    program.launch(delegate)
    program.platform.advance(by: 3000)
    return program
  }

  @Test("Conditions with suffixes, parts, and other conditions")
  func conditions() throws {
    typealias Condition = SceneActivationConditions.Condition
    #expect(Condition.suffix(".txt").accepts("a.txt") && !Condition.suffix(".txt").accepts("a.txt2"))
    #expect(Condition.contains("b").accepts("abc") && !Condition.contains("d").accepts("abc"))
    #expect(Condition.contains("").accepts(""))
    #expect(!Condition.not(.any).accepts("a") && Condition.not(.none).accepts("a"))
    let both = Condition.all([.prefix("a"), .suffix("c")])
    #expect(both.accepts("abc") && !both.accepts("ab") && Condition.all([]).accepts("x"))
    let either = Condition.anyOf([.equals("a"), .not(.contains("b"))])
    #expect(either.accepts("a") && either.accepts("c") && !either.accepts("b") && !Condition.anyOf([]).accepts("x"))
  }

  @Test("A window's content has a size in points")
  func contentSize() throws {
    let delegate = RecordingDelegate()
    let program = launch(delegate)
    let window = try #require(delegate.sessions.first?.scene.flatMap { $0 as? WindowScene }?.windows.first)
    #expect(window.contentSize == (640, 480))
    withExtendedLifetime(program) {}
  }

  @Test("User info whose types are known only at run time is checked like any other")
  func userInfo() {
    // Not to the program that another test has launched last.
    let before = UserActivity.report
    var reports: [String] = []
    UserActivity.report = { reports.append($0) }
    defer { UserActivity.report = before }
    let activity = UserActivity(activityType: "org.example.edit")
    let values: [AnyHashable: Any] = ["n": 7, "list": [1, 2], "object": Test.self]
    activity.setUserInfo(Dictionary(uniqueKeysWithValues: values.map { ("\($0.key)", $0.value) }))
    #expect(activity.userInfo?["n"] as? Int == 7 && activity.userInfo?["list"] as? [Int] == [1, 2])
    #expect(activity.userInfo?.count == 2)
    #expect(reports.count == 1 && reports.first?.contains("is of the type Test.Type, which cannot be stored") == true)
    activity.setUserInfo(nil)
    #expect(activity.userInfo == nil)
  }

  @Test("A delegate of another library's class is made by its maker")
  func makers() throws {
    final class Foreign {}
    #expect(throws: ClassInstantiation.Failure.self) { try ClassInstantiation.make(Foreign.self, role: "delegate") }
    let made = Foreign()
    ClassInstantiation.makers = [{ $0 == Foreign.self ? made : nil }]
    defer { ClassInstantiation.makers = [] }
    #expect(try ClassInstantiation.make(Foreign.self, role: "delegate") === made)
  }

  @Test("The delegate can be replaced while the program runs")
  func delegate() {
    let (first, second) = (RecordingDelegate(), RecordingDelegate())
    let program = launch(first)
    program.application.delegate = second
    _ = first.takeCalls()
    program.machine.lock()
    program.platform.advance(by: 10_000)
    #expect(first.calls.allSatisfy { $0.scene != nil } && second.calls.contains { $0.scene == nil })
  }

  #if !WITHOUT_OpenRequests
    @Test("Shortcut items that are set while the program runs are those that it performs")
    func shortcutItems() {
      let delegate = RecordingDelegate()
      let program = launch(delegate)
      let item = ApplicationShortcutItem(type: "new", localizedTitle: "New", localizedSubtitle: "A window", icon: "add")
      program.application.shortcutItems = [item]
      program.machine.startAgain(["--action", "new"])
      program.platform.advance(by: 10_000)
      #expect(delegate.calls.contains { $0.name == "performActionFor" && $0.details == "new" })
    }
  #endif
}
