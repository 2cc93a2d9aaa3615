import DeskSupport
import Glibc
import SuiteSupport
import TestSupport
import Testing

extension SecondDesk {
  /// Whatever happens between a program and its server, and whatever the server says: no crash, no hang, no wrong
  /// state.
  @Suite("Faults on the way to the server", .enabled(if: Requirement.sceneLab))
  struct FaultTests {
    /// FAULT_SEEDS is how many runs, TEST_SEED the seed of the first.
    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
    static let seeds = Int(number("FAULT_SEEDS") ?? 8)
    static let firstSeed = testSeed(1)

    /// Several at a time, each on a desktop of its own: they wait more than they work.
    static func inLanes<Item: Sendable>(
      _ items: [Item], _ body: @escaping @Sendable (PrivateDesktop, Item) async throws -> Void
    ) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        let lanes = 4
        for lane in 0..<min(lanes, items.count) {
          group.addTask {
            let desktop = try await PrivateDesktop(.openbox)
            for index in stride(from: lane, to: items.count, by: lanes) { try await body(desktop, items[index]) }
          }
        }
        try await group.waitForAll()
      }
    }

    static func start(_ arguments: [String], through proxy: XProxy) throws -> Program {
      try Program(Program.besideTests("SceneLab"), arguments, display: proxy.display, on: proxy)
    }

    @Test("Late, in pieces, in heaps, refused, with rubbish in between: the states agree, and the end is in order")
    func seeds() async throws {
      let seeds = (0..<Self.seeds).map { Self.firstSeed + UInt64($0) }
      try await Self.inLanes(seeds) { desktop, seed in
        let plan = FaultPlan(seed: seed)
        let proxy = try XProxy(to: desktop.server, plan.faults, plan.xFaults)
        do {
          try await Self.run(plan, on: desktop, through: proxy)
        } catch {
          throw DeskFailure("\(plan); refused requests were \(proxy.counts.refused)\n\(error)")
        }
      }
    }

    private static func run(_ plan: FaultPlan, on desktop: PrivateDesktop, through proxy: XProxy) async throws {
      var plan = plan
      let program = try start(plan.arguments, through: proxy)
      // A scene whose window is refused (CreateWindow, 1) is none.
      try await desktop.settle(program, quiet: .milliseconds(200), "two scenes") { truths in
        truths.count == 2 || truths.count == 1 && proxy.counts.refused.contains { $0.major == 1 }
      }
      for action in plan.actions {
        let windows = try program.windows()
        guard let first = windows.first, let last = windows.last else { throw DeskFailure("no window is left") }
        switch action {
        case .focusFirst: desktop.desk.focus(first)
        case .focusSecond: desktop.desk.focus(last)
        case .iconify: desktop.desk.iconify(first)
        case .restore: desktop.desk.restore(first)
        case .rubbish: for message in plan.rubbish(about: windows) { proxy.say(message) }
        }
        try await desktop.settle(program, quiet: .milliseconds(200), "after \(action)") { !$0.isEmpty }
      }
      // It still hears, and the last word is right.
      let second = try program.windows().last ?? 0
      desktop.desk.focus(second)
      try await desktop.settle(program, "the second active") { $0.last?.expectedState == .foregroundActive }
      try await end(program)
    }

    /// Asks it to end, which it does in order.
    static func end(_ program: Program, as endings: Set<ChildProcess.Ending> = [.exited(0)]) async throws {
      program.send(SIGTERM)
      let ending = try await program.end()
      let violations = try program.trace.lines().violations
      guard endings.contains(ending), violations.isEmpty else {
        throw DeskFailure("ended with \(ending); \(violations)\n\(program.evidence)")
      }
    }

    @Test("Cut at any byte, either way, or at any request: the program says so and ends")
    func cut() async throws {
      // Given what a launch needs
      let desktop = try await PrivateDesktop(.openbox)
      let whole = try XProxy(to: desktop.server)
      let program = try Self.start(["--scenes", "2"], through: whole)
      try await desktop.settle(program) { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      let counts = whole.counts
      // When it ends somewhere
      var random = SeededNumbers(Self.firstSeed)
      // Pictures come and go as the machine is quick: somewhere in the first three quarters is always reached.
      func somewhere(below count: Int) -> Int { Int.random(in: 0..<count * 3 / 4, using: &random) }
      var cuts: [(Faults, XFaults)] = [0, 1, 7, 8, 9, 31, 32].map {
        (Faults(cut: .init(.toClient, after: $0)), XFaults())
      }
      for _ in 0..<Self.seeds {
        cuts.append((Faults(cut: .init(.toClient, after: somewhere(below: counts.bytes.toClient))), XFaults()))
        cuts.append((Faults(cut: .init(.toServer, after: somewhere(below: counts.bytes.toServer))), XFaults()))
        cuts.append((Faults(), XFaults(endingAt: 1 + somewhere(below: counts.requests))))
      }
      try await Self.inLanes(cuts) { desktop, cut in
        let proxy = try XProxy(to: desktop.server, cut.0, cut.1)
        let program = try Self.start(["--scenes", "2"], through: proxy)
        let ending = try await program.end()
        let violations = try program.trace.lines().violations
        guard case .exited(let status) = ending, status != 0, program.errors.contains(proxy.display), violations.isEmpty
        else { throw DeskFailure("\(cut) ended with \(ending); \(violations)\n\(program.evidence)") }
      }
    }

    @Test("Errors of any code for what has been answered already change nothing")
    func errors() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let (proxy, program) = try await Self.twoScenes(desktop)
      let count = try program.trace.lines().count
      var random = SeededNumbers(Self.firstSeed)
      for code in UInt8.min...(.max) {
        var error = XRubbish.message(0, .lie, about: try program.windows(), using: &random)
        error[1] = code
        proxy.say(error)
      }
      try await desktop.settle(program, "256 errors")
      #expect(try program.edges(since: count).isEmpty)
      try await FourthDesk.BadInputTests.goThrough(desktop, program)
    }

    @Test("A window that the server refuses is a scene that disconnects; the other one lives on")
    func refusedWindow() async throws {
      // Given a server that has no memory (11) for the second scene's window: CreateWindow (1), the first is the
      // leader's
      let desktop = try await PrivateDesktop(.openbox)
      let proxy = try XProxy(to: desktop.server, Faults(), XFaults(refusing: [.opcode(1, 3): 11]))
      let program = try Self.start(["--scenes", "2", "--plain"], through: proxy)
      // Then there is one scene, and what has been said of the other is whole
      try await desktop.settle(program, "one scene") { $0.count == 1 && $0[0].isViewable }
      #expect(proxy.counts.refused.count == 1)
      #expect(try program.edges(since: 0).last { $0.hasPrefix("B") } == "B sceneDidDisconnect")
      desktop.desk.focus(try #require(try program.windows().first))
      try await desktop.settle(program, "active") { $0[0].expectedState == .foregroundActive }
      try await Self.end(program)
    }

    @Test(
      "What a frame is asked and does not answer is asked once more",
      // GetWindowAttributes, of which the first is about the root, and QueryTree
      arguments: [XFaults.Request.opcode(3, 2), .opcode(15, 1)])
    func refusedQuestion(_ request: XFaults.Request) async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let proxy = try XProxy(to: desktop.server, Faults(), XFaults(refusing: [request: 11]))
      let program = try Self.start(["--scenes", "2", "--plain"], through: proxy)
      try await desktop.settle(program, "both shown") { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      #expect(proxy.counts.refused.count == 1)
      try await Self.end(program)
    }

    @Test("Of windows that are all said to have the focus, the last one has it")
    func twoFocused() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let (proxy, program) = try await Self.twoScenes(desktop)
      let (first, second) = try program.twoWindows()
      desktop.desk.focus(first)
      try await desktop.settle(program, "the first active") { $0[0].expectedState == .foregroundActive }
      let count = try program.trace.lines().count
      // When FocusIn, NotifyNonlinear (3), comes without the FocusOut before it
      let window = (0..<4).map { UInt8(truncatingIfNeeded: second >> (8 * $0)) }
      proxy.say([9, 3, 0, 0] + window + [UInt8](repeating: 0, count: 24))
      // Then one is active at a time
      try await program.wait(for: "the second active") { lines in
        lines.scenes.last?.state == "foregroundActive" ? true : nil
      }
      #expect(try program.edges(since: count) == ["A sceneWillResignActive", "B sceneDidBecomeActive"])
      #expect(try program.trace.lines().violations.isEmpty)
    }

    @Test("Errors and replies for requests that are not made yet, or long answered, crash nothing and hang nothing")
    func wildSequences() async throws {
      let sequences: [XSequence] =
        [.exactly(0), .exactly(0x8000), .exactly(0xffff)]
        + [-300, -1, 0, 1, 1000, 40_000].map { .fromLastRequest($0) }
      try await Self.inLanes(sequences) { desktop, sequence in
        let (proxy, program) = try await Self.twoScenes(desktop)
        let windows = try program.windows()
        var random = SeededNumbers(Self.firstSeed)
        for code in [UInt8(0), 1, 0, 1] {
          proxy.say(XRubbish.message(code, .lie, about: windows, using: &random), about: sequence)
          desktop.desk.focus(windows[Int.random(in: 0...1, using: &random)])
        }
        do {
          try await Self.sleeps(program)
          try await Self.end(program)
        } catch {
          throw DeskFailure("\(sequence): \(error)")
        }
      }
    }

    @Test("Events of every code that lie about the program's own windows crash nothing and hang nothing")
    func lies() async throws {
      let rounds = (0..<max(2, Self.seeds / 4)).map { Self.firstSeed + UInt64($0) }
      try await Self.inLanes(rounds) { desktop, seed in
        let (proxy, program) = try await Self.twoScenes(desktop)
        var random = SeededNumbers(seed)
        let windows = try program.windows() + [desktop.desk.client.root]
        for code in (UInt8(0)...127).filter({ $0 != 1 }).shuffled(using: &random) {
          for _ in 0..<4 { proxy.say(XRubbish.message(code, .lie, about: windows, using: &random)) }
        }
        // It may have been told to end, or to close everything.
        if program.ending == nil { try await Self.sleeps(program) }
        try await Self.end(program)
      }
    }

    private static func twoScenes(_ desktop: PrivateDesktop) async throws -> (XProxy, Program) {
      let proxy = try XProxy(to: desktop.server)
      let program = try start(["--scenes", "2", "--plain"], through: proxy)
      try await desktop.settle(program, quiet: .milliseconds(200), "two scenes") {
        $0.count == 2 && $0.allSatisfy(\.isViewable)
      }
      return (proxy, program)
    }

    /// Nothing keeps it busy: it comes to rest, with less work in a while than a loop that turns for nothing would do.
    private static func sleeps(_ program: Program) async throws {
      var last = program.ticks
      _ = try await waitFor("the program to sleep", evidence: { program.evidence }) {
        try await Task.sleep(for: .milliseconds(200))
        defer { last = program.ticks }
        return program.ending != nil || program.ticks - last < 5 ? true : nil
      }
    }
  }
}
