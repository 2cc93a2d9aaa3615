import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The user's Secret Service (`org.freedesktop.secrets`), for one search (Secret Service API, draft 0.2).
///
/// The service is called by its unique name, once it is known to be of this user. Secrets are sent plain, over the
/// socket of the user's own session bus: the algorithms of the specification protect them from a bus that listens, and
/// that one can own the service's name as well.
@MainActor struct SecretService {
  static let name = "org.freedesktop.secrets"
  private static let root = "/org/freedesktop/secrets"
  private static let interface = "org.freedesktop.Secret"
  /// The most keys of one kind; more than one machine ever makes.
  private static let mostKeys = 16
  /// How long the user may take to answer a question.
  static let promptLimit = Duration.seconds(120)

  private let bus: Bus
  private let host: any SystemHost
  private let owner: String
  private let promptLimit: Duration

  /// Finds the service, which the bus starts where it can; nil where there is none.
  /// - Throws: The service cannot be started, or is of another user.
  init?(
    _ bus: Bus, _ host: any SystemHost, promptLimit: Duration = Self.promptLimit
  ) async throws(KeyFailure) {
    guard let owner = try await Self.findOwner(bus) else { return nil }
    let user = await bus.result(BusDaemon.name, BusDaemon.member("GetConnectionUnixUser"), [.string(owner)])
    guard (try? user.get())?.first?.integer == Int(geteuid()) else {
      throw KeyFailure("the Secret Service is a program of another user")
    }
    (self.bus, self.host, self.owner) = (bus, host, owner)
    self.promptLimit = promptLimit
  }

  /// The bus is gone, which says nothing of the service and its keys.
  static let noBus = KeyFailure(
    "the session bus, which leads to the Secret Service, cannot be reached. Log in again; where there is no session, unset "
      + "DBUS_SESSION_BUS_ADDRESS")

  /// The unique name of the service; nil where there is none.
  private static func findOwner(_ bus: Bus) async throws(KeyFailure) -> String? {
    // One that no file describes cannot be started, and may be there.
    if let owner = await bus.owner(of: name) { return owner }
    let start = await bus.result(BusDaemon.name, BusDaemon.member("StartServiceByName"), [.string(name), .uint32(0)])
    if case .failure(let failure) = start {
      let isAbsent = failure.name == BusFailure.standard("ServiceUnknown", "").name
      if failure == .disconnected { throw noBus }
      guard isAbsent else { throw KeyFailure("the Secret Service cannot be started (\(failure))") }
      return nil
    }
    guard let owner = await bus.owner(of: name) else { throw KeyFailure("the Secret Service has ended") }
    return owner
  }

  /// Finds the keys of a kind; makes one where there is none.
  /// - Parameters:
  ///   - name: What they are found by.
  ///   - stray: A key that is stored, too, where it is not there.
  /// - Returns: The keys, one at least, as the service has them.
  /// - Throws: The service or the user refuses, or the service does not keep the key.
  func keys(_ name: SecretName, adding stray: SecretBytes?) async throws(KeyFailure) -> [SecretBytes] {
    let opened = try await call(
      Self.root, "Service", "OpenSession", [.string("plain"), .variant(.string(""))])
    guard opened.count == 2, let session = opened[1].text else { throw Self.unclear }
    defer { bus.call(owner, member(session, "Session", "Close")) { _ in } }
    let found = try await read(name, session)
    if let stray, found.contains(where: { $0.isSame(as: stray) }) { return found }
    guard stray != nil || found.isEmpty else { return found }
    guard let new = stray ?? SecretBytes.random(count: ProtectionKeys.size) else {
      throw KeyFailure("there is no memory")
    }
    try await store(new, name, session)
    // Nothing is encrypted with a key that the service does not give back.
    let stored = try await read(name, session)
    guard stored.contains(where: { $0.isSame(as: new) }) else {
      throw KeyFailure("the Secret Service has not kept it")
    }
    return stored
  }

  private func read(_ name: SecretName, _ session: String) async throws(KeyFailure) -> [SecretBytes] {
    let lists = try await call(Self.root, "Service", "SearchItems", [name.attributes])
    guard lists.count == 2, var items = lists[0].paths, let locked = lists[1].paths else { throw Self.unclear }
    if !locked.isEmpty { items += try await unlock(Array(locked.prefix(Self.mostKeys))) }
    guard !items.isEmpty else { return [] }
    let answer = try await call(
      Self.root, "Service", "GetSecrets",
      [.array(of: "o", items.prefix(Self.mostKeys).map { .objectPath($0) }), .objectPath(session)], hasSecrets: true)
    guard case .dictionary(_, _, let secrets)? = answer.first?.plain else { throw Self.unclear }
    // The session, the parameters of its algorithm, the value, and its media type.
    let values = secrets.values.compactMap { $0.fields?.count == 4 ? $0.fields?[2].secret : nil }
    return values.filter { $0.count == ProtectionKeys.size }
  }

  private func store(_ key: SecretBytes, _ name: SecretName, _ session: String) async throws(KeyFailure) {
    let collection = try await defaultCollection()
    let item = Self.interface + ".Item."
    let properties = BusValue.options([item + "Label": .string(name.label), item + "Attributes": name.attributes])
    guard let nothing = SecretBytes(count: 0, { _ in true }) else { throw KeyFailure("there is no memory") }
    let secret = BusValue.structure([
      .objectPath(session), .secret(nothing), .secret(key), .string("application/octet-stream"),
    ])
    let made = try await call(collection, "Collection", "CreateItem", [properties, secret, .bool(false)])
    guard made.count == 2, let prompt = made[1].text else { throw Self.unclear }
    try await ask(prompt)
  }

