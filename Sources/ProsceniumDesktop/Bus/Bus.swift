import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// A connection to a message bus, which may come and go.
///
/// Driven by the main loop; no call waits for an answer. Subscriptions outlast the connection; calls that are open when
/// it is lost fail.
@MainActor package final class Bus {
  package enum Kind: String, Sendable { case session, system }
  package typealias Answer = @MainActor (Result<[BusValue], BusFailure>) -> Void

  private struct OpenCall {
    var answer: Answer
    var deadline: DeadlineID
    var hasSecrets, needsCaller: Bool
  }

  /// The limit of a call whose late answer counts still.
  ///
  /// A busy program does later what it was asked for, and this one has to know of it. Where it dies instead, the bus
  /// answers at once.
  static let longestAnswer = Duration.seconds(3600)
  /// How long the end of a program waits for the answers that it needs, at most.
  private static let patienceAtEnd = Duration.seconds(5)

  package let kind: Kind
  private let host: any SystemHost
  private let address: BusAddress
  private lazy var finder = BusFinder(address, host: host) { [weak self] in self?.tryToConnect() ?? true }
  private var socket: BusSocket?
  private var connectedAt = 0.0
  private var isStopped = false
  /// Whether it has been reported that the bus cannot be used.
  private var isReported = false
  /// The open calls, by the number that the answer has.
  private var calls: [UInt64: OpenCall] = [:]
  private(set) var subscribers = BusSubscribers()
  private var connectionHandlers: [@MainActor (_ isConnected: Bool) -> Void] = []
  /// Answers the calls of other programs; nil for calls that are not ours.
  package var requestHandler: (@MainActor (BusMessage) -> BusAnswer?)?

  /// Makes a bus that is not connected; nil where the environment names none.
  /// - Parameters:
  ///   - kind: The session bus or the system bus.
  ///   - environment: The program's environment, as far as ``BusAddress/variables`` names it.
  ///   - host: The loop.
  package init?(_ kind: Kind, environment: [String: String], host: any SystemHost) {
    guard let address = BusAddress(kind, environment: environment) else { return nil }
    self.kind = kind
    self.address = address
    self.host = host
  }

  /// Makes a private bus of other programs, which is not connected; nothing is reported where it is gone.
  /// - Parameters:
  ///   - address: Its address.
  ///   - host: The loop.
  init(privateAt address: String, host: any SystemHost) {
    kind = .session
    self.address = BusAddress(address)
    self.host = host
    isReported = true
  }

  package var isConnected: Bool { socket != nil }
  /// Whether there should be a connection: there was one, or the environment names the bus.
  ///
  /// Not where no library can make one.
  var isExpected: Bool { (hasBeenConnected || address.isNamed) && BusLibrary.shared != nil }
  private var hasBeenConnected = false
  /// Whether only this user and root can be connected to the bus: see ``BusPeer``.
  var isOwnUsersAlone: Bool { socket?.isOwnUsersAlone ?? false }
  /// Whether the bus names processes by other numbers than this one does: see ``BusPeer``.
  var isOutside: Bool { socket?.isOutside ?? false }
  /// Whether the socket exists, as far as the file system shows.
  var isThere: Bool { address.isThere }

  // MARK: The connection

  /// Connects, and connects again whenever the bus comes back.
  package func connect() {
    guard !isConnected, !isStopped, !tryToConnect() else { return }
    finder.start()
  }

  /// True where no further attempt is needed.
  private func tryToConnect() -> Bool {
    guard !isStopped, !isConnected else { return true }
    // The library is not loaded for a bus that is not there.
    guard isThere else {
      report(Errno(ENOENT))
      return false
    }
    guard let library = BusLibrary.shared else {
      isStopped = true
      finder.stop()
      host.trace("noBus", "none of the libraries that have sd-bus can be loaded")
      return true
    }
    do throws(Errno) {
      socket = try BusSocket(
        library, address: address.text, host: host,
        onMessage: { [weak self] in self?.receive($0) ?? false },
        onLoss: { [weak self] in self?.connectionLost($0) })
    } catch {
      report(error)
      return false
    }
    finder.stop()
    connectedAt = host.now
    hasBeenConnected = true
    for name in subscribers.names { follow(name) }
    for rule in subscribers.rules { callDaemon("AddMatch", rule.text) }
    for handler in connectionHandlers { handler(true) }
    return true
  }

  /// Closes the connection for good, once the calls are answered that need their caller.
  package func disconnect() {
    isStopped = true
    finder.stop()
    if needsCaller { socket?.hear(atMost: Self.patienceAtEnd) { [weak self] in self?.needsCaller == true } }
    socket?.close()
    socket = nil
    endAll()
  }

  private var needsCaller: Bool { calls.values.contains { $0.needsCaller } }

  private func connectionLost(_ error: Errno) {
    socket = nil
    endAll()
    guard !isStopped else { return }
    let isStable = finder.restart(after: .seconds(host.now - connectedAt))
    if isStable { isReported = false }
    report(error)
    for handler in connectionHandlers { handler(false) }
  }

  private func endAll() {
    for name in Array(subscribers.owners.keys) { setOwner(of: name, to: nil) }
    for cookie in calls.keys.sorted() { answer(cookie, .failure(.disconnected)) }
  }

  private func report(_ error: Errno) {
    guard !isReported else { return }
    isReported = true
    host.trace("noBus", "\(address.text): \(error)")
    // A machine without a bus is no error.
    guard error.code != ENOENT else { return }
    host.report(
      "The \(kind.rawValue) bus at \(address.text) cannot be used: \(error). What it tells and is asked has to wait.")
  }

  /// Calls a function at each connection, at once where there is one, and at each loss.
  package func onConnection(_ handler: @escaping @MainActor (_ isConnected: Bool) -> Void) {
    connectionHandlers.append(handler)
    if isConnected { handler(true) }
  }

  // MARK: Calls

  /// Calls a method of another program.
  /// - Parameters:
  ///   - destination: The program's name on the bus.
  ///   - member: The object and the method.
  ///   - values: The arguments.
  ///   - timeout: The longest time until the answer.
  ///   - hasSecrets: Whether arrays of bytes in the answer are secrets: ``BusValue/secret(_:)``.
  ///   - needsCaller: Whether ``disconnect()`` waits for the answer: the other program asks the bus who its caller is
  ///     before it acts, and refuses one that has gone.
  ///   - answer: Called once, on the main thread, never before this function returns.
  package func call(
    _ destination: String, _ member: BusMember, _ values: [BusValue] = [], timeout: Duration = .seconds(25),
    hasSecrets: Bool = false, needsCaller: Bool = false, _ answer: @escaping Answer
  ) {
    guard let cookie = socket?.call(destination, member, values) else {
      host.after(milliseconds: 0) { answer(.failure(.disconnected)) }
      return
    }
    let deadline = host.after(milliseconds: timeout.milliseconds) { [weak self] in
      self?.catchUp { self?.calls[cookie] != nil }
      self?.answer(cookie, .failure(.noReply))
    }
    calls[cookie] = OpenCall(answer: answer, deadline: deadline, hasSecrets: hasSecrets, needsCaller: needsCaller)
  }

  /// Calls a method of another program that need not be answered; dropped while there is no connection.
  func tell(_ destination: String, _ member: BusMember, _ values: [BusValue]) {
    socket?.tell(destination, member, values)
  }

  /// Hears what has come already, while a condition holds: deadlines pass before the loop hears the bus, and a program
  /// that stood still for longer than one has the answer.
  func catchUp(while condition: @MainActor () -> Bool) { socket?.catchUp(while: condition) }

  /// Calls a function after a pause: to ask a program again that is there and has not answered, as a busy one may not.
  /// - Parameters:
  ///   - silences: How often in a row it had not answered before; each pause is longer than the last one.
  ///   - action: The function.
  func again(after silences: Int, _ action: @escaping @MainActor () -> Void) {
    host.after(milliseconds: 1000 << min(silences, 9), action)
  }

  /// False where no call is open under that number.
  @discardableResult
  private func answer(_ cookie: UInt64, _ result: Result<[BusValue], BusFailure>) -> Bool {
    guard let call = calls.removeValue(forKey: cookie) else { return false }
    host.cancel(call.deadline)
    call.answer(result)
    return true
  }

  /// Calls a method of the bus itself that has no result.
  private func callDaemon(_ name: String, _ text: String) {
    call(BusDaemon.name, BusDaemon.member(name), [.string(text)]) { [weak self] result in
      guard let self, case .failure(let failure) = result, failure != .disconnected else { return }
      host.log("The \(kind.rawValue) bus refuses \(name)(\(text)): \(failure)")
    }
  }

  /// Sends a signal to all that listen; dropped while there is no connection.
  package func emit(_ member: BusMember, _ values: [BusValue]) { _ = socket?.emit(member, values) }

  // MARK: Subscriptions

  /// Calls a function for each signal from now on.
  package func subscribe(_ rule: BusRule, _ handler: @escaping @MainActor (BusSignal) -> Void) {
    let (isNewRule, isNewName) = (!subscribers.rules.contains(rule), !subscribers.names.contains(rule.sender))
    subscribers.add(rule, handler)
    guard isConnected else { return }
    if isNewName { follow(rule.sender) }
    if isNewRule { callDaemon("AddMatch", rule.text) }
  }

  /// Drops all handlers of a name, of its signals and of its owner, with their match rules.
  package func unsubscribe(from name: String) {
    let rules = subscribers.remove(name)
    guard isConnected else { return }
    for rule in rules + [BusDaemon.ownerRule(of: name)] { callDaemon("RemoveMatch", rule.text) }
  }

  /// Calls a function with the owner of a name: as soon as it is known, and at each change; nil where there is none.
  package func onOwner(of name: String, _ handler: @escaping @MainActor (_ owner: String?) -> Void) {
    let isFollowed = subscribers.names.contains(name)
    subscribers.add(ownerOf: name, handler)
    if isFollowed { return handler(subscribers.owners[name]) }
    if isConnected { follow(name) }
  }

  /// The owner of a name that is followed; nil where it has none, and before it is known.
  package func owner(of name: String) -> String? { subscribers.owners[name] }

  /// Whether a name that is followed has an owner.
  package func hasOwner(_ name: String) -> Bool { owner(of: name) != nil }

  private func follow(_ name: String) {
    guard name != BusDaemon.name else { return }
    callDaemon("AddMatch", BusDaemon.ownerRule(of: name).text)
    call(BusDaemon.name, BusDaemon.member("GetNameOwner"), [.string(name)]) { [weak self] result in
      self?.setOwner(of: name, to: (try? result.get())?.first?.text)
    }
  }

  private func setOwner(of name: String, to owner: String?) {
    // The answer may come when the name is not followed any more.
    guard subscribers.names.contains(name) else { return }
    let owner = owner?.isEmpty == true ? nil : owner
    for handler in subscribers.set(owner, of: name) { handler(owner) }
  }

  // MARK: Messages

  /// False for a call that is not ours, which the library answers.
  private func receive(_ message: BusMessage) -> Bool {
    // The program has ended: it hears of nothing else.
    if isStopped, calls[message.replyCookie]?.needsCaller != true {
      // Not left without an answer: a second process waits for the end, and starts then.
      if case .call = message.kind { socket?.reply(to: message).give(.failure(.ending)) }
      return true
    }
    switch message.kind {
    case .reply:
      guard let call = calls[message.replyCookie] else { return false }
      let values = call.hasSecrets ? message.takeSecretValues() : message.values
      return answer(message.replyCookie, values.map { .success($0) } ?? .failure(.badAnswer))
    case .error(let failure): return answer(message.replyCookie, .failure(failure))
    case .call:
      guard let answer = requestHandler?(message) else { return false }
      if let socket { answer(socket.reply(to: message)) }
      return true
    case .signal:
      receiveSignal(message)
      return true
    }
  }

  /// The values of a signal that has no handler are not read.
  private func receiveSignal(_ message: BusMessage) {
    let (member, sender) = (message.member, message.sender)
    let isOwnerChange = sender == BusDaemon.name && member == BusDaemon.ownerChanged
    guard isOwnerChange || subscribers.expects(member, from: sender), let values = message.values else { return }
    if isOwnerChange, values.count == 3, let name = values[0].text { setOwner(of: name, to: values[2].text) }
    let signal = BusSignal(member: member, values: values)
    for handler in subscribers.handlers(of: signal, from: sender) { handler(signal) }
  }
}

