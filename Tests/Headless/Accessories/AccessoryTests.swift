import CSystem
import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumTrace

/// What the program learns of accessories, and its sessions on them: `AccessoryManager`.
@MainActor @Suite("Accessories", .serialized) struct AccessoryTests {
  @MainActor private final class Run: AccessorySessionDelegate {
    let program: HeadlessProgram
    private(set) var calls: [String] = []
    private var tokens: [NotificationCenter.ObservationToken] = []
    var manager: AccessoryManager { AccessoryManager.shared }
    var machine: HeadlessMachine { program.machine }
    var names: [String] { manager.connectedAccessories.map(\.name) }
    /// Called at each call of the session's delegate.
    var onCall: (String) -> Void = { _ in }

    init(suspends: Bool = false, registers: Bool = true, beforeLaunch: (Run) -> Void = { _ in }) {
      let delegate = RecordingDelegate()
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program = HeadlessProgram(delegate: { delegate })
      observe()
      beforeLaunch(self)
      program.launch()
      program.advance(by: .seconds(3))
      if registers { manager.registerForLocalNotifications() }
      program.advance(by: .zero)
    }

    func observe() {
      let center = NotificationCenter.default
      tokens = [
        center.addObserver(of: manager, for: .accessoryDidConnect) { [weak self] in
          self?.record("connected \($0.accessory.kind) \($0.accessory.name)", $0.accessory.isConnected)
        },
        center.addObserver(of: manager, for: .accessoryDidDisconnect) { [weak self] in
          self?.record("disconnected \($0.accessory.kind) \($0.accessory.name)", !$0.accessory.isConnected)
        },
      ]
    }

    private func record(_ text: String, _ isRight: Bool) {
      calls.append(isRight ? text : text + ", in the wrong state")
      onCall(text)
    }

    func accessorySessionWillClose(_ session: AccessorySession) {
      record("will close", session.descriptor != nil && program.scenes.allSatisfy { $0.activationState == .background })
    }
    func accessorySessionDidReopen(_ session: AccessorySession) {
      record("reopened", session.descriptor != nil && program.scenes.allSatisfy { $0.activationState == .background })
    }
    func accessorySession(_ session: AccessorySession, didFailWith error: AccessoryError) {
      record("failed: \(error)", session.descriptor == nil)
    }

    func takeCalls() -> [String] {
      program.advance(by: .zero)
      defer { calls = [] }
      return calls
    }

    func suspend() {
      program.desk.minimize(program.windows[0])
      program.advance(by: .seconds(10))
      #expect(program.platform.isSuspended)
    }

    func resume() {
      program.desk.restore(program.windows[0])
      program.advance(by: .seconds(1))
      #expect(!program.platform.isSuspended)
    }

    /// The trace's lines about accessories and sessions.
    var lines: [String] {
      program.entries.compactMap { entry in
        guard case .system(let system) = entry, system.name.hasPrefix("accessor") else { return nil }
        return system.name + system.details.fields.map { " \($0.key) \($0.value.inTrace)" }.joined()
      }
    }

