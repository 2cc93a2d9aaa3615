import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// The program's offer on the session bus, and those of other programs of its developer.
///
/// Without use there is no name, no object and no request. See the article *Continuing elsewhere*.
@MainActor package final class HandoffSource: HandoffService {
  /// The most calls of other programs that wait for the bus, and that wait for the program; and the most that have been
  /// answered and wait for the word that the activity is continued.
  static let (mostQuestions, mostTaken) = (8, 64)

  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var objects: BusObjects?
  private var peers: HandoffPeers?
  private var finder: HandoffFinder?
  private var name: OwnedName?
  private var isAdjusting = false
  private var offer: HandoffOffer?
  /// The offer that others know; nil while there is no name.
  private var told: HandoffOffer?
  /// The questions that wait for the program, by their numbers.
  private var questions: [Int: Question] = [:]
  private var questionCount = 0
  /// The calls whose callers the bus is asked about.
  private var judgedCount = 0
  /// What has been given, in that order.
  private var taken: [Taking] = []

  private struct Question {
    var taking: Taking
    var reply: BusReply
  }

  /// An activity that a program has been given, or asks for.
  private struct Taking: Equatable {
    var owner: String
    var identifier: String
  }

  init() {}

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the session bus.
  func use(_ bus: Bus, _ objects: BusObjects, developer: HandoffDeveloper?, callers: CallerApplication) {
    guard let developer, let host else { return }
    let peers = HandoffPeers(developer: developer, callers: callers, bus: bus, senders: objects.senders)
    (self.bus, self.objects, self.peers) = (bus, objects, peers)
    finder = HandoffFinder(peers: peers, host: host)
    if offer != nil { adjustLater() }
  }

  // MARK: The offers of others

  package func list(_ types: Set<String>, completion: @escaping @MainActor ([HandoffListing]) -> Void) {
    guard let finder else { return completion([]) }
    finder.list(types, except: name?.current, completion: completion)
  }

  package func take(
    _ listing: HandoffListing, completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void
  ) {
    take(listing.name, listing.offer.identifier, listing.offer.activityType, token: nil, completion)
  }

  /// Asks the program that has a name for its activity, and posts it as a request, or its failure.
  func take(
    _ name: String, _ identifier: String, _ type: String, token: String?,
    _ completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void
  ) {
    guard let finder else {
      return completion(.failure(DesktopFailure("there is no session bus that others could be reached on")))
    }
    finder.take(name, identifier, type, token: token, completion)
  }

  /// Whether a name is one of a program of the developer for what it offers.
  func isName(_ name: String) -> Bool { peers?.developer.application(withName: name) != nil }

  // MARK: The program's offer

  package func offer(_ next: HandoffOffer?) {
    offer = next
    adjustLater()
  }

  /// After the present callback, which at a launch requests the first windows.
  private func adjustLater() {
    guard let host, peers != nil, !isAdjusting, offer != nil || name != nil else { return }
    isAdjusting = true
    host.after(milliseconds: 0) { [weak self] in
      self?.isAdjusting = false
      self?.adjust()
    }
  }

  private func adjust() {
    guard let bus, let objects, let peers else { return }
    if offer != nil {
      // Before the name: calls that wait for it are delivered at once.
      objects.export(HandoffInterface.path, interfaces: HandoffInterface.description) { [weak self] in
        self?.answer($0)
      }
    } else if taken.isEmpty {
      objects.withdraw(HandoffInterface.path)
    }
    let name = name ?? makeName(peers.developer.names, bus)
    self.name = name
    name.set(isWanted: offer != nil)
    if let offer, let told, told != offer { tell(offer, bus) }
  }

  private func makeName(_ names: [String], _ bus: Bus) -> OwnedName {
    OwnedName(names, on: bus) { [weak self] name in
      guard let self else { return }
      told = name == nil ? nil : offer
      if !bus.isConnected { lost() }
    } onRefusal: { [weak self] in
      self?.host?.log("The session bus has no name for the program's activities, so that others cannot continue them.")
    }
  }

  private func lost() { (questions, taken) = ([:], []) }

  private func tell(_ offer: HandoffOffer, _ bus: Bus) {
    told = offer
    bus.emit(
      BusMember(path: HandoffInterface.path, interface: BusObjects.properties, name: "PropertiesChanged"),
      [.string(HandoffInterface.name), .options(HandoffInterface.properties(of: offer)), .array(of: "s", [])])
  }

  // MARK: Calls

  private func answer(_ call: BusMessage) -> BusAnswer? {
    switch call.member.interface {
    case HandoffInterface.name:
      return objects?.admit(call) { [weak self] sender, values, reply in
        self?.perform(call.member.name, values, Taking(owner: call.sender, identifier: ""), sender, reply)
      }
    case BusObjects.properties:
      return objects?.admit(call) { [weak self] _, values, reply in
        let own = self?.offer.map { HandoffInterface.properties(of: $0) } ?? [:]
        reply.give(BusObjects.property(call.member.name, values, of: [HandoffInterface.name: own]))
      }
    case _: return nil
    }
  }

  private func perform(
    _ method: String, _ values: [BusValue], _ taking: Taking, _ sender: SenderBook.Sender, _ reply: BusReply
  ) {
    guard values.map(\.signature) == ["s"], let identifier = values[0].text else {
      return reply.give(.failure(.invalid("\(method) has other arguments")))
    }
    guard let peers, judgedCount < Self.mostQuestions else { return reply.refuse("LimitsExceeded", "too many calls") }
    judgedCount += 1
    // What the program offers is for the programs of its developer alone.
    peers.admits(taking.owner, sender.process) { [weak self] isAdmitted in
      self?.judgedCount -= 1
      guard let self, isAdmitted else {
        return reply.refuse("AccessDenied", "only programs of the same developer are heard")
      }
      perform(method, Taking(owner: taking.owner, identifier: identifier), reply)
    }
  }

  private func perform(_ method: String, _ taking: Taking, _ reply: BusReply) {
    switch method {
    case "Take": ask(taking, reply)
    case "Continued":
      guard let place = taken.firstIndex(of: taking) else { return reply.give(.failure(Self.notOffered)) }
      taken.remove(at: place)
      // The object may have waited for this.
      if taken.isEmpty { adjustLater() }
      host?.post(.handoff(.continued(identifier: taking.identifier)))
      reply.give(.success([]))
    case _: reply.refuse("UnknownMethod", "there is no \(HandoffInterface.name).\(method.prefix(100))")
    }
  }

  private static let notOffered = BusFailure(
    name: HandoffInterface.notOffered, message: "the activity is not offered, or no more")

  private func ask(_ taking: Taking, _ reply: BusReply) {
    guard let host, host.acceptsRequests, offer?.identifier == taking.identifier else {
      return reply.give(.failure(Self.notOffered))
    }
    guard questions.count < Self.mostQuestions else { return reply.refuse("LimitsExceeded", "too many questions") }
    questionCount += 1
    questions[questionCount] = Question(taking: taking, reply: reply)
    host.post(.handoff(.asked(identifier: taking.identifier, question: questionCount)))
  }

  package func answer(_ question: Int, with result: Result<StoredActivity, DesktopFailure>) {
    guard let asked = questions.removeValue(forKey: question) else { return }
    switch result {
    case .failure(let failure):
      asked.reply.give(.failure(BusFailure(name: HandoffInterface.notOffered, message: failure.description)))
    case .success(let activity):
      guard let text = ActivityText.write(activity), text.utf8.count <= HandoffInterface.longestActivity else {
        host?.log("The user activity \(activity.activityType) is too large to be continued by another program.")
        return asked.reply.refuse("LimitsExceeded", "the activity is too large")
      }
      taken.removeAll { $0 == asked.taking }
      taken.append(asked.taking)
      taken.removeFirst(max(0, taken.count - Self.mostTaken))
      asked.reply.give(.success([.string(text)]))
    }
  }
}
