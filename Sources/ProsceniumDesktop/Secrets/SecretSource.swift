import ProsceniumLoop
package import ProsceniumPlatform

/// Finds the keys of protected files in the user's Secret Service, else in the kernel's keyring, once the program uses
/// such a file; makes those that are missing.
///
/// A key that was made while there was no Secret Service is moved into it. A service that is there and fails is no
/// reason to make a key elsewhere, and neither is a session bus that is lost: the key may be in the service.
@MainActor package final class SecretSource: KeyService {
  private weak var host: (any SystemHost)?
  private var bus: Bus?
  /// The search that is under way: they are done one after the other.
  private var last: Task<Void, Never>?
  /// Searches from before it is known which buses there are; nil from then on.
  private var early: [@MainActor () -> Void]? = []
  /// How long the user may take to answer a question of the service; for tests.
  var promptLimit = SecretService.promptLimit

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the session bus, which is where the service is.
  func use(_ bus: Bus) { self.bus = bus }

  /// The buses that there are are in use.
  func ready() { for search in early.take() ?? [] { search() } }

  package func findKeys(
    of kind: String, _ answer: @escaping @MainActor (Result<ProtectionKeys, KeyFailure>) -> Void
  ) {
    // At a launch the bus is connected after the first windows.
    guard early == nil else {
      early?.append { [weak self] in self?.findKeys(of: kind, answer) }
      return
    }
    let last = last
    self.last = Task { [weak self] in
      await last?.value
      do throws(KeyFailure) {
        guard let self, let host = self.host else { throw KeyFailure("the program ends") }
        answer(.success(try await self.keys(of: SecretName(application: host.applicationIdentifier, kind: kind), host)))
      } catch {
        answer(.failure(error))
      }
    }
  }

  private func keys(of name: SecretName, _ host: any SystemHost) async throws(KeyFailure) -> ProtectionKeys {
    guard !name.application.isEmpty else {
      throw KeyFailure("the program has no application identifier. Set one in its manifest")
    }
    let stray = KernelKeyring.find(name.text)
    if let bus, !bus.isConnected, bus.isExpected { throw SecretService.noBus }
    if let bus, bus.isConnected, let service = try await SecretService(bus, host, promptLimit: promptLimit) {
      let keys = try await service.keys(name, adding: stray)
      if stray != nil { KernelKeyring.remove(name.text) }
      return ProtectionKeys(keys, in: .secretService)
    }
    // Another process may have made one meanwhile, which a second one would displace.
    if let key = stray ?? KernelKeyring.find(name.text) { return ProtectionKeys([key], in: .kernel) }
    guard let key = SecretBytes.random(count: ProtectionKeys.size) else { throw KeyFailure("there is no memory") }
    do throws(Errno) { try KernelKeyring.add(key, name.text) } catch {
      throw KeyFailure(
        "there is no Secret Service, and the kernel's keyring refuses (\(error)). Install one, such as gnome-keyring")
    }
    guard let kept = KernelKeyring.find(name.text) else {
      throw KeyFailure("the kernel's keyring has not kept the key")
    }
    return ProtectionKeys([kept], in: .kernel)
  }
}

/// What a key is found by.
struct SecretName {
  var application: String
  /// The class of the files.
  var kind: String

  /// The name in the kernel's keyring.
  var text: String { "proscenium:\(application):\(kind)" }
  /// The attributes in the Secret Service.
  var attributes: BusValue {
    .dictionary(
      key: "s", value: "s",
      [
        .string("xdg:schema"): .string("org.proscenium.ProtectedFiles"), .string("application"): .string(application),
        .string("protection"): .string(kind),
      ])
  }
  /// The label for people.
  var label: String { "Key of protected files of \(application)" }
}