/// The handlers of signals and of name owners, and the owners of the names that they follow.
@MainActor struct BusSubscribers {
  typealias SignalHandler = @MainActor (BusSignal) -> Void
  typealias OwnerHandler = @MainActor (_ owner: String?) -> Void

  private var signalHandlers: [(rule: BusRule, handler: SignalHandler)] = []
  private var ownerHandlers: [(name: String, handler: OwnerHandler)] = []
  /// The unique names of the owners, by well-known name.
  private(set) var owners: [String: String] = [:]

  var rules: Set<BusRule> { Set(signalHandlers.map(\.rule)) }

  /// The names whose owners have to be known: a signal counts only where it comes from the owner.
  var names: Set<String> {
    Set(signalHandlers.map(\.rule.sender) + ownerHandlers.map(\.name)).subtracting([BusDaemon.name])
  }

  mutating func add(_ rule: BusRule, _ handler: @escaping SignalHandler) { signalHandlers.append((rule, handler)) }

  mutating func add(ownerOf name: String, _ handler: @escaping OwnerHandler) { ownerHandlers.append((name, handler)) }

  /// Removes the handlers of a name.
  /// - Returns: The rules that no handler has any more.
  mutating func remove(_ name: String) -> [BusRule] {
    let removed = rules.filter { $0.sender == name }
    signalHandlers.removeAll { $0.rule.sender == name }
    ownerHandlers.removeAll { $0.name == name }
    owners[name] = nil
    return Array(removed)
  }

