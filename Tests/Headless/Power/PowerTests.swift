import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumTrace

/// What the program learns of the machine's power: `Device`.
@MainActor @Suite("Power", .serialized) struct DeviceTests {
  @MainActor private final class Run {
    let program: HeadlessProgram
    private(set) var calls: [String] = []
    private var tokens: [NotificationCenter.ObservationToken] = []
    var device: Device { Device.current }
    var machine: HeadlessMachine { program.machine }

    init(suspends: Bool = false, beforeLaunch: (Run) -> Void = { _ in }) {
      let delegate = RecordingDelegate()
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program = HeadlessProgram(delegate: { delegate })
      beforeLaunch(self)
      program.launch()
      program.advance(by: .seconds(3))
      observe()
    }

    func observe() {
      let center = NotificationCenter.default
      tokens = [
        center.addObserver(of: device, for: .batteryLevelDidChange) { [weak self] in
          self?.calls.append("level \($0.device.batteryLevel)")
        },
        center.addObserver(of: device, for: .batteryStateDidChange) { [weak self] in
          self?.calls.append("state \($0.device.batteryState)")
        },
        center.addObserver(of: device, for: .powerSourceDidChange) { [weak self] in
          self?.calls.append("on battery \($0.device.isOnBattery)")
        },
        center.addObserver(of: device, for: .lidDidChange) { [weak self] in
          self?.calls.append("lid \($0.device.isLidClosed)")
        },
        center.addObserver(of: device, for: .powerStateDidChange) { [weak self] in
          self?.calls.append("low power \($0.device.isLowPowerModeEnabled)")
        },
        center.addObserver(of: device, for: .thermalStateDidChange) { [weak self] in
          self?.calls.append("thermal \($0.device.thermalState)")
        },
      ]
    }

    func takeCalls() -> [String] {
      program.advance(by: .zero)
      defer { calls = [] }
      return calls
    }

    /// The details of the trace's lines about power.
    var lines: [[String]] {
      program.entries.compactMap { entry in
        guard case .system(let system) = entry, system.name == "power" else { return nil }
        return system.details.fields.map(\.key)
      }
    }
  }

  @Test("Nothing is known or told of a battery that is not monitored")
  func unmonitored() {
    let run = Run()
    run.machine.setBattery(level: 0.5, state: .unplugged)
    run.machine.setLid(isClosed: true)
    run.machine.setLowPowerMode(true)
    run.machine.setThermalState(.serious)
    #expect(run.takeCalls() == [] && run.lines.isEmpty)
    #expect(!run.device.isBatteryMonitoringEnabled && run.device.batteryLevel == -1)
    #expect(run.device.batteryState == .unknown && !run.device.isOnBattery && !run.device.isLidClosed)
  }