    /// The descriptors of the process that are open on a file.
    func count(of file: String) -> Int {
      KernelFile.names(in: "/proc/self/fd").count { name in
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/fd/" + name, &buffer, buffer.count)
        return length > 0 && String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) == file
      }
    }
  }

  @Test("Nothing is known or told before the program asks; then each that comes and goes, once")
  func notifications() {
    let run = Run(registers: false)
    run.machine.connectAccessory(.storage, name: "Stick", serialNumber: "A1")
    #expect(run.takeCalls() == [] && run.names == [] && run.lines == [])
    run.manager.registerForLocalNotifications()
    #expect(run.names == [])
    #expect(run.takeCalls() == ["connected storage Stick"])
    run.machine.connectAccessory(.camera, name: "Eye")
    run.machine.disconnectAccessory(named: "Stick")
    #expect(run.takeCalls() == ["connected camera Eye", "disconnected storage Stick"])
    #expect(run.names == ["Eye"])
    // One that comes back is another connection.
    let identifier = run.manager.connectedAccessories[0].connectionID
    run.machine.connectAccessory(.camera, name: "Eye")
    #expect(run.takeCalls() == ["disconnected camera Eye", "connected camera Eye"])
    #expect(run.manager.connectedAccessories[0].connectionID != identifier)
    run.manager.unregisterForLocalNotifications()
    run.machine.connectAccessory(.phone, name: "Phone")
    #expect(run.takeCalls() == [] && run.names == [])
    #expect(run.lines.prefix(2) == [#"accessories connected ["storage 1"]"#, #"accessories connected ["camera 2"]"#])
  }

  @Test("Asked for before the launch, they are known after it; a relaunched process asks for itself")
  func launches() {
    let run = Run(registers: false) {
      $0.machine.connectAccessory(.audio, name: "Box")
      $0.manager.registerForLocalNotifications()
    }
    #expect(run.takeCalls() == ["connected audio Box"])
    run.program.relaunch()
    run.observe()
    #expect(run.takeCalls() == [] && run.names == [])
    run.manager.registerForLocalNotifications()
    #expect(run.takeCalls() == ["connected audio Box"])
  }

  @Test("A session opens what is connected, and ends when that is gone, before it is told")
  func session() throws {
    let device = TemporaryFile("12345")
    let file = device.path
    let run = Run()
    run.machine.connectAccessory(.serial, name: "Line", file: file)
    run.machine.connectAccessory(.display, name: "Screen")
    _ = run.takeCalls()
    let (line, screen) = (run.manager.connectedAccessories[0], run.manager.connectedAccessories[1])
    #expect(throws: AccessoryError.notOpenable) { try AccessorySession(accessory: screen) }
    let session = try AccessorySession(accessory: line, access: .reading)
    session.delegate = run
    let descriptor = try #require(session.descriptor)
    var bytes = [UInt8](repeating: 0, count: 9)
    #expect(read(descriptor, &bytes, 9) == 5)
    #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0 && fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    // It is followed although nothing is told.
    run.manager.unregisterForLocalNotifications()
    run.machine.disconnectAccessory(named: "Line")
    #expect(run.takeCalls() == ["failed: the accessory is not connected"])
    #expect(session.descriptor == nil && run.count(of: file) == 0)
    #expect(throws: AccessoryError.disconnected) { try AccessorySession(accessory: line) }
    // One that the program closes, or lets go, tells nothing.
    run.manager.registerForLocalNotifications()
    run.machine.connectAccessory(.serial, name: "Line", file: file)
    _ = run.takeCalls()
    let line2 = try #require(run.manager.connectedAccessories.first { $0.name == "Line" })
    var kept: AccessorySession? = try AccessorySession(accessory: line2)
    let other = try AccessorySession(accessory: line2)
    other.delegate = run
    #expect(kept?.descriptor != nil && run.count(of: file) == 2)
    kept = nil
    #expect(run.count(of: file) == 1)
    other.close()
    other.close()
    #expect(run.count(of: file) == 0 && other.descriptor == nil)
    run.machine.disconnectAccessory(named: "Line")
    #expect(run.takeCalls() == ["disconnected serial Line"])
  }

  @Test("What can be read is told as long as there is something, and not after the session is closed")
  func reading() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let writer = Descriptor(owning: ends[1])
    let file = "/proc/self/fd/\(ends[0])"
    let run = Run()
    run.machine.connectAccessory(.serial, name: "Line", file: file)
    _ = run.takeCalls()
    let session = try AccessorySession(accessory: run.manager.connectedAccessories[0], access: .reading)
    close(ends[0])
    var texts: [String] = []
    session.readabilityHandler = { session in
      var bytes = [UInt8](repeating: 0, count: 2)
      let count = read(session.descriptor ?? -1, &bytes, 2)
      texts.append(count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : "end")
    }
    func poll() {
      for _ in 0..<5 { run.program.platform.pollSources() }
      run.program.advance(by: .zero)
    }
    poll()
    #expect(texts == [])
    try writer.write(Array("abc".utf8))
    poll()
    #expect(texts == ["ab", "c"])
    session.readabilityHandler = nil
    try writer.write(Array("d".utf8))
    poll()
    #expect(texts.count == 2)
    session.readabilityHandler = { _ in texts.append("again") }
    run.program.platform.pollSources()
    session.close()
    poll()
    let count = texts.count
    poll()
    #expect(texts.count == count)
  }

  @Test("A device that has hung up is told once")
  func hangup() async throws {
    var ends: [Int32] = [-1, -1]
    #expect(linux_pipe(&ends, O_CLOEXEC) == 0)
    let run = Run()
    run.machine.connectAccessory(.serial, name: "Line", file: "/proc/self/fd/\(ends[0])")
    _ = run.takeCalls()
    let session = try AccessorySession(accessory: run.manager.connectedAccessories[0], access: .reading)
    ends.forEach { close($0) }
    var calls = 0
    session.readabilityHandler = { _ in calls += 1 }
    // A process that another test is starting may have the ends until its program is there.
    _ = await run.program.waits(until: {
      run.program.platform.pollSources()
      return calls > 0
    })
    for _ in 0..<5 { run.program.platform.pollSources() }
    #expect(calls == 1)
  }

  @Test("Another accessory at the path of one that is gone is not opened by its session")
  func replaced() throws {
    let device = TemporaryFile("")
    let file = device.path
    let run = Run()
    run.machine.connectAccessory(.serial, name: "Line", serialNumber: "1", file: file)
    _ = run.takeCalls()
    let line = run.manager.connectedAccessories[0]
    run.machine.connectAccessory(.serial, name: "Line", serialNumber: "2", file: file)
    #expect(throws: AccessoryError.disconnected) { try AccessorySession(accessory: line) }
    #expect(run.takeCalls() == ["disconnected serial Line", "connected serial Line"])
  }

  #if !WITHOUT_Suspension
    @Test("While the program is suspended nothing is told; on return what differs is, and nothing that came back")
    func suspended() {
      let run = Run(suspends: true)
      for name in ["A", "B"] { run.machine.connectAccessory(.storage, name: name, serialNumber: name) }
      _ = run.takeCalls()
      run.suspend()
      let lines = run.lines.count
      for _ in 0..<20 {
        run.machine.connectAccessory(.storage, name: "A", serialNumber: "A")
        run.machine.connectAccessory(.camera, name: "C")
      }
      run.machine.disconnectAccessory(named: "B")
      run.machine.connectAccessory(.phone, name: "D")
      run.machine.disconnectAccessory(named: "D")
      #expect(run.takeCalls() == [] && run.program.platform.isSuspended && run.lines.count == lines)
      var state: Scene.ActivationState?
      run.onCall = { _ in state = state ?? run.program.scenes.first?.activationState }
      run.resume()
      #expect(run.takeCalls() == ["disconnected storage B", "connected camera C"])
      #expect(state == .background && run.lines.count == lines + 1)
    }

    @Test("A session is closed before the suspension and opened again, on the same device alone")
    func sessionsAreReopened() throws {
      let devices = ["a", "b", "c"].map { TemporaryFile($0) }
      let files = devices.map(\.path)
      let run = Run(suspends: true)
      for (name, file) in zip(["A", "B", "C"], files) {
        run.machine.connectAccessory(.serial, name: name, serialNumber: name, file: file)
      }
      _ = run.takeCalls()
      let sessions = try run.manager.connectedAccessories.map { try AccessorySession(accessory: $0) }
      for session in sessions { session.delegate = run }
      for _ in 0..<2 {
        run.suspend()
        #expect(run.takeCalls() == ["will close", "will close", "will close"])
        #expect(sessions.allSatisfy { $0.descriptor == nil } && files.allSatisfy { run.count(of: $0) == 0 })
        run.resume()
        #expect(run.takeCalls() == ["reopened", "reopened", "reopened"])
        #expect(sessions.allSatisfy { $0.descriptor != nil } && files.allSatisfy { run.count(of: $0) == 1 })
      }
      run.suspend()
      _ = run.takeCalls()
      // A comes back, B is another one at the same path, C is gone.
      run.machine.connectAccessory(.serial, name: "A", serialNumber: "A", file: files[0])
      run.machine.connectAccessory(.serial, name: "B", serialNumber: "X", file: files[1])
      run.machine.disconnectAccessory(named: "C")
      run.resume()
      #expect(
        run.takeCalls() == [
          "reopened", "failed: another accessory stands in its place", "failed: the accessory is not connected",
          "disconnected serial B", "disconnected serial C", "connected serial B",
        ])
      #expect(sessions.map { $0.descriptor != nil } == [true, false, false])
      #expect(files.map { run.count(of: $0) } == [1, 0, 0])
      // One that is closed while the program is suspended stays closed: nothing of it runs, so before that.
      sessions[0].close()
      run.suspend()
      run.resume()
      #expect(run.takeCalls() == [] && run.count(of: files[0]) == 0)
    }

    @Test("A suspension that does not come after all opens the session again")
    func cancelled() throws {
      let device = TemporaryFile("")
      let file = device.path
      let run = Run(suspends: true)
      run.machine.connectAccessory(.serial, name: "A", file: file)
      _ = run.takeCalls()
      let session = try AccessorySession(accessory: run.manager.connectedAccessories[0])
      session.delegate = run
      var task: BackgroundTaskIdentifier?
      run.onCall = { if $0 == "will close" { task = Application.shared.beginBackgroundTask() } }
      run.program.desk.minimize(run.program.windows[0])
      run.program.advance(by: .seconds(10))
      #expect(run.takeCalls() == ["will close", "reopened"] && !run.program.platform.isSuspended)
      #expect(session.descriptor != nil)
      if let task { Application.shared.endBackgroundTask(task) }
    }
  #endif
}
