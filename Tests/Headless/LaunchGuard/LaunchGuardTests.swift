import ProsceniumCore
import ProsceniumTesting
import Testing

/// Sessions that were connecting when the program died.
@MainActor @Suite("Sessions whose connection killed the program", .serialized) struct LaunchGuardTests {
  /// A run that dies where `prepare` says so: what it does after that does not reach the disk.
  private func die(
    _ disk: inout CuttableDisk, fromOutside: Bool = false,
    _ prepare: (SessionRunDelegate, @escaping () -> Void) -> Void
  ) {
    let run = SessionRun(disk)
    prepare(run.delegate) { [disk] in
      // As the handler of a fault does.
      if !fromOutside { #expect(throws: Never.self) { try disk.append("runs", Array("!\n".utf8)) } }
      disk.cut(afterOperation: 0, tornAt: 0, isSilent: true)
    }
    run.launch()
    #expect(disk.isDead)
    run.kill()
    disk = disk.restarted(.nothing)
  }

  /// A run that dies in the connection of a session.
  /// - Returns: The sessions that were connected by then.
  @discardableResult
  private func dieConnecting(_ name: String, _ disk: inout CuttableDisk, fromOutside: Bool = false) -> [String] {
    var names: [String] = []
    die(&disk, fromOutside: fromOutside) { delegate, die in
      delegate.onConnect = { [unowned delegate] scene in
        guard scene.name == name else { return }
        names = delegate.scenes.compactMap(\.name).sorted()
        die()
      }
    }
    return names
  }

  @Test("A session whose connection killed the last two runs is held back, kept, and may be tried again")
  func crashGuard() throws {
    var disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["good", "bad", "fine"])
    first.end()
    // Two runs die in the connection of one of them.
    for round in 0..<2 { #expect(dieConnecting("bad", &disk).contains("good"), "\(round)") }
    let third = SessionRun(disk).launch()
    third.platform.advance(by: 10_000)
    #expect(third.names == ["fine", "good"])
    #expect(third.delegate.held.map { $0.userInfo?["name"] as? String } == ["bad"])
    let bad = try #require(third.delegate.held.first)
    #expect(bad.holdReason == .connectionCrashed)
    third.application.requestSceneSessionActivation(bad, userActivity: nil)
    third.platform.deliver()
    third.platform.advance(by: 100)
    #expect(third.names == ["bad", "fine", "good"])
    #expect(bad.holdReason == nil)
    third.end()
    let fourth = SessionRun(disk).launch()
    #expect(fourth.names == ["bad", "fine", "good"] && fourth.delegate.held.isEmpty)
  }

  @Test("One crash blames no session: the next run connects those that were connecting one after the other")
  func oneCrash() throws {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a", "b", "c"]).end()
    try disk.dieConnecting()
    let next = SessionRun(disk)
    next.platform.windowManager.showsAtOnce = false
    next.launch()
    // One suspect is under way and has not been seen yet: the other one waits.
    let connected = next.names.count
    #expect(connected < 3)
    next.platform.advance(by: 30_000)
    #expect(next.names == ["a", "b", "c"])
    #expect(next.delegate.held.isEmpty)
  }

  @Test("Of several that were connecting when a run died, one that cannot be read does not keep the others away")
  func damagedSuspect() throws {
    // Given three sessions that were all connecting when the program died
    let disk = CuttableDisk()
    let first = SessionRun(disk).launch()
    first.open()
    first.open()
    for (scene, name) in zip(first.delegate.scenes, ["a", "b", "c"]) { scene.scene?.session.userInfo = ["name": name] }
    let identifier = try #require(first.delegate.scenes[0].scene?.session.persistentIdentifier)
    first.end()
    try disk.dieConnecting()
    // When the first of them is damaged within
    let name = identifier + ".session"
    let record = String(decoding: try disk.read(name, limit: 1 << 20), as: UTF8.self)
    let header = record.prefix { $0 != "\n" }
    try disk.write(name, Array("\(header)\n{\"title\":7}\n".utf8))
    // Then the others come back
    let next = SessionRun(disk).launch()
    next.platform.advance(by: 10_000)
    #expect(next.names == ["b", "c"])
  }

  @Test("A damaged record among those that were connecting at the last death does not stop the others")
  func damagedRecord() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a", "b"])
    let damaged = try #require(first.scenes[0].scene?.session.persistentIdentifier)
    first.end()
    try disk.dieConnecting()
    let name = "\(damaged).session"
    let bytes = try disk.read(name, limit: 1 << 20)
    let start = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    try disk.write(name, Array(bytes[...start]) + Array("{\"activity\":7}\n".utf8))
    let next = SessionRun(disk).launch()
    next.platform.advance(by: 20_000)
    #expect(next.names == ["b"])
  }

