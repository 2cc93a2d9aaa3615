import FoundationEssentials
import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// A second start of the program: sends its command line to the process that owns the sessions, and waits for the
/// answer.
///
/// Such a process is about to end, and has no main loop: it runs a ``BriefLoop``.
@MainActor package final class SecondInstance {
  /// The variables of the environment that it reads.
  package static let variables = BusAddress.variables + ["DISPLAY"]

  /// The outcome of a second start.
  package enum Outcome: Equatable, Sendable {
    /// The owner has taken everything.
    case taken
    /// The owner runs and refuses it, for this reason.
    case refused(String)
    /// The owner has no shortcut item of the name that `--action` names.
    case noSuchAction
    /// The owner has ended, without having taken this.
    case ownerEnded(left: SecondStart)
    /// There is no bus, or the owner did not get its name in time: another process has it, perhaps.
    case unreachable
  }

  /// How long the owner may be without a name: on a machine that starts many programs at once it gets its name late.
  package static let nameTimeout = Duration.seconds(10)
  /// How long an owner is waited for that is ending, whatever it says of itself.
  package static let endTimeout = Duration.seconds(600)
  /// An owner that does not answer a call for as many seconds hangs; one that ended meanwhile makes the call fail
  /// sooner.
  private static let longSilence = 20.0
  /// The most bytes of one message; more go in several messages.
  private static let mostBytes = 1 << 19

  private let loop = BriefLoop()
  private let bus: Bus
  private let senders: SenderBook
  private let name: InstanceName
  /// The part of the start that the owner has not taken yet.
  private var start: SecondStart
  /// The messages that are not sent yet.
  private var messages: [Message]
  /// The unique name of the owner; nil while it has no name, or another process has that.
  private var owner: String?
  /// Whether the bus has told who owns the name.
  private var isOwnerKnown = false
  private var isCalling = false
  private var calledAt = 0.0
  private var isEnding = false
  /// The time until which the owner, which is ending, may run, on the loop's clock.
  private var endsBy = 0.0
  /// The latest such time that is believed.
  private let latestEnd: Double
  private var outcome: Outcome?
  private var watch: ProcessWatch?

  /// Sends a start to the owner of the sessions, and waits for the outcome.
  /// - Parameters:
  ///   - start: The start, and the owner.
  ///   - token: The startup notification's id of this start, which has the time of the user's action.
  ///   - environment: The program's environment, as far as ``variables`` names it.
  ///   - nameTimeout: How long the owner may be without a name.
  ///   - endTimeout: How long the owner may be ending.
  /// - Returns: The outcome.
  package static func send(
    _ start: SecondStart, token: String?, environment: [String: String], nameTimeout: Duration = nameTimeout,
    endTimeout: Duration = endTimeout
  ) -> Outcome {
    guard
      let instance = SecondInstance(start, token: token, environment: environment, endTimeout: endTimeout)
    else { return .unreachable }
    let size = start.arguments.reduce(0) { $0 + $1.utf8.count + 8 }
    guard size <= mostBytes, start.arguments.count <= InstanceCall.mostArguments else {
      return .refused(
        "\(start.arguments.count) arguments of \(size) bytes are too much for it, which takes "
          + "\(InstanceCall.mostArguments) of \(mostBytes) bytes")
    }
    defer { instance.bus.disconnect() }
    return instance.run(nameTimeout: nameTimeout)
  }

  /// Nil where there is no session bus, or the application's id is too long for a name there.
  private init?(_ start: SecondStart, token: String?, environment: [String: String], endTimeout: Duration) {
    guard let name = InstanceName(identifier: start.identifier),
      let bus = Bus(.session, environment: environment, host: loop)
    else { return nil }
    self.name = name
    self.bus = bus
    senders = SenderBook(bus: bus)
    self.start = start
    latestEnd = loop.now + endTimeout / .seconds(1)
    messages = Self.messages(start, token: token, display: environment["DISPLAY"] ?? "")
  }

  private func run(nameTimeout: Duration) -> Outcome {
    bus.connect()
    guard bus.isConnected else { return .unreachable }
    if let process = start.owner.flatMap({ pid_t(exactly: $0) }) {
      do throws(Errno) {
        watch = try ProcessWatch(process, host: loop) { [weak self] in
          if let self { outcome = outcome ?? .ownerEnded(left: start) }
        }
      } catch {
        if error.code == ESRCH { return .ownerEnded(left: start) }
      }
    }
    bus.onConnection { [weak self] in if !$0 { self?.outcome = self?.outcome ?? .unreachable } }
    bus.onOwner(of: name.base) { [weak self] in
      self?.owner = $0
      self?.isOwnerKnown = true
      self?.isEnding = false
      self?.sendNext()
    }
    while true {
      if let outcome = loop.run(for: nameTimeout, until: { self.outcome }) { return outcome }
      // Open calls have timeouts of their own.
      if isCalling || !isOwnerKnown || loop.now < endsBy { continue }
      return isEnding ? .refused("it is ending, and has not come to its end; try again") : .unreachable
    }
  }

  private func sendNext() {
    guard outcome == nil, !isCalling, !isEnding, let owner else { return }
    guard let next = messages.first else { return outcome = .taken }
    isCalling = true
    // Any process can take a name that is free, and what the user opens is none of its business.
    let isAsked = senders.find(owner) { [weak self] sender in
      guard let self, outcome == nil else { return }
      isCalling = false
      if Self.isFirst(sender, process: firstProcess) { return send(next, to: owner) }
      // The first one may have the name later; the time for that goes on.
      if self.owner == owner { self.owner = nil } else { sendNext() }
    }
    if !isAsked { outcome = .unreachable }
  }

  /// The number of the first one's process; nil where the bus has another one for it, as outside of a container.
  private var firstProcess: Int? { bus.isOutside ? nil : start.owner }

  /// Whether what has the name is the process that owns the sessions: one of this user, and no other process, where
  /// both are known.
  static func isFirst(_ sender: SenderBook.Sender?, process: Int?) -> Bool {
    guard let sender, sender.user == geteuid() else { return false }
    guard let process, let other = sender.process else { return true }
    return process == other
  }

  private func send(_ next: Message, to owner: String) {
    isCalling = true
    calledAt = loop.now
    let member = BusMember(path: name.path, interface: InstanceInterface.own, name: "Start")
    bus.call(owner, member, [.options(next)]) { [weak self] in self?.answered($0, by: owner) }
  }

  private func answered(_ result: Result<[BusValue], BusFailure>, by called: String) {
    isCalling = false
    switch result {
    case .success:
      remove(messages.removeFirst())
      if messages.isEmpty { outcome = outcome ?? .taken }
    case .failure(let failure):
      switch failure.name {
      // The end of the process, or of its name, follows.
      case InstanceInterface.Failure.ending:
        isEnding = owner == called
        readTimeToEnd(called)
      case InstanceInterface.Failure.noSuchAction: outcome = outcome ?? .noSuchAction
      case BusFailure.disconnected.name: outcome = outcome ?? .unreachable
      case "\(BusDaemon.name).Error.NoReply", "\(BusDaemon.name).Error.ServiceUnknown",
        "\(BusDaemon.name).Error.NameHasNoOwner":
        if loop.now - calledAt > Self.longSilence { outcome = outcome ?? .refused("it does not answer") }
        // It ended meanwhile, unless another process owns the name by now.
        isEnding = owner == called
      case _: outcome = outcome ?? .refused(failure.message.isEmpty ? failure.name : failure.message)
      }
    }
    sendNext()
  }

  /// Removes what the owner has taken: it handles that before its end.
  private func remove(_ message: Message) {
    start.launch.urls.removeFirst(message["urls"]?.elements?.count ?? 0)
    start.launch.removeAction()
    start.arguments = []
  }

  /// Reads how long an owner that finishes background tasks may run.
  private func readTimeToEnd(_ owner: String) {
    isCalling = true
    let member = BusMember(path: name.path, interface: BusObjects.properties, name: "Get")
    bus.call(owner, member, [.string(InstanceInterface.own), .string("TimeToEnd")]) { [weak self] result in
      guard let self else { return }
      isCalling = false
      if case .double(let seconds)? = (try? result.get())?.first?.plain, seconds > 0 {
        endsBy = min(loop.now + seconds, latestEnd)
      }
      sendNext()
    }
  }

  // MARK: Messages

  private typealias Message = [String: BusValue]

  /// The messages of a start, within the limits of each.
  private static func messages(_ start: SecondStart, token: String?, display: String) -> [Message] {
    var common = PlatformData.entries(token: token)
    common["display"] = .string(display)
    common["background"] = .bool(start.launch.isBackground)
    var messages: [Message] = []
    var urls: [BusValue] = []
    var size = 0
    func endMessage() {
      common["urls"] = .array(of: "s", urls)
      messages.append(common)
      (urls, size) = ([], 0)
    }
    for url in start.launch.urls {
      let text = url.absoluteString
      if urls.count == URLRule.most || size + text.utf8.count > mostBytes { endMessage() }
      urls.append(.string(text))
      size += text.utf8.count
    }
    if !urls.isEmpty || messages.isEmpty { endMessage() }
    messages[0]["arguments"] = .array(of: "s", start.arguments.map { .string($0) })
    messages[0]["directory"] = start.directory.map { .string($0) }
    messages[0]["action"] = (start.launch.shortcutItem?.type ?? start.launch.unknownAction?.name).map {
      .string($0)
    }
    return messages
  }
}

