import Dispatch
import FoundationEssentials
import Glibc
import ProsceniumTesting
import Synchronization
import Testing

@testable import ProsceniumCore

/// Disks that do not answer, as those of a network that is gone.
@MainActor @Suite("Documents on disks that do not answer", .serialized) struct DocumentSlowDiskTests {
  private let home: RealHome
  init() throws { home = try RealHome() }

  /// A letter with changes, whose next write takes as long as the test wants.
  private func stalled(_ run: DocumentRun) async throws -> (Letter, StalledCipher) {
    let letter = try await run.open("letter.txt", "old")
    let protector = StalledProtector()
    run.program.application.setValue(protector, FileProtectorKey.self)
    letter.protection = .complete
    letter.write("new")
    return (letter, protector.stalled)
  }

  @Test("A write that takes too long has its content kept meanwhile, and what is changed since then, too")
  func slow() async throws {
    let run = DocumentRun(home)
    let (letter, disk) = try await stalled(run)
    #expect(await run.passes { run.kept() == "new" })
    letter.write("newer")
    #expect(await run.passes { run.kept() == "newer" })
    disk.goOn()
    #expect(await run.passes { home.read("letter.txt") == "newer" && !letter.hasUnsavedChanges })
    #expect(await run.passes { run.versions == [] && !letter.jobs.isBusy })
    #expect(letter.documentState == .normal && letter.error == nil && letter.errors == [.notAnswering])
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("A document that another scene shows before the save of its last one has ended stays open")
  func shownMeanwhile() async throws {
    let run = DocumentRun(home)
    let (letter, disk) = try await stalled(run)
    let scene = try #require(run.program.scenes.first as? WindowScene)
    scene.document = letter
    run.program.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.advance(by: 3000)
    run.program.desk.close(try #require(scene.windows.first))
    run.platform.advance(by: 3000)
    #expect(run.program.scenes.count == 1 && letter.jobs.isBusy)
    run.program.scenes.first?.document = letter
    disk.goOn()
    #expect(await run.passes { !letter.jobs.isBusy })
    #expect(letter.documentState == .normal && home.read("letter.txt") == "new")
    run.program.windows.first.map(run.program.desk.close)
    #expect(await run.passes { run.program.exitStatus == 0 })
    #expect(letter.documentState == .closed)
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("A program that ends meanwhile keeps the changes, which are there again at the next opening")
  func endsMeanwhile() async throws {
    let run = DocumentRun(home)
    let (letter, disk) = try await stalled(run)
    run.platform.send(.signal(15))
    #expect(await run.passes { run.program.exitStatus == 0 })
    #expect(run.kept() == "new" && home.read("letter.txt") == "old" && letter.errors == [.notAnswering])
    #expect(run.errors == [])
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
    disk.goOn()
  }

  @Test("Where several hang at the end, and their versions too, all waits are parts of one")
  func severalAtTheEnd() async throws {
    let run = DocumentRun(home)
    let protector = StalledProtector(count: 6)
    var letters: [Letter] = []
    for name in ["a.txt", "b.txt", "c.txt"] {
      let letter = try await run.open(name, "old")
      run.program.application.setValue(protector, FileProtectorKey.self)
      letter.protection = .complete
      letter.write("new")
      letters.append(letter)
    }
    run.platform.send(.signal(15))
    #expect(await run.passes { run.program.exitStatus == 0 })
    // Three writes, and three versions that are not waited for one after the other
    #expect(protector.stalled.count == 6 && letters.allSatisfy { $0.errors == [.notAnswering] })
    let patience = try #require(run.program.application.conductor?.feature(Termination.self)?.patience)
    #expect(patience.left <= EndPatience.forSessions)
    // What is lost is told
    for name in ["a.txt", "b.txt", "c.txt"] {
      #expect(run.errors.contains { $0.contains("/\(name)” are lost") }, "\(run.errors)")
    }
    for _ in 0..<6 { protector.stalled.goOn() }
  }
}

/// Gives a cipher that encrypts nothing.
@MainActor private final class StalledProtector: FileProtector {
  let stalled: StalledCipher

  init(count: Int = 1) { stalled = StalledCipher(count) }

  func cipher(_ protection: FileProtection, for use: CipherUse) -> Result<any ContentCipher, ProtectionFailure>? {
    .success(stalled)
  }
  func fetchKey(_ protection: FileProtection, _ then: @escaping @MainActor () -> Void) { then() }
}

/// Keeps the threads of the first writes waiting.
private final class StalledCipher: ContentCipher {
  let headSize = 0
  private let most: Int
  private let begun = Atomic(0)
  private let gate = DispatchSemaphore(value: 0)
  /// How many writes have begun.
  var count: Int { begun.load(ordering: .relaxed) }

  init(_ most: Int) { self.most = most }

  func seal(_ content: Data) throws(ProtectionFailure) -> [UInt8] {
    if begun.wrappingAdd(1, ordering: .relaxed).newValue <= most { gate.wait() }
    return Array(content)
  }
  func open(_ bytes: [UInt8]) throws(ProtectionFailure) -> Data { Data(bytes) }
  func obstacle(toReplacing head: [UInt8]) -> ProtectionFailure? { nil }
  func goOn() { gate.signal() }
}
