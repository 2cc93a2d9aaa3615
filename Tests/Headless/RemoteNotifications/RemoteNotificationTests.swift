import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// Messages that the program's server pushes: `RemoteNotificationCenter`.
@MainActor @Suite("Remote notifications", .serialized) struct RemoteNotificationTests {
  private final class Delegate: RecordingDelegate, RemoteNotificationCenterDelegate {
    var told: [String] = []
    var states: [Application.State] = []
    var onTold: () -> Void = {}

    private func record(_ text: String) {
      told.append(text)
      states.append(Application.shared.applicationState)
      onTold()
    }

    func remoteNotificationCenter(_ center: RemoteNotificationCenter, didRegisterWith endpoint: URL) {
      record("registered \(endpoint)" + (center.endpoint == endpoint ? "" : ", not stored"))
    }
    func remoteNotificationCenter(
      _ center: RemoteNotificationCenter, didFailToRegisterWith error: RemoteNotificationCenter.Failure
    ) { record("failed: \(error.description)") }
    func remoteNotificationCenterDidUnregister(_ center: RemoteNotificationCenter) {
      record("unregistered" + (center.endpoint == nil ? "" : ", stored"))
    }
    func remoteNotificationCenter(_ center: RemoteNotificationCenter, didReceive message: Data) {
      record("message \(String(decoding: message, as: UTF8.self))")
    }
  }

  @MainActor private final class Run {
    let program: HeadlessProgram
    let delegate = Delegate()
    let source = WordSource()
    var center: RemoteNotificationCenter { RemoteNotificationCenter.of(program.application) }
    var machine: HeadlessMachine { program.machine }

    init(
      suspends: Bool = false, hasDelegate: Bool = true, arguments: [String] = [], isStartedByBus: Bool = false,
      endpoint: String? = "https://push.example/1"
    ) {
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program = HeadlessProgram(
        store: .given(SessionStore(files: HeadlessDisk().files, runsInline: true)), sources: [source])
      if isStartedByBus { source.onStart = { $0.post(.firstRequest(isAwaited: true)) } }
      program.machine.pushEndpoint = endpoint.flatMap { URL(string: $0) }
      delegate.onCall = { [unowned self] in
        if $0.name == "didFinishLaunchingWithOptions", hasDelegate { center.delegate = delegate }
      }
      delegate.endsAfterLastScene = false
      program.launch(delegate, arguments: arguments)
      program.advance(by: .seconds(3))
    }

    func register() {
      center.register()
      program.advance(by: .zero)
    }

    func push(_ text: String) {
      machine.push(Data(text.utf8))
      program.advance(by: .zero)
    }

    func takeTold() -> [String] {
      program.advance(by: .zero)
      defer { delegate.told = [] }
      return delegate.told
    }

    var options: LaunchOptions? { program.application.conductor?.feature(Launch.self)?.options }

    var errors: [String] {
      program.entries.compactMap { if case .error(let message) = $0 { message } else { nil } }
    }

    var lines: [String] {
      program.entries.compactMap { entry in
        guard case .system(let system) = entry, system.name == "remoteNotification" else { return nil }
        return system.details.fields.map { "\($0.key) \($0.value.inTrace)" }.joined(separator: " ")
      }
    }
  }

  @Test("Nothing is asked before the program registers; then it has an endpoint, and messages in their order")
  func registered() {
    let run = Run()
    run.push("lost")
    #expect(!run.machine.isRegisteredForRemoteNotifications && run.takeTold() == [] && run.center.endpoint == nil)
    run.center.register(applicationServerKey: "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxH")
    #expect(run.delegate.told == [])
    #expect(run.takeTold() == ["registered https://push.example/1"])
    #expect(run.machine.isRegisteredForRemoteNotifications)
    #expect(run.machine.applicationServerKey == "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxH")
    for number in 1...3 { run.machine.push(Data("\(number)".utf8)) }
    #expect(run.takeTold() == ["message 1", "message 2", "message 3"])
    run.machine.pushEndpoint = URL(string: "https://push.example/2")
    #expect(run.takeTold() == ["registered https://push.example/2"])
    run.center.unregister()
    run.push("late")
    #expect(run.takeTold() == [] && run.center.endpoint == nil && !run.machine.isRegisteredForRemoteNotifications)
    #expect(run.lines.count == 5 && run.lines[1] == #"event "message" bytes 1"#, "\(run.lines)")
    #expect(!run.lines.joined().contains("push.example"))
  }

  @Test("Without a distributor a registration fails, and one that the distributor ends is told once")
  func failure() {
    let run = Run(endpoint: nil)
    run.register()
    #expect(run.takeTold() == ["failed: there is no distributor of pushed notifications"])
    run.machine.pushEndpoint = URL(string: "https://push.example/1")
    #expect(run.takeTold() == [])
    run.register()
    run.machine.pushEndpoint = nil
    #expect(run.takeTold() == ["registered https://push.example/1", "unregistered"])
    run.push("late")
    #expect(run.takeTold() == [])
  }

