import Dispatch
import FoundationEssentials
import Glibc
import ProsceniumJSON
import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// Files that are not what they should be, disks that refuse, and other instances.
@MainActor @Suite("Trouble with preferences", .serialized) struct PreferencesTroubleTests {
  private let folder: ConfigurationFolder
  init() throws { folder = try ConfigurationFolder() }

  @Test(
    "A damaged file is reported, the program goes on with defaults, and what it sets puts the file aside",
    arguments: ["", "{", "[1]", "\u{0}\u{0}", "{\"size\": 1}}", "nonsense", "{\"size\": 1e999}", "giant", "deep"])
  func damaged(_ kind: String) throws {
    let text =
      switch kind {
      case "giant": "{\"name\": \"" + String(repeating: "x", count: PreferencesFile.limit) + "\"}"
      case "deep": "{\"a\": " + String(repeating: "[", count: 20_000)
      case _: kind
      }
    try folder.edit(text)
    let run = PreferencesRun(folder)
    #expect(run.preferences[.size] == 12)
    #expect(folder.names == ["preferences.json"])
    #expect(run.errors.count == 1 && run.errors.first?.contains("damaged") == true)
    run.preferences[.size] = 2
    run.platform.send(.signal(15))
    #expect(folder.values == ["size": .int(2)])
    #expect(run.errors.count == 2 && run.errors.last?.contains("preferences.json.damaged") == true)
    // The next ones do not take its place; there are not more and more of them
    let names = ["", ".damaged", ".damaged.1", ".damaged.2", ".damaged.3"].map { "preferences.json" + $0 }
    for count in [3, 4, 5, 5] {
      try folder.edit(text)
      let next = PreferencesRun(folder)
      next.preferences[.size] = 3
      next.platform.send(.signal(15))
      #expect(folder.names == Array(names.prefix(count)))
    }
  }

