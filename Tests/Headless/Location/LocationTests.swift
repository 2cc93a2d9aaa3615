import FoundationEssentials
import ProsceniumCore
import Testing

@testable import ProsceniumPlatform
@testable import ProsceniumTesting
@testable import ProsceniumTrace

/// What the program learns of where the machine is: `LocationManager`.
@MainActor @Suite("Location", .serialized) struct LocationTests {
  @MainActor private final class Run: LocationManagerDelegate {
    let program: HeadlessProgram
    private(set) var calls: [String] = []
    var machine: HeadlessMachine { program.machine }
    /// The states of the first scene at each call.
    private(set) var states: [Scene.ActivationState] = []
    /// Whether the mode `.location` was held at each call.
    private(set) var held: [Bool] = []
    var onCall: () -> Void = {}

    init(suspends: Bool = false) {
      let delegate = RecordingDelegate()
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program = HeadlessProgram(delegate: { delegate })
      program.launch()
      program.advance(by: .seconds(3))
    }

    func makeManager() -> LocationManager {
      let manager = LocationManager()
      manager.delegate = self
      return manager
    }

    private func record(_ text: String) {
      calls.append(text)
      program.scenes.first.map { states.append($0.activationState) }
      #if !WITHOUT_Execution
        held.append(ExecutionMode.held == [.location])
      #endif
      onCall()
    }

    func locationManager(_ manager: LocationManager, didUpdateLocation location: Location) {
      record("at \(location.latitude) \(location.longitude)" + (manager.location == location ? "" : ", not stored"))
    }
    func locationManager(_ manager: LocationManager, didFailWith error: LocationManager.Failure) {
      record("failed: \(error)")
    }
    func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
      record("\(manager.authorizationStatus)")
    }

    func move(_ latitude: Double, _ longitude: Double, accuracy: Double = 10) {
      machine.move(to: Location(latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy))
    }

    func takeCalls() -> [String] {
      program.advance(by: .zero)
      defer { (calls, states, held) = ([], [], []) }
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
    }