  @Test("A session that was held back is tried again by the next launch", arguments: [true, false])
  func triedAgain(_ endsInOrder: Bool) {
    // Given a session that two runs died of, and a run without it
    var disk = CuttableDisk()
    SessionRun.saved(disk, ["good", "bad", "fine"]).end()
    for _ in 0..<2 { dieConnecting("bad", &disk) }
    let third = SessionRun(disk).launch()
    #expect(third.names == ["fine", "good"])
    if endsInOrder { third.end() } else { third.kill() }
    // When the next run tries it, and dies of it once more
    let names = dieConnecting("bad", &disk)
    // Then the others had their turn before it, and one death was enough to hold it back
    #expect(names == ["bad", "fine", "good"])
    let fifth = SessionRun(disk).launch()
    #expect(fifth.names == ["fine", "good"])
    #expect(fifth.delegate.held.map { $0.userInfo?["name"] as? String } == ["bad"])
    if endsInOrder { fifth.end() } else { fifth.kill() }
    // And once it has connected it is like the others again
    let sixth = SessionRun(disk).launch()
    #expect(sixth.names == ["bad", "fine", "good"] && sixth.delegate.held.isEmpty)
    sixth.kill()
    dieConnecting("bad", &disk)
    #expect(SessionRun(disk).launch().names == ["bad", "fine", "good"])
  }

  /// Two runs die of each of two sessions, which take turns, as a suspect comes after the others.
  private func dieOfBoth(_ disk: inout CuttableDisk, times: Int = 4) {
    for _ in 0..<times {
      die(&disk) { delegate, die in delegate.onConnect = { if $0.name != "good" { die() } } }
    }
  }

  @Test("Of two sessions whose connections kill the program both are held back, and tried again one by one")
  func twoBad() {
    var disk = CuttableDisk()
    SessionRun.saved(disk, ["good", "bad", "worse"]).end()
    dieOfBoth(&disk)
    for _ in 0..<2 {
      let run = SessionRun(disk).launch()
      run.platform.advance(by: 10_000)
      #expect(run.names == ["good"] && run.delegate.held.count == 2)
      run.kill()
      // One death of each, and not of the one in turn with the other's for ever.
      dieOfBoth(&disk, times: 2)
    }
  }

  @Test("A kill from outside before a session's turn, or within it, between two crashes does not hide them")
  func killsBetweenCrashes() {
    for isWithin in [true, false] {
      var disk = CuttableDisk()
      SessionRun.saved(disk, ["good", "bad"]).end()
      dieConnecting("bad", &disk)
      if isWithin {
        dieConnecting("bad", &disk, fromOutside: true)
      } else {
        dieConnecting("good", &disk, fromOutside: true)
      }
      dieConnecting("bad", &disk)
      let run = SessionRun(disk).launch()
      #expect(run.names == ["good"] && run.delegate.held.count == 1, "\(isWithin)")
    }
  }

  @Test("A kill from outside while no session's code runs blames none, however often and when it comes")
  func killedFromOutside() {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a", "b"]).end()
    for milliseconds in 0..<150 {
      let run = SessionRun(disk)
      run.platform.windowManager.showsAtOnce = milliseconds % 3 > 0
      run.program.launch(run.delegate)
      run.platform.advance(by: milliseconds)
      #expect(run.delegate.held.isEmpty, "after \(milliseconds) ms")
      #expect(run.delegate.scenes.count == 2, "after \(milliseconds) ms")
      run.kill()
    }
  }