  @Test("Monitored, each value is told when it is known and when it has changed, in one order")
  func monitored() {
    let run = Run()
    run.machine.setBattery(level: 0.5, state: .unplugged)
    run.device.isBatteryMonitoringEnabled = true
    // Not before the present callback is over.
    #expect(run.device.batteryLevel == -1)
    #expect(run.takeCalls() == ["state unplugged", "level 0.5", "on battery true"])
    run.machine.setBattery(level: 0.5, state: .unplugged)
    #expect(run.takeCalls() == [])
    run.machine.setBattery(level: 0.51, state: .charging)
    #expect(run.takeCalls() == ["state charging", "level 0.51", "on battery false"])
    run.machine.setLid(isClosed: true)
    run.machine.setLid(isClosed: false)
    #expect(run.takeCalls() == ["lid true", "lid false"])
    run.machine.setBattery(level: 2, state: .full)
    #expect(run.takeCalls() == ["state full", "level 1.0"])
    run.machine.setBattery(level: .nan, state: .full)
    #expect(run.takeCalls() == ["level 0.0"])
    run.machine.removeBattery()
    #expect(run.takeCalls() == ["state unknown", "level -1.0"])
    #expect(
      run.lines == [
        ["batteryState", "batteryLevel", "onBattery"], ["batteryState", "batteryLevel", "onBattery"], ["lidClosed"],
        ["lidClosed"], ["batteryState", "batteryLevel"], ["batteryLevel"], ["batteryState", "batteryLevel"],
      ])
  }

  @Test("Turned off, the battery is unknown at once, and nothing is told; turned on, it is known again")
  func turnedOff() {
    let run = Run()
    run.machine.setBattery(level: 0.25, state: .charging)
    run.device.isBatteryMonitoringEnabled = true
    #expect(run.takeCalls() == ["state charging", "level 0.25"])
    run.device.isBatteryMonitoringEnabled = false
    #expect(run.device.batteryLevel == -1 && run.device.batteryState == .unknown)
    #expect(run.takeCalls() == [])
    run.machine.setBattery(level: 0.75, state: .charging)
    #expect(run.takeCalls() == [])
    run.device.isBatteryMonitoringEnabled = true
    #expect(run.takeCalls() == ["state charging", "level 0.75"])
  }

  @Test("Low power and heat are told from the first time that they are read")
  func others() {
    let run = Run()
    run.machine.setThermalState(.critical)
    run.machine.setLowPowerMode(true)
    #expect(run.takeCalls() == [])
    #expect(!run.device.isLowPowerModeEnabled)
    #expect(run.takeCalls() == ["low power true"])
    #expect(run.device.thermalState == .nominal)
    #expect(run.takeCalls() == ["thermal critical"])
    run.machine.setThermalState(.fair)
    run.machine.setLowPowerMode(false)
    #expect(run.takeCalls() == ["thermal fair", "low power false"])
    #expect(run.device.batteryLevel == -1 && ThermalState.fair < .serious)
  }

  @Test("Asked for before the launch, it is known after it; a relaunched process finds the same machine")
  func launches() {
    let run = Run {
      $0.machine.setBattery(level: 0.5, state: .charging)
      $0.device.isBatteryMonitoringEnabled = true
    }
    #expect(run.device.batteryLevel == 0.5 && run.device.batteryState == .charging)
    run.program.relaunch()
    run.observe()
    #expect(!run.device.isBatteryMonitoringEnabled && run.device.batteryLevel == -1)
    run.machine.setBattery(level: 0.6, state: .charging)
    #expect(run.takeCalls() == [])
    run.device.isBatteryMonitoringEnabled = true
    #expect(run.takeCalls() == ["state charging", "level 0.6"])
  }

  @Test("An observer that turns the monitoring off ends it at once")
  func endsWithin() {
    let run = Run()
    run.machine.setBattery(level: 0.5, state: .charging)
    run.device.isBatteryMonitoringEnabled = true
    let token = NotificationCenter.default.addObserver(of: run.device, for: .batteryStateDidChange) {
      $0.device.isBatteryMonitoringEnabled = false
    }
    defer { NotificationCenter.default.removeObserver(token) }
    #expect(run.takeCalls().filter { $0.hasPrefix("level") }.isEmpty)
    #expect(run.device.batteryLevel == -1)
  }

  #if !WITHOUT_Suspension
    @Test("While the program is suspended nothing is told; on return each kind once, before the scene comes back")
    func suspended() {
      let run = Run(suspends: true)
      run.device.isBatteryMonitoringEnabled = true
      _ = run.device.isLowPowerModeEnabled
      run.machine.setBattery(level: 0.5, state: .unplugged)
      _ = run.takeCalls()
      run.program.desk.minimize(run.program.windows[0])
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended)
      let lines = run.lines.count
      for percent in 30...49 { run.machine.setBattery(level: Float(percent) / 100, state: .charging) }
      run.machine.setBattery(level: 0.4, state: .unplugged)
      run.machine.setLid(isClosed: true)
      run.machine.setLowPowerMode(true)
      run.machine.setLid(isClosed: false)
      #expect(run.takeCalls() == [] && run.program.platform.isSuspended && run.lines.count == lines)
      var state: Scene.ActivationState?
      let token = NotificationCenter.default.addObserver(of: run.device, for: .batteryLevelDidChange) { _ in
        state = run.program.scenes.first?.activationState
      }
      defer { NotificationCenter.default.removeObserver(token) }
      run.program.desk.restore(run.program.windows[0])
      run.program.advance(by: .seconds(1))
      #expect(run.takeCalls() == ["level 0.4", "low power true"])
      #expect(state == .background && run.lines.count == lines + 1)
    }
  #endif
}
