import Glibc
import ProsceniumPlatform

/// The program on the session bus: owns its name, and reports the requests of other programs.
@MainActor final class InstanceService {
  /// The name that it owns; nil while there is no bus, or another process owns it.
  private(set) var ownName: String?

  let name: InstanceName
  private let bus: Bus
  private let description: InstanceDescription
  private let display: DisplayName
  private let urls: URLRule
  private let senders: SenderBook
  private let callers: CallerApplication
  private weak var host: (any SystemHost)?
  /// Nil where the launch waits for no request.
  private let firstRequest: FirstRequest?
  private var isFollowing = false
  private var isReported = false

  /// Requests the name whenever there is a bus; nil where the application's id is too long for one.
  init?(
    bus: Bus, description: InstanceDescription, processFolder: String, firstRequest: FirstRequest?,
    host: any SystemHost
  ) {
    guard let name = InstanceName(identifier: description.identifier) else {
      host.log(
        "\"\(description.identifier)\" is too long for a name on the bus: others cannot reach the program there.")
      return nil
    }
    self.name = name
    self.bus = bus
    self.description = description
    self.host = host
    self.firstRequest = firstRequest
    display = DisplayName(description.display)
    urls = URLRule(schemes: description.schemes)
    senders = SenderBook(bus: bus)
    callers = CallerApplication(folder: processFolder, ownIdentifier: description.identifier)
    // Before the name: calls that wait for it are delivered at once.
    bus.requestHandler = { [weak self] in self?.answer($0) }
    bus.onConnection { [weak self] in $0 ? self?.request(1) : self?.lost() }
  }

  private func lost() {
    ownName = nil
    senders.removeAll()
    firstRequest?.end()
  }

  // MARK: The name

  private func request(_ number: Int) {
    guard ownName == nil, bus.isConnected else { return }
    let wanted = name.numbered(number)
    let values: [BusValue] = [.string(wanted), .uint32(BusDaemon.doNotQueue)]
    bus.call(BusDaemon.name, BusDaemon.member("RequestName"), values) { [weak self] result in
      guard let self, ownName == nil else { return }
      switch result {
      case .success(let values) where BusDaemon.ownerReplies.contains(values.first?.integer):
        ownName = wanted
        host?.trace("name", wanted)
        firstRequest?.nameAcquired(on: bus)
      case .success where description.isOneOfMany && number < InstanceName.most: request(number + 1)
      case .success: isTaken()
      case .failure(let failure):
        if bus.isConnected { log("refuses the name \(wanted): \(failure)") }
        firstRequest?.end()
      }
    }
  }

  /// Another process of the same id, with sessions of its own or about to end, owns the name: it is requested when that
  /// is over.
  private func isTaken() {
    firstRequest?.end()
    log("has the name \(name.base) for another process already, so that this one cannot be reached there")
    guard !isFollowing else { return }
    isFollowing = true
    bus.onOwner(of: name.base) { [weak self] owner in if owner == nil { self?.request(1) } }
  }

  /// Logs the first problem with the name.
  private func log(_ problem: String) {
    guard !isReported else { return }
    isReported = true
    host?.log("The session bus \(problem).")
  }

  // MARK: Calls

  private func answer(_ call: BusMessage) -> BusAnswer? {
    let member = call.member
    if member.interface == InstanceInterface.introspectable, member.name == "Introspect" {
      guard let text = InstanceInterface.description(at: member.path, of: name.path) else { return nil }
      return { $0.give(.success([.string(text)])) }
    }
    guard member.path == name.path else { return nil }
    switch member.interface {
    case InstanceInterface.application, InstanceInterface.own:
      return countsForLaunch(admit(call) { [weak self] in self?.read(call, $1, from: $0, $2) })
    case InstanceInterface.properties:
      return admit(call) { [weak self] in
        if let self { $2.give(property(member.name, $1)) }
      }
    case _: return nil
    }
  }

  /// The launch waits until a call that has come has been read.
  private func countsForLaunch(_ answer: @escaping BusAnswer) -> BusAnswer {
    guard let firstRequest else { return answer }
    return { reply in
      firstRequest.callBegan()
      answer(
        BusReply { result in
          reply.give(result)
          firstRequest.callEnded()
        })
    }
  }

  private func property(_ method: String, _ values: [BusValue]) -> Result<[BusValue], BusFailure> {
    let properties: [String: BusValue] = [
      "Version": .uint32(InstanceInterface.version), "Display": .string(description.display),
      "TimeToEnd": .double(host?.timeToEnd ?? 0),
    ]
    guard let interface = values.first?.text else { return .failure(.invalid("no interface")) }
    let isOwn = interface == InstanceInterface.own
    switch (method, values.count) {
    case ("GetAll", 1): return .success([.options(isOwn ? properties : [:])])
    case ("Get", 2):
      guard isOwn, let value = values[1].text.flatMap({ properties[$0] }) else {
        return .failure(.standard("UnknownProperty", "there is no such property"))
      }
      return .success([.variant(value)])
    case ("Set", 3): return .failure(.standard("PropertyReadOnly", "nothing can be set"))
    case _: return .failure(.invalid("\(method) has other arguments"))
    }
  }

