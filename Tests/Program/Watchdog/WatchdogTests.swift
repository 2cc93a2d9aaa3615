import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension FourthDesk {
  /// Callbacks that do not return in time, in real programs.
  @Suite("Watchdog", .enabled(if: Requirement.sceneLab))
  struct WatchdogTests {
    /// A callback, and what makes the window system or the user call it.
    struct Case: CustomTestStringConvertible {
      /// As the scenario's program calls it.
      var callback: String
      /// As a report does.
      var name: String
      var namesScene = true
      /// What is done to the running program.
      var steps: [String] = []
      var testDescription: String { callback }
      var isLaunch: Bool { callback == "didFinishLaunching" }
      /// Short for what is slow, and longer than a loaded machine takes for anything else.
      var limits: String { "--limits=\(isLaunch ? 8000 : 60000),2000,2000,2000" }
    }

    static let cases = [
      Case(
        callback: "didFinishLaunching", name: "application(_:didFinishLaunchingWithOptions:) is running",
        namesScene: false),
      Case(callback: "sceneDidEnterBackground", name: "sceneDidEnterBackground(_:) of", steps: ["hide 1"]),
      Case(
        callback: "applicationWillTerminate", name: "applicationWillTerminate(_:) has", namesScene: false,
        steps: ["terminate"]),
      Case(callback: "sceneWillResignActive", name: "sceneWillResignActive(_:) of", steps: ["hide 1"]),
    ]

    @Test("A report names the callback, the scene, and where its thread was; the program runs on", arguments: cases)
    func report(_ test: Case) async throws {
      // Given a callback that takes longer than its limit
      let slow = test.isLaunch ? 10_000 : 3000
      let run = try await DeskScenario(
        .none, arguments: ["--stay", test.limits, "--slow=\(test.callback)=\(slow)=wall"])
      defer { run.close() }
      if !test.steps.isEmpty { try await run.desktop.settle(run.program) }
      let scene = try run.program.trace.lines().scenes.first?.identifier
      // When it is called
      for step in test.steps { try await perform(step, run) }
      try await returned(test.callback, run)
      // Then there is one report, on standard error and beside the sessions, which tells all
      try await waitForReport(run)
      let name = try #require(try reports(run).first)
      let path = "\(try folder(run))/\(name)"
      let report = text(of: path)
      #expect(try reports(run).count == 1, "\(run.program.evidence)")
      #expect(run.program.errors.contains(report), "\(run.program.evidence)")
      #expect(report.contains(test.name), "\(report)")
      if test.namesScene { #expect(report.contains(try #require(scene)), "\(report)") }
      #expect(report.contains("the main thread"))
      #expect(report.contains("takeTime"), "\(report)")
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      // And the trace says how long it was in the end, and the program ends as ever
      try await run.program.wait(for: "the line in the trace") { lines in
        lines.contains { $0.kind == "system" && $0.name == "watchdog" } ? () : nil
      }
      if test.callback != "applicationWillTerminate" { run.program.send(SIGTERM) }
      #expect(try await run.program.end() == .exited(0))
    }

    /// What the main thread does besides callbacks: an event, a frame, a block of the main queue.
    static let events = [
      ("handle", "sendEvent(_:) of the scene"), ("draw", "draw(_:damage:) has"),
      ("block", "The block of the main queue has"), ("timer", "The block of the main queue has"),
      ("link", "draw(_:damage:) has"),
    ]

    @Test("An event, a frame, a link, and a block or timer of the main queue that hang are reported", arguments: events)
    func event(_ part: String, _ name: String) async throws {
      // Given a program in which one of them takes longer than its limit
      let run = try await DeskScenario(
        .openbox, arguments: ["--stay", "--paint", "--limits=60000,60000,60000,60000,2000"])
      defer { run.close() }
      try await run.desktop.settle(run.program) { $0.allSatisfy { $0.expectedState == .foregroundActive } }
      try await run.perform("slow \(part) 3000")
      // When it runs
      switch part {
      case "handle": try run.desktop.desk.key("a")
      case "draw": try await run.perform("paint 1")
      case "link": try await run.perform("link 1")
      default: try await run.perform(part)
      }
      try await returned(part, run)
      // Then it is reported once, with what the main thread was doing
      try await run.program.wait(for: "the line in the trace") { lines in
        lines.contains { $0.kind == "system" && $0.name == "watchdog" } ? () : nil
      }
      try await waitForReport(run)
      let folder = try folder(run)
      let texts = try reports(run).map { text(of: "\(folder)/\($0)") }
      #expect(texts.count { $0.contains(name) && $0.contains("takeTime") } == 1, "\(texts)")
    }

    @Test("What returns while its report is made is reported too, though the program ends then")
    func lastMoment() async throws {
      let run = try await DeskScenario(
        .none, arguments: ["--stay", "--limits=60000,2000,2000,2000", "--slow=applicationWillTerminate=60000=report"])
      defer { run.close() }
      try await run.desktop.settle(run.program)
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
      #expect(try reports(run).count == 1, "\(run.program.evidence)")
      #expect(run.program.errors.contains("applicationWillTerminate(_:) has"), "\(run.program.evidence)")
    }

    @Test("Killed for it, the program calls nothing more, and the next launch recovers", arguments: cases)
    func kill(_ test: Case) async throws {
      let home = try TemporaryFolder()
      let desktop = try await PrivateDesktop()
      // Given a program that is to be killed when a callback hangs
      let run = try await DeskScenario(
        .none, arguments: ["--stay", test.limits, "--slow=\(test.callback)=20000=wall"],
        environment: ["PROSCENIUM_WATCHDOG": "kill"], on: desktop, home: home)
      defer { run.close() }
      if !test.steps.isEmpty { try await run.desktop.settle(run.program) }
      // When one does
      for step in test.steps { try await perform(step, run) }
      // Then it is killed, after a report
      #expect(try await run.program.end() == .signalled(SIGKILL), "\(run.program.evidence)")
      #expect(run.program.errors.contains(test.name), "\(run.program.evidence)")
      #expect(run.program.errors.contains("The process is killed."))
      #expect(!run.program.output.contains("took"))
      // And the next one knows
      let next = try await DeskScenario(.none, arguments: ["--stay"], on: desktop, home: home)
      defer { next.close() }
      try await next.desktop.settle(next.program)
      #expect(try next.program.trace.lines().first { $0.kind == "launch" }?.reason == "recover")
    }

    @Test("Killed in the drawing of its snapshot, the program has saved what its scene said just before")
    func snapshot() async throws {
      // Given a scene that changes what is kept of it as it goes to the background, and then hangs in its drawing
      let run = try await DeskScenario(
        .none,
        arguments: [
          "--stay", "--paint", "--limits=60000,60000,60000,2000", "--react=sceneDidEnterBackground=keep",
          "--slow=drawInBackground=20000=wall",
        ], environment: ["PROSCENIUM_WATCHDOG": "kill"])
      defer { run.close() }
      try await run.desktop.settle(run.program)
      // When it goes there, and is killed for it
      try await perform("hide 1", run)
      #expect(try await run.program.end() == .signalled(SIGKILL), "\(run.program.evidence)")
      #expect(run.program.errors.contains("the drawing of the scene's picture"), "\(run.program.evidence)")
      // Then only the picture is lost
      let files = names(inFolder: try folder(run))
      let record = try #require(files.first { $0.hasSuffix(".session") })
      #expect(text(of: "\(try folder(run))/\(record)").contains("kept at last"))
      #expect(!files.contains { $0.hasSuffix(".qoi") })
    }

    @Test("What returns at 90 % of its limit is not reported, on a loaded machine", arguments: cases)
    func inTime(_ test: Case) async throws {
      // Given four programs for each processor that do nothing but keep it busy
      let home = try TemporaryFolder()
      let hogs = try (0..<4 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))).map { number in
        try ChildProcess(
          ["sh", "-c", "while :; do :; done"], environment: try privateEnvironment(home: home, display: nil),
          output: home.file("hog-\(number)"), errors: home.file("hog-\(number)"))
      }
      defer { withExtendedLifetime(hogs) {} }
      for kind in test.isLaunch ? ["until"] : ["wall", "busy"] {
        // The launch counts from the start of the process, which is about now.
        let start = Self.milliseconds
        let length = test.isLaunch ? start + 18_000 : 1800
        let run = try await DeskScenario(
          .none,
          arguments: ["--stay", "--limits=20000,2000,2000,2000", "--slow=\(test.callback)=\(length)=\(kind)"])
        defer { run.close() }
        if !test.steps.isEmpty { try await run.desktop.settle(run.program) }
        for step in test.steps { try await perform(step, run) }
        let took = try await returned(test.callback, run)
        // What got no processor for the rest of the time did not return in time.
        let isInTime = test.isLaunch ? Self.milliseconds - start < 19_000 : took < 1900
        if test.isLaunch { try await run.desktop.settle(run.program) }
        // Another callback that got no processor for so long is none of this test's.
        let folder = try folder(run)
        let own = try reports(run).filter { text(of: "\(folder)/\($0)").contains(test.name) }
        if isInTime { #expect(own == [], "\(took) ms\n\(run.program.evidence)") }
        if test.callback != "applicationWillTerminate" { run.program.send(SIGTERM) }
        #expect(try await run.program.end() == .exited(0))
      }
    }

    @Test("The time that a program is stopped does not count")
    func stopped() async throws {
      let run = try await DeskScenario(
        .none, arguments: ["--stay", "--limits=60000,8000,8000,8000", "--slow=sceneDidEnterBackground=300000=file"],
        environment: ["PROSCENIUM_WATCHDOG": "kill"])
      defer { run.close() }
      try await run.desktop.settle(run.program)
      // Given a callback that is running
      try await perform("hide 1", run)
      try await run.program.wait(for: "the callback") { _ in
        run.program.output.contains("slow sceneDidEnterBackground") ? () : nil
      }
      // When the program is stopped twice within it, each time for longer than the limit
      for _ in 1...2 {
        run.program.send(SIGSTOP)
        try await Task.sleep(for: .seconds(9))
        run.program.send(SIGCONT)
        try await Task.sleep(for: .milliseconds(100))
      }
      try run.program.home.write("go", "")
      // Then nothing is reported when it returns, though by the clock it is far too late
      #expect(try await returned("sceneDidEnterBackground", run) > 18_000)
      #expect(try reports(run) == [], "\(run.program.evidence)")
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
    }

    @Test("Under a debugger nothing is reported, and nothing ended")
    func traced() async throws {
      if !mustNotSkip, !isInstalled("strace") { try Test.cancel("strace is not installed") }
      let desktop = try await PrivateDesktop()
      // strace is a debugger to the kernel: TracerPid in /proc/self/status.
      let program = try desktop.start(
        "strace",
        [
          "-f", "-qq", "-e", "trace=none", "-o", "/dev/null", DeskScenario.path, "--stay", "--limits=60000,300,300,300",
          "--slow=sceneDidBecomeActive=1500=wall",
        ], environment: ["PROSCENIUM_WATCHDOG": "kill"])
      try await program.wait(for: "the callback to return") { _ in
        program.output.contains("took sceneDidBecomeActive") ? () : nil
      }
      #expect(program.errors.isEmpty, "\(program.evidence)")
      #expect(program.ending == nil)
    }

    @Test("A program that wants no watchdog has none", arguments: ["--watchdog=off", "PROSCENIUM_WATCHDOG=off"])
    func off(_ how: String) async throws {
      let isArgument = how.hasPrefix("--")
      let run = try await DeskScenario(
        .none,
        arguments: ["--stay", "--limits=300,300,300,300", "--slow=sceneDidBecomeActive=1500=wall"]
          + (isArgument ? [how] : []), environment: isArgument ? [:] : ["PROSCENIUM_WATCHDOG": "off"])
      defer { run.close() }
      try await returned("sceneDidBecomeActive", run)
      try await run.desktop.settle(run.program)
      #expect(try reports(run) == [], "\(run.program.evidence)")
      #expect(watchdog(of: run.program) == nil, "\(how)")
    }

    @Test("Callbacks that return at once wake no thread")
    func cost() async throws {
      let run = try await DeskScenario(.none, arguments: ["--stay"])
      defer { run.close() }
      try await run.desktop.settle(run.program)
      let thread = try #require(watchdog(of: run.program))
      func switches() -> Int {
        let lines = text(of: "/proc/\(run.program.pid)/task/\(thread)/status").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? 0
      }
      var woken = 0
      // On a machine so loaded that the main thread waits for a processor within a callback, it may look.
      for _ in 1...5 {
        let before = switches()
        for _ in 1...20 {
          try await run.perform("hide 1")
          try await run.perform("show 1")
        }
        try await run.desktop.settle(run.program)
        woken = switches() - before
        if woken < 5 { break }
      }
      #expect(woken < 5)
    }

    /// The watchdog's thread.
    private func watchdog(of program: Program) -> String? {
      names(inFolder: "/proc/\(program.pid)/task").first {
        text(of: "/proc/\(program.pid)/task/\($0)/comm") == "Watchdog\n"
      }
    }

    private static var milliseconds: Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// Does a step without waiting for its answer: the callback that it leads to may come first.
    private func perform(_ step: String, _ run: DeskScenario) async throws {
      if step == "terminate" { return run.program.send(SIGTERM) }
      try await run.perform(step)
    }

    /// How many milliseconds it took in the end.
    @discardableResult
    private func returned(_ callback: String, _ run: DeskScenario) async throws -> Int {
      try await waitFor("\(callback) to return", limit: .seconds(60), evidence: { run.program.evidence }) {
        let line = run.program.output.split(separator: "\n").first { $0.hasPrefix("took \(callback) ") }
        return line.flatMap { Int($0.split(separator: " ").last ?? "") }
      }
    }

    private func folder(_ run: DeskScenario) throws -> String {
      run.program.home.file("state/org.proscenium.Scenario")
    }

    /// Waits for a report with the main thread's calls: the watchdog's thread writes it, beside the main thread.
    private func waitForReport(_ run: DeskScenario) async throws {
      let folder = try folder(run)
      try await waitUntil("the report", evidence: { run.program.evidence }) {
        try reports(run).contains { text(of: "\(folder)/\($0)").contains("takeTime") }
      }
    }

    private func reports(_ run: DeskScenario) throws -> [String] {
      names(inFolder: try folder(run)).filter { $0.hasPrefix("watchdog-") }
    }
  }
}
