/// The methods, properties and signals of logind (org.freedesktop.login1(5)).
@MainActor final class Logind {
  typealias Answer = @MainActor (Result<[BusValue], BusFailure>) -> Void

  nonisolated static let name = "org.freedesktop.login1"
  static let session = "org.freedesktop.login1.Session"
  static let user = "org.freedesktop.login1.User"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let properties = "org.freedesktop.DBus.Properties"

  private let bus: Bus
  private var openQuestions = 0
  /// Called when all questions have been answered, with those that followed from the answers.
  let onIdle: @MainActor () -> Void

  init(_ bus: Bus, onIdle: @escaping @MainActor () -> Void) {
    self.bus = bus
    self.onIdle = onIdle
  }

  var isPresent: Bool { bus.hasOwner(Self.name) }

  /// Calls a method of the manager.
  func call(_ method: String, _ values: [BusValue], _ answer: @escaping Answer) {
    bus.call(Self.name, BusMember(path: Self.path, interface: Self.manager, name: method), values, answer)
  }

  /// Calls a method of the manager whose answer has to be known before ``onIdle`` is called.
  func ask(_ method: String, _ values: [BusValue], _ answer: @escaping Answer) {
    ask(BusMember(path: Self.path, interface: Self.manager, name: method), values, answer)
  }

  /// Reads a property of the manager; the answer is nil where it cannot be read.
  func managerProperty(_ property: String, _ answer: @escaping @MainActor (BusValue?) -> Void) {
    self.property(property, of: Self.manager, at: Self.path, answer)
  }

  /// Reads a property of an object; the answer is nil where it cannot be read.
  func property(
    _ property: String, of interface: String, at path: String, _ answer: @escaping @MainActor (BusValue?) -> Void
  ) {
    let member = BusMember(path: path, interface: Self.properties, name: "Get")
    ask(member, [.string(interface), .string(property)]) { answer((try? $0.get())?.first?.plain) }
  }

  private func ask(_ member: BusMember, _ values: [BusValue], _ answer: @escaping Answer) {
    openQuestions += 1
    bus.call(Self.name, member, values) { [weak self] result in
      // May ask for more.
      answer(result)
      guard let self else { return }
      openQuestions -= 1
      if openQuestions == 0 { onIdle() }
    }
  }

  /// Calls a function with the flag of each signal of the manager.
  func onSignal(_ signal: String, _ handler: @escaping @MainActor (Bool?) -> Void) {
    bus.subscribe(BusRule(sender: Self.name, path: Self.path, interface: Self.manager, name: signal)) {
      handler($0.values.first?.bool)
    }
  }

  /// Calls a function for each change of a session's properties.
  func onSessionChange(_ handler: @escaping @MainActor (BusSignal) -> Void) {
    bus.subscribe(
      BusRule(sender: Self.name, interface: Self.properties, name: "PropertiesChanged", firstText: Self.session),
      handler)
  }

  /// Calls a function as soon as it is known whether logind is present, and at each change.
  func onPresence(_ handler: @escaping @MainActor (_ isPresent: Bool) -> Void) {
    bus.onOwner(of: Self.name) { handler($0 != nil) }
  }
}
