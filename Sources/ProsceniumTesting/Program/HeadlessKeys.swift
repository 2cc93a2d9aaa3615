internal import Dispatch
import ProsceniumLoop
import ProsceniumPlatform

/// The keys of protected files on the machine in memory, which last over processes.
@MainActor final class HeadlessKeys: KeyService {
  /// Where new keys lie.
  var place = ProtectionKeys.Place.secretService
  /// Why no key is given; nil where the service works.
  var refusal: String?
  /// How often keys were asked for.
  private(set) var requests = 0
  private var keys: [String: SecretBytes] = [:]

  func findKeys(of kind: String, _ answer: @escaping @MainActor (Result<ProtectionKeys, KeyFailure>) -> Void) {
    requests += 1
    // By the main queue, so that a test may wait for what needs a key.
    DispatchQueue.main.async { [weak self] in
      answer(self?.found(kind) ?? .failure(KeyFailure("the machine is gone")))
    }
  }

  private func found(_ kind: String) -> Result<ProtectionKeys, KeyFailure> {
    if let refusal { return .failure(KeyFailure(refusal)) }
    guard let key = keys[kind] ?? .random(count: ProtectionKeys.size) else {
      return .failure(KeyFailure("there is no memory"))
    }
    keys[kind] = key
    return .success(ProtectionKeys([key], in: place))
  }

  /// Forgets all keys, as the kernel's keyring does when the machine is started again.
  func forgetKeys() { keys = [:] }
}