  /// Sets the owner of a name.
  /// - Returns: The handlers of that name.
  mutating func set(_ owner: String?, of name: String) -> [OwnerHandler] {
    owners[name] = owner
    return ownerHandlers.filter { $0.name == name }.map(\.handler)
  }

  /// Whether a signal has handlers, by its sender and member alone.
  func expects(_ member: BusMember, from sender: String) -> Bool {
    signalHandlers.contains { matches($0.rule, member, sender) }
  }

  /// The handlers of a signal.
  func handlers(of signal: BusSignal, from sender: String) -> [SignalHandler] {
    signalHandlers.filter { matches($0.rule, signal.member, sender) && $0.rule.matches(signal.values) }.map(\.handler)
  }

  /// Compares the sender too, because any program can send a signal to this one alone, whatever the match rules are.
  private func matches(_ rule: BusRule, _ member: BusMember, _ sender: String) -> Bool {
    (sender == rule.sender || owners[rule.sender] == sender) && rule.matches(member)
  }
}

/// The signals of a subscription.
package struct BusRule: Hashable, Sendable {
  /// The sender's well-known name; the same signal of another sender is ignored.
  package var sender: String
  /// Nil for any.
  package var path: String?
  package var interface: String
  /// Nil for any.
  package var name: String?
  /// The first argument, a text; nil for any.
  package var firstText: String?

  /// The match rule (D-Bus Specification, "Match Rules").
  var text: String {
    var parts = ["type='signal'", "sender='\(sender)'", "interface='\(interface)'"]
    if let path { parts.append("path='\(path)'") }
    if let name { parts.append("member='\(name)'") }
    if let firstText { parts.append("arg0='\(firstText)'") }
    return parts.joined(separator: ",")
  }

  /// Whether a signal's object, interface and name match.
  func matches(_ member: BusMember) -> Bool {
    guard member.interface == interface else { return false }
    if let path, path != member.path { return false }
    return name == nil || name == member.name
  }

  /// Whether a signal's arguments match.
  func matches(_ values: [BusValue]) -> Bool { firstText == nil || values.first?.text == firstText }
}
