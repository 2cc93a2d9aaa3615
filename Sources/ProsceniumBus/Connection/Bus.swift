import Glibc
package import ProsceniumCore

/// A connection to a message bus, which may come and go.
///
/// Driven by the main loop alone: nothing waits for an answer. What is subscribed to stays so when the bus goes and comes
/// back; calls that are under way then fail.
@MainActor package final class Bus {
  package enum Kind: String, Sendable {
    case session, system
  }
  package typealias Answer = @MainActor (Result<[BusValue], BusFailure>) -> Void

  private struct Subscription {
    var rule: BusRule
    var handler: @MainActor (BusSignal) -> Void
  }

  private static let bus = "org.freedesktop.DBus"
  private static let ownerChanged = BusMember(
    path: "/org/freedesktop/DBus", interface: bus, name: "NameOwnerChanged")

  package let kind: Kind
  private let host: any SystemHost
  private let address: BusAddress
  private var socket: BusSocket?
  private var watch: DirectoryWatch?
  private var isStopped = false
  private var hasComplained = false
  private var answers: [UInt64: (answer: Answer, deadline: DeadlineID)] = [:]
  private var subscriptions: [Subscription] = []
  /// Who has the names that are subscribed to: unique names.
  private var owners: [String: String] = [:]
  private var ownerHandlers: [(name: String, handler: @MainActor (_ owner: String?) -> Void)] = []
  private var connectionHandlers: [@MainActor (_ isConnected: Bool) -> Void] = []
  /// Answers the calls that others make; nil for those that are none of ours.
  package var requestHandler: (@MainActor (BusRequest) -> Result<[BusValue], BusFailure>?)?

  /// A bus that is not connected to yet.
  ///
  /// Nil where the environment knows of none.
  /// - Parameters:
  ///   - kind: Which of the two.
  ///   - environment: Says where it is.
  ///   - host: Who has the loop.
  package init?(_ kind: Kind, environment: [String: String], host: any SystemHost) {
    guard let address = BusAddress(kind, environment: environment) else { return nil }
    self.kind = kind
    self.address = address
    self.host = host
  }

  package var isConnected: Bool { socket != nil }

  /// Connects, and goes on doing so whenever the bus comes back.
  package func connect() {
    guard socket == nil, !isStopped else { return }
    // The library is not loaded for a bus that is not there.
    if let path = address.socketPath, access(path, F_OK) != 0 { return isGone(because: BusError(number: errno)) }
    guard let library = BusLibrary.shared else {
      isStopped = true
      return host.note("noBus", "none of the libraries that have sd-bus can be loaded")
    }
    do throws(BusError) {
      socket = try BusSocket(
        library, address: address.text, host: host,
        onMessage: { [weak self] message, call in self?.receive(message, call) ?? false },
        onLoss: { [weak self] in self?.lost(BusError(number: $0)) })
    } catch {
      return isGone(because: error)
    }
    watch?.stop()
    watch = nil
    hasComplained = false
    for name in Set(subscriptions.map(\.rule.sender) + ownerHandlers.map(\.name)) { follow(name) }
    for rule in Set(subscriptions.map(\.rule)) { ask("AddMatch", rule.text) }
    for handler in connectionHandlers { handler(true) }
  }

  package func disconnect() {
    isStopped = true
    watch?.stop()
    watch = nil
    socket?.close()
    socket = nil
    failAll()
  }

  /// Tells of each connection and of each loss.
  package func onConnection(_ handler: @escaping @MainActor (_ isConnected: Bool) -> Void) {
    connectionHandlers.append(handler)
    if isConnected { handler(true) }
  }

  // MARK: Out

  /// Asks somebody something.
  /// - Parameters:
  ///   - destination: Whom.
  ///   - member: What.
  ///   - values: What goes with it.
  ///   - timeout: How long the answer may take, in milliseconds.
  ///   - answer: Called once, on the main thread, never before this returns.
  package func call(
    _ destination: String, _ member: BusMember, _ values: [BusValue] = [], timeout: Int = 25_000,
    _ answer: @escaping Answer
  ) {
    guard let cookie = socket?.call(destination, member, values) else {
      host.after(milliseconds: 0) { answer(.failure(.disconnected)) }
      return
    }
    let deadline = host.after(milliseconds: timeout) { [weak self] in self?.answer(cookie, .failure(.noReply)) }
    answers[cookie] = (answer, deadline)
  }

  /// False where nobody waits for this answer.
  @discardableResult
  private func answer(_ cookie: UInt64, _ result: Result<[BusValue], BusFailure>) -> Bool {
    guard let (answer, deadline) = answers.removeValue(forKey: cookie) else { return false }
    host.cancel(deadline)
    answer(result)
    return true
  }

  /// Tells everybody something; dropped while there is no connection.
  package func emit(_ member: BusMember, _ values: [BusValue]) { _ = socket?.emit(member, values) }

  /// Hears of signals from now on.
  package func subscribe(_ rule: BusRule, _ handler: @escaping @MainActor (BusSignal) -> Void) {
    let isKnown = subscriptions.contains { $0.rule == rule }
    let isFollowed = isFollowed(rule.sender)
    subscriptions.append(Subscription(rule: rule, handler: handler))
    guard isConnected else { return }
    if !isFollowed { follow(rule.sender) }
    if !isKnown { ask("AddMatch", rule.text) }
  }

  /// Hears from now on who has a name: at once, and whenever that changes; nil while nobody has it.
  package func onOwner(of name: String, _ handler: @escaping @MainActor (_ owner: String?) -> Void) {
    let isFollowed = isFollowed(name)
    ownerHandlers.append((name, handler))
    if isFollowed { return handler(owners[name]) }
    if isConnected { follow(name) }
  }

  /// Whether a message is from whoever has a name now.
  package func isOwner(_ sender: String, of name: String) -> Bool { owners[name] == sender }

  private func isFollowed(_ name: String) -> Bool {
    name == Self.bus || subscriptions.contains { $0.rule.sender == name } || ownerHandlers.contains { $0.name == name }
  }

  private func follow(_ name: String) {
    guard name != Self.bus else { return }
    let rule = BusRule(sender: Self.bus, interface: Self.bus, name: "NameOwnerChanged", firstText: name)
    ask("AddMatch", rule.text)
    let question = BusMember(path: "/org/freedesktop/DBus", interface: Self.bus, name: "GetNameOwner")
    call(Self.bus, question, [.string(name)]) { [weak self] result in
      self?.setOwner(of: name, to: (try? result.get())?.first?.text)
    }
  }

  private func setOwner(of name: String, to owner: String?) {
    let owner = owner?.isEmpty == true ? nil : owner
    owners[name] = owner
    for entry in ownerHandlers where entry.name == name { entry.handler(owner) }
  }

  /// Asks the bus itself something whose answer nobody needs.
  private func ask(_ name: String, _ text: String) {
    let member = BusMember(path: "/org/freedesktop/DBus", interface: Self.bus, name: name)
    call(Self.bus, member, [.string(text)]) { [weak self] result in
      guard let self, case .failure(let failure) = result, failure != .disconnected else { return }
      host.log("The \(kind.rawValue) bus refuses \(name)(\(text)): \(failure)")
    }
  }

  // MARK: In

  private func receive(_ message: BusMessage, _ call: BusCall) -> Bool {
    switch message.kind {
    case .reply:
      return answer(message.replyCookie, message.values.map { .success($0) } ?? .failure(.badAnswer))
    case .error(let failure): return answer(message.replyCookie, .failure(failure))
    case .call:
      guard let requestHandler else { return false }
      guard let values = message.values else {
        socket?.answer(call, .failure(BusFailure(name: "\(Self.bus).Error.LimitsExceeded", message: "too much")))
        return true
      }
      let request = BusRequest(sender: message.sender, member: message.member, values: values)
      guard let result = requestHandler(request) else { return false }
      socket?.answer(call, result)
    case .signal: if let values = message.values { hear(message.member, values, from: message.sender) }
    }
    return true
  }

  private func hear(_ member: BusMember, _ values: [BusValue], from sender: String) {
    if sender == Self.bus {
      if member == Self.ownerChanged, values.count == 3, let name = values[0].text {
        setOwner(of: name, to: values[2].text)
      }
    }
    for subscription in subscriptions where subscription.rule.matches(member, values) {
      // A signal can be sent to us alone by anybody, whatever we have asked the bus for.
      guard sender == subscription.rule.sender || owners[subscription.rule.sender] == sender else { continue }
      subscription.handler(BusSignal(member: member, values: values))
    }
  }

  // MARK: Loss

  private func lost(_ error: BusError) {
    socket = nil
    failAll()
    isGone(because: error)
    for handler in connectionHandlers { handler(false) }
  }

  private func failAll() {
    for name in Array(owners.keys) { setOwner(of: name, to: nil) }
    for cookie in answers.keys.sorted() { answer(cookie, .failure(.disconnected)) }
  }

  /// Waits for the bus to come back: its socket is made anew.
  private func isGone(because error: BusError) {
    if !hasComplained { host.note("noBus", "\(address.text): \(error)") }
    hasComplained = true
    guard !isStopped, watch == nil, let path = address.socketPath else { return }
    let parts = path.split(separator: "/")
    guard let name = parts.last.map(String.init) else { return }
    let folder = "/" + parts.dropLast().joined(separator: "/")
    watch = DirectoryWatch(folder, host: host) { [weak self] names in
      if names?.contains(name) != false { self?.tryAgain(after: 20) }
    }
  }

  /// The socket is there a moment before somebody listens at it.
  private func tryAgain(after milliseconds: Int) {
    host.after(milliseconds: milliseconds) { [weak self] in
      guard let self, !isStopped, !isConnected else { return }
      connect()
      if !isConnected, milliseconds < 2000 { tryAgain(after: milliseconds * 3) }
    }
  }
}
