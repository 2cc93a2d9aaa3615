import ProsceniumPlatform

/// The keys of protected files: see `ProtectedFile`.
///
/// The files themselves are real ones. A machine has a Secret Service, which gives keys without a question, and keeps
/// them over a relaunch.
extension HeadlessMachine {
  /// Whether the machine has a Secret Service; without one the keys lie in the kernel.
  public var hasSecretService: Bool {
    get { keys.place == .secretService }
    set { keys.place = newValue ? .secretService : .kernel }
  }

  /// The reason for which no key is given from now on; nil where they are given.
  public var keyRefusal: String? {
    get { keys.refusal }
    set { keys.refusal = newValue }
  }

  /// Loses all keys, as a machine without a Secret Service does when it is started again.
  public func loseKeys() { keys.forgetKeys() }
}
