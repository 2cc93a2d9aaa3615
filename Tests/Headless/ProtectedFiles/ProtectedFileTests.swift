import FoundationEssentials
import Glibc
import ProsceniumJSON
import ProsceniumTrace
import Testing

@testable import ProsceniumCore
@testable import ProsceniumTesting

/// Protected files in a real folder, in a program whose screen is locked and unlocked.
@MainActor @Suite("Protected files", .serialized, .enabled(if: Sodium.shared != nil)) struct ProtectedFileTests {
  private let home: RealHome
  private let program: HeadlessProgram
  init() throws {
    home = try RealHome()
    program = HeadlessProgram(delegate: { RecordingDelegate() })
    program.launch()
    program.advance(by: .seconds(3))
  }

  private func file(_ name: String = "diary", _ protection: FileProtection = .complete) -> ProtectedFile {
    ProtectedFile(url: URL(filePath: home.path + "/" + name), protection: protection, application: program.application)
  }

  private func reason(_ body: () async throws(ProtectedFileError) -> Void) async -> ProtectedFileError.Reason? {
    do throws(ProtectedFileError) {
      try await body()
      return nil
    } catch {
      #expect(error.description.contains("“") && error.description.hasSuffix("."))
      return error.reason
    }
  }

  private func write(_ text: String, _ file: ProtectedFile) async -> ProtectedFileError.Reason? {
    await reason { () async throws(ProtectedFileError) in try await file.write(Data(text.utf8)) }
  }

  /// The text, or why there is none.
  private func read(_ file: ProtectedFile) async -> String {
    do throws(ProtectedFileError) { return String(decoding: try await file.read(), as: UTF8.self) } catch {
      return error.reason.rawValue
    }
  }

  /// The events of keys and protected files in the trace.
  private var events: [String] {
    program.entries.compactMap { record in
      guard case .system(let system) = record, system.name.hasPrefix("protect") else { return nil }
      return system.details["event"]?.text
    }
  }

  private func lock(_ time: Duration = .seconds(11)) {
    program.machine.lock()
    program.advance(by: time)
  }

  private func unlock() {
    program.machine.unlock()
    program.advance(by: .seconds(1))
  }

  @Test("It is written and read, encrypted on the disk and for its user alone; nothing is asked before it is used")
  func roundTrip() async {
    let diary = file()
    #expect(program.machine.keys.requests == 0 && events == [])
    #expect(await write("dear diary", diary) == nil)
    #expect(await read(diary) == "dear diary")
    #expect(program.machine.keys.requests == 1 && events == ["fetched", "write", "read"])
    #expect(home.mode("diary") == 0o600)
    let bytes = FileManager.default.contents(atPath: home.path + "/diary") ?? Data()
    #expect(bytes.count > 60 && !String(decoding: bytes, as: UTF8.self).contains("diary"))
    #expect((try? FileManager.default.contentsOfDirectory(atPath: home.path)) == ["diary"])
    // Its own class is needed
    #expect(await read(file("diary", .completeUntilFirstUserAuthentication)) == "notProtected")
    #expect(await read(file("no diary")) == "missing")
    #expect(await read(file("no/diary")) == "missing")
  }

  @Test("Ten seconds after a lock the key is gone and everything fails; after the unlock it works again")
  func locked() async {
    let diary = file()
    #expect(await write("one", diary) == nil)
    lock(.seconds(5))
    // The moments of grace
    #expect(await write("two", diary) == nil)
    #expect(await read(diary) == "two")
    program.advance(by: .seconds(6))
    #expect(events.last == "wiped")
    #expect(await read(diary) == "unavailable")
    #expect(await write("three", diary) == .unavailable)
    // A new handle is no way around it
    #expect(await read(file()) == "unavailable")
    #expect(program.machine.keys.requests == 1)
    unlock()
    #expect(program.machine.keys.requests == 1)
    #expect(await read(diary) == "two")
    #expect(await write("three", diary) == nil)
    #expect(await read(diary) == "three")
    #expect(program.machine.keys.requests == 2)
    // A lock that is over soon changes nothing
    lock(.seconds(2))
    unlock()
    program.advance(by: .seconds(20))
    #expect(await read(diary) == "three")
    #expect(program.machine.keys.requests == 2)
  }

  @Test("A key that is fetched while the machine is about to sleep goes with the use that it was fetched for")
  func sleeping() async {
    let diary = file()
    #expect(await write("one", diary) == nil)
    program.machine.sleep()
    #expect(events == ["fetched", "write", "wiped"])
    // As a desktop does that locks the screen on the way
    program.machine.lock()
    #expect(await write("two", diary) == nil)
    #expect(await read(diary) == "two")
    #expect(events.dropFirst(3) == ["fetched", "write", "wiped", "fetched", "read", "wiped"])
    program.machine.wake()
    unlock()
    #expect(await read(diary) == "two")
    #expect(events.suffix(2) == ["fetched", "read"])
  }

  @Test("A wait for the key that is longer than the background time is no mistake of the program")
  func longWait() async {
    for window in program.platform.windows.keys { program.platform.minimize(window) }
    program.advance(by: .seconds(3))
    #expect(program.application.applicationState == .background)
    let diary = file()
    async let outcome = write("one", diary)
    while program.machine.keys.requests == 0 { await Task.yield() }
    program.advance(by: .seconds(60))
    #expect(await outcome == nil)
    #expect(!program.entries.contains { $0.kind == "error" })
  }

  @Test("What is locked while its key is fetched fails")
  func lockedMeanwhile() async {
    let diary = file()
    async let outcome = write("one", diary)
    while program.machine.keys.requests == 0 { await Task.yield() }
    lock()
    // The key may have come before the lock, and the write with it.
    let reason = await outcome
    #expect(reason == .unavailable || reason == nil)
    #expect(await read(diary) == "unavailable")
    unlock()
    #expect(await read(diary) == (reason == nil ? "one" : "missing"))
  }

  @Test("The other class works while the screen is locked, with a key of its own")
  func untilFirstAuthentication() async {
    let log = file("log", .completeUntilFirstUserAuthentication)
    #expect(await write("one", log) == nil)
    lock()
    #expect(await read(log) == "one")
    #expect(await write("two", log) == nil)
    #expect(await read(file()) == "unavailable")
    unlock()
    #expect(await read(log) == "two")
    #expect(!events.contains("wiped"))
    let plain = file("plain", .none)
    lock()
    #expect(await write("three", plain) == nil)
    #expect(await read(plain) == "three")
    #expect(home.read("plain") == "three")
  }

  @Test("Without a key nothing is written, the user is not asked again at once, and what was there stays")
  func refused() async {
    let diary = file()
    #expect(await write("one", diary) == nil)
    program.relaunch()
    program.machine.keyRefusal = "the user has not unlocked the Secret Service"
    let again = file()
    #expect(await write("two", again) == .noKey)
    #expect(await read(again) == "noKey")
    #expect(program.machine.keys.requests == 2)
    program.machine.keyRefusal = nil
    program.advance(by: .seconds(31))
    #expect(await read(again) == "one")
  }

  @Test("A key that only the kernel has is reported once; when it is lost the file says so and stays as it is")
  func kernel() async {
    program.machine.hasSecretService = false
    let diary = file()
    #expect(await write("one", diary) == nil)
    lock()
    unlock()
    #expect(await read(diary) == "one")
    let reports = program.entries.filter { if case .error(let text) = $0 { text.contains("kernel") } else { false } }
    #expect(reports.count == 1)
    program.machine.loseKeys()
    lock()
    unlock()
    #expect(await read(diary) == "otherKey")
  }

  @Test("A file of a later form is neither read nor written, and that is said")
  func later() async throws {
    let diary = file()
    #expect(await write("one", diary) == nil)
    let path = home.path + "/diary"
    var bytes = try #require(FileManager.default.contents(atPath: path))
    bytes[8] = 2
    try bytes.write(to: URL(filePath: path))
    #expect(await read(diary) == "newer")
    #expect(await write("two", diary)?.rawValue == "newer")
    #expect(FileManager.default.contents(atPath: path) == bytes)
  }

  @Test("What is asked for is done in order, and a file that cannot be written keeps its content")
  func inOrder() async {
    let diary = file()
    let writes = (0..<20).map { number in Task { await write("\(number)", diary) } }
    for write in writes { #expect(await write.value == nil) }
    #expect(await read(diary) == "19")
    link(home.path + "/diary", home.path + "/other")
    #expect(await write("new", diary) == .system)
    #expect(await read(diary) == "19")
    #expect(await write("new", file("folder/diary")) == .missing)
    try? home.write("plain", "plain")
    #expect(await read(file("plain")) == "notProtected")
  }
}
