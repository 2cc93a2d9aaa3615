public import FoundationEssentials
import ProsceniumPlatform

/// The accounts that the user has with providers, as the desktop environment knows them.
///
/// ```swift
/// let token = NotificationCenter.default.addObserver(of: AccountStore.shared, for: .identityDidChange) { message in
///   for account in message.removed { forgetFiles(of: account.identityToken) }
/// }
/// _ = AccountStore.shared.accounts
/// ```
///
/// For the main thread. As `ubiquityIdentityToken` of Foundation's `FileManager` says whether the user is signed in to
/// iCloud and is the same one as before, each account has an ``IdentityToken``: keep it with what belongs to the
/// account, and compare it at the next launch and when ``IdentityDidChangeMessage`` is posted. What belongs to an
/// account that is gone must not be shown to another one.
///
/// The accounts are followed from the first time that they are read. No property waits for an answer. While the program
/// is suspended nothing is posted; on resumption only what differs is, in one message.
///
/// On Linux they are those of GNOME Online Accounts, on the session bus, which starts it where it can. On a machine
/// without it there are none, and nothing is posted. While it is away what it said last counts.
@MainActor public final class AccountStore {
  /// The accounts, as ``Application/shared`` observes them.
  public static var shared: AccountStore { of(Application.shared) }

  /// The accounts, as a program observes them.
  static func of(_ application: Application) -> AccountStore {
    if let store = application.value(AccountStoreKey.self) { return store }
    let store = AccountStore(application)
    application.setValue(store, AccountStoreKey.self)
    return store
  }

  /// Nil once the process is dead, in a test.
  private weak var application: Application?
  private var isFollowed = false

  init(_ application: Application) { self.application = application }

  /// The accounts; none before ``isKnown``.
  public var accounts: [Account] {
    begin()
    return readings?.map { Account($0) } ?? []
  }

  /// Whether it is known which accounts there are.
  ///
  /// When it becomes known ``IdentityDidChangeMessage`` is posted, even where there are none.
  public var isKnown: Bool {
    begin()
    return readings != nil
  }

  private var readings: [AccountReading]? { application?.conductor?.feature(AccountsFeature.self)?.readings }

  private func begin() {
    guard !isFollowed else { return }
    isFollowed = true
    follow()
  }

  /// Asks for the accounts, where the program wants to know them; again once the application has a host.
  func follow() { if isFollowed { application?.host.machine.accounts?.follow() } }
}

/// An account of the user with a provider.
public struct Account: Hashable, Sendable {
  /// The identity of the user with the provider.
  public var identityToken: IdentityToken
  /// The kind of provider, as GNOME Online Accounts names it: `google`, `owncloud`, `kerberos`.
  public var provider: String
  /// The provider's name for the user.
  public var providerName: String
  /// The account's name for the user, such as an address.
  public var name: String
  /// Whether the user has to sign in again before the account can be used.
  public var needsAttention: Bool

  init(_ reading: AccountReading) {
    identityToken = IdentityToken(reading)
    (provider, providerName) = (reading.provider, reading.providerName)
    (name, needsAttention) = (reading.name, reading.needsAttention)
  }
}

/// An identity of the user with a provider: equal to that of the same user of the same account, and to no other one.
///
/// It says nothing else. It can be stored (`Codable`) and compared by another run of the program.
public struct IdentityToken: Hashable, Sendable, Codable {
  private let provider: String
  private let identifier: String
  private let identity: String

  init(_ reading: AccountReading) {
    (provider, identifier, identity) = (reading.provider, reading.identifier, reading.identity)
  }
}

extension AccountStore {
  /// Posted when it has become known which accounts there are, and when that has changed.
  public struct IdentityDidChangeMessage: NotificationCenter.MainActorMessage {
    /// What the message is about.
    public typealias Subject = AccountStore
    /// The accounts that are new; at first all of them.
    public let added: [Account]
    /// The accounts that are gone, as they were.
    ///
    /// One whose user is another one now is gone and new.
    public let removed: [Account]
    /// The accounts whose names have changed, or that need attention or no longer need it, as they are.
    public let changed: [Account]
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<AccountStore.IdentityDidChangeMessage> {
  /// Names ``AccountStore/IdentityDidChangeMessage``.
  public static var identityDidChange: Self { .init() }
}

/// The accounts, once they have been asked for.
enum AccountStoreKey: ValueKey { static var initial: AccountStore? { nil } }
