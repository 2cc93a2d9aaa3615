import FoundationEssentials
import Glibc
package import ProsceniumPlatform

/// What a second start of the program does: it hands over what it was started with to the process that has the sessions.
///
/// There is no loop yet in such a process, and it is going to end: this waits.
@MainActor package final class SecondInstance {
  /// What it reads of the environment.
  package static let variables = BusAddress.variables + ["DISPLAY"]

  /// What came of it.
  package enum Outcome: Equatable, Sendable {
    case taken
    /// The owner is there and does not want it, and why.
    case refused(String)
    /// The owner has gone, and this is left: what it has taken is not in it.
    case ownerEnded(left: SecondStart)
    /// There is no bus, or nobody has answered in time.
    case unreachable
  }

  /// For an owner that has no name yet, or none any more, in seconds: a machine that starts many programs at once is slow.
  package static let patience = 10.0
  /// Somebody who is asked has twenty-five, as everywhere on the bus.
  private static let longSilence = 20.0
  /// A message of more has little room on its way; what is longer goes in several.
  private static let mostBytes = 1 << 19

  private let loop: BriefLoop
  private let bus: Bus
  private let name: InstanceName
  /// What has not been taken yet.
  private var start: SecondStart
  /// What is still to be said, first to last.
  private var messages: [Message]
  private var owner: String?
  /// Whether the bus has said who has the name.
  private var hasHeard = false
  private var isAsking = false
  private var askedAt = 0.0
  private var isEnding = false
  /// Until when an owner that ends may take, on the clock of the loop.
  private var endsBy = 0.0
  private var outcome: Outcome?
  private var watch: ProcessWatch?

  /// Hands a start over.
  /// - Parameters:
  ///   - start: What is handed over, and to whom.
  ///   - token: The id of this start, with the time at which the user asked for it.
  ///   - environment: The program's own, as far as ``variables`` names it.
  ///   - patience: How long an owner without a name is waited for, in seconds.
  /// - Returns: What came of it.
  package static func handOver(
    _ start: SecondStart, token: String?, environment: [String: String], patience: Double = patience
  ) -> Outcome {
    let loop = BriefLoop()
    guard let name = InstanceName(identifier: start.identifier),
      let bus = Bus(.session, environment: environment, host: loop)
    else { return .unreachable }
    let size = start.arguments.reduce(0) { $0 + $1.utf8.count + 8 }
    guard size <= mostBytes, start.arguments.count <= InstanceCall.mostArguments else {
      return .refused(
        "\(start.arguments.count) arguments of \(size) bytes are too much for it, which takes \(InstanceCall.mostArguments) "
          + "of \(mostBytes) bytes")
    }
    let messages = messages(start, token: token, display: environment["DISPLAY"] ?? "")
    let instance = SecondInstance(loop, bus, name, start, messages)
    defer { bus.disconnect() }
    return instance.run(patience: patience)
  }

  private init(_ loop: BriefLoop, _ bus: Bus, _ name: InstanceName, _ start: SecondStart, _ messages: [Message]) {
    self.loop = loop
    self.bus = bus
    self.name = name
    self.start = start
    self.messages = messages
  }

  private func run(patience: Double) -> Outcome {
    bus.connect()
    guard bus.isConnected else { return .unreachable }
    if let process = start.owner.flatMap({ pid_t(exactly: $0) }) {
      watch = ProcessWatch(process, host: loop) { [weak self] in
        if let self { outcome = outcome ?? .ownerEnded(left: start) }
      }
      if watch == nil, errno == ESRCH { return .ownerEnded(left: start) }
    }
    bus.onConnection { [weak self] in if !$0 { self?.outcome = self?.outcome ?? .unreachable } }
    bus.onOwner(of: name.base) { [weak self] in
      self?.owner = $0
      self?.hasHeard = true
      self?.isEnding = false
      self?.goOn()
    }
    while true {
      if let outcome = loop.run(seconds: patience, until: { self.outcome }) { return outcome }
      // Who has been asked may take its time, and so may the bus: either call ends when it has had too much.
      if isAsking || !hasHeard || loop.now < endsBy { continue }
      return isEnding ? .refused("it is ending, and has not come to its end; try again") : .unreachable
    }
  }

  private func goOn() {
    guard outcome == nil, !isAsking, !isEnding, let owner else { return }
    guard let next = messages.first else { return outcome = .taken }
    isAsking = true
    askedAt = loop.now
    let member = BusMember(path: name.path, interface: InstanceInterface.own, name: "Start")
    bus.call(owner, member, [.options(next.entries)]) { [weak self] in self?.heard($0, from: owner) }
  }

  private func heard(_ result: Result<[BusValue], BusFailure>, from asked: String) {
    isAsking = false
    switch result {
    case .success:
      take(messages.removeFirst())
      if messages.isEmpty { outcome = outcome ?? .taken }
    case .failure(let failure):
      switch failure.name {
      // It goes: the end of the process, or of its name, says when.
      case InstanceInterface.Failure.ending:
        isEnding = owner == asked
        askForTime(asked)
      case BusFailure.disconnected.name: outcome = outcome ?? .unreachable
      case "\(BusDaemon.name).Error.NoReply", "\(BusDaemon.name).Error.ServiceUnknown",
        "\(BusDaemon.name).Error.NameHasNoOwner":
        // One that is there and says nothing hangs; else it goes in the middle, and another one may have the name by now.
        if loop.now - askedAt > Self.longSilence { outcome = outcome ?? .refused("it does not answer") }
        isEnding = owner == asked
      case _: outcome = outcome ?? .refused(failure.message.isEmpty ? failure.name : failure.message)
      }
    }
    goOn()
  }

  /// What the owner has taken is left to nobody, whatever comes: it hands it on before its end.
  private func take(_ message: Message) {
    start.launch.urls.removeFirst(message.urlCount)
    start.launch.shortcutItem = nil
    start.arguments = []
  }

  /// An owner that finishes background tasks says how long that may take.
  private func askForTime(_ owner: String) {
    isAsking = true
    let member = BusMember(path: name.path, interface: InstanceInterface.properties, name: "Get")
    bus.call(owner, member, [.string(InstanceInterface.own), .string("TimeToEnd")]) { [weak self] result in
      guard let self else { return }
      isAsking = false
      if case .double(let seconds)? = (try? result.get())?.first?.plain, seconds > 0 { endsBy = loop.now + seconds }
      goOn()
    }
  }

  // MARK: What is said

  private struct Message {
    var entries: [String: BusValue]
    var urlCount: Int
  }

  /// As many messages as it takes.
  private static func messages(_ start: SecondStart, token: String?, display: String) -> [Message] {
    var common = PlatformData.entries(token: token)
    common["display"] = .string(display)
    common["background"] = .bool(start.launch.isBackground)
    var messages: [Message] = []
    var urls: [BusValue] = []
    var size = 0
    func close() {
      common["urls"] = .array(of: "s", urls)
      messages.append(Message(entries: common, urlCount: urls.count))
      (urls, size) = ([], 0)
    }
    for url in start.launch.urls {
      let text = url.absoluteString
      if urls.count == URLRule.most || size + text.utf8.count > mostBytes { close() }
      urls.append(.string(text))
      size += text.utf8.count
    }
    if !urls.isEmpty || messages.isEmpty { close() }
    messages[0].entries["arguments"] = .array(of: "s", start.arguments.map { .string($0) })
    messages[0].entries["directory"] = start.directory.map { .string($0) }
    messages[0].entries["action"] = start.launch.shortcutItem.map { .string($0.type) }
    return messages
  }
}
