/// An account of the user with a provider, as the desktop environment knows it.
package struct AccountReading: Hashable, Sendable {
  /// The account's name with the desktop environment, which no other account has had.
  package var identifier: String
  /// The kind of provider: `google`, `owncloud`, `kerberos`.
  package var provider: String
  /// The user's name with the provider.
  package var identity: String
  package var providerName = ""
  /// The account's name for the user.
  package var name = ""
  /// Whether the user has to sign in again.
  package var needsAttention = false

  package init(identifier: String, provider: String, identity: String) {
    (self.identifier, self.provider, self.identity) = (identifier, provider, identity)
  }

  /// Whether both are the same identity.
  package func isSameIdentity(as other: AccountReading) -> Bool {
    identifier == other.identifier && provider == other.provider && identity == other.identity
  }
}

/// Observes the user's accounts, once the program wants to know them.
@MainActor package protocol AccountMonitor: AnyObject {
  /// Follows the accounts from now on.
  ///
  /// They are posted as ``SystemEvent/accounts(_:)`` when they are known, none of them too, and at each change; never
  /// before this function returns.
  func follow()
}
