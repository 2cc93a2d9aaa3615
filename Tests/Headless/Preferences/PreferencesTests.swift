import FoundationEssentials
import Glibc
import ProsceniumJSON
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// What a program's user has chosen, in a real file.
@MainActor @Suite("Preferences", .serialized) struct PreferencesTests {
  private let folder: ConfigurationFolder
  init() throws { folder = try ConfigurationFolder() }

  private struct Place: Codable, Equatable {
    var x: Double
    var tags: [String]
    var when: Date?
  }

  @Test("A program that never uses one opens, watches and makes nothing")
  func untouched() {
    let run = PreferencesRun(folder, isObserved: false)
    // The object alone is no use of it.
    _ = run.program.application.preferences
    #expect(run.platform.sources.isEmpty)
    run.platform.send(.signal(15))
    #expect(run.program.exitStatus == 0)
    #expect(folder.names == [] && !FileManager.default.fileExists(atPath: folder.folder))
  }

  @Test("Values of every kind are the same in the next run; one that is not there has its default")
  func kinds() {
    let place = PreferenceKey("place", default: Place(x: 0, tags: []))
    let data = PreferenceKey("data", default: Data())
    let date = PreferenceKey("date", default: Date(timeIntervalSinceReferenceDate: 0))
    let link = PreferenceKey<URL?>("link", default: nil)
    let odd = PreferenceKey<[String: Double]>("odd", default: [:])
    let flags = PreferenceKey<Set<Int>>("flags", default: [])
    let large = PreferenceKey<Int>("large", default: 0)
    let whole = PreferenceKey<Double>("whole", default: 0)
    let moment = Date(timeIntervalSinceReferenceDate: 12345.0625)
    let chosen = Place(x: .infinity, tags: ["ä", "\u{0}\"", ""], when: moment)
    let first = PreferencesRun(folder)
    #expect(first.preferences[.size] == 12 && first.preferences[place] == Place(x: 0, tags: []))
    first.preferences[.size] = -3
    first.preferences[.name] = "somebody"
    first.preferences[place] = chosen
    first.preferences[data] = Data([0, 255, 10])
    first.preferences[date] = moment
    first.preferences[link] = URL(string: "https://example.org/a?b=c")
    first.preferences[odd] = ["nan": .nan, "minus": -0.5, "half": 0.5]
    first.preferences[flags] = [1, 2, 3]
    first.preferences[large] = .max
    first.preferences[whole] = 4
    first.platform.send(.signal(15))
    #expect(first.program.exitStatus == 0)
    #expect(folder.names == ["preferences.json"])
    let second = PreferencesRun(folder)
    #expect(second.preferences[.size] == -3 && second.preferences[.name] == "somebody")
    #expect(second.preferences[place] == chosen && second.preferences[data] == Data([0, 255, 10]))
    #expect(second.preferences[date] == moment && second.preferences[large] == .max)
    #expect(second.preferences[link]?.absoluteString == "https://example.org/a?b=c")
    #expect(second.preferences[flags] == [1, 2, 3] && second.preferences[whole] == 4)
    let oddly = second.preferences[odd]
    #expect(oddly["nan"]?.isNaN == true && oddly["minus"] == -0.5 && oddly["half"] == 0.5)
    // Nil is a choice, too; another type is none, and stays until a value is set.
    second.preferences[link] = nil
    #expect(second.preferences.contains(link) && second.preferences[link] == nil)
    #expect(second.preferences[PreferenceKey("name", default: 7)] == 7 && second.preferences[.name] == "somebody")
    second.preferences.remove(.name)
    #expect(second.preferences[.name] == "nobody" && !second.preferences.contains(.name))
    second.platform.send(.signal(15))
    #expect(folder.values["name"] == nil && folder.values["link"] == .null)
    #expect(first.errors == [] && second.errors.count == 1)
  }

