import Glibc

extension Desk {
  /// Does something to a program of two scenes, and undoes it where it can be undone; after each step the trace and the
  /// server have to agree, and that it has happened has to be seen.
  package func act(_ action: DeskAction, _ program: Program) async throws {
    let windows = try program.windows()
    guard windows.count == 2 else { throw DeskFailure("not two windows\n\(program.evidence)") }
    let (first, second) = (windows[0], windows[1])
    let before = windows.map { client.truth($0) }
    func isBack(_ now: [WindowTruth]) -> Bool { now.areBack(from: before) }
    /// Whether those that should be out of sight are: all of them, as far as this window manager goes.
    func isHidden(_ now: [WindowTruth]) -> Bool {
      switch kind.limit(of: action)?.effect {
      case nil, .nothing, .end: now.allSatisfy { $0.expectedState == .background }
      case .firstOnly: now.first?.expectedState == .background
      case .unseen: true
      }
    }
    switch action {
    case .focusFirst: try await focus(first, program)
    case .focusSecond:
      try await focus(second, program)
      try await focus(first, program)
    case .iconify:
      iconify(first)
      try await settle(program, "iconified") { $0[0].expectedState == .background }
      restore(first)
      try await settle(program, "restored") { $0[0].expectedState > .background }
    case .switchDesktop:
      try await switchDesktop(1)
      try await settle(program, "away", also: isHidden)
      try await switchDesktop(0)
      try await settle(program, "back", also: isBack)
    case .sendToDesktop:
      try await sendToDesktop(first, 1)
      try await settle(program, "sent") { isHidden(Array($0.prefix(1))) && $0[1].expectedState > .background }
      try await bringBack(first, from: 1)
      try await settle(program, "sent back", also: isBack)
    case .showDesktop:
      showDesktop(true)
      try await settle(program, "on", also: isHidden)
      showDesktop(false)
      try await settle(program, "off", also: isBack)
    case .focusOverDesktop:
      showDesktop(true)
      try await settle(program, "on", also: isHidden)
      // Some show one more with each, some all of them with the first: what is seen is in the foreground.
      for window in [second, first] {
        focus(window)
        try await settle(program, "over it") { $0.contains { $0.window == window && $0.expectedState > .background } }
        // Asked again: KWin gives the focus back to the window that had it before.
        try await focus(window, program)
      }
      showDesktop(false)
      try await settle(program, "off", also: isBack)
    case .cover:
      let cover = cover()
      // i3 hides what is under a full-screen window; elsewhere covered scenes stay in the foreground.
      try await settle(program, "covered") { _ in client.truth(cover).isViewable }
      client.destroy(cover)
      try await settle(program, "uncovered", also: isBack)
    case .close: try await close(first, program)
    case .grabShortly: try await grabShortly(program)
    case .grabForLong: try await grabForLong(program)
    case .restartManager: try await restartManager(program)
    }
  }

  /// Asks for what the window manager cannot do, and shows that nothing changes.
  package func askInVain(_ action: DeskAction, _ program: Program) async throws {
    guard let first = try program.windows().first else { throw DeskFailure("no window\n\(program.evidence)") }
    var before = try await settle(program, "before") { !$0.isEmpty }
    let shows = action == .focusOverDesktop && kind.reasonAgainst(.showDesktop) == nil
    if shows {
      showDesktop(true)
      before = try await settle(program, "on") { $0.allSatisfy { $0.expectedState == .background } }
    }
    let count = try program.trace.lines().count
    switch action {
    case .iconify: iconify(first)
    case .switchDesktop: try await switchDesktop(1)
    case .sendToDesktop: try await sendToDesktop(first, 1)
    case .focusOverDesktop where shows: focus(first)
    case .showDesktop, .focusOverDesktop: showDesktop(true)
    case .restartManager: break
    case .focusFirst, .focusSecond, .cover, .close, .grabShortly, .grabForLong:
      throw DeskFailure("every window manager can \(action.rawValue)")
    }
    try await check(program, since: count, edges: [], "\(kind.reasonAgainst(action) ?? "")") {
      try await self.settle(program) { !$0.isEmpty } == before
    }
    if shows { showDesktop(false) }
  }

  /// Brings a window from another desktop to the first.
  private func bringBack(_ window: UInt32, from desktop: UInt32) async throws {
    guard case .commands(go: _, let send) = kind.desktops, !send.contains(where: { $0.contains("{window}") }) else {
      return try await sendToDesktop(window, 0)
    }
    // The user switches there and brings the window back.
    try await switchDesktop(desktop)
    try await waitUntil("the window to be shown") { client.truth(window).expectedState > .background }
    focus(window)
    try await waitUntil("the focus") { client.truth(window).hasFocus }
    try await sendToDesktop(window, 0)
    try await switchDesktop(0)
  }

  /// Gives a window the focus, and waits until its scene is active.
  package func focus(_ window: UInt32, _ program: Program) async throws {
    focus(window)
    try await settle(program, "active") {
      $0.contains { $0.window == window && $0.expectedState == .foregroundActive }
    }
  }

