import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

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

  private static let ownerChanged = BusDaemon.member("NameOwnerChanged")

  private static let (shortestPause, longestPause) = (20, 60_000)
  /// As long as nothing else than the bus itself makes files beside its socket it is found at once; else within this time, in
  /// milliseconds, so that a program that waits for it is not woken for each of them.
  private static let (shortestRest, longestRest) = (100, 5000)

  package let kind: Kind
  private let host: any SystemHost
  private let address: BusAddress
  private var socket: BusSocket?
  private var watches: [FolderWatch] = []
  /// Until the next attempt to connect.
  private var retry: RetryTimer?
  /// Until files beside the socket are looked at again.
  private var restTimer: RetryTimer?
  private var rest = Bus.shortestRest
  private var isStopped = false
  private var hasComplained = false
  /// When it connected last, and how long after a loss that is done again, in milliseconds.
  private var connectedAt = 0.0
  private var pause = Bus.shortestPause
  private var answers: [UInt64: (answer: Answer, deadline: DeadlineID)] = [:]
  private var subscriptions: [Subscription] = []
  /// Who has the names that are subscribed to: unique names.
  private var owners: [String: String] = [:]
  private var ownerHandlers: [(name: String, handler: @MainActor (_ owner: String?) -> Void)] = []
  private var connectionHandlers: [@MainActor (_ isConnected: Bool) -> Void] = []
  /// Answers the calls that others make; nil for those that are none of ours.
  package var requestHandler: (@MainActor (BusRequest) -> BusAnswer?)?

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
  /// Whether nobody but this user, and root, can be connected to it: see `BusPeer`.
  var isOwnUsersAlone: Bool { socket?.isOwnUsersAlone ?? false }

  /// Whether one can try to connect, as far as a look at the disk tells.
  var isThere: Bool { address.isThere }

  /// Connects, and goes on doing so whenever the bus comes back.
  package func connect() {
    guard socket == nil, !isStopped else { return }
    attempt()
    // What came before it was watched for, listens in a moment, or has no room now is told of by nothing.
    if !isConnected, !isStopped, isThere || isUnwatched { tryAgain(after: Self.shortestPause) }
  }

  private func attempt() {
    // The library is not loaded for a bus that is not there.
    guard isThere else { return isGone(because: BusError(number: ENOENT)) }
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
    stopWaiting()
    connectedAt = host.now
    for name in Set(subscriptions.map(\.rule.sender) + ownerHandlers.map(\.name)) { follow(name) }
    for rule in Set(subscriptions.map(\.rule)) { ask("AddMatch", rule.text) }
    for handler in connectionHandlers { handler(true) }
  }

  package func disconnect() {
    isStopped = true
    stopWaiting()
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

  /// Whether anybody has a name that is followed.
  package func hasOwner(_ name: String) -> Bool { owners[name] != nil }

  private func isFollowed(_ name: String) -> Bool {
    name == BusDaemon.name || subscriptions.contains { $0.rule.sender == name }
      || ownerHandlers.contains { $0.name == name }
  }

  private func follow(_ name: String) {
    guard name != BusDaemon.name else { return }
    let rule = BusRule(
      sender: BusDaemon.name, interface: BusDaemon.name, name: Self.ownerChanged.name, firstText: name)
    ask("AddMatch", rule.text)
    call(BusDaemon.name, BusDaemon.member("GetNameOwner"), [.string(name)]) { [weak self] result in
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
    call(BusDaemon.name, BusDaemon.member(name), [.string(text)]) { [weak self] result in
      guard let self, case .failure(let failure) = result, failure != .disconnected else { return }
      host.log("The \(kind.rawValue) bus refuses \(name)(\(text)): \(failure)")
    }
  }

  // MARK: In

  private func receive(_ message: BusMessage, _ call: BusCall) -> Bool {
    switch message.kind {
    case .reply:
      guard answers[message.replyCookie] != nil else { return false }
      return answer(message.replyCookie, message.body.values.map { .success($0) } ?? .failure(.badAnswer))
    case .error(let failure): return answer(message.replyCookie, .failure(failure))
    case .call:
      guard let requestHandler else { return false }
      let request = BusRequest(sender: message.sender, member: message.member, body: message.body)
      switch requestHandler(request) {
      case .success(let values): socket?.answer(call, .success(values))
      case .failure(let failure): socket?.answer(call, .failure(failure))
      case .later(let take): if let socket { take(socket.reply(to: call)) }
      case nil: return false
      }
    case .signal:
      if isWanted(message.member, from: message.sender), let values = message.body.values {
        hear(message.member, values, from: message.sender)
      }
    }
    return true
  }

  private func hear(_ member: BusMember, _ values: [BusValue], from sender: String) {
    if sender == BusDaemon.name {
      if member == Self.ownerChanged, values.count == 3, let name = values[0].text {
        setOwner(of: name, to: values[2].text)
      }
    }
    for subscription in subscriptions where wants(subscription, member, from: sender) {
      if subscription.rule.matches(values) { subscription.handler(BusSignal(member: member, values: values)) }
    }
  }

  /// What nobody wants, or somebody else sends, is not read.
  private func isWanted(_ member: BusMember, from sender: String) -> Bool {
    (sender == BusDaemon.name && member == Self.ownerChanged)
      || subscriptions.contains { wants($0, member, from: sender) }
  }

  private func wants(_ subscription: Subscription, _ member: BusMember, from sender: String) -> Bool {
    // A signal can be sent to us alone by anybody, whatever we have asked the bus for.
    guard sender == subscription.rule.sender || owners[subscription.rule.sender] == sender else { return false }
    return subscription.rule.matches(member)
  }

  // MARK: Loss

  private func lost(_ error: BusError) {
    socket = nil
    failAll()
    // A bus that loses everybody soon is asked less and less, and complained of once.
    let lasted = host.now - connectedAt > 10
    if lasted {
      pause = Self.shortestPause
      hasComplained = false
    }
    isGone(because: error)
    for handler in connectionHandlers { handler(false) }
    // Whoever holds the socket for the bus, as systemd does, does not make it anew.
    tryAgain(after: pause)
    pause = min(3 * pause, Self.longestPause)
  }

  private func failAll() {
    for name in Array(owners.keys) { setOwner(of: name, to: nil) }
    for cookie in answers.keys.sorted() { answer(cookie, .failure(.disconnected)) }
  }

  /// Waits for the bus to come back by a socket that is made anew.
  private func isGone(because error: BusError) {
    if !hasComplained {
      host.note("noBus", "\(address.text): \(error)")
      // That a machine has none is nothing to tell anybody.
      if error.number != ENOENT {
        host.report(
          "The \(kind.rawValue) bus at \(address.text) cannot be used: \(error). What it tells and is asked has to wait."
        )
      }
    }
    hasComplained = true
    guard !isStopped, watches.isEmpty else { return }
    watches = address.folders.map { folder, sockets in
      FolderWatch(folder, for: .arrivals, host: host) { [weak self] names in
        guard let self else { return }
        if names?.isDisjoint(with: sockets) != true { tryAgain(after: Self.shortestPause) } else { takeRest() }
      }
    }
  }

  /// The kernel cannot be asked for one name alone (inotify(7)): what has come meanwhile is looked at all at once.
  private func takeRest() {
    for watch in watches { watch.rest() }
    restTimer = RetryTimer(milliseconds: rest, host: host) { [weak self] in self?.goOn() }
    if restTimer == nil { goOn() }
    rest = min(3 * rest, Self.longestRest)
  }

  private func goOn() {
    for watch in watches { watch.goOn() }
  }

  private func stopWaiting() {
    for watch in watches { watch.stop() }
    watches = []
    retry = nil
    restTimer = nil
    rest = Self.shortestRest
  }

  /// The socket is there a moment before somebody listens at it; of one that is no file nothing else tells.
  private func tryAgain(after milliseconds: Int) {
    let next: @MainActor () -> Void = { [weak self] in
      guard let self else { return }
      retry = nil
      guard !isStopped, !isConnected else { return }
      attempt()
      if !isConnected, milliseconds < 2000 || isUnwatched { tryAgain(after: min(milliseconds * 3, Self.longestPause)) }
    }
    // The host's own deadlines stand still while the program is suspended, and nothing but time may tell of the bus.
    retry = RetryTimer(milliseconds: milliseconds, host: host, next)
    if retry == nil { host.after(milliseconds: milliseconds, next) }
  }

  /// Nothing tells when the bus comes, or not wherever it may.
  private var isUnwatched: Bool { address.isSilent || watches.contains { $0.failure != nil } }
}