  @Test("What is set is told once, and written with what is set soon after; the file's change is not told again")
  func written() async throws {
    let run = PreferencesRun(folder)
    run.preferences[.size] = 1
    run.preferences[.size] = 1
    run.preferences[.name] = "a"
    run.preferences[.size] = 2
    #expect(run.changes == [["size"], ["name"], ["size"]])
    #expect(folder.names == [])
    #expect(await run.wait { folder.values == ["size": .int(2), "name": .string("a")] })
    // The watch has heard of it.
    let reads = run.platform.sources.count
    #expect(reads == 1)
    for _ in 0..<20 {
      run.turn()
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(run.changes.count == 3)
    #expect(folder.text.hasSuffix("\n") && folder.text.contains("\n  \"name\" : \"a\""))
  }

  @Test("Another program's edit is told once, with the keys that it changed; unknown keys stay")
  func edited() async throws {
    try folder.edit(#"{"size": 3, "later": {"deep": [1, null, true, 2.5, "$x"]}, "other": 18446744073709551615}"#)
    let run = PreferencesRun(folder)
    #expect(run.preferences[.size] == 3 && run.changes == [])
    #expect(run.preferences[PreferenceKey<UInt64>("other", default: 0)] == .max)
    try folder.edit(#"{"size": 4, "later": {"deep": [1, null, true, 2.5, "$x"]}, "name": "b"}"#)
    #expect(await run.wait { !run.changes.isEmpty })
    #expect(run.changes == [["size", "name", "other"]])
    #expect(run.preferences[.size] == 4 && run.preferences[.name] == "b")
    // The same again is no change
    try folder.edit(#"{"name": "b", "size": 4, "later": {"deep": [1, null, true, 2.5, "$x"]}}"#)
    run.preferences[.name] = "c"
    // The program has heard, too, that it is written: what comes after that is another program's.
    #expect(await run.wait { folder.values["name"] == .string("c") && run.preferences.writing == nil })
    let deep = JSONValue.array([.int(1), .null, .bool(true), .double(2.5), .string("$x")])
    #expect(folder.values["later"] == .object(["deep": deep]))
    #expect(folder.values["size"] == .int(4))
    #expect(run.changes.dropFirst() == [["name"]])
    // Written in place, in two parts: half a file is not believed
    let descriptor = open(folder.file, O_WRONLY | O_TRUNC)
    #expect(write(descriptor, "{\"size\": ", 9) == 9)
    run.turn()
    run.turn()
    #expect(write(descriptor, "5}", 2) == 2)
    close(descriptor)
    #expect(await run.wait { run.changes.count > 2 })
    #expect(run.changes.last == ["size", "name", "later"] && run.preferences[.size] == 5)
    #expect(folder.names == ["preferences.json"] && run.errors == [])
    // Removed: everything has its default again
    #expect(unlink(folder.file) == 0)
    #expect(await run.wait { run.changes.count > 3 })
    #expect(run.changes.last == ["size"] && run.preferences[.size] == 12)
  }

  #if !WITHOUT_Suspension
    @Test("While the program is suspended nothing is told; on return once, what differs then")
    func suspended() async throws {
      let run = PreferencesRun(folder, suspends: true)
      run.preferences[.size] = 1
      run.minimize()
      // Written before the program was suspended, though its time had not come
      #expect(folder.values == ["size": .int(1)])
      run.platform.pollSources()
      let (lines, told) = (run.program.entries.count, run.changes)
      try folder.edit(#"{"size": 2, "name": "x"}"#)
      run.platform.pollSources()
      try folder.edit(#"{"size": 1, "name": "y"}"#)
      run.platform.pollSources()
      #expect(run.platform.isSuspended && run.program.entries.count == lines && run.changes == told)
      run.restore()
      #expect(run.changes == told + [["name"]] && run.preferences[.name] == "y")
      // What was undone has not happened
      run.minimize()
      try folder.edit(#"{"size": 7}"#)
      run.platform.pollSources()
      try folder.edit(#"{"size": 1, "name": "y"}"#)
      run.platform.pollSources()
      run.restore()
      #expect(run.changes == told + [["name"]])
    }
  #endif

  #if !WITHOUT_Suspension
    @Test(
      "What is set while a write is under way is on disk too, before the program is suspended or the machine sleeps")
    func setWhileWriting() {
      final class Resource: SuspendableResource {
        var onClose: () -> Void = {}
        func closeBeforeSuspension() { onClose() }
        func reopenAfterSuspension() {}
      }
      let resource = Resource()
      let run = PreferencesRun(folder, suspends: true)
      run.program.application.register(resource)
      // The main queue, which is told when a write is done, has no turn in here
      func beginWriting(_ size: Int) {
        run.preferences[.size] = size
        run.platform.advance(by: 300)
        #expect(run.preferences.writing != nil)
      }
      beginWriting(1)
      run.preferences[.name] = "asleep"
      run.program.machine.sleep()
      run.platform.deliver()
      #expect(folder.values == ["size": .int(1), "name": .string("asleep")])
      run.program.machine.wake()
      run.platform.deliver()
      beginWriting(2)
      run.preferences[.name] = "suspended"
      resource.onClose = { run.preferences[PreferenceKey("closed", default: false)] = true }
      run.minimize()
      #expect(folder.values == ["size": .int(2), "name": .string("suspended"), "closed": .bool(true)])
      run.restore()
      #expect(run.errors == [])
    }
  #endif

  #if !WITHOUT_Suspension
    @Test("A program that is told to end, suspended or not, has its last values on disk", arguments: [false, true])
    func ended(isSuspended: Bool) {
      let run = PreferencesRun(folder, suspends: true)
      run.preferences[.size] = 99
      if isSuspended { run.minimize() }
      run.platform.send(.signal(15))
      #expect(run.program.exitStatus == 0)
      #expect(folder.values == ["size": .int(99)])
    }
  #endif

  @Test("What is set before the launch callbacks is written all the same, and so is what a terminating program sets")
  func early() {
    let program = HeadlessProgram(store: .none)
    program.application.host.environment = ["HOME": folder.path]
    program.application.preferences[.size] = 5
    let token = NotificationCenter.default.addObserver(of: program.application, for: .willTerminate) { message in
      message.application.preferences[.name] = "late"
    }
    program.launch(PlainProgram())
    #expect(program.application.preferences[.size] == 5)
    program.platform.send(.signal(15))
    withExtendedLifetime(token) {}
    let file = folder.path + "/.config/" + program.application.identifier + "/preferences.json"
    let bytes = FileManager.default.contents(atPath: file).map { Array($0) } ?? []
    #expect((try? JSONValue.object(in: bytes)) == ["size": .int(5), "name": .string("late")])
  }
}