  @Test("A kill from outside within the connection of a session does not blame it, however often")
  func killedWithin() {
    var disk = CuttableDisk()
    SessionRun.saved(disk, ["good", "bad"]).end()
    for _ in 0..<5 { #expect(dieConnecting("bad", &disk, fromOutside: true).contains("bad")) }
    let run = SessionRun(disk).launch()
    #expect(run.names == ["bad", "good"] && run.delegate.held.isEmpty)
  }

  @Test("A crash of a program in memory counts against the session that connects, and a kill does not")
  func inMemory() {
    for isCrash in [true, false] {
      var end: (() -> Void)?
      let program = HeadlessProgram(delegate: {
        let delegate = RecordingDelegate()
        delegate.onCall = { if $0.name == "sceneWillConnect" { end?() } }
        return delegate
      })
      program.launch()
      program.advance(by: .seconds(2))
      end = { [unowned program] in if isCrash { program.crash() } else { program.kill() } }
      for _ in 0..<2 {
        program.relaunch()
        #expect(!program.isRunning)
      }
      end = nil
      program.relaunch()
      #expect(program.application.openSessions.contains { $0.holdReason == .connectionCrashed } == isCrash)
    }
  }

  @Test("A session whose way to the foreground or whose first drawing killed the last two runs is held back")
  func shown() {
    for isDrawing in [true, false] {
      var disk = CuttableDisk()
      SessionRun.saved(disk, ["good", "bad"]).end()
      for _ in 0..<2 {
        die(&disk) { delegate, die in
          delegate.onForeground = { if $0.name == "bad", !isDrawing { die() } }
          delegate.onConnect = { scene in
            guard scene.name == "bad", isDrawing else { return }
            scene.scene?.windows.first?.content = FatalContent(die)
            scene.scene?.windows.first?.setNeedsDisplay()
          }
          #expect(delegate.held.isEmpty)
        }
      }
      #expect(SessionRun(disk).launch().names == ["good"], "drawing: \(isDrawing)")
    }
  }

  #if !WITHOUT_OpenRequests
    @Test("Suspects of a launch in the background connect one by one when a request brings the sessions back")
    func backgroundSuspects() throws {
      let disk = CuttableDisk()
      SessionRun.saved(disk, ["a", "b"]).end()
      try disk.dieConnecting()
      let next = SessionRun(disk)
      next.platform.windowManager.showsAtOnce = false
      next.launch(["--background"])
      #expect(next.scenes.isEmpty)
      next.program.machine.receive(IncomingRequest())
      next.platform.deliver()
      #expect(next.scenes.count == 1)
      next.platform.advance(by: 20_000)
      #expect(next.scenes.count == 2)
    }
  #endif

  #if !WITHOUT_Suspension
    @Test("A run in the background that follows a death within a connection may be suspended")
    func background() throws {
      let disk = CuttableDisk()
      SessionRun(disk).launch().end()
      try disk.dieConnecting()
      let next = SessionRun(disk) { $0.manifest.suspensionPolicy = .whenAllInBackground }.launch(["--background"])
      next.platform.advance(by: 20_000)
      #expect(next.platform.isSuspended)
      // And what was connecting then comes when it is asked for
      next.application.openSessions.first.map {
        next.application.activateSceneSession(for: SceneSessionActivationRequest(session: $0))
      }
      next.platform.deliver()
      #expect(next.scenes.count == 1)
    }
  #endif
}

/// A content whose drawing is the end of the program.
@MainActor private final class FatalContent: WindowContent {
  private let die: () -> Void
  init(_ die: @escaping () -> Void) { self.die = die }
  func layout(_ size: Size) {}
  func draw(_ buffer: inout PixelBuffer, damage: [Rect]) { die() }
}