/// The loop of a process that makes some calls and then ends (poll(2)).
@MainActor final class BriefLoop: SystemHost {
  let applicationIdentifier = ProgramName.own
  private var sources = LoopSources()
  private var deadlines = Deadlines<DeadlineID>()
  private var actions: [DeadlineID: @MainActor () -> Void] = [:]
  private var numbers = 0
  let acceptsRequests = false
  let isSuspended = false
  let timeToEnd = 0.0

  var now: Double { MonotonicClock.seconds }

  func watch(_ source: LoopSource) -> LoopSourceID { sources.add(source) }

  func unwatch(_ id: LoopSourceID) { sources.remove(id) }

  func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) -> DeadlineID {
    numbers += 1
    let id = DeadlineID(rawValue: numbers)
    deadlines.set(id, after: .milliseconds(milliseconds), now: MonotonicClock.now)
    actions[id] = action
    return id
  }

  func cancel(_ id: DeadlineID) {
    deadlines.cancel(id)
    actions[id] = nil
  }

  func post(_ event: SystemEvent) {}
  func log(_ message: String) {}
  func report(_ message: String) {}
  func trace(_ name: String, _ text: String) {}
  func offer(_ inhibitor: any IdleInhibitor) {}

  /// Runs until there is an answer, or the time is over.
  /// - Parameters:
  ///   - duration: The longest time.
  ///   - answer: Gives the answer; called once in each turn of the loop.
  /// - Returns: The answer; nil where the time is over.
  func run<Value>(for duration: Duration, until answer: () -> Value?) -> Value? {
    let end = MonotonicClock.now + duration
    var poller = Poller(pipe: nil)
    while true {
      if let answer = answer() { return answer }
      guard MonotonicClock.now < end else { return nil }
      poller.setSources(sources)
      _ = poller.wait(until: min(end, deadlines.next ?? end))
      for place in poller.places {
        if let (id, isGone) = poller.readySource(at: place) { sources[id]?.handler(isGone) }
      }
      for id in deadlines.removeDue(now: MonotonicClock.now) { actions.removeValue(forKey: id)?() }
    }
  }
}
