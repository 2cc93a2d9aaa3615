import FoundationEssentials
import ProsceniumJSON
import ProsceniumPlatform
import ProsceniumTrace

/// Reports the user's accounts to the program, once it asks for them: see ``AccountStore``.
final class AccountsFeature: FeatureBase, Feature {
  /// The accounts; nil until they are known.
  private(set) var readings: [AccountReading]?

  override func join(_ lists: inout FeatureLists) { lists.answer(.handle, .whileSuspended, by: self) }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    // The application may have been used before it had a host.
    if case .configured = moment { application.value(AccountStoreKey.self)?.follow() }
    return []
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .accounts(let told) = event else { return [] }
    // An identity is one account, however often the service has it.
    let next = told.reduce(into: [AccountReading]()) { accounts, account in
      if !accounts.contains(where: { $0.isSameIdentity(as: account) }) { accounts.append(account) }
    }
    let isFirst = readings == nil
    let change = AccountCall(from: exchange(&readings, with: next) ?? [], to: next)
    guard isFirst || !change.isEmpty else { return [] }
    var details: TraceDetails = ["count": .int(next.count)]
    for (key, count) in [
      ("added", change.added.count), ("removed", change.removed.count), ("changed", change.changed.count),
    ] where count > 0 { details.append(key, .int(count)) }
    return [.traceSystem("accounts", details), .callAfterSettling(change)]
  }

  /// The last reading has all of them, and is compared with those before the suspension.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    if case .accounts = event { .kept(kind: "accounts", rank: 1) } else { nil }
  }
}

/// The notification of a change.
private struct AccountCall: Notice {
  var added: [Account]
  var removed: [Account]
  var changed: [Account]
  var call: CallDescription { CallDescription("AccountStore.IdentityDidChangeMessage", phase: .event) }

  init(from before: [AccountReading], to now: [AccountReading]) {
    func same(_ account: AccountReading, in accounts: [AccountReading]) -> AccountReading? {
      accounts.first { $0.isSameIdentity(as: account) }
    }
    added = now.filter { same($0, in: before) == nil }.map { Account($0) }
    removed = before.filter { same($0, in: now) == nil }.map { Account($0) }
    changed = now.filter { account in same(account, in: before).map { $0 != account } ?? false }.map { Account($0) }
  }

  var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

  func send(to application: Application) {
    NotificationCenter.default.post(
      AccountStore.IdentityDidChangeMessage(added: added, removed: removed, changed: changed),
      subject: AccountStore.of(application))
  }
}