  @Test("An editor that is in the middle of writing when the program looks for the first time loses nothing")
  func halfWritten() async throws {
    try folder.edit("{ not yet")
    let run = PreferencesRun(folder)
    #expect(run.preferences[.size] == 12)
    try folder.edit(#"{"size": 5}"#)
    #expect(await run.wait { run.preferences[.size] == 5 })
    #expect(folder.names == ["preferences.json"])
  }

  @Test("Damaged while the program runs: values stay as they were, and what is set next puts it aside with them")
  func damagedLater() async throws {
    try folder.edit(#"{"size": 3, "other": 1}"#)
    let run = PreferencesRun(folder)
    #expect(run.preferences[.size] == 3)
    try folder.edit("{ not yet")
    for _ in 0..<10 { run.turn() }
    #expect(run.preferences[.size] == 3 && run.changes == [] && run.errors == [])
    run.preferences[.name] = "n"
    #expect(await run.wait { folder.values == ["size": .int(3), "other": .int(1), "name": .string("n")] })
    #expect(await run.wait { run.errors.count == 1 })
    #expect(folder.names == ["preferences.json", "preferences.json.damaged"])
  }

  @Test("What is no file is not replaced", arguments: ["pipe", "folder", "loop"])
  func noFile(_ kind: String) throws {
    mkdir(folder.folder, 0o700)
    switch kind {
    case "pipe": #expect(mkfifo(folder.file, 0o600) == 0)
    case "folder": #expect(mkdir(folder.file, 0o700) == 0)
    case _: #expect(symlink("preferences.json", folder.file) == 0)
    }
    let run = PreferencesRun(folder)
    #expect(run.preferences[.size] == 12)
    run.preferences[.size] = 1
    run.platform.send(.signal(15))
    #expect(run.program.exitStatus == 0)
    #expect(folder.names == ["preferences.json"])
    #expect(run.errors.count == 2)
  }

  /// Makes the file a link to one in what is no folder.
  /// - Returns: What should be one.
  private func withhold() throws -> String {
    let elsewhere = folder.path + "/dotfiles"
    try Data().write(to: URL(filePath: elsewhere))
    mkdir(folder.folder, 0o700)
    #expect(symlink("../dotfiles/mine.json", folder.file) == 0)
    return elsewhere
  }

  @Test("A file that the disk withholds is read again; that is told once, and so is its end")
  func withheld() async throws {
    let elsewhere = try withhold()
    let run = PreferencesRun(folder)
    #expect(run.preferences[.size] == 12 && run.errors.count == 1)
    run.platform.advance(by: 5000)
    #expect(run.resumptions == 0)
    // When it is there
    unlink(elsewhere)
    mkdir(elsewhere, 0o700)
    try Data(#"{"size": 4}"#.utf8).write(to: URL(filePath: elsewhere + "/mine.json"))
    // Then its values count
    #expect(await run.wait { run.preferences[.size] == 4 })
    run.platform.advance(by: 5000)
    #expect(run.errors.count == 1 && run.resumptions == 1)
  }

  @Test("A file that the disk withholds at the launch, and that is damaged when it comes, is told of")
  func withheldAndDamaged() async throws {
    let elsewhere = try withhold()
    let run = PreferencesRun(folder)
    #expect(run.preferences[.size] == 12 && run.errors.count == 1)
    // Nothing there is seen half made
    let new = folder.path + "/new"
    mkdir(new, 0o700)
    try Data("{ damaged".utf8).write(to: URL(filePath: new + "/mine.json"))
    unlink(elsewhere)
    #expect(rename(new, elsewhere) == 0)
    #expect(await run.wait { run.errors.count == 2 })
    #expect(run.errors.last?.contains("is damaged") == true && run.resumptions == 1 && run.preferences[.size] == 12)
  }

  @Test("A link is followed: what it leads to is read, heard of, and replaced as a whole; the link stays")
  func link() async throws {
    let elsewhere = folder.path + "/dotfiles"
    mkdir(elsewhere, 0o700)
    mkdir(folder.folder, 0o700)
    func edit(_ text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: elsewhere + "/.new"))
      #expect(rename(elsewhere + "/.new", elsewhere + "/mine.json") == 0)
    }
    try edit(#"{"size": 4}"#)
    #expect(symlink("../dotfiles/mine.json", folder.file) == 0)
    let run = PreferencesRun(folder)
    #expect(run.preferences[.size] == 4)
    run.preferences[.name] = "n"
    #expect(await run.wait { folder.values == ["size": .int(4), "name": .string("n")] })
    #expect(await run.wait { run.preferences.writing == nil })
    try edit(#"{"size": 5, "name": "n"}"#)
    #expect(await run.wait { run.preferences[.size] == 5 })
    // Another target, which is not there yet: made where it is said to be
    #expect(symlink("../dotfiles/other.json", folder.folder + "/.link") == 0)
    #expect(rename(folder.folder + "/.link", folder.file) == 0)
    #expect(await run.wait { run.preferences[.size] == 12 })
    run.preferences[.size] = 9
    run.platform.send(.signal(15))
    #expect(run.program.exitStatus == 0 && run.errors == [])
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: folder.file)) == "../dotfiles/other.json")
    #expect(folder.values == ["size": .int(9)] && folder.names == ["preferences.json"])
    #expect(FileManager.default.contents(atPath: elsewhere + "/mine.json") == Data(#"{"size": 5, "name": "n"}"#.utf8))
  }

