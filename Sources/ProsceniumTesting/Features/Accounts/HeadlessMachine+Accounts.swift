import ProsceniumPlatform

/// The user's accounts.
///
/// A program receives them once it reads them: see `AccountStore`. They last over a relaunch. A machine has no service
/// that knows accounts before the first of these calls.
extension HeadlessMachine {
  /// Adds an account, or changes the one of this name with this provider.
  /// - Parameters:
  ///   - provider: The kind of provider, such as `google`.
  ///   - name: The user's name with the provider.
  ///   - needsAttention: Whether the user has to sign in again.
  public func addAccount(provider: String, name: String, needsAttention: Bool = false) {
    var account = AccountReading(identifier: provider + " " + name, provider: provider, identity: name)
    (account.providerName, account.name, account.needsAttention) = (provider, name, needsAttention)
    parts.accounts.change { all in
      all.removeAll { $0.isSameIdentity(as: account) }
      all.append(account)
    }
  }

  /// Removes an account.
  /// - Parameters:
  ///   - provider: The kind of provider.
  ///   - name: The user's name with the provider.
  public func removeAccount(provider: String, name: String) {
    parts.accounts.change { all in all.removeAll { $0.provider == provider && $0.identity == name } }
  }
}
