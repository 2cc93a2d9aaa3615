import DeskSupport
import FoundationEssentials
import Glibc
import ScenarioKit
import SuiteSupport
import TestSupport
import Testing

extension ThirdDesk {
  /// Programs whose scenes open, close, move and change all the time, and what is left when they die.
  @Suite("Death at any moment", .enabled(if: Requirement.sceneLab))
  struct SessionKillTests {
    /// How a run ends.
    enum Death: Hashable, CaseIterable {
      case kill, terminate, hangUp, interrupt, killedClient, lostServer
    }

    /// SESSION_KILLS is how often; TEST_SEED repeats a run that failed, as far as the clock lets it.
    static let kills = getenv("SESSION_KILLS").flatMap { Int(String(cString: $0)) } ?? 50

    @Test("SIGKILL at any moment, also during the launch: all that was saved comes back, and nothing else")
    func killed() async throws {
      // Given several programs, each with sessions of its own, on one screen
      let seed = testSeed()
      let kills = Self.kills
      let lanes = 5
      let desktop = try await PrivateDesktop(.openbox)
      // When each is killed and started again, over and over, and ended in order at last
      try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<lanes {
          group.addTask {
            let rounds = kills / lanes + (lane < kills % lanes ? 1 : 0)
            var churn = try Lane(desktop, seed: seed &+ UInt64(lane) &* 1_000_003)
            for _ in 0..<rounds { try await churn.round(.kill) }
            // Then each run's log, the files and the next run's log agree
            try await churn.round(.terminate)
          }
        }
        try await group.waitForAll()
      }
    }

    @Test("Ends in order among the kills: everything up to the end is saved exactly")
    func ordered() async throws {
      let seed = testSeed()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (lane, kind) in [WindowManager.openbox, .i3, .none].enumerated() where kind.isInstalled || mustNotSkip {
          group.addTask {
            var numbers = SeededNumbers(seed &+ UInt64(lane))
            var churn = try Lane(try await PrivateDesktop(kind), seed: numbers.next())
            for death in Death.allCases.shuffled(using: &numbers) { try await churn.round(death) }
            try await churn.round(.terminate)
          }
        }
        try await group.waitForAll()
      }
    }

    /// One program's life after life, in one home.
    struct Lane {
      private let home: TemporaryFolder
      private var desktop: PrivateDesktop
      private var numbers: SeededNumbers
      private var run = 0
      private var before: StoreFolder
      private var path: String { home.file("state/org.proscenium.Churn") }

      init(_ desktop: PrivateDesktop, seed: UInt64) throws {
        home = try TemporaryFolder()
        self.desktop = desktop
        numbers = SeededNumbers(seed)
        before = try StoreFolder(home.file("none"))
      }

      /// One run to its death, and what must hold then.
      mutating func round(_ death: Death) async throws {
        run += 1
        let seed = numbers.next()
        // Some do not outlive their launch; now and then one lives long enough for much to be saved.
        let lives = [5...150, 20...2000, 20...2000, 20...2000, 2000...5000]
        let life = Int.random(in: lives.randomElement(using: &numbers) ?? 0...0, using: &numbers)
        let log = home.file("log-\(run)")
        let start = Self.microseconds(CLOCK_REALTIME)
        let program = try desktop.start(
          DeskScenario.path, ["--churn=\(seed)", "--log=\(log)"], home: home)
        let longestSync = try await pass(milliseconds: life)
        if death != .kill {
          // Before it is ready a signal ends it at once, and there is no client to kill.
          try await program.wait(for: "the first step") { _ in text(of: log).contains(" ready\n") ? true : nil }
        }
        let moment = Self.microseconds(CLOCK_MONOTONIC)
        try await end(program, death)
        let after = try StoreFolder(path)
        let lines = ChurnRun.lines(of: text(of: log))
        let run = ChurnRun(
          before: before, after: after, lines: lines, start: start, death: moment, endsInOrder: death != .kill,
          longestSync: longestSync)
        let errors = try program.trace.lines().filter { line in
          line.kind == "error" && !(death == .lostServer || death == .killedClient)
        }
        let problems = run.problems + errors.map { "error in the trace: \($0)" }
        if !problems.isEmpty {
          throw DeskFailure(
            "run \(self.run), \(death) after \(life) ms, seed \(seed):\n\(problems.joined(separator: "\n"))\n"
              + "--- log (death at \(moment))\n\(text(of: log))\(program.evidence)")
        }
        before = after
      }

      /// Lets time pass, which is a guess by intention: the moment is what the test is about.
      /// - Returns: How long a sync took at most meanwhile, in microseconds, with what came late.
      private func pass(milliseconds: Int) async throws -> Int {
        let end = Self.microseconds(CLOCK_MONOTONIC) + milliseconds * 1000
        let file = open(home.file("sync"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        var longest = 0
        while true {
          let start = Self.microseconds(CLOCK_MONOTONIC)
          guard start < end else { return longest }
          let pause = min(100_000, end - start)
          try await Task.sleep(for: .microseconds(pause))
          if write(file, "x", 1) == 1 { fsync(file) }
          longest = max(longest, Self.microseconds(CLOCK_MONOTONIC) - start - pause)
        }
      }

      private mutating func end(_ program: Program, _ death: Death) async throws {
        let expected: ChildProcess.Ending?
        switch death {
        case .kill:
          program.send(SIGKILL)
          expected = .signalled(SIGKILL)
        case .terminate, .hangUp, .interrupt:
          program.send(death == .terminate ? SIGTERM : death == .hangUp ? SIGHUP : SIGINT)
          expected = .exited(death == .interrupt ? 130 : 0)
        case .killedClient:
          // One that is there is enough; all that the trace has told of so far may have been closed by now.
          expected = nil
          let desk = desktop.desk
          _ = try await waitFor("a window to kill the client of", evidence: { program.evidence }) {
            for window in Set(try program.trace.lines().compactMap(\.windowNumber)) {
              desk.client.killClient(of: window)
            }
            return program.ending
          }
        case .lostServer:
          try await desktop.server.kill()
          desktop = try await PrivateDesktop(desktop.desk.kind)
          expected = nil
        }
        let ending = try await waitFor("the end by \(death)", evidence: { program.evidence }) { program.ending }
        guard expected.map({ $0 == ending }) ?? (ending != .exited(0)) else {
          throw DeskFailure("\(death) ended with \(ending)\n\(program.evidence)")
        }
      }

      private static func microseconds(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
      }
    }
  }
}
