#if !WITHOUT_OpenRequests
  import FoundationEssentials
  import Glibc
  import ProsceniumLoop
  import ScenarioKit
  import Synchronization
  import Testing

  @testable import ProsceniumCore
  @testable import ProsceniumStore
  @testable import ProsceniumTesting
  @testable import ProsceniumTrace

  /// Sessions that a disk withholds at the launch, and gives a while later.
  @MainActor @Suite("A disk that cannot be read at the launch", .serialized) struct StoreReadTroubleTests {
    /// A program whose sessions are on a disk.
    private func launch(_ files: any StoreFiles) -> HeadlessProgram {
      let program = HeadlessProgram(store: .given(SessionStore(files: files, runsInline: true)))
      program.launch(HistoryProgram(.plain))
      program.advance(by: .milliseconds(300))
      return program
    }

    /// The disk after a program with two scenes, and the identifiers of their sessions.
    private func stored() throws -> (disk: CuttableDisk, sessions: Set<String>) {
      let disk = CuttableDisk()
      let program = launch(disk)
      program.application.activateSceneSession(for: SceneSessionActivationRequest())
      program.advance(by: .seconds(3))
      program.platform.send(.signal(SIGTERM))
      let sessions = Set(try disk.names().filter { $0.hasSuffix(".session") }.map { String($0.dropLast(8)) })
      try #require(sessions.count == 2)
      return (disk.restarted(.nothing), sessions)
    }

    private func sessions(_ program: HeadlessProgram) -> Set<String> {
      Set(program.application.openSessions.map(\.persistentIdentifier))
    }

    private func errors(_ program: HeadlessProgram) -> [String] {
      program.entries.compactMap { if case .error(let message) = $0 { message } else { nil } }
    }

    @Test("Sessions that could not be read are there when the disk is well, and come with the next request")
    func allSessions() async throws {
      for what in [UnreadableFiles.Ill.records, .bodies, .names] {
        let (disk, sessions) = try stored()
        let bytes = try sessions.sorted().map { try disk.read($0 + ".session", limit: .max) }
        let trouble = UnreadableFiles(disk)
        trouble.ill = what
        let program = launch(trouble)
        #expect(program.scenes.count == 1 && self.sessions(program).isDisjoint(with: sessions))
        program.advance(by: .seconds(2))
        #expect(self.sessions(program).isDisjoint(with: sessions))
        trouble.ill = .nothing
        try await waitUntil {
          program.advance(by: .milliseconds(100))
          return self.sessions(program).isSuperset(of: sessions)
        }
        // Nothing was written over them meanwhile, and each failure is told once, and so is its end.
        #expect(try sessions.sorted().map { try disk.read($0 + ".session", limit: .max) } == bytes)
        #expect(program.scenes.count == 1 && self.sessions(program).count == 3)
        #expect(errors(program).count == (what == .names ? 1 : 2), "\(errors(program))")
        #expect(program.entries.count { $0.text("name") == "savingResumed" } == 1)
        program.machine.startAgain()
        program.advance(by: .seconds(3))
        #expect(program.scenes.count == 3 && program.violations.isEmpty)
        program.platform.send(.signal(SIGTERM))
        #expect(program.exitStatus == 0)
        // And with the next launch
        let next = launch(disk.restarted(.nothing))
        #expect(self.sessions(next).count == 3 && self.sessions(next).isSuperset(of: sessions))
        #expect(errors(next) == [])
      }
    }

    @Test("One session of several that comes late comes alone: what was closed meanwhile is not opened again")
    func oneSession() async throws {
      let (disk, sessions) = try stored()
      let late = try #require(sessions.min())
      let trouble = UnreadableFiles(disk)
      trouble.ill = .file(late + ".session")
      let program = launch(trouble)
      let other = try #require(sessions.max())
      #expect(program.scenes.map(\.session.persistentIdentifier) == [other])
      trouble.ill = .nothing
      try await waitUntil {
        program.advance(by: .milliseconds(100))
        return self.sessions(program) == sessions
      }
      let session = try #require(program.application.openSessions.first { $0.persistentIdentifier == late })
      #expect(session.scene == nil)
      program.application.activateSceneSession(for: SceneSessionActivationRequest(session: session))
      program.advance(by: .seconds(2))
      #expect(Set(program.scenes.map(\.session.persistentIdentifier)) == sessions && program.violations.isEmpty)
    }

    @Test("A closed session that cannot be read when the program asks for its values has them later, or is discarded")
    func asked() async throws {
      let (disk, sessions) = try stored()
      let trouble = UnreadableFiles(disk)
      trouble.ill = .bodies
      let program = HeadlessProgram(store: .given(SessionStore(files: trouble, runsInline: true)))
      program.launch(HistoryProgram(.plain), arguments: ["--background"])
      program.advance(by: .milliseconds(300))
      try #require(self.sessions(program) == sessions)
      let known = program.application.openSessions.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
      for session in known { #expect(!session.loadStored()) }
      program.application.requestSceneSessionDestruction(known[0], options: nil)
      program.advance(by: .milliseconds(300))
      trouble.ill = .nothing
      try await waitUntil {
        program.advance(by: .milliseconds(100))
        return known[1].loadStored()
      }
      #expect(program.application.openSessions == [known[1]])
      #expect(try disk.names().allSatisfy { !$0.contains(known[0].persistentIdentifier) })
      program.application.activateSceneSession(for: SceneSessionActivationRequest(session: known[1]))
      program.advance(by: .seconds(2))
      #expect(program.scenes.map(\.session) == [known[1]] && program.violations.isEmpty)
    }

    @Test("A session that was closed does not come back because its tombstone cannot be read")
    func tombstone() async throws {
      let (disk, sessions) = try stored()
      let closed = try #require(sessions.min())
      // As after a power cut between both names
      let bytes = try disk.read(closed + ".session", limit: .max)
      try disk.replace(closed + ".discarded", with: bytes)
      let trouble = UnreadableFiles(disk)
      trouble.ill = .file(closed + ".discarded")
      let program = launch(trouble)
      #expect(self.sessions(program) == sessions.subtracting([closed]))
      trouble.ill = .nothing
      try await waitUntil {
        program.advance(by: .milliseconds(100))
        return (try? disk.names().allSatisfy { !$0.contains(closed) }) == true
      }
      #expect(self.sessions(program) == sessions.subtracting([closed]))
    }

    @Test("A journal that cannot be read at the launch, nor written for a while, is told once, and so is its end")
    func journal() async throws {
      for withholdsAll in [false, true] {
        let (disk, sessions) = try stored()
        // The last run ended in the middle of a line.
        try disk.append("runs", Array("+half".utf8))
        let trouble = UnreadableFiles(disk)
        trouble.ill = withholdsAll ? .journal : .file("runs")
        let program = launch(trouble)
        #expect(self.sessions(program) == sessions && errors(program).count == (withholdsAll ? 2 : 1))
        program.advance(by: .seconds(3))
        #expect(program.entries.count { $0.text("name") == "savingResumed" } == 0)
        trouble.ill = .nothing
        // Each of the two has its own end.
        try await waitUntil {
          program.advance(by: .milliseconds(100))
          return program.entries.count { $0.text("name") == "savingResumed" } >= (withholdsAll ? 2 : 1)
        }
        program.advance(by: .seconds(100))
        #expect(program.entries.count { $0.text("name") == "savingResumed" } == (withholdsAll ? 2 : 1))
        #expect(errors(program).count == (withholdsAll ? 2 : 1), "\(errors(program))")
        #expect(String(decoding: try disk.read("runs", limit: .max), as: UTF8.self).contains("+half\nrun "))
      }
    }

    @Test("A disk that stays ill is given up after a while, and keeps its records for the next launch")
    func givenUp() async throws {
      let (disk, sessions) = try stored()
      let trouble = UnreadableFiles(disk)
      trouble.ill = .records
      let program = launch(trouble)
      var reads = 0
      for _ in 0..<100 {
        program.advance(by: .seconds(10))
        try await waitUntil { program.application.conductor?.feature(Restoration.self)?.isReadingAgain != true }
        reads = trouble.failures
      }
      #expect((4...40).contains(reads), "\(reads)")
      #expect(errors(program).count == 2)
      trouble.ill = .nothing
      program.platform.send(.signal(SIGTERM))
      let next = launch(disk.restarted(.nothing))
      #expect(self.sessions(next).isSuperset(of: sessions))
    }
  }

  /// A disk of which some files cannot be read for a while.
  private final class UnreadableFiles: ForwardingFiles {
    enum Ill: Equatable {
      /// All but the first lines of records is withheld with `bodies`.
      case nothing, records, names, bodies
      /// It can neither be read nor written.
      case journal
      case file(String)
    }

    let disk: any StoreFiles
    private let state = Mutex((ill: Ill.nothing, failures: 0))

    init(_ disk: CuttableDisk) { self.disk = disk }

    var ill: Ill {
      get { state.withLock { $0.ill } }
      set { state.withLock { $0.ill = newValue } }
    }
    /// How many calls have failed.
    var failures: Int { state.withLock { $0.failures } }

    private func meet(_ isIll: (Ill) -> Bool) throws(FileError) {
      let fails = state.withLock { state in
        guard isIll(state.ill) else { return false }
        state.failures += 1
        return true
      }
      if fails { throw .system(EIO) }
    }

    func names() throws(FileError) -> [String] {
      try meet { $0 == .names }
      return try disk.names()
    }
    func start(of name: String, limit: Int, count: Int) throws(FileError) -> (bytes: [UInt8], size: Int) {
      guard ill == .bodies, name.hasSuffix(".session") else {
        let bytes = try read(name, limit: limit)
        return (bytes, bytes.count)
      }
      let bytes = try disk.read(name, limit: limit)
      return (Array(bytes.prefix((bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 2)), bytes.count)
    }
    func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
      try meet {
        $0 == .journal && name == "runs" || $0 == .file(name)
          || [.records, .bodies].contains($0) && name.hasSuffix(".session")
      }
      return try disk.read(name, limit: limit)
    }
    func append(_ name: String, _ bytes: [UInt8]) throws(FileError) {
      try meet { $0 == .journal && name == "runs" }
      try disk.append(name, bytes)
    }
  }
#endif