  /// Handles a call once its sender is known to be this user; the values of other calls are not read.
  private func admit(
    _ call: BusMessage, _ handle: @escaping (SenderBook.Sender, [BusValue], BusReply) -> Void
  ) -> BusAnswer {
    { [weak self] reply in
      let isAsked = self?.senders.find(call.sender) { sender in
        guard let sender, sender.user == geteuid() else {
          self?.host?.trace(
            "refused", "a call of \(sender.map { "the user \($0.user)" } ?? "a process that has disconnected")")
          return reply.refuse("AccessDenied", "only the user's own programs are heard")
        }
        guard let values = call.values else { return reply.refuse("LimitsExceeded", "too much") }
        handle(sender, values, reply)
      }
      if isAsked != true { reply.refuse("LimitsExceeded", "too many calls") }
    }
  }

  private func read(_ call: BusMessage, _ values: [BusValue], from sender: SenderBook.Sender, _ reply: BusReply) {
    let rule = InstanceCall.Rule(display: display, urls: urls, shortcuts: description.shortcuts())
    do throws(BusFailure) {
      var read = try InstanceCall.read(call.member, values, rule)
      read.request.sender = IncomingRequest.Sender(process: sender.process)
      guard !read.isSecondStart, let process = sender.process, let application = callers.identifier(of: process) else {
        return post(read, reply)
      }
      // A process that has ended meanwhile may have left its number to another one.
      bus.call(BusDaemon.name, BusDaemon.member("GetConnectionUnixProcessID"), [.string(call.sender)]) {
        [weak self] result in
        if (try? result.get())?.first?.integer == process { read.request.sender?.application = application }
        self?.post(read, reply)
      }
    } catch {
      if error.name == InstanceInterface.Failure.noSuchAction {
        host?.log("Another program asks for something that this one does not do: \(error.message).")
      }
      reply.give(.failure(error))
    }
  }

  private func post(_ call: InstanceCall, _ reply: BusReply) {
    guard let host, host.acceptsRequests else {
      return reply.give(
        .failure(BusFailure(name: InstanceInterface.Failure.ending, message: "the program is about to end")))
    }
    host.post(.request(call.request))
    reply.give(call.failure.map { .failure($0) } ?? .success([]))
  }
}

/// The users and processes of callers, by the bus, which is asked once for each connection.
///
/// A call is not handled before its caller is known. The bus does not know a caller that has disconnected without
/// waiting for the answer; such a caller counts as this user where no other user can be connected
/// (``BusPeer/isOwnUsers(alone:)``).
@MainActor final class SenderBook {
  struct Sender: Hashable, Sendable {
    var user: UInt32
    var process: Int?
  }
  typealias Answer = (Sender?) -> Void

  /// The most calls that wait for their callers to be known.
  static let mostWaiting = 4096
  private static let mostKnown = 1024

  private let bus: Bus
  private var known: [String: Sender] = [:]
  private var waiting: [String: [Answer]] = [:]
  private var waitingCount = 0

  init(bus: Bus) { self.bus = bus }

  /// Finds the sender with a unique name; nil where it is not known.
  ///
  /// False where too many calls wait.
  func find(_ name: String, _ answer: @escaping Answer) -> Bool {
    let isAsked = waiting[name] != nil
    if let sender = known[name], !isAsked {
      answer(sender)
      return true
    }
    guard waitingCount < Self.mostWaiting else { return false }
    waitingCount += 1
    waiting[name, default: []].append(answer)
    guard !isAsked else { return true }
    bus.call(BusDaemon.name, BusDaemon.member("GetConnectionCredentials"), [.string(name)]) { [weak self] result in
      self?.add(result, of: name)
    }
    return true
  }

  /// Drops all senders, because another bus assigns other unique names.
  func removeAll() { known = [:] }

  private func add(_ result: Result<[BusValue], BusFailure>, of name: String) {
    var sender: Sender?
    switch result {
    case .success(let values):
      let properties = values.first?.properties
      let user = properties?["UnixUserID"]?.integer.flatMap { UInt32(exactly: $0) }
      sender = user.map { Sender(user: $0, process: properties?["ProcessID"]?.integer) }
      if known.count >= Self.mostKnown { known = [:] }
      known[name] = sender
    case .failure(let failure):
      let hasGone = failure.name == "\(BusDaemon.name).Error.NameHasNoOwner"
      if hasGone, bus.isOwnUsersAlone { sender = Sender(user: geteuid(), process: nil) }
    }
    let answers = waiting.removeValue(forKey: name) ?? []
    waitingCount -= answers.count
    for answer in answers { answer(sender) }
  }
}