    /// The trace's lines about the location, and what woke the program.
    var lines: [String] {
      program.entries.compactMap { entry in
        let names = ["location", "resumed", "suspended", "executionBegan", "executionEnded"]
        guard case .system(let system) = entry, names.contains(system.name) else { return nil }
        return system.name + system.details.fields.map { " \($0.key) \($0.value.inTrace)" }.joined()
      }
    }
  }

  @Test("Nothing is asked or told before the program asks, nor after it has stopped")
  func asked() {
    let run = Run()
    var manager: LocationManager? = run.makeManager()
    run.move(47.5, 19)
    #expect(run.takeCalls() == [] && run.machine.parts.location.request == nil && run.lines.isEmpty)
    #expect(manager?.authorizationStatus == .notDetermined && manager?.location == nil)
    manager?.startUpdatingLocation()
    #expect(run.takeCalls() == ["authorized", "at 47.5 19.0"])
    #expect(run.machine.parts.location.request == LocationRequest(accuracy: .exact, distance: 0))
    run.move(47.5, 19)
    run.move(91, 19)
    run.move(.nan, 19)
    run.move(47.5, 181)
    run.move(47.5, 19, accuracy: -1)
    #expect(run.takeCalls() == [])
    run.move(47.6, 19)
    #expect(run.takeCalls() == ["at 47.6 19.0"])
    manager?.stopUpdatingLocation()
    #expect(run.machine.parts.location.request == nil)
    run.move(48, 19)
    #expect(run.takeCalls() == [] && manager?.location?.latitude == 47.6)
    manager?.startUpdatingLocation()
    #expect(run.takeCalls() == ["at 48.0 19.0"])
    manager = nil
    #expect(run.machine.parts.location.request == nil)
    // Where the user is stays out of the trace.
    #expect(
      run.lines == [
        #"location authorization "authorized" accuracy 10"#, "location accuracy 10", "location accuracy 10",
      ])
  }

  @Test("The managers together ask for the most exact one, and each is told what it asks for")
  func several() {
    let run = Run()
    let (near, far) = (run.makeManager(), run.makeManager())
    (near.desiredAccuracy, near.distanceThreshold) = (.city, .nan)
    (far.desiredAccuracy, far.distanceThreshold) = (.street, 20_000)
    run.move(47, 19)
    far.startUpdatingLocation()
    #expect(run.machine.parts.location.request == LocationRequest(accuracy: .street, distance: 20_000))
    #expect(run.takeCalls() == ["authorized", "authorized", "at 47.0 19.0"])
    near.startUpdatingLocation()
    #expect(run.machine.parts.location.request == LocationRequest(accuracy: .street, distance: 0))
    // One that begins later is told what is known.
    #expect(run.takeCalls() == ["at 47.0 19.0"] && near.location != nil)
    run.move(47.1, 19)
    #expect(run.takeCalls() == ["at 47.1 19.0"] && far.location?.latitude == 47)
    run.move(47.2, 19)
    #expect(run.takeCalls() == ["at 47.2 19.0", "at 47.2 19.0"] && far.location?.latitude == 47.2)
    near.desiredAccuracy = .exact
    far.distanceThreshold = -3
    #expect(
      run.machine.parts.location.request == LocationRequest(accuracy: .exact, distance: 0) && far.distanceThreshold == 0
    )
    // A call may stop the other manager.
    run.onCall = {
      near.stopUpdatingLocation()
      far.stopUpdatingLocation()
    }
    run.move(50, 19)
    #expect(run.takeCalls() == ["at 50.0 19.0"] && run.machine.parts.location.request == nil)
  }

  @Test("The user's refusal and the service's end are told, each once")
  func refusal() {
    let run = Run()
    let (manager, idle) = (run.makeManager(), run.makeManager())
    idle.delegate = nil
    run.machine.setLocationAuthorization(.denied)
    manager.startUpdatingLocation()
    #expect(run.takeCalls() == ["denied"] && idle.authorizationStatus == .denied)
    run.move(1, 1)
    #expect(run.takeCalls() == ["authorized", "at 1.0 1.0"])
    run.machine.endLocationService()
    run.machine.endLocationService()
    #expect(run.takeCalls() == ["failed: unavailable"] && manager.location?.latitude == 1)
    run.move(2, 1)
    #expect(run.takeCalls() == ["at 2.0 1.0"])
  }

  @Test("A manager that begins is told what is known: the user's answer, and that there are no locations")
  func begins() {
    let run = Run()
    let first = run.makeManager()
    run.machine.setLocationAuthorization(.denied)
    first.startUpdatingLocation()
    #expect(run.takeCalls() == ["denied"])
    let second = run.makeManager()
    #expect(run.takeCalls() == [])
    second.startUpdatingLocation()
    #expect(run.takeCalls() == ["denied"])
    second.stopUpdatingLocation()
    first.stopUpdatingLocation()
    #expect(run.takeCalls() == [])
    first.startUpdatingLocation()
    #expect(run.takeCalls() == ["denied"])
    run.machine.setLocationAuthorization(.authorized)
    #expect(run.takeCalls() == ["authorized", "authorized"])
    run.machine.endLocationService()
    #expect(run.takeCalls() == ["failed: unavailable"])
    // The service is asked again for one that begins, which all hear of.
    second.startUpdatingLocation()
    #expect(run.takeCalls() == [])
    run.program.advance(by: .seconds(1))
    #expect(run.takeCalls() == ["failed: unavailable", "failed: unavailable"])
    second.stopUpdatingLocation()
    first.stopUpdatingLocation()
    first.startUpdatingLocation()
    run.program.advance(by: .seconds(1))
    #expect(run.takeCalls() == ["failed: unavailable"])
    second.startUpdatingLocation()
    run.move(1, 1)
    #expect(run.takeCalls() == ["at 1.0 1.0", "at 1.0 1.0"])
    let third = run.makeManager()
    for _ in 1...2 {
      third.stopUpdatingLocation()
      third.startUpdatingLocation()
    }
    #expect(run.takeCalls() == ["authorized", "at 1.0 1.0"])
    third.stopUpdatingLocation()
    third.delegate = nil
    run.machine.setLocationAuthorization(.denied)
    #expect(run.takeCalls() == ["denied", "denied"])
    second.stopUpdatingLocation()
    second.startUpdatingLocation()
    #expect(run.takeCalls() == ["denied"])
    // Each asks again whenever it is told.
    run.machine.setLocationAuthorization(.authorized)
    _ = run.takeCalls()
    run.onCall = {
      for manager in [first, second] {
        manager.stopUpdatingLocation()
        manager.startUpdatingLocation()
      }
    }
    run.machine.endLocationService()
    run.program.advance(by: .milliseconds(3500))
    let failures = run.takeCalls().count { $0 == "failed: unavailable" }
    #expect((4...8).contains(failures))
  }

  @Test("Distances over the ground")
  func distances() {
    let (budapest, vienna) = (
      Location(latitude: 47.4979, longitude: 19.0402, horizontalAccuracy: 0),
      Location(latitude: 48.2082, longitude: 16.3738, horizontalAccuracy: 0)
    )
    #expect(abs(budapest.distance(from: vienna) - 214_000) < 2_000)
    #expect(budapest.distance(from: budapest) == 0)
    let (here, there) = (
      Location(latitude: 0, longitude: 0, horizontalAccuracy: 0),
      Location(latitude: 0, longitude: 180, horizontalAccuracy: 0)
    )
    #expect(abs(here.distance(from: there) - 20_015_000) < 1_000)
    let (east, west) = (
      Location(latitude: 0, longitude: 179.9, horizontalAccuracy: 0),
      Location(latitude: 0, longitude: -179.9, horizontalAccuracy: 0)
    )
    #expect(abs(east.distance(from: west) - 22_240) < 100)
    var dated = here
    dated.secondsSince1970 = 86_400
    #expect(dated.timestamp == Date(timeIntervalSince1970: 86_400) && here.timestamp == nil)
  }

  #if !WITHOUT_Suspension
    @Test("A suspended program that only follows the location is told nothing, and asks for nothing meanwhile")
    func suspended() {
      let run = Run(suspends: true)
      let manager = run.makeManager()
      run.move(47, 19)
      manager.startUpdatingLocation()
      _ = run.takeCalls()
      run.suspend()
      #expect(run.machine.parts.location.request == nil)
      for step in 1...20 { run.move(47 + Double(step), 19) }
      #expect(run.takeCalls() == [] && run.program.platform.isSuspended)
      run.resume()
      #expect(run.takeCalls() == ["at 67.0 19.0"])
      #expect(run.machine.parts.location.request == LocationRequest(accuracy: .exact, distance: 0))
    }

    @Test("A significant change wakes a suspended program, in the background; a smaller one waits")
    func significant() {
      let run = Run(suspends: true)
      let (manager, other) = (run.makeManager(), run.makeManager())
      run.move(47, 19)
      manager.startMonitoringSignificantLocationChanges()
      other.startUpdatingLocation()
      #expect(run.takeCalls() == ["authorized", "at 47.0 19.0", "authorized", "at 47.0 19.0"])
      run.suspend()
      #expect(run.machine.parts.location.request == LocationRequest(accuracy: .neighborhood, distance: 500))
      run.move(47.001, 19)
      #expect(run.takeCalls() == [] && run.program.platform.isSuspended)
      run.move(47.01, 19)
      run.program.advance(by: .zero)
      #expect(!run.program.platform.isSuspended && run.states.allSatisfy { $0 == .background })
      // The manager that follows everything was told of the smaller one, too.
      #expect(run.takeCalls() == ["at 47.001 19.0", "at 47.01 19.0", "at 47.01 19.0"])
      #expect(run.lines.filter { $0.hasPrefix("resumed") } == [#"resumed cause "location""#])
      // It is suspended again, and the next one counts from there.
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended)
      run.move(47.0101, 19)
      run.machine.setLocationAuthorization(.denied)
      run.machine.setLocationAuthorization(.authorized)
      #expect(run.takeCalls() == [] && run.program.platform.isSuspended)
      manager.stopMonitoringSignificantLocationChanges()
      run.resume()
      #expect(run.takeCalls() == ["at 47.0101 19.0"])
    }

    #if !WITHOUT_Execution
      @Test("The mode .location is held from a significant change that wakes the program until the delegates know it")
      func mode() {
        let run = Run(suspends: true)
        let manager = run.makeManager()
        run.move(47, 19)
        manager.startMonitoringSignificantLocationChanges()
        run.move(47.1, 19)
        run.program.advance(by: .zero)
        #expect(run.held.contains(false) && !run.held.contains(true) && ExecutionMode.held == [])
        _ = run.takeCalls()
        for step in 2...3 {
          run.suspend()
          run.move(47 + Double(step) / 10, 19)
          run.program.advance(by: .zero)
          #expect(run.held == [true] && ExecutionMode.held == [])
          _ = run.takeCalls()
          run.program.advance(by: .seconds(6))
          #expect(run.program.platform.isSuspended)
        }
        let hold = #"mode "location" reason "a significant change of the location""#
        #expect(
          run.lines.suffix(10)
            == [1, 2].flatMap { number in
              [
                #"resumed cause "location""#, "location accuracy 10", "executionBegan \(hold) hold \(number)",
                "executionEnded \(hold) hold \(number)", "suspended",
              ]
            })
      }

      @Test("What is told before the change that wakes the program is told without its mode")
      func modeAfterOthers() {
        let run = Run(suspends: true)
        let (manager, other) = (run.makeManager(), run.makeManager())
        run.move(47, 19)
        manager.startMonitoringSignificantLocationChanges()
        other.startUpdatingLocation()
        run.program.advance(by: .zero)
        _ = run.takeCalls()
        run.suspend()
        run.move(47.001, 19)
        run.move(47.1, 19)
        run.program.advance(by: .zero)
        #expect(run.held == [false, true, true] && ExecutionMode.held == [])
        #expect(run.takeCalls() == ["at 47.001 19.0", "at 47.1 19.0", "at 47.1 19.0"])
        run.program.advance(by: .seconds(10))
        #expect(run.program.platform.isSuspended)
        // And a change that no manager wants
        run.machine.setLocationAuthorization(.denied)
        run.machine.setLocationAuthorization(.authorized)
        other.stopUpdatingLocation()
        run.move(47.2, 19)
        run.program.advance(by: .zero)
        #expect(run.held.last == true && ExecutionMode.held == [])
      }

      @Test("A change that wakes the program and that nobody hears leaves no mode held")
      func modeOfNobody() {
        let run = Run(suspends: true)
        let manager = run.makeManager()
        run.move(47, 19)
        manager.startMonitoringSignificantLocationChanges()
        _ = run.takeCalls()
        run.suspend()
        run.onCall = { manager.stopMonitoringSignificantLocationChanges() }
        run.move(48, 19)
        run.program.advance(by: .zero)
        #expect(run.takeCalls() == ["at 48.0 19.0"] && ExecutionMode.held == [])
        run.program.advance(by: .seconds(6))
        #expect(run.program.platform.isSuspended)
      }
    #endif
  #endif
}
