import FoundationEssentials
import ProsceniumCore
import ProsceniumJSON
import Testing

@testable import ProsceniumPlatform
@testable import ProsceniumTesting
@testable import ProsceniumTrace

/// What the program learns of the machine's sensors: `Device`, and shakes.
@MainActor @Suite("Sensors", .serialized) struct SensorTests {
  @MainActor private final class Run {
    let program: HeadlessProgram
    private(set) var notified: [String] = []
    private var tokens: [NotificationCenter.ObservationToken] = []
    var onNotification: (Device) -> Void = { _ in }
    var machine: HeadlessMachine { program.machine }
    var device: Device { .current }

    init(suspends: Bool = false, prepare: (Device) -> Void = { _ in }) {
      let delegate = RecordingDelegate()
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program = HeadlessProgram(delegate: { delegate })
      prepare(.current)
      program.launch()
      program.advance(by: .seconds(3))
      let center = NotificationCenter.default
      tokens = [
        center.addObserver(of: Device.current, for: .orientationDidChange) { [weak self] in
          self?.note("\($0.device.orientation)", $0.device)
        },
        center.addObserver(of: Device.current, for: .proximityStateDidChange) { [weak self] in
          self?.note($0.device.proximityState ? "near" : "far", $0.device)
        },
        center.addObserver(of: Device.current, for: .ambientLightDidChange) { [weak self] in
          self?.note($0.device.ambientLight.map { "\(Int($0.level)) \($0.unit)" } ?? "dark", $0.device)
        },
      ]
    }

    private func note(_ text: String, _ device: Device) {
      notified.append(text)
      onNotification(device)
    }

    func take() -> [String] {
      program.advance(by: .zero)
      defer { notified = [] }
      return notified
    }

    func leave() {
      program.desk.minimize(program.windows[0])
      program.advance(by: .seconds(10))
    }

    func comeBack() {
      program.desk.restore(program.windows[0])
      program.advance(by: .seconds(1))
    }

    /// The lines of the trace about sensors and shakes.
    var lines: [String] {
      program.entries.compactMap { entry in
        guard case .system(let system) = entry, ["sensors", "shake"].contains(system.name) else { return nil }
        return system.name
          + system.details.fields.filter { $0.key != "scene" }.map { " \($0.key) \($0.value.text ?? $0.value.inTrace)" }
          .joined()
      }
    }
  }

  /// A responder that writes down shakes.
  private final class Listener: Responder {
    private(set) var calls: [String] = []
    var onCall: () -> Void = {}
    override var canBecomeFirstResponder: Bool { true }
    private weak var window: Window?
    override var next: Responder? { window }
    init(_ window: Window) {
      self.window = window
      super.init()
    }
    required override init() { super.init() }
    private func note(_ call: String, _ event: Event) {
      calls.append(call + (event.kind == .deviceMotion(.shake) && event.window === window ? "" : ", of another kind"))
      onCall()
    }
    override func motionBegan(_ motion: DeviceMotion, with event: Event) { note("began", event) }
    override func motionEnded(_ motion: DeviceMotion, with event: Event) { note("ended", event) }
    override func motionCancelled(_ motion: DeviceMotion, with event: Event) { note("cancelled", event) }
  }

