import ProsceniumLoop
import ProsceniumPlatform

/// Reports the user's accounts, once the program wants to know them, by the object manager of GNOME Online Accounts
/// (D-Bus Specification, "org.freedesktop.DBus.ObjectManager").
///
/// All of them are read again when the service says that one has come, gone or changed; only its owner is believed. A
/// service that is away has signed nobody out: what it said last counts. A machine without it has no accounts.
@MainActor package final class AccountSource: AccountMonitor {
  private static let name = "org.gnome.OnlineAccounts"
  private static let root = "/org/gnome/OnlineAccounts"
  private static let account = name + ".Account"
  private static let manager = "org.freedesktop.DBus.ObjectManager"
  /// The most accounts that are reported.
  private static let limit = 200
  /// The time from one reading to the next one: a service may say anything, as often as it likes.
  private static let rest = Duration.milliseconds(500)
  /// The times from readings that have failed to the next ones, after which only the service can have it read again.
  private static let delays = [1, 2, 4, 8, 16].map(Duration.seconds)

  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var isWanted = false
  private var hasBegun = false
  private var hasAskedForStart = false
  private var owner: String?
  /// Whether the accounts are being read, or were a moment ago, and whether that is outdated.
  private var (isReading, isResting, isOutdated) = (false, false, false)
  /// How many readings have failed in a row, and the next one.
  private var (failures, repetition) = (0, DeadlineID?.none)
  private var reported: [AccountReading]?

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the session bus, which is where the service is.
  func use(_ bus: Bus) {
    self.bus = bus
    if isWanted { beginLater() }
  }

  package func follow() {
    guard !isWanted else { return }
    isWanted = true
    beginLater()
  }

  /// After the present callback, which at a launch requests the first windows.
  private func beginLater() { host?.after(milliseconds: 0) { [weak self] in self?.begin() } }

  private func begin() {
    guard let bus, !hasBegun else { return }
    hasBegun = true
    bus.onOwner(of: Self.name) { [weak self] in self?.ownerChanged(to: $0) }
    let rules = [
      BusRule(sender: Self.name, path: Self.root, interface: Self.manager),
      BusRule(
        sender: Self.name, interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged",
        firstText: Self.account),
    ]
    for rule in rules { bus.subscribe(rule) { [weak self] _ in self?.read() } }
  }

  private func ownerChanged(to owner: String?) {
    self.owner = owner
    (isReading, isOutdated) = (false, false)
    cancelRepetition()
    if owner != nil { return read() }
    // Once: a service that dies is not started again and again. A machine without it refuses, which is no error.
    guard let bus, bus.isConnected, !hasAskedForStart else { return }
    hasAskedForStart = true
    bus.call(BusDaemon.name, BusDaemon.member("StartServiceByName"), [.string(Self.name), .uint32(0)]) { _ in }
  }

  private func read() {
    guard let host, let bus, let owner else { return }
    // While the program is suspended the end of the rest does not come, and each report replaces the last one.
    guard !isReading, !isResting || host.isSuspended else { return isOutdated = true }
    isReading = true
    let member = BusMember(path: Self.root, interface: Self.manager, name: "GetManagedObjects")
    bus.call(owner, member) { [weak self, weak host] result in
      guard let self, let host, self.owner == owner else { return }
      isReading = false
      if let objects = (try? result.get())?.first {
        cancelRepetition()
        report(Self.accounts(objects))
      } else {
        readAgainLater()
      }
      rest()
      if host.isSuspended { readAgain() }
    }
  }

  /// After a failure, each time later than the last time.
  private func readAgainLater() {
    guard repetition == nil, failures < Self.delays.count else { return }
    repetition = host?.after(milliseconds: Self.delays[failures].milliseconds) { [weak self] in
      self?.repetition = nil
      self?.read()
    }
    failures += 1
  }

  private func cancelRepetition() {
    if let repetition { host?.cancel(repetition) }
    (failures, repetition) = (0, nil)
  }

  private func rest() {
    guard !isResting else { return }
    isResting = true
    host?.after(milliseconds: Self.rest.milliseconds) { [weak self] in
      self?.isResting = false
      self?.readAgain()
    }
  }

  private func readAgain() { if exchange(&isOutdated, with: false) { read() } }

  private func report(_ accounts: [AccountReading]) {
    guard accounts != reported else { return }
    reported = accounts
    host?.post(.accounts(accounts))
  }

  /// The accounts among the objects, in the order of their names.
  private static func accounts(_ objects: BusValue) -> [AccountReading] {
    guard case .dictionary(_, _, let objects) = objects.plain else { return [] }
    let accounts = objects.compactMap { path, interfaces -> AccountReading? in
      guard path.text?.hasPrefix(root + "/Accounts/") == true, case .dictionary(_, _, let pairs) = interfaces else {
        return nil
      }
      return pairs[.string(account)]?.properties.flatMap { AccountReading($0) }
    }
    return Array(accounts.sorted { $0.identifier < $1.identifier }.prefix(limit))
  }
}

extension AccountReading {
  /// The longest text that is believed, in bytes.
  private static let mostBytes = 512

  /// An account of GNOME Online Accounts; nil for one that has no identity.
  fileprivate init?(_ values: [String: BusValue]) {
    func text(_ name: String) -> String {
      guard case .string(let text)? = values[name], text.utf8.count <= Self.mostBytes else { return "" }
      return text
    }
    let (identifier, provider) = (text("Id"), text("ProviderType"))
    guard !identifier.isEmpty, !provider.isEmpty else { return nil }
    self.init(identifier: identifier, provider: provider, identity: text("Identity"))
    (providerName, name) = (text("ProviderName"), text("PresentationIdentity"))
    needsAttention = values["AttentionNeeded"]?.bool == true
  }
}
