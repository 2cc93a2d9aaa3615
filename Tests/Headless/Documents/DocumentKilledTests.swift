import Dispatch
import FoundationEssentials
import Testing

@testable import ProsceniumCore
@testable import ProsceniumTesting

/// Documents of a process that was killed.
@MainActor @Suite("Documents of a dead process", .serialized) struct DocumentKilledTests {
  private let home: RealHome
  init() throws { home = try RealHome() }

  /// Lets the tasks and the threads of a dead process have their say.
  private func settle(_ task: Task<Bool, Never>) async { #expect(await task.value == false) }

  @Test("What a process had not begun to save when it was killed reaches no file", arguments: [true, false])
  func killed(isRelaunched: Bool) async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "one")
    letter.write("two")
    let saving = Task { await letter.autosave() }
    run.program.kill()
    if isRelaunched { run.program.relaunch() }
    await settle(saving)
    #expect(home.read("letter.txt") == "one" && run.versions == [])
    letter.write("three")
    await settle(Task { await letter.save(to: run.url("other.txt"), for: .forCreating) })
    #expect(home.read("letter.txt") == "one" && home.read("other.txt") == nil)
  }

  @Test("Of what waits behind the work of a thread nothing is begun after the kill")
  func behindWork() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "one")
    letter.write("two")
    var isCopied: Bool?
    letter.jobs.enqueue(.autosave)
    letter.jobs.enqueue(.save(run.url("other.txt"), .forCreating)) { isCopied = $0 }
    #expect(letter.jobs.running != nil && isCopied == nil)
    run.program.kill()
    #expect(await run.waits { !letter.jobs.isBusy })
    #expect(isCopied == false && home.read("other.txt") == nil)
  }

  @Test("A file that a dead process opens is not noted in the desktop's list")
  func recent() async throws {
    let run = DocumentRun(home)
    let recent = RecentDocuments(application: run.program.application)
    run.program.kill()
    recent.note(run.url("letter.txt"), type: "text/plain")
    recent.writer.finish(until: .now() + .seconds(5))
    #expect(home.read(".local/share/recently-used.xbel") == nil)
  }
}
