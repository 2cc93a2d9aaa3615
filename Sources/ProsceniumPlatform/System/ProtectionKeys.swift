package import ProsceniumLoop

/// The keys of protected files, and where they lie.
package struct ProtectionKeys: Sendable {
  /// Where keys lie while no program runs.
  package enum Place: String, Hashable, Sendable {
    /// The user's Secret Service has them, encrypted with the user's password.
    case secretService
    /// The kernel has them until the machine is started again.
    case kernel
  }

  /// The size of a key in bytes.
  package static let size = 32

  /// One at least; several where keys were made in both places.
  package var keys: [SecretBytes]
  package var place: Place

  package init(_ keys: [SecretBytes], in place: Place) { (self.keys, self.place) = (keys, place) }
}

/// Why there is no key, as a part of a sentence for the user.
package struct KeyFailure: Error, Hashable, Sendable {
  package var reason: String
  package init(_ reason: String) { self.reason = reason }
}

/// Finds the keys of protected files, once the program uses such a file.
@MainActor package protocol KeyService: AnyObject {
  /// Finds the program's keys of a kind, and makes one where there is none.
  ///
  /// May ask the user.
  /// - Parameters:
  ///   - kind: The kind, in letters.
  ///   - answer: Called once, on the main thread, never before this function returns.
  func findKeys(of kind: String, _ answer: @escaping @MainActor (Result<ProtectionKeys, KeyFailure>) -> Void)
}