  @Test("An own choice in the middle of another program's edit in place waits for it, and both are there")
  func editInPlace() async throws {
    // It is waited for a second only, which a busy machine may let pass: then there is another try.
    for _ in 1...20 {
      try folder.edit(#"{"size": 3}"#)
      let run = PreferencesRun(folder)
      #expect(run.preferences[.size] == 3)
      let descriptor = open(folder.file, O_WRONLY | O_TRUNC | O_CLOEXEC)
      defer { close(descriptor) }
      let start = ContinuousClock.now
      #expect(write(descriptor, "{\"size\": ", 9) == 9)
      run.preferences[.name] = "n"
      #expect(await run.wait { run.preferences.writing != nil })
      // For a while the file is what it is; other tests have no say meanwhile
      var names: [[String]] = []
      for _ in 0..<5 {
        run.turn()
        names.append(folder.names)
        usleep(5000)
      }
      #expect(write(descriptor, "7}", 2) == 2)
      guard ContinuousClock.now - start < .milliseconds(800) else {
        run.platform.send(.signal(15))
        continue
      }
      #expect(names == Array(repeating: ["preferences.json"], count: 5))
      #expect(await run.wait { folder.values == ["size": .int(7), "name": .string("n")] })
      #expect(await run.wait { run.preferences[.size] == 7 && run.preferences.writing == nil })
      #expect(folder.names == ["preferences.json"] && run.errors == [])
      return
    }
    Issue.record("the machine is too slow for any of the tries")
  }

  @Test("A directory that cannot be made at the first use is tried again; what was set meanwhile is written then")
  func madeLater() async throws {
    try Data().write(to: URL(filePath: folder.folder))
    let run = PreferencesRun(folder)
    run.preferences[.size] = 7
    #expect(await run.wait { run.errors.count == 1 })
    for _ in 0..<100 { run.turn() }
    #expect(run.errors.count == 1 && run.resumptions == 0 && run.preferences[.size] == 7)
    unlink(folder.folder)
    #expect(await run.wait { folder.values == ["size": .int(7)] })
    try folder.edit(#"{"size": 8}"#)
    #expect(await run.wait { run.preferences[.size] == 8 })
    #expect(run.errors.count == 1 && run.resumptions == 1)
  }

  @Test("A directory that is renamed, and one that another program makes in its place, is followed")
  func renamedFolder() async throws {
    try folder.edit(#"{"size": 3}"#)
    let run = PreferencesRun(folder)
    #expect(run.preferences[.size] == 3)
    #expect(rename(folder.folder, folder.path + "/old") == 0)
    #expect(await run.wait { run.preferences[.size] == 12 })
    try folder.edit(#"{"size": 4}"#)
    #expect(await run.wait { run.preferences[.size] == 4 })
    try FileManager.default.removeItem(atPath: folder.folder)
    #expect(await run.wait { run.preferences[.size] == 12 })
    // The one that was there before comes back
    #expect(rename(folder.path + "/old", folder.folder) == 0)
    #expect(await run.wait { run.preferences[.size] == 3 })
    run.preferences[.size] = 5
    #expect(await run.wait { folder.values == ["size": .int(5)] })
    #expect(run.errors == [])
  }

  @Test("Where there is no place for a file, values are kept while the program runs, and that is said once")
  func noPlace() throws {
    try Data().write(to: URL(filePath: folder.folder))
    let run = PreferencesRun(folder)
    run.preferences[.size] = 1
    run.preferences[.size] = 2
    #expect(run.preferences[.size] == 2 && run.changes.count == 2)
    run.platform.send(.signal(15))
    #expect(run.program.exitStatus == 0)
    #expect(run.errors.count == 1 && run.errors.first?.contains(folder.folder) == true)
  }

  @Test("A directory that is removed and made anew is written to, and heard of again")
  func removedFolder() async throws {
    let run = PreferencesRun(folder)
    run.preferences[.size] = 1
    #expect(await run.wait { folder.values == ["size": .int(1)] })
    try FileManager.default.removeItem(atPath: folder.folder)
    #expect(await run.wait { run.preferences[.size] == 12 })
    run.preferences[.name] = "again"
    #expect(await run.wait { folder.values == ["name": .string("again")] })
    #expect(await run.wait { run.platform.sources.count == 1 && run.preferences.writing == nil })
    try folder.edit(#"{"size": 8}"#)
    #expect(await run.wait { run.preferences[.size] == 8 })
  }

  #if !WITHOUT_Suspension
    @Test("A disk that does not answer keeps no program from being suspended, and that is said once")
    func slow() async {
      let run = PreferencesRun(folder, suspends: true)
      run.preferences[.size] = 1
      // As another instance does that is in the middle of writing, and stays there
      let directory = open(folder.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      #expect(flock(directory, LOCK_EX | LOCK_NB) == 0)
      run.minimize()
      #expect(folder.names == [] && run.errors.count == 1 && run.errors.first?.contains("2000 ms") == true)
      close(directory)
      #expect(await run.wait { folder.values == ["size": .int(1)] })
      #expect(run.platform.isSuspended)
    }
  #endif

  /// Has a folder lie where the file is to be written first, and something in it: no write succeeds.
  private func obstruct() {
    mkdir(folder.folder, 0o700)
    mkdir(folder.folder + "/.preferences.json.tmp", 0o700)
    mkdir(folder.folder + "/.preferences.json.tmp/in it", 0o700)
  }

  private func clear() {
    rmdir(folder.folder + "/.preferences.json.tmp/in it")
    rmdir(folder.folder + "/.preferences.json.tmp")
  }

  @Test("A write that fails is tried again by itself, once a second; that is told once, and its end")
  func retried() async {
    // Given a program whose preferences cannot be written
    obstruct()
    let run = PreferencesRun(folder)
    run.preferences[.size] = 1
    #expect(await run.wait { run.errors.count == 1 })
    run.preferences[.name] = "n"
    for _ in 0..<3 {
      #expect(await run.wait { run.preferences.writing != nil })
      #expect(await run.wait { run.preferences.writing == nil })
    }
    #expect(run.errors.count == 1 && run.errors.first?.contains("until it succeeds") == true)
    // When they can be again, and the program does nothing
    clear()
    // Then they are written, that is told, and there is nothing more to wait for
    #expect(await run.wait { folder.values == ["size": .int(1), "name": .string("n")] })
    #expect(await run.wait { run.resumptions == 1 })
    for _ in 0..<200 { run.turn() }
    #expect(run.preferences.writing == nil && run.program.application.conductor?.isSet(.preferences) == false)
    #expect(run.errors.count == 1 && run.resumptions == 1)
    // And the next trouble is told again
    obstruct()
    run.preferences[.size] = 2
    #expect(await run.wait { run.errors.count == 2 })
    clear()
    #expect(await run.wait { run.resumptions == 2 && folder.values["size"] == .int(2) })
  }

  @Test("What can never be written is not tried again without another change")
  func refusedOnce() async {
    let run = PreferencesRun(folder)
    let other = PreferenceKey("other", default: "")
    run.preferences[.name] = String(repeating: "x", count: PreferencesFile.limit - 30)
    run.preferences[other] = String(repeating: "y", count: 100)
    #expect(await run.wait { run.errors.count == 1 && run.preferences.writing == nil })
    #expect(run.program.application.conductor?.isSet(.preferences) == false)
    run.preferences.remove(.name)
    #expect(await run.wait { folder.values == ["other": .string(String(repeating: "y", count: 100))] })
    #expect(await run.wait { run.preferences.writing == nil })
    #expect(run.errors.count == 1 && run.resumptions == 0)
  }

  @Test("A value for which the file has no room is left out and named, counts meanwhile, and keeps no other one out")
  func leftOut() async throws {
    try folder.edit("{\"old\": \"" + String(repeating: "x", count: 900_000) + "\"}")
    let run = PreferencesRun(folder)
    run.preferences[.name] = String(repeating: "y", count: 200_000)
    run.preferences[.size] = 1
    #expect(await run.wait { folder.values["size"] == .int(1) })
    #expect(await run.wait { run.preferences.writing == nil && run.errors.count == 1 })
    #expect(folder.values["name"] == nil && folder.values["old"] != nil && run.preferences[.name].count == 200_000)
    #expect(run.errors.first?.contains("\"name\"") == true, "\(run.errors)")
    #expect(run.program.application.conductor?.isSet(.preferences) == false)
    run.preferences[.size] = 2
    #expect(await run.wait { folder.values["size"] == .int(2) })
    #expect(await run.wait { run.preferences.writing == nil })
    #expect(run.errors.count == 1 && run.resumptions == 0)
    // Another one is named, too
    let other = PreferenceKey("other", default: "")
    run.preferences[other] = String(repeating: "z", count: 150_000)
    #expect(await run.wait { run.errors.count == 2 && run.preferences.writing == nil })
    #expect(run.errors.last?.contains("\"other\"") == true, "\(run.errors)")
    run.preferences.remove(other)
    run.preferences[.name] = "n"
    #expect(await run.wait { folder.values["name"] == .string("n") && run.preferences.writing == nil })
    #expect(folder.values["size"] == .int(2) && run.errors.count == 2 && run.resumptions == 0)
    // A failure of the disk is reported though one was left out before
    run.preferences[other] = String(repeating: "z", count: 150_000)
    #expect(await run.wait { run.errors.count == 3 && run.preferences.writing == nil })
    unlink(folder.file)
    mkdir(folder.file, 0o700)
    run.preferences[.size] = 3
    #expect(await run.wait { run.errors.count { $0.contains("Not written") } == 4 })
  }

  @Test(
    "Of changes that are too large together those stay that make the file smaller, and as many as there is room for")
  func makingRoom() {
    let disk = CuttableDisk()
    func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }
    #expect(PreferencesFile.write(["a": text(400_000), "b": text(400_000)], over: [:], in: disk).failure == nil)
    let changes: [String: JSONValue?] = ["a": text(300_000), "c": text(500_000), "d": .int(1)]
    let outcome = PreferencesFile.write(changes, over: [:], in: disk)
    #expect(outcome.written?.values == ["a": text(300_000), "b": text(400_000), "d": .int(1)])
    #expect(outcome.isRefused && outcome.failure?.contains("\"c\"") == true, "\(outcome.failure ?? "")")
    // What has too large a value keeps the one that it had
    let larger = PreferencesFile.write(["a": text(900_000), "b": nil, "e": text(100_000)], over: [:], in: disk)
    #expect(larger.failure == nil && larger.written?.values.count == 3)
    let tooLarge = PreferencesFile.write(["d": text(200_000), "f": .int(2)], over: [:], in: disk)
    #expect(tooLarge.written?.values["d"] == .int(1) && tooLarge.written?.values["f"] == .int(2))
  }

  #if !WITHOUT_Suspension
    @Test("What fails at a suspension is tried again while the program is suspended; that is told once, and its end")
    func retriedInSuspension() async throws {
      obstruct()
      let run = PreferencesRun(folder, suspends: true)
      run.preferences[.size] = 1
      run.minimize()
      #expect(folder.names == [".preferences.json.tmp"] && run.errors.count == 1)
      clear()
      // Without a turn of the loop.
      try await waitUntil { !folder.values.isEmpty }
      #expect(folder.values == ["size": .int(1)] && run.platform.isSuspended)
      run.restore()
      #expect(await run.wait { run.resumptions == 1 })
      #expect(run.errors.count == 1)
    }
  #endif

  @Test("A value that cannot be written, or is too large, is not taken; others are")
  func refused() {
    struct Stubborn: Codable, Equatable {
      struct No: Error {}
      var value = 0
      init(_ value: Int) { self.value = value }
      init(from decoder: any Decoder) throws { throw No() }
      func encode(to encoder: any Encoder) throws { throw No() }
    }
    let run = PreferencesRun(folder)
    let stubborn = PreferenceKey("stubborn", default: Stubborn(1))
    run.preferences[stubborn] = Stubborn(2)
    #expect(run.preferences[stubborn] == Stubborn(1))
    run.preferences[.name] = String(repeating: "x", count: PreferencesFile.limit)
    #expect(run.preferences[.name] == "nobody" && run.errors.count == 2 && run.changes == [])
    // Each small enough, together too large: the largest one is not in the file until there is room
    run.preferences[.size] = 1
    run.preferences[.name] = String(repeating: "x", count: PreferencesFile.limit - 30)
    let other = PreferenceKey("other", default: "")
    run.preferences[other] = String(repeating: "y", count: 100)
    run.preferences.finishWriting(milliseconds: 5000)
    #expect(Set(folder.values.keys) == ["size", "other"] && run.errors.count == 3)
    run.preferences.remove(.name)
    run.platform.send(.signal(15))
    #expect(Set(folder.values.keys) == ["size", "other"])
  }

  @Test("Instances that write at the same time lose none of each other's keys")
  func instances() throws {
    let file = try PreferencesFile(
      applicationIdentifier: "org.example.preferences", environment: ["XDG_CONFIG_HOME": folder.path])
    // One after another in each thread, all threads at once, each with keys of its own.
    // So few that the last one gets the lock before it gives up, whatever each fsync takes.
    let (threads, rounds) = (8, 3)
    let writings = (0..<threads).map { thread in
      let writing = PreferencesWriting(number: thread)
      writing.start {
        var last = PreferencesFile.Outcome()
        for round in 0..<rounds { last = file.write(["\(thread)-\(round)": .int(round)], over: [:]) }
        return last
      } whenDone: {
      }
      return writing
    }
    for writing in writings { #expect(writing.wait(until: .now() + .seconds(60))) }
    #expect(writings.allSatisfy { $0.outcome?.failure == nil })
    #expect(folder.values.count == threads * rounds)
    #expect(folder.names == ["preferences.json"])
  }

  @Test("Two programs with one file: each hears of the other's choice, and both choices stay")
  func programs() async {
    let (first, second) = (PreferencesRun(folder), PreferencesRun(folder))
    #expect(first.preferences[.size] == 12 && second.preferences[.name] == "nobody")
    first.preferences[.size] = 1
    second.preferences[.name] = "two"
    let isSettled = await first.wait {
      second.turn()
      return first.preferences[.name] == "two" && second.preferences[.size] == 1
    }
    #expect(isSettled)
    #expect(first.changes == [["size"], ["name"]] && second.changes == [["name"], ["size"]])
    #expect(folder.values == ["size": .int(1), "name": .string("two")])
  }

  @Test("A write says whether the disk is full, or the user's part of it")
  func full() {
    for (error, isFull) in [(ENOSPC, true), (EDQUOT, true), (EIO, false)] {
      let disk = CuttableDisk()
      disk.fail(with: .system(error))
      let outcome = PreferencesFile.write(["a": .int(1)], over: [:], in: disk)
      #expect(outcome.failure != nil && outcome.isDiskFull == isFull)
    }
  }

  @Test(
    "Whatever moment the power fails at, the file is whole: as before, or as after",
    arguments: testSeeds(12, test: "powerCut"))
  func powerCut(seed: UInt64) throws {
    let before: [String: JSONValue] = ["a": .int(1), "b": .string("x")]
    let after: [String: JSONValue] = ["a": .int(2), "b": .string("x"), "c": .bool(true)]
    for operation in 0..<6 {
      let disk = CuttableDisk()
      #expect(PreferencesFile.write(before, over: [:], in: disk).failure == nil)
      disk.cut(afterOperation: operation, tornAt: Int(seed % 12) * 7)
      let outcome = PreferencesFile.write(["a": .int(2), "c": .bool(true)], over: before, in: disk)
      let contents = PreferencesFile.contents(disk.restarted(.unsynced(seed: seed)))
      guard case .values(let values, _) = contents else {
        Issue.record("after \(operation) operations: \(contents)")
        continue
      }
      #expect(values == before || values == after, "after \(operation) operations")
      // What was said to be written is.
      if outcome.written != nil { #expect(values == after) }
    }
  }
}
