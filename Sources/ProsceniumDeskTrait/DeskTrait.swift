// Toolchains have no Testing for `--static-swift-stdlib`: there the module is empty.
#if canImport(Testing)
  public import ProsceniumDesk
  public import Testing

  extension Trait where Self == DeskTrait {
    /// A desk for every test: a private X server and a window manager on it, available as
    /// ``ProsceniumDesk/Desk/current``.
    ///
    ///     @Suite(.desktop(.openbox), .serialized) struct NotesOnADesk { ... }
    ///     @Test(.desktop(.i3)) func tiles() async throws { ... }
    ///
    /// Each test, and each of its arguments, has a desk of its own, which ends with it in any case. Where a
    /// suite and a test in it both have the trait, the test's counts. Servers are cheap, but tests that wait for
    /// windows share the machine's cores: give suites of many such tests `.serialized` too.
    ///
    /// Where the server or the window manager is not installed the test is skipped, with that as the reason; with
    /// `PROSCENIUM_TESTS_NO_SKIP=1` in the environment it fails. A test that fails has, as attachments, a picture of
    /// the screen, the server's view of the windows, and the trace and the output of each program that it started, from
    /// its first issue, or from the end of its time limit.
    /// - Parameter windowManager: The window manager.
    /// - Returns: The trait.
    public static func desktop(_ windowManager: WindowManager = .none) -> Self { Self(windowManager: windowManager) }
  }

  /// The trait that ``Testing/Trait/desktop(_:)`` makes.
  public struct DeskTrait: TestTrait, SuiteTrait, TestScoping {
    let windowManager: WindowManager
    /// The desk of the running test.
    @TaskLocal static var desk: Desk?

    /// A suite's tests have a desk each, also those of suites in it.
    public var isRecursive: Bool { true }

    /// Runs one test on a desk of its own.
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The case of the test; nil for a suite.
    ///   - function: The test's body.
    /// - Throws: `DeskFailure` where the desk cannot be started, and errors of the test.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      // The innermost trait counts: it comes last.
      let inner = test.traits.lazy.compactMap { $0 as? DeskTrait }.last
      guard Self.desk == nil, inner?.windowManager ?? windowManager == windowManager else {
        return try await function()
      }
      if let reason = missing {
        if mustNotSkip { throw DeskFailure(reason) }
        try Test.cancel("\(reason)")
      }
      let desk = try await Desk(windowManager)
      let keeper = ProgramKeeper()
      let evidence = Evidence(of: desk, keeper)
      let handler: IssueHandlingTrait = .compactMapIssues { issue in
        if issue.isFailure { evidence.collect() }
        return issue
      }
      var failure: (any Error)?
      do {
        try await Self.$desk.withValue(desk) {
          try await ProgramKeeper.$current.withValue(keeper) {
            try await handler.provideScope(for: test, testCase: testCase, performing: function)
          }
        }
      } catch {
        failure = error
      }
      // A thrown error becomes an issue only after this, and an exceeded time limit only cancels.
      // `Test.cancel` cancels with an error of its own: such a test needs no evidence.
      let cancelsItself = Task.isCancelled && failure.map { !($0 is CancellationError || $0 is DeskFailure) } ?? false
      if failure != nil || Task.isCancelled, !cancelsItself { evidence.collect() }
      evidence.record()
      keeper.end()
      await desk.end()
      if let failure { throw failure }
    }

    /// A required program that is not installed; nil where none is missing.
    private var missing: String? {
      guard windowManager.displayFile != nil || XServer.isInstalled else {
        return "Xvfb is not installed (Debian: xvfb)"
      }
      guard windowManager.isInstalled else {
        return "\(windowManager) is not installed (Debian: \(windowManager.packages.joined(separator: ", ")))"
      }
      return nil
    }
  }

  extension Desk {
    /// The desk of the running test.
    /// - Throws: ``DeskFailure`` where it has none: neither the test nor its suite has the trait `.desktop(...)`, or a
    ///   detached task asks, which belongs to no test.
    public static var current: Desk {
      get throws {
        guard let desk = DeskTrait.desk else {
          throw DeskFailure(
            "This test has no desk. Give it, or its suite, the trait .desktop(.openbox); a detached task has none.")
        }
        return desk
      }
    }
  }
#endif
