import ProsceniumLoop
package import ProsceniumPlatform

/// The program on the accessibility bus, while an assistive program is there (AT-SPI 2).
///
/// The session bus tells whether there is one (`org.a11y.Status`); the service that says it is not started for that.
/// Without one there is no second connection, no object and no request.
@MainActor package final class AccessibilitySource: AccessibilityService {
  private weak var host: (any SystemHost)?
  private var session: Bus?
  private var status: BusProperties?
  /// The accessibility bus; nil while nobody wants it.
  private(set) var bus: Bus?
  private var objects: BusObjects?
  /// Whether the bus' address has been asked for.
  private var isAsking = false
  /// Made once there is an accessibility bus.
  private lazy var answers = AccessibleAnswers(
    tree: AccessibilityTree(), busName: "", programName: ProgramName.own,
    locale: AccessibleAnswers.locale(of: environment))
  private let environment: [String: String]
  /// Whether the framework has been told of an assistive program.
  private var isWatched = false
  /// Who tells assistive programs of keys, while there are any.
  private var keys: AccessibleKeys?

  init(environment: [String: String]) { self.environment = environment }

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the session bus, before it is connected.
  func use(_ bus: Bus) {
    session = bus
    let isFlag = { (value: BusValue) in value.bool != nil }
    let object = BusProperties.Object(
      path: ATSPI.launcherPath, interface: ATSPI.status,
      properties: ["IsEnabled": isFlag, "ScreenReaderEnabled": isFlag])
    status = BusProperties(bus, ATSPI.launcher, [object], startsService: false) { [weak self] in self?.adjust() }
  }

  func stop() { leave() }

  // MARK: The connection

  private func isOn(_ property: String) -> Bool { status?.value(property, of: 0)?.bool == true }
  private var isReadAloud: Bool { isOn("ScreenReaderEnabled") }
  private var isWanted: Bool { isReadAloud || isOn("IsEnabled") }

  private func adjust() {
    // While they are read again the last word counts.
    if status?.isBeingRead == true { return }
    guard isWanted else { return leave() }
    if isWatched { host?.post(.accessibility(.watched(true, byScreenReader: isReadAloud))) }
    guard bus == nil, !isAsking, let session, let owner = status?.owner else { return }
    isAsking = true
    let member = BusMember(path: ATSPI.launcherPath, interface: ATSPI.launcher, name: "GetAddress")
    // The service says nothing more of what is wanted: nobody would ask it again.
    session.call(owner, member, timeout: Bus.longestAnswer) { [weak self] result in
      guard let self else { return }
      isAsking = false
      guard isWanted, let address = (try? result.get())?.first?.text, !address.isEmpty else { return }
      connect(address)
    }
  }

  private func connect(_ address: String) {
    guard let host, bus == nil else { return }
    let bus = Bus(privateAt: address, host: host)
    self.bus = bus
    let objects = BusObjects(bus: bus, host: host)
    self.objects = objects
    objects.other = { [weak self] in self?.answer($0) }
    // The bus greets a connection with its name.
    let greeting = BusRule(sender: BusDaemon.name, interface: BusDaemon.name, name: "NameAcquired")
    bus.subscribe(greeting) { [weak self] signal in
      guard let name = signal.values.first?.text, name.hasPrefix(":") else { return }
      self?.answers.busName = name
    }
    bus.onOwner(of: ATSPI.registry) { [weak self] owner in if let owner { self?.embed(owner) } }
    bus.onConnection { [weak self] isConnected in
      guard let self else { return }
      guard isConnected else { return leave() }
      // It is started by its name; one that runs already refuses.
      self.bus?.call(BusDaemon.name, BusDaemon.member("StartServiceByName"), [.string(ATSPI.registry), .uint32(0)]) {
        _ in
      }
    }
    bus.connect()
  }

  /// Gives the program to the registry, which shows it to assistive programs.
  private func embed(_ owner: String) {
    let member = BusMember(path: ATSPI.rootPath, interface: ATSPI.prefix + "Socket", name: "Embed")
    // One that is busy takes the program later, and shows one without windows where that is not heard.
    bus?.call(owner, member, [answers.reference(.application)], timeout: Bus.longestAnswer) { [weak self] result in
      guard let self, bus?.owner(of: ATSPI.registry) == owner else { return }
      guard let desktop = (try? result.get())?.first, desktop.signature == "(so)" else {
        host?.log("The accessibility registry does not take the program, so that screen readers do not see it.")
        return
      }
      answers.desktop = desktop
      isWatched = true
      if let keys { keys.follow(owner) } else { keys = bus.map { AccessibleKeys(bus: $0, registry: owner) } }
      host?.trace("accessibility", answers.busName)
      host?.post(.accessibility(.watched(true, byScreenReader: isReadAloud)))
    }
  }

  private func leave() {
    guard let bus = bus.take() else { return }
    (objects, keys) = (nil, nil)
    answers.tree = AccessibilityTree()
    (answers.busName, answers.number) = ("", 0)
    if exchange(&isWatched, with: false) { host?.post(.accessibility(.watched(false, byScreenReader: false))) }
    bus.disconnect()
  }

  // MARK: Out

  package func publish(_ tree: AccessibilityTree) {
    guard isWatched, let bus else { return }
    let events = AccessibleEvent.changes(from: answers.tree, to: tree) { answers.reference($0) }
    answers.tree = tree
    for event in events { emit(event, on: bus) }
  }

  package func announce(_ text: String) {
    guard isWatched, let bus else { return }
    let id = answers.tree.focused ?? answers.tree.windows.first ?? .application
    let value = BusValue.string(text.withoutZeros)
    emit(AccessibleEvent(id: id, name: "Announcement", numbers: (1, 0), value: value), on: bus)
  }

  package var hearsKeys: Bool { keys?.isHeard ?? false }

  package func tell(_ key: Key, time: UInt32, number: Int) {
    guard let keys else { return post(answer: false, number) }
    keys.tell(key, time: time) { [weak self] in self?.post(answer: $0, number) }
  }

  private func post(answer isHandled: Bool, _ number: Int) {
    host?.post(.accessibility(.answer(number, isHandled: isHandled)))
  }

  private func emit(_ event: AccessibleEvent, on bus: Bus) {
    let signal = event.signal
    bus.emit(signal.member, signal.values)
  }

  // MARK: In

  private func answer(_ call: BusMessage) -> BusAnswer? {
    let member = call.member
    return objects?.admit(call) { [weak self] _, values, reply in
      guard let self else { return }
      if member.path == ATSPI.rootPath, member.name == "Set", values.count == 3, values[1].text == "Id",
        let number = values[2].integer
      {
        answers.number = number
        return reply.give(.success([]))
      }
      switch answers.answer(member, values) {
      case .values(let values): reply.give(.success(values))
      case .failure(let failure): reply.give(.failure(failure))
      case .request(let id, let request, let values):
        if host?.acceptsRequests == true { host?.post(.accessibility(.request(id, request))) }
        reply.give(.success(values))
      }
    }
  }
}