  /// The collection for new items, unlocked; it is made where there is none.
  private func defaultCollection() async throws(KeyFailure) -> String {
    let alias = try await call(Self.root, "Service", "ReadAlias", [.string("default")])
    guard var path = alias.first?.text else { throw Self.unclear }
    if path == "/" {
      let label = BusValue.options([Self.interface + ".Collection.Label": .string("Default")])
      let made = try await call(Self.root, "Service", "CreateCollection", [label, .string("default")])
      guard made.count == 2, let prompt = made[1].text else { throw Self.unclear }
      try await ask(prompt)
      path = try await call(Self.root, "Service", "ReadAlias", [.string("default")]).first?.text ?? "/"
      guard path != "/" else { throw KeyFailure("the Secret Service has no collection for it") }
    }
    _ = try await unlock([path])
    return path
  }

  /// Unlocks items or collections; may ask the user.
  /// - Returns: Those that are unlocked.
  /// - Throws: As ``ask(_:)``.
  private func unlock(_ paths: [String]) async throws(KeyFailure) -> [String] {
    let answer = try await call(Self.root, "Service", "Unlock", [.array(of: "o", paths.map { .objectPath($0) })])
    guard answer.count == 2, let unlocked = answer[0].paths, let prompt = answer[1].text else { throw Self.unclear }
    guard prompt != "/" else { return unlocked }
    try await ask(prompt)
    return paths
  }

  // MARK: Questions to the user

  /// Lets the service ask the user, and waits for the answer.
  /// - Parameter prompt: The question; `/` for none.
  /// - Throws: The user refuses or does not answer, or the service ends.
  private func ask(_ prompt: String) async throws(KeyFailure) {
    guard prompt != "/" else { return }
    let failure = await withMainActorContinuation { continuation in
      let reply = PromptReply(host) { continuation.resume(returning: $0) }
      bus.onOwner(of: owner) { if $0 == nil { reply.give(KeyFailure("the Secret Service has ended")) } }
      bus.subscribe(BusRule(sender: owner, path: prompt, interface: Self.interface + ".Prompt", name: "Completed")) {
        reply.give($0.values.first?.bool == false ? nil : KeyFailure("the user has not unlocked the Secret Service"))
      }
      bus.call(owner, member(prompt, "Prompt", "Prompt"), [.string("")]) {
        if case .failure(let failure) = $0 { reply.give(KeyFailure("the Secret Service does not ask (\(failure))")) }
      }
      reply.limit(to: promptLimit) { [bus, owner] in
        bus.call(owner, member(prompt, "Prompt", "Dismiss")) { _ in }
        reply.give(KeyFailure("the question of the Secret Service was not answered"))
      }
    }
    bus.unsubscribe(from: owner)
    if let failure { throw failure }
  }

  /// The outcome of a question, which is given once.
  @MainActor private final class PromptReply {
    private let host: any SystemHost
    private var deadline: DeadlineID?
    private var answer: (@MainActor (KeyFailure?) -> Void)?

    init(_ host: any SystemHost, _ answer: @escaping @MainActor (KeyFailure?) -> Void) {
      (self.host, self.answer) = (host, answer)
    }

    /// Does something where there is no answer in this time.
    func limit(to time: Duration, _ body: @escaping @MainActor () -> Void) {
      guard answer != nil else { return }
      deadline = host.after(milliseconds: time.milliseconds) { [weak self] in
        self?.deadline = nil
        body()
      }
    }

    func give(_ failure: KeyFailure?) {
      if let deadline = deadline.take() { host.cancel(deadline) }
      answer.take()?(failure)
    }
  }

  // MARK: Calls

  private static let unclear = KeyFailure("the Secret Service gives answers of the wrong form")

  private func member(_ path: String, _ interface: String, _ name: String) -> BusMember {
    BusMember(path: path, interface: Self.interface + "." + interface, name: name)
  }

  private func call(
    _ path: String, _ interface: String, _ name: String, _ values: [BusValue], hasSecrets: Bool = false
  ) async throws(KeyFailure) -> [BusValue] {
    switch await bus.result(owner, member(path, interface, name), values, hasSecrets: hasSecrets) {
    case .success(let values): return values
    case .failure(let failure): throw KeyFailure("the Secret Service refuses \(name) (\(failure))")
    }
  }
}

extension Bus {
  /// The unique name of a name's owner; nil where there is none.
  fileprivate func owner(of name: String) async -> String? {
    (try? await result(BusDaemon.name, BusDaemon.member("GetNameOwner"), [.string(name)]).get())?.first?.text
  }

  /// Calls a method, and waits for the answer.
  fileprivate func result(
    _ destination: String, _ member: BusMember, _ values: [BusValue] = [], hasSecrets: Bool = false
  ) async -> Result<[BusValue], BusFailure> {
    await withMainActorContinuation { continuation in
      call(destination, member, values, hasSecrets: hasSecrets) { continuation.resume(returning: $0) }
    }
  }
}

extension BusValue {
  /// The elements of an array of paths; nil for another type.
  fileprivate var paths: [String]? {
    guard case .array(of: "o", let values) = plain else { return nil }
    return values.compactMap(\.text)
  }
}