  @Test("No sensor works before the program asks, while nobody looks, and once it does not ask any more")
  func asked() {
    let run = Run()
    run.machine.turn(.right)
    run.machine.setProximity(true)
    run.machine.setAmbientLight(AmbientLight(level: 123, unit: .lux))
    #expect(run.take() == [] && run.machine.sensors.history == [] && run.lines == [])
    #expect(run.device.orientation == .unknown && !run.device.proximityState && run.device.ambientLight == nil)
    run.device.beginGeneratingDeviceOrientationNotifications()
    run.device.beginGeneratingDeviceOrientationNotifications()
    #expect(run.take() == ["portrait"] && run.device.isGeneratingDeviceOrientationNotifications)
    run.device.isProximityMonitoringEnabled = true
    run.device.isAmbientLightMonitoringEnabled = true
    #expect(run.take() == ["near", "120 lux"])
    #expect(
      run.machine.sensors.history == [[.orientation], [.orientation, .proximity], [.orientation, .proximity, .light]])
    run.machine.turn(.half)
    run.machine.lay(facesUp: false)
    run.machine.turn(.left)
    #expect(run.take() == ["landscapeRight", "faceDown", "portraitUpsideDown"])
    #expect(run.device.orientation == .portraitUpsideDown)
    // In the background the sensors do not work, and the last values stay.
    run.leave()
    #expect(run.machine.sensors.topics == [])
    run.machine.turn(.upright)
    run.machine.setProximity(false)
    run.machine.setProximity(true)
    #expect(run.take() == [] && run.device.orientation == .portraitUpsideDown && run.device.proximityState)
    // What is different is told once.
    run.comeBack()
    #expect(run.take() == ["landscapeLeft"])
    #expect(run.machine.sensors.topics == [.orientation, .proximity, .light])
    // Nested: the second end counts, and a third one does not.
    run.device.endGeneratingDeviceOrientationNotifications()
    #expect(run.machine.sensors.topics.contains(.orientation))
    run.device.endGeneratingDeviceOrientationNotifications()
    run.device.endGeneratingDeviceOrientationNotifications()
    run.device.isProximityMonitoringEnabled = false
    run.device.isAmbientLightMonitoringEnabled = false
    #expect(run.device.orientation == .unknown && !run.device.proximityState && run.device.ambientLight == nil)
    run.machine.turn(.right)
    run.machine.setProximity(false)
    #expect(run.take() == [] && run.machine.sensors.topics == [])
    // Asked for again it is told again.
    run.device.isProximityMonitoringEnabled = true
    run.device.beginGeneratingDeviceOrientationNotifications()
    #expect(run.take() == ["portrait"])
    #expect(run.program.violations.isEmpty)
  }

  @Test("What is asked for before the launch is told after it, with the first scene")
  func early() {
    let run = Run {
      $0.isProximityMonitoringEnabled = true
      $0.isShakeMonitoringEnabled = true
      #expect(!$0.proximityState)
    }
    #expect(run.machine.sensors.topics == [.proximity, .shake])
    run.machine.setProximity(true)
    #expect(run.take() == ["near"])
    // Another process follows nothing by itself.
    run.program.relaunch()
    run.program.advance(by: .seconds(1))
    #expect(run.machine.sensors.topics == [])
  }

  @Test("Where the machine is turned follows from its own panel", arguments: HeadlessMachine.Turn.allCases)
  func turns(turn: HeadlessMachine.Turn) {
    let run = Run { $0.beginGeneratingDeviceOrientationNotifications() }
    func orientation(_ screens: (String, Size)...) -> Device.Orientation {
      var x = 0
      run.program.desk.screens = screens.map { name, size in
        defer { x += size.width }
        return HeadlessScreen(
          name, frame: Rect(x: x, y: 0, width: size.width, height: size.height), isPrimary: x == 0)
      }
      run.program.advance(by: .seconds(1))
      return Device.current.orientation
    }
    run.machine.turn(turn)
    let wide: [Device.Orientation] = [.landscapeLeft, .portrait, .landscapeRight, .portraitUpsideDown]
    let tall: [Device.Orientation] = [.portrait, .landscapeRight, .portraitUpsideDown, .landscapeLeft]
    let (broad, high) = (Size(width: 1920, height: 1080), Size(width: 800, height: 1280))
    #expect(orientation(("HDMI-1", broad)) == wide[turn.rawValue])
    #expect(orientation(("HDMI-1", high)) == tall[turn.rawValue])
    #expect(orientation(("HDMI-1", broad), ("DSI-1", high)) == tall[turn.rawValue])
    #expect(orientation(("HDMI-1", high), ("eDP-1", broad)) == wide[turn.rawValue])
  }

  @Test("Monitoring that an observer ends is not notified any more")
  func endedMeanwhile() {
    let run = Run {
      $0.beginGeneratingDeviceOrientationNotifications()
      $0.isProximityMonitoringEnabled = true
    }
    run.onNotification = { $0.isProximityMonitoringEnabled = false }
    run.machine.sensors.change { ($0.turn, $0.isNear) = (.right, true) }
    #expect(run.take() == ["portrait"] && !run.device.proximityState)
  }

  #if !WITHOUT_Suspension
    @Test("A suspended program hears of nothing, and on resumption of what is different")
    func suspended() {
      let run = Run(suspends: true) {
        $0.beginGeneratingDeviceOrientationNotifications()
        $0.isProximityMonitoringEnabled = true
        $0.isShakeMonitoringEnabled = true
      }
      run.machine.turn(.right)
      #expect(run.take() == ["portrait"])
      run.leave()
      #expect(run.program.platform.isSuspended && run.machine.sensors.topics == [])
      for turn in [HeadlessMachine.Turn.half, .left, .upright] { run.machine.turn(turn) }
      // What a source had on its way.
      run.machine.post(.sensors(SensorReading([.proximity])))
      run.machine.post(.shake(.began))
      #expect(run.take() == [] && run.program.platform.isSuspended)
      run.comeBack()
      #expect(run.take() == ["landscapeLeft"])
      #expect(run.lines == ["sensors orientation portrait", "sensors orientation landscapeLeft"])
    }
  #endif

  @Test("A shake begins and ends at the first responder of the active scene")
  func shake() throws {
    let run = Run { $0.isShakeMonitoringEnabled = true }
    let window = try #require(run.program.windows.first)
    let (first, second) = (Listener(window), Listener(window))
    #expect(first.becomeFirstResponder())
    run.machine.beginShake()
    #expect(first.calls == ["began"])
    // The same one hears of the end, whoever is first responder by then; one that has ended does not end again.
    #expect(first.resignFirstResponder() && second.becomeFirstResponder())
    run.machine.beginShake()
    run.machine.endShake()
    run.machine.endShake(isCancelled: true)
    #expect(first.calls == ["began", "ended"] && second.calls == [])
    run.machine.beginShake()
    run.machine.endShake(isCancelled: true)
    #expect(second.calls == ["began", "cancelled"])
    #expect(
      run.lines == ["shake phase began", "shake phase ended", "shake phase began", "shake phase cancelled"])
    // Whoever does not ask is not watched.
    run.device.isShakeMonitoringEnabled = false
    #expect(run.machine.sensors.topics == [])
    run.machine.post(.shake(.began))
    #expect(second.calls.count == 2)
  }

  @Test("A shake is cancelled before its scene resigns, and where the program does not ask any more")
  func cancelled() throws {
    let run = Run { $0.isShakeMonitoringEnabled = true }
    let window = try #require(run.program.windows.first)
    let listener = Listener(window)
    #expect(listener.becomeFirstResponder())
    var states: [Scene.ActivationState?] = []
    listener.onCall = { states.append(window.windowScene?.activationState) }
    run.machine.beginShake()
    run.leave()
    run.machine.post(.shake(.ended))
    #expect(listener.calls == ["began", "cancelled"])
    #expect(states == [.foregroundActive, .foregroundActive])
    run.comeBack()
    run.machine.beginShake()
    run.device.isShakeMonitoringEnabled = false
    run.program.advance(by: .zero)
    #expect(listener.calls == ["began", "cancelled", "began", "cancelled"])
    // Within the call, too.
    run.device.isShakeMonitoringEnabled = true
    listener.onCall = { Device.current.isShakeMonitoringEnabled = false }
    run.machine.beginShake()
    #expect(listener.calls.suffix(2) == ["began", "cancelled"])
    #expect(run.program.violations.isEmpty)
  }

  @Test("Without a first responder the window gets it, and it goes along the chain to the delegates")
  func chain() throws {
    let run = Run { $0.isShakeMonitoringEnabled = true }
    let window = try #require(run.program.windows.first)
    run.program.desk.send(.deviceMotion(.shake), to: window)
    #expect(run.lines == ["shake phase began", "shake phase ended"])
    // A listener that has gone hears of nothing, and nothing else does.
    var listener: Listener? = Listener(window)
    #expect(listener?.becomeFirstResponder() == true)
    run.machine.beginShake()
    listener = nil
    run.machine.endShake()
    #expect(run.lines.count == 4)
  }
}