  private func close(_ window: UInt32, _ program: Program) async throws {
    let count = try program.trace.lines().count
    close(window)
    try await settle(program, "one left") { $0.count == 1 && $0[0].expectedState > .background }
    let edges = try program.edges(since: count).filter { $0.hasPrefix("A") }
    guard edges == ["A sceneWillResignActive", "A sceneDidEnterBackground", "A sceneDidDisconnect"],
      try program.applicationLines(since: count).filter({ $0 == "didDiscardSceneSessions" }).count == 1,
      !client.truth(window).exists
    else { throw DeskFailure("closed in another way: \(edges)\n\(program.evidence)") }
  }

  /// A grab of 150 ms, as hot keys make: nothing happens.
  private func grabShortly(_ program: Program) async throws {
    // The length is the point of this test: well below the hold of 400 ms. On a busy machine a grab may become a long
    // one, which says nothing here: then there is another.
    var count = 0
    for _ in 0..<20 {
      count = try program.trace.lines().count
      let length = try await ContinuousClock().measure {
        try await grabKeyboard()
        try await Task.sleep(for: .milliseconds(150))
        ungrabKeyboard()
      }
      if length < .milliseconds(350) { break }
      try await settle(program) { $0[0].expectedState == .foregroundActive }
    }
    try await check(program, since: count, edges: [], "a short grab") {
      try await self.settle(program) { $0[0].expectedState == .foregroundActive }
      return try program.applicationLines(since: count).isEmpty
    }
  }

  /// A grab that lasts: the active scene is interrupted, and active again when it ends.
  private func grabForLong(_ program: Program) async throws {
    let count = try program.trace.lines().count
    let start = monotonicSeconds
    try await grabKeyboard()
    try await check(program, since: count, edges: ["A sceneWillResignActive"], "a long grab") {
      try await self.settle(program, interrupted: true, "interrupted") { $0[0].expectedState == .foregroundActive }
      // Not before the hold is over.
      let line = try program.trace.lines().dropFirst(count).first { $0.name == "sceneWillResignActive" }
      return line.map { $0.t - start >= 0.4 } ?? false
    }
    ungrabKeyboard()
    try await check(
      program, since: count, edges: ["A sceneWillResignActive", "A sceneDidBecomeActive"], "the end of a long grab"
    ) {
      try await self.settle(program, "free") { $0[0].expectedState == .foregroundActive }
      return true
    }
  }

  /// It is killed, and comes again: nothing is connected anew, and where all scenes were shown none goes to the
  /// background.
  private func restartManager(_ program: Program) async throws {
    let kind = kind
    let before = try program.windows().map { client.truth($0) }
    func areShown(_ now: [WindowTruth]) -> Bool {
      now.count == 2
        && zip(before, now).allSatisfy { $1.expectedState > .background || $0.expectedState == .background }
    }
    let count = try program.trace.lines().count
    try await killWindowManager(SIGKILL)
    // Longer than the long hold of 1500 ms.
    // What was framed or shown is shown; what ratpoison had unmapped without a frame stays so.
    try await settle(program, quiet: .milliseconds(1800), "without a manager", also: areShown)
    try await startWindowManager(kind)
    try await settle(program, quiet: .milliseconds(1800), "with \(kind) again") { now in
      now.allSatisfy(\.windowManagerRuns) && now.areBack(from: before)
    }
    let edges = try program.edges(since: count)
    var forbidden = ["sceneWillConnect", "sceneDidDisconnect"]
    if before.allSatisfy({ $0.expectedState > .background }) {
      forbidden += ["sceneDidEnterBackground", "sceneWillEnterForeground"]
    }
    if edges.contains(where: { edge in forbidden.contains { edge.hasSuffix($0) } }) {
      throw DeskFailure("a scene came or went with the manager: \(edges)\n\(program.evidence)")
    }
  }

  /// The clock of the trace's lines.
  private var monotonicSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Shows that something holds, and that the trace has exactly these edges since a moment.
  private func check(
    _ program: Program, since count: Int, edges: [String], _ what: String, _ condition: () async throws -> Bool
  ) async throws {
    let holds = try await condition()
    let real = try program.edges(since: count)
    guard holds, real == edges else {
      throw DeskFailure("\(what): \(holds), \(real) instead of \(edges)\n\(program.evidence)\n\(view(of: program))")
    }
  }
}

extension [WindowTruth] {
  /// Whether all are shown again; under a window manager that shows one window at a time, any one.
  fileprivate func areBack(from before: [WindowTruth]) -> Bool {
    guard count == before.count else { return false }
    if before.allSatisfy({ $0.expectedState > .background }) { return allSatisfy { $0.expectedState > .background } }
    return contains { $0.expectedState > .background }
  }
}

extension Program {
  /// The edges since a moment, each as "A sceneWillResignActive".
  ///
  /// The scenes are named A, B and so on by age.
  package func edges(since count: Int) throws -> [String] {
    let lines = try trace.lines()
    let names = lines.scenes.map(\.identifier)
    return lines.dropFirst(count).filter { $0.kind == "edge" }.map { line in
      let index = names.firstIndex { $0 == line.scene } ?? 25
      return "\(Character(UnicodeScalar(UInt8(65 + min(index, 25))))) \(line.name ?? "")"
    }
  }

  /// The application-level lines since a moment.
  package func applicationLines(since count: Int) throws -> [String] {
    try trace.lines().dropFirst(count).filter { $0.kind == "app" }.map { $0.name ?? "" }
  }
}
