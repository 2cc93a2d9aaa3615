import ProsceniumTesting
import Synchronization
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumTrace

/// Execution modes: what keeps a program running although nobody looks.
@MainActor @Suite("Execution modes", .serialized) struct ExecutionTests {
  /// A program with one scene that may be suspended.
  private func launch() -> TaskProgram {
    let run = TaskProgram()
    #if !WITHOUT_Suspension
      run.manifest.suspensionPolicy = .whenAllInBackground
    #endif
    return run.launch()
  }

  private func lines(_ run: TaskProgram) -> [String] {
    run.program.entries.filter { $0.kind == "system" }.compactMap { line in
      line.text("name").map { name in
        [name, line.text("mode"), line.text("reason")].compactMap(\.self).joined(separator: " ")
      }
    }
  }

  #if !WITHOUT_Suspension
    @Test(
      "A program that holds a mode is not suspended, one that holds none is, after the grace",
      arguments: ExecutionMode.allCases)
    func held(mode: ExecutionMode) {
      let run = launch()
      let token = run.application.beginExecution(mode, reason: "work")
      #expect(ExecutionMode.held == [mode] && token.mode == mode && token.reason == "work")
      run.minimize()
      run.platform.advance(by: 3_600_000)
      #expect(!run.platform.isSuspended && run.application.executionGate.isOpen)
      token.end()
      token.end()
      #expect(ExecutionMode.held == [])
      run.platform.deliver()
      run.platform.advance(by: 4900)
      #expect(!run.platform.isSuspended)
      run.platform.advance(by: 200)
      #expect(run.platform.isSuspended)
      #expect(
        lines(run) == ["executionBegan \(mode.rawValue) work", "executionEnded \(mode.rawValue) work", "suspended"])
    }

    @Test("A token that is released ends its mode, and of several the last one counts")
    func released() {
      let run = launch()
      var tokens = [
        run.application.beginExecution(.audio, reason: "a"), run.application.beginExecution(.audio, reason: "b"),
        run.application.beginExecution(.network, reason: "c"),
      ]
      run.minimize()
      tokens.removeFirst()
      #expect(ExecutionMode.held == [.audio, .network])
      run.platform.deliver()
      run.platform.advance(by: 60_000)
      tokens.removeFirst()
      #expect(ExecutionMode.held == [.network])
      run.platform.deliver()
      run.platform.advance(by: 60_000)
      #expect(!run.platform.isSuspended)
      tokens.removeFirst()
      run.platform.deliver()
      run.platform.advance(by: 6000)
      #expect(run.platform.isSuspended)
    }

    @Test("A mode that begins on another thread wakes the suspended program, which runs first and then holds it")
    func wakes() async {
      let run = launch()
      run.minimize()
      run.platform.advance(by: 6000)
      #expect(run.platform.isSuspended)
      let application = run.application
      let token = await Task.detached { application.beginExecution(.network, reason: "call") }.value
      run.platform.deliver()
      run.platform.advance(by: 60_000)
      #expect(!run.platform.isSuspended)
      await Task.detached { token.end() }.value
      run.platform.deliver()
      run.platform.advance(by: 6000)
      #expect(run.platform.isSuspended)
      #expect(
        lines(run) == [
          "suspended", "resumed", "executionBegan network call", "executionEnded network call", "suspended",
        ])
    }

    @Test("A mode held before the launch counts, and one that ends before the program hears of it does no harm")
    func beforeLaunch() {
      let run = TaskProgram()
      run.manifest.suspensionPolicy = .whenAllInBackground
      let token = run.application.beginExecution(.processing, reason: "index")
      _ = run.application.beginExecution(.accessory, reason: "at once over")
      run.launch()
      run.minimize()
      run.platform.advance(by: 60_000)
      #expect(!run.platform.isSuspended)
      #expect(
        lines(run) == [
          "executionBegan processing index", "executionBegan accessory at once over",
          "executionEnded accessory at once over",
        ])
      token.end()
      run.platform.deliver()
      run.platform.advance(by: 6000)
      #expect(run.platform.isSuspended)
    }
  #endif

  @Test("A program that exits in the background stays while it holds a mode, unless it is shown again")
  func exits() {
    let run = TaskProgram()
    run.manifest.exitsOnSuspend = true
    run.launch()
    let first = run.application.beginExecution(.processing, reason: "export")
    run.minimize()
    run.platform.advance(by: 60_000)
    #expect(run.platform.quitStatus == nil)
    run.restore()
    first.end()
    run.platform.advance(by: 60_000)
    #expect(run.platform.quitStatus == nil)
    let second = run.application.beginExecution(.processing, reason: "export")
    run.minimize()
    run.platform.advance(by: 60_000)
    #expect(run.platform.quitStatus == nil)
    second.end()
    run.platform.deliver()
    #expect(run.platform.quitStatus == 0)
  }

  // MARK: Debug builds

  /// A process that uses what the test says.
  private final class ScriptedProcess: OwnProcess {
    let uses = Mutex(ProcessUse())
    let looks = Mutex(0)
    func threadTimes() -> [Int32: ThreadTime] { [:] }
    func use() -> ProcessUse {
      looks.withLock { $0 += 1 }
      return uses.withLock { $0 }
    }
    func trimMemory() {}
    func exit(within time: Duration, status: Int32) {}
  }

  private func watched(_ run: TaskProgram) -> ScriptedProcess {
    let process = ScriptedProcess()
    run.application.host.process = process
    run.application.conductor?.feature(Execution.self)?.isOn = true
    return process
  }

  @Test("A mode that is held for nothing is named once for each hold, in the foreground too")
  func idle() {
    let run = launch()
    let process = watched(run)
    #expect(run.application.conductor?.pendingDeadlines == 0)
    let tokens = ExecutionMode.allCases.map { run.application.beginExecution($0, reason: "nothing for \($0)") }
    run.platform.deliver()
    run.platform.advance(by: 9900)
    #expect(run.errors == [])
    run.platform.advance(by: 200)
    #expect(run.errors.count == 5)
    for (mode, error) in zip(ExecutionMode.allCases, run.errors) {
      #expect(error.contains("mode \(mode.rawValue) (\"nothing for \(mode.rawValue)\") has been held for 10 s"))
      #expect(error.contains("neither the program nor a child of it \(mode.missingUse)"))
    }
    // Nothing is looked at any more.
    #expect(process.looks.withLock { $0 } == 4 && run.application.conductor?.pendingDeadlines == 0)
    run.platform.advance(by: 600_000)
    #expect(run.errors.count == 5)
    tokens.forEach { $0.end() }
    let next = run.application.beginExecution(.audio, reason: "again")
    run.platform.deliver()
    run.platform.advance(by: 60_000)
    #expect(run.errors.count == 6 && run.errors.last?.contains("again") == true)
    next.end()
    run.platform.deliver()
    #expect(run.application.conductor?.pendingDeadlines == 0)
  }

  @Test("A mode that is used is not named, also with a pause; one that is used no longer is")
  func used() {
    let run = launch()
    let process = watched(run)
    let token = run.application.beginExecution(.audio, reason: "playing")
    run.platform.deliver()
    process.uses.withLock { $0.files = [.local(peer: "/run/user/1000/pulse/native")] }
    run.platform.advance(by: 60_000)
    // A pause that one look falls into.
    process.uses.withLock { $0.files = [] }
    run.platform.advance(by: 5000)
    process.uses.withLock { $0.files = [.local(peer: "/run/user/1000/pipewire-0")] }
    run.platform.advance(by: 60_000)
    #expect(run.errors == [])
    process.uses.withLock { $0.files = [] }
    run.platform.advance(by: 10_000)
    #expect(run.errors.count == 1)
    token.end()
    run.platform.deliver()
    #expect(run.application.conductor?.pendingDeadlines == 0)
  }

  @Test("Work of the processor is measured from look to look")
  func processing() {
    let run = launch()
    let process = watched(run)
    process.uses.withLock { $0.seconds = 100 }
    let token = run.application.beginExecution(.processing, reason: "export")
    run.platform.deliver()
    for _ in 0..<5 {
      process.uses.withLock { $0.seconds += 0.5 }
      run.platform.advance(by: 5000)
    }
    #expect(run.errors == [])
    run.platform.advance(by: 10_000)
    #expect(run.errors.count == 1)
    token.end()
  }

  #if !WITHOUT_Location
    @Test("The mode .location is used while a location manager follows the location")
    func location() {
      let run = launch()
      _ = watched(run)
      let manager = LocationManager(run.application)
      manager.startUpdatingLocation()
      let token = run.application.beginExecution(.location, reason: "track")
      run.platform.deliver()
      run.platform.advance(by: 60_000)
      #expect(run.errors == [])
      manager.stopUpdatingLocation()
      run.platform.advance(by: 10_000)
      #expect(run.errors.count == 1)
      token.end()
    }
  #endif

  @Test("Programs that are not processes of their own, and release builds, are not looked at")
  func off() {
    let run = launch()
    let process = ScriptedProcess()
    run.application.host.process = process
    let token = run.application.beginExecution(.audio, reason: "playing")
    run.platform.deliver()
    run.platform.advance(by: 60_000)
    #expect(run.errors == [] && process.looks.withLock { $0 } == 0)
    #expect(run.application.conductor?.pendingDeadlines == 0)
    token.end()
  }

  @Test("A program that holds a mode is not said to be busy in the background")
  func busy() {
    let run = launch()
    run.application.host.process = ScriptedProcess()
    run.application.conductor?.feature(BackgroundReport.self)?.isOn = true
    run.application.isIdleTimerDisabled = true
    let token = run.application.beginExecution(.processing, reason: "export")
    run.minimize()
    run.platform.advance(by: 60_000)
    #expect(run.errors == [])
    token.end()
    run.platform.deliver()
    run.platform.advance(by: 5100)
    #expect(run.errors.count == 1)
  }

  @Test(
    "What shows that a mode is used",
    arguments: [
      (.device("/dev/snd/pcmC0D0p"), [.audio, .accessory, .location]),
      (.device("/dev/ttyUSB0"), [.accessory, .location]), (.device("/dev/ttyS0"), [.accessory, .location]),
      (.device("/dev/bus/usb/001/002"), [.accessory, .location]), (.device("/dev/video0"), [.accessory, .location]),
      (.device("/dev/hidraw1"), [.accessory, .location]), (.bluetooth, [.accessory, .location]),
      (.local(peer: "/run/user/1000/pipewire-0"), [.audio]), (.local(peer: "/mnt/wslg/PulseServer"), [.audio]),
      (.local(peer: "/run/gpsd.sock"), [.location]), (.internet(port: 2947), [.location, .network]),
      (.internet(port: 4713), [.audio, .network]), (.internet(port: 0), [.network]),
      (.local(peer: "/tmp/.X11-unix/X0"), []), (.local(peer: ""), []),
      (.local(peer: "/run/dbus/system_bus_socket"), []), (.device("/dev/null"), []), (.device("/dev/tty"), []),
      (.device("/dev/tty1"), []), (.device("/dev/pts/3"), []), (.device("/dev/dri/renderD128"), []),
      (.device("/dev/shm/x"), []), (.device("/dev/urandom"), []), (.device("/dev/nvidia0"), []),
    ] as [(OpenFile, Set<ExecutionMode>)])
  func evidence(file: OpenFile, modes: Set<ExecutionMode>) {
    #expect(Set(ExecutionMode.allCases.filter { $0.isUsed(files: [file], processorShare: 0) }) == modes)
  }

  @Test("Two connections to the system bus are one of the program's own; a hundredth of a core is work")
  func thresholds() {
    let bus = OpenFile.local(peer: "/run/dbus/system_bus_socket")
    #expect(ExecutionMode.location.isUsed(files: [bus, bus], processorShare: 0))
    #expect(ExecutionMode.processing.isUsed(files: [], processorShare: 0.01))
    #expect(!ExecutionMode.processing.isUsed(files: [bus], processorShare: 0.009))
    #expect(ExecutionMode.allCases.allSatisfy { $0 == .processing || !$0.isUsed(files: [], processorShare: 1) })
  }
}
