import ProsceniumLoop
package import ProsceniumPlatform

/// Pushed notifications by the user's distributor (UnifiedPush, "D-Bus", versions 1 and 2).
///
/// The distributor calls the program by its name, for which the bus starts it. Without a registration, which outlasts
/// the run that has made it, nobody is heard; with one, who has its token and is believed by ``PushCallers``. Nothing
/// is asked of the bus before the program registers, or is called.
@MainActor package final class PushSource: PushService {
  /// The variable of the environment that names the distributor that the user prefers.
  static let preference = "UNIFIEDPUSH_DISTRIBUTOR"
  private static let distributorPath = "/org/unifiedpush/Distributor"
  private static let success = "REGISTRATION_SUCCEEDED"

  /// What the program registers with.
  private struct Choice: Equatable {
    /// The distributor that the program has chosen; nil for none.
    var name: String?
    /// The public key of the program's server.
    var key: String?
  }

  /// The program is being registered.
  private struct Attempt {
    var choice: Choice
    /// The distributor that the program has named for it.
    var chosen: String?
    /// The token, once a distributor has it.
    var token: String?
    /// The program has ended the registration meanwhile.
    var isWithdrawn = false
  }

  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var isBusKnown = false
  /// The name by which the bus reaches this process; nil while it has none.
  private var ownName: @MainActor () -> String? = { nil }
  /// Those who wait for a registration, and for the names of distributors.
  private var waiting: [(choice: Choice, completion: @MainActor (DesktopFailure?) -> Void)] = []
  private var questions: [@MainActor ([String]) -> Void] = []
  private var current: Attempt?
  /// What the program wants to be registered with; nil where it does not.
  private var wanted: Choice?
  /// The distributor that the program has registered with in this run.
  private var distributor: String?
  private let registration = KeptRegistration()
  /// A registration that the program has ended before it was known whether there is a bus.
  private var endedEarly: PushRegistration?
  private let preferred: String?
  let callers = PushCallers()
  private var flood = CallFlood.ofPushes

  /// Where the registration is kept; asked for when it is needed.
  package var store: (@MainActor () -> (any PushRegistrationStore)?)? {
    get { registration.store }
    set { registration.store = newValue }
  }

  init(environment: [String: String]) { preferred = environment[Self.preference] }

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the session bus; nil for none.
  func use(_ bus: Bus?) {
    self.bus = bus
    callers.bus = bus
    isBusKnown = true
    if let endedEarly = endedEarly.take() { end(endedEarly) }
    if wanted != nil { registerLater() }
    answerQuestions()
  }

  /// Answers distributors from now on.
  /// - Parameters:
  ///   - objects: The program's objects on the bus.
  ///   - service: The program's name there.
  func answer(on objects: BusObjects, of service: InstanceService) {
    ownName = { [weak service] in service?.ownName }
    let answer: BusObjects.Handler = { [weak self, weak objects, weak service] call in
      guard PushConnector.interfaces.contains(call.member.interface), let objects, let service else { return nil }
      return service.countsForLaunch(objects.admit(call) { self?.receive(call, $1, $2) })
    }
    objects.export(PushConnector.path, interfaces: PushConnector.description, answer)
  }

  // MARK: Registration

  package func register(
    key: String?, distributor: String?, completion: @escaping @MainActor (DesktopFailure?) -> Void
  ) {
    let choice = Choice(name: distributor, key: key)
    wanted = choice
    waiting.append((choice, completion))
    registerLater()
  }

  /// After the present callback, and once it is known whether there is a bus.
  private func registerLater() {
    guard let host, isBusKnown else { return }
    host.after(milliseconds: 0) { [weak self] in self?.findDistributor() }
  }

  private func ended(_ problem: String?) {
    guard let attempt = current.take() else { return }
    callers.asked = nil
    // Who waited for one that has been withdrawn has been told.
    if !attempt.isWithdrawn { answer(problem) { $0 == attempt.choice } }
    if !waiting.isEmpty { registerLater() }
  }

  private func answer(_ problem: String?, _ isMeant: (Choice) -> Bool) {
    let completions = waiting.filter { isMeant($0.choice) }
    waiting.removeAll { isMeant($0.choice) }
    for (_, completion) in completions { completion(problem.map { DesktopFailure($0) }) }
  }

  private func findDistributor() {
    guard let wanted, current == nil else { return }
    // Without anybody who waits the one that has the registration has been started anew.
    let choice = waiting.first?.choice ?? Choice(name: distributor, key: wanted.key)
    current = Attempt(choice: choice, chosen: waiting.first?.choice.name)
    guard let bus, bus.isConnected else { return ended("there is no session bus") }
    listDistributors(bus) { [weak self] names in
      guard let self else { return }
      if let name = choice.name {
        return names.contains(name) ? register(with: name, bus) : ended("there is no distributor \(name)")
      }
      if let first = names.first { return register(with: first, bus) }
      ended("there is no distributor of pushed notifications, which the user installs (UnifiedPush)")
    }
  }

  package func listDistributors(_ completion: @escaping @MainActor ([String]) -> Void) {
    questions.append(completion)
    answerQuestions()
  }

  /// After the present callback, and once it is known whether there is a bus.
  private func answerQuestions() {
    guard let host, isBusKnown, !questions.isEmpty else { return }
    host.after(milliseconds: 0) { [weak self] in
      guard let self else { return }
      let completions = exchange(&questions, with: [])
      let answer: @MainActor ([String]) -> Void = { names in for completion in completions { completion(names) } }
      if let bus, bus.isConnected { listDistributors(bus, answer) } else { answer([]) }
    }
  }

  /// Asks for the distributors that are there: the user's choice in the program, the one for all programs, the one of
  /// before, those that run, and those that the bus can start.
  private func listDistributors(_ bus: Bus, _ completion: @escaping @MainActor ([String]) -> Void) {
    bus.listDistributors("ListNames") { running in
      bus.listDistributors("ListActivatableNames") { [weak self] startable in
        guard let self else { return }
        let all = running + startable
        // The variable has the name, or as KUnifiedPush's the end of it.
        let (before, whole) = (registration.value, preferred.map { Bus.distributorPrefix + $0 })
        let chosen = [before?.chosen, preferred, whole, before?.distributor]
        let first = chosen.compactMap { wish in all.first { $0 == wish } }
        var names: [String] = []
        for name in first + all where !names.contains(name) { names.append(name) }
        completion(names)
      }
    }
  }

  private func register(with name: String, _ bus: Bus) {
    guard current?.isWithdrawn == false else { return ended(nil) }
    guard let ownName = ownName() else {
      return ended("the program has no name on the bus that a distributor could reach it by")
    }
    // The same in each run: the distributor knows the registration by it.
    let token = registration.value?.token ?? NoticeKey.make()
    current?.token = token
    var arguments: [String: BusValue] = [
      "service": .string(ownName), "token": .string(token), "description": .string(ProgramName.own),
    ]
    arguments["vapid"] = current?.choice.key.map { .string($0) }
    // It may call before it answers.
    callers.asked = name
    bus.call(name, Self.member(2, "Register"), [.options(arguments)]) { [weak self] result in
      guard let self else { return }
      if case .failure(let failure) = result, failure.isAbsence {
        let texts: [BusValue] = [.string(ownName), .string(token), .string(ProgramName.own)]
        bus.call(name, Self.member(1, "Register"), texts) { [weak self] in
          self?.registered(with: name, token, $0) { values in values.map(\.text) }
        }
        return
      }
      registered(with: name, token, result) { values in
        let answer = values.first?.properties
        return [answer?["success"]?.text, answer?["reason"]?.text]
      }
    }
  }

  private static func member(_ version: Int, _ name: String) -> BusMember {
    BusMember(path: distributorPath, interface: "org.unifiedpush.Distributor\(version)", name: name)
  }

  /// The distributor `name` has answered; `texts` are the success and the reason of an answer.
  private func registered(
    with name: String, _ token: String, _ result: Result<[BusValue], BusFailure>, _ texts: ([BusValue]) -> [String?]
  ) {
    guard let attempt = current, !attempt.isWithdrawn else {
      end(PushRegistration(token: token, distributor: name))
      return ended(nil)
    }
    switch result {
    case .failure(let failure):
      // It may register the program yet, with a token that nobody knows then; it gets this after that.
      let asked = PushRegistration(token: token, distributor: name)
      if failure.isSilence, registration.value.map({ $0.token != token || $0.distributor != name }) ?? true {
        end(asked)
      }
      ended("\(name): \(failure)")
    case .success(let values):
      let answer = texts(values)
      guard answer.first == Self.success else {
        let reason = answer.count > 1 ? answer[1] : nil
        return ended("\(name) refuses it: \(reason.map { String($0.prefix(200)) } ?? "no reason")")
      }
      let before = registration.value
      registration.value = PushRegistration(
        token: token, distributor: name, chosen: attempt.chosen ?? before?.chosen)
      // Of two that have it one would be forgotten.
      if let before, before.distributor != name { end(before) }
      if distributor != name { follow(name) }
      ended(nil)
    }
  }

  /// Registers anew when the distributor is started again: its address may be another one.
  private func follow(_ name: String) {
    if let distributor { bus?.unsubscribe(from: distributor) }
    distributor = name
    var wasThere = true
    bus?.onOwner(of: name) { [weak self] owner in
      guard let self, wanted != nil, distributor == name else { return }
      if owner != nil, !wasThere { registerLater() }
      wasThere = owner != nil
    }
  }

  package func unregister() {
    wanted = nil
    current?.isWithdrawn = true
    answer("the program has ended the registration before there was one") { _ in true }
    let known = registration.value
    forget()
    guard let known else { return }
    if isBusKnown { end(known) } else { endedEarly = known }
  }

  /// From now on nobody is heard.
  private func forget() {
    registration.value = nil
    if let distributor = distributor.take() { bus?.unsubscribe(from: distributor) }
  }

  private func end(_ registration: PushRegistration) {
    guard let bus else { return }
    let (distributor, token) = (registration.distributor, BusValue.string(registration.token))
    bus.call(distributor, Self.member(2, "Unregister"), [.options(["token": token])]) { result in
      // One of version 1 that hangs has not said which version it has.
      guard case .failure(let failure) = result, failure.isAbsence || failure.isSilence else { return }
      bus.call(distributor, Self.member(1, "Unregister"), [token]) { _ in }
    }
  }

  // MARK: Calls of the distributor

  package var isRegistered: Bool { token != nil }

  /// The token by which the program is reached; nil once it has ended the registration that has it.
  private var token: String? { registration.value?.token ?? (current?.isWithdrawn == false ? current?.token : nil) }

  private func receive(_ call: BusMessage, _ values: [BusValue], _ reply: BusReply) {
    guard let token else { return reply.refuse("AccessDenied", "the program is not registered") }
    do throws(BusFailure) {
      let event = try PushConnector.read(call.member, values, token: token)
      callers.chosen = registration.value?.distributor
      callers.judge(call.sender) { [weak self] verdict in
        switch verdict {
        case .tooMany: reply.refuse("LimitsExceeded", "too many calls")
        case .stranger: reply.refuse("AccessDenied", "only the user's distributor is heard")
        // It may have been ended meanwhile.
        case .distributor where self?.token != token: reply.refuse("AccessDenied", "the program is not registered")
        case .distributor: self?.post(event, call.member, reply)
        }
      }
    } catch {
      reply.give(.failure(error))
    }
  }

  private func post(_ event: PushEvent, _ member: BusMember, _ reply: BusReply) {
    guard let host, host.acceptsRequests else {
      return reply.give(
        .failure(BusFailure(name: InstanceInterface.Failure.ending, message: "the program is about to end")))
    }
    guard flood.admits(at: host.now) else {
      if flood.isNews { host.log("The distributor sends too many messages at once: some are refused.") }
      return reply.refuse("LimitsExceeded", "too many messages")
    }
    if event == .unregistered { forget() }
    var request = IncomingRequest()
    request.push = event
    request.isBackground = true
    host.post(.request(request))
    reply.give(.success(PushConnector.answer(to: member)))
  }
}

/// The registration as it is kept, which is read when it is needed first, and again where the disk withholds it.
@MainActor private final class KeptRegistration {
  var store: (@MainActor () -> (any PushRegistrationStore)?)?
  private var known: PushRegistration??

  var value: PushRegistration? {
    get {
      if let known { return known }
      do {
        let kept = try store?()?.read()
        known = .some(kept)
        return kept
      } catch {
        return nil
      }
    }
    set {
      // One that could not be read may be there.
      guard newValue != value || known == nil else { return }
      known = .some(newValue)
      store?()?.keep(newValue)
    }
  }
}