  @Test("A registration that is ended in the same callback fails once, and two in one callback are both told")
  func endedAtOnce() {
    let run = Run()
    let ended = "failed: the program has ended the registration before there was one"
    run.center.register()
    run.center.unregister()
    #expect(run.delegate.told == [])
    #expect(run.takeTold() == [ended] && run.center.endpoint == nil)
    #expect(!run.machine.isRegisteredForRemoteNotifications)
    run.center.register()
    run.center.register()
    #expect(run.takeTold() == Array(repeating: "registered https://push.example/1", count: 2))
    run.center.register()
    run.center.unregister()
    run.center.register()
    #expect(run.takeTold() == [ended, "registered https://push.example/1"])
    #expect(run.machine.isRegisteredForRemoteNotifications && run.center.endpoint != nil)
  }

  @Test("An address that waits to be told when the program ends its registration is not told, at a launch either")
  func endedBefore() throws {
    let run = Run()
    run.delegate.onTold = { [unowned run] in
      run.machine.pushEndpoint = URL(string: "https://push.example/2")
      run.center.unregister()
    }
    run.register()
    #expect(run.takeTold() == ["registered https://push.example/1"] && run.center.endpoint == nil)
    // The bus starts the program for the address.
    let second = Run(arguments: ["--background"], isStartedByBus: true)
    second.delegate.onCall = { [unowned second] in
      guard $0.name == "didFinishLaunchingWithOptions" else { return }
      second.center.delegate = second.delegate
      second.center.unregister()
    }
    var request = IncomingRequest()
    request.push = .endpoint(try #require(URL(string: "https://push.example/2")))
    request.isBackground = true
    second.machine.receive(request)
    second.program.advance(by: .seconds(3))
    #expect(second.delegate.calls.contains { $0.name == "didFinishLaunchingWithOptions" })
    #expect(second.takeTold() == [] && second.center.endpoint == nil)
  }

  @Test("What becomes of a registration is told to the process that has asked, not to the one before it")
  func nextProcess() {
    let delegate = Delegate()
    let program = HeadlessProgram(delegate: { delegate })
    program.launch()
    RemoteNotificationCenter.of(program.application).register()
    program.relaunch()
    let center = RemoteNotificationCenter.of(program.application)
    center.delegate = delegate
    center.register()
    program.advance(by: .zero)
    #expect(delegate.told == ["failed: there is no distributor of pushed notifications"])
  }

  @Test("A message that finds no delegate is reported, and lost")
  func noDelegate() {
    let run = Run(hasDelegate: false)
    run.register()
    run.push("x")
    #expect(run.errors.count == 2)
    #expect(run.errors.allSatisfy { $0.contains("RemoteNotificationCenter.current has no delegate") })
  }

  @Test("A message moves no window and changes no state")
  func quiet() {
    let run = Run()
    run.register()
    run.program.desk.minimize(run.program.windows[0])
    run.program.advance(by: .seconds(3))
    let states = run.program.scenes.map(\.activationState)
    run.push("x")
    run.program.advance(by: .seconds(3))
    #expect(run.program.scenes.map(\.activationState) == states && states == [.background])
    #expect(run.delegate.states.last == .background)
  }

  #if !WITHOUT_Suspension
    @Test("A message wakes a suspended program, which is suspended again after the grace")
    func suspended() {
      let run = Run(suspends: true)
      run.register()
      run.program.desk.minimize(run.program.windows[0])
      for number in 1...2 {
        run.program.advance(by: .seconds(10))
        #expect(run.program.platform.isSuspended)
        _ = run.takeTold()
        var wasSuspended = true
        run.delegate.onTold = { wasSuspended = run.program.platform.isSuspended }
        run.push("\(number)")
        #expect(run.takeTold() == ["message \(number)"] && !wasSuspended)
      }
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended)
    }
  #endif

  @Test("A program that the bus starts for a message is launched in the background, and has it in its options")
  func launched() {
    let run = Run(arguments: ["--background"], isStartedByBus: true)
    #expect(run.delegate.calls.isEmpty)
    var request = IncomingRequest()
    request.push = .message(Data("wake".utf8))
    request.isBackground = true
    run.machine.receive(request)
    run.program.advance(by: .seconds(3))
    #expect(run.options?.remoteNotification == Data("wake".utf8))
    #expect(run.options?.isBackground == true)
    #expect(run.program.scenes.isEmpty && run.takeTold() == ["message wake"])
  }

  @Test("Calls from a callback, registrations one after the other, and an end within a message")
  func nested() {
    let run = Run()
    run.delegate.onTold = { [unowned run] in if run.delegate.told.count < 3 { run.center.register() } }
    run.register()
    run.program.advance(by: .seconds(1))
    #expect(run.takeTold() == Array(repeating: "registered https://push.example/1", count: 3))
    run.delegate.onTold = { [unowned run] in run.center.unregister() }
    for number in 1...3 { run.machine.push(Data("\(number)".utf8)) }
    // What has been pushed before the end is delivered.
    #expect(run.takeTold() == ["message 1"])
  }
}
