import FoundationEssentials

/// When the content of a file can be read, as UIKit's `FileProtectionType` has it.
///
/// A protected file is encrypted on the disk. Its key lies in the user's Secret Service; see ``ProtectedFile``.
public enum FileProtection: String, Hashable, Sendable, CaseIterable {
  /// The file is an ordinary one: whoever may read it reads its content.
  case none
  /// The content can be read and written while protected data is available: see
  /// ``Application/isProtectedDataAvailable``.
  ///
  /// Ten seconds after the screen has been locked the key is wiped from the program's memory.
  case complete
  /// The content can be read and written from when the user has unlocked the Secret Service, as most desktop
  /// environments do at the login, until the program ends; also while the screen is locked.
  case completeUntilFirstUserAuthentication
}

/// Why the content of a protected file could not be had, or put into one.
enum ProtectionFailure: Error, Hashable, Sendable {
  /// The screen is locked.
  case unavailable
  /// libsodium cannot be loaded.
  case noCipher
  /// There is no key, for this reason.
  case noKey(String)
  /// There are keys, and none is that of the file.
  case otherKey
  /// The file has been changed, or cut.
  case damaged
  /// A later version of the library has written the file, in another form.
  case newer
  /// The file is not encrypted, or in another class.
  case notProtected
  /// The program has been built without protected files.
  case missing

  /// What is wrong, and what can be done, as a part of a sentence for the user.
  var reason: String {
    switch self {
    case .unavailable: "the screen is locked, and its content is protected until it is unlocked"
    case .noCipher: "it is encrypted, and libsodium is not installed. Install the package libsodium23"
    case .noKey(let reason): "it is encrypted, and its key cannot be had: \(reason)"
    case .otherKey:
      "it is encrypted with a key that neither the Secret Service nor the kernel has. Start the Secret Service that had "
        + "it, or restore a backup of its keyring"
    case .damaged: "its encrypted content has been changed or cut. Restore a backup"
    case .newer: "a newer version of the program has encrypted it. Use that version"
    case .notProtected: "it is not encrypted with this protection. Open it with the protection that it has"
    case .missing: "the program has been built without protected files"
    }
  }
}

/// Whether the program has had the key of ``FileProtection/complete`` files in this run.
enum ProtectedDataUseKey: ValueKey { static var initial: Bool { false } }

/// Encrypts and decrypts contents with a key, which is in memory for as long as this value is; for any thread.
protocol ContentCipher: Sendable {
  /// The bytes of a file with a content.
  func seal(_ content: Data) throws(ProtectionFailure) -> [UInt8]
  /// The content of a file with these bytes, in memory that a core dump lacks and that is wiped.
  func open(_ bytes: [UInt8]) throws(ProtectionFailure) -> Data
  /// How many bytes tell in which form, and by which key, a file is encrypted.
  var headSize: Int { get }
  /// Why a file that begins with these bytes is not replaced, nil where it may be: its content, of another key or in a
  /// later form, may be nowhere else.
  func obstacle(toReplacing head: [UInt8]) -> ProtectionFailure?
}

/// What a cipher is wanted for.
enum CipherUse: String { case read, write }

/// Gives the ciphers of protected files: the feature of that name, where it is built.
@MainActor protocol FileProtector: AnyObject, Sendable {
  /// Gives a cipher, for one use.
  /// - Parameters:
  ///   - protection: A class other than ``FileProtection/none``.
  ///   - use: What it is wanted for.
  /// - Returns: The cipher, or why there is none; nil where the key has to be fetched first.
  func cipher(_ protection: FileProtection, for use: CipherUse) -> Result<any ContentCipher, ProtectionFailure>?
  /// Fetches the key of a class.
  /// - Parameters:
  ///   - protection: The class.
  ///   - then: Called once, on the main thread, when ``cipher(_:for:)`` has an answer.
  func fetchKey(_ protection: FileProtection, _ then: @escaping @MainActor () -> Void)
}

/// The giver of ciphers; nil where the program has none.
enum FileProtectorKey: ValueKey { static var initial: (any FileProtector)? { nil } }
