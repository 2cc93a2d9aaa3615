import FoundationEssentials
import ProsceniumJSON
import ProsceniumLoop
import ProsceniumPlatform
import ProsceniumTrace

/// Has the keys of protected files while they may be used: see ``ProtectedFile``.
///
/// A key is fetched at the first use, and wiped when protected data becomes unavailable, and before the program is
/// suspended and the machine sleeps; a use that is under way has it for a moment longer. A program that uses no
/// protected file fetches none.
final class ProtectedFiles: FeatureBase, Feature, FileProtector {
  /// How long a failure counts: a user who has refused is not asked again at once.
  static let restAfterFailure = Duration.seconds(30)

  /// The keys that are in memory.
  private var keys: [FileProtection: [SecretBytes]] = [:]
  /// Those who wait for keys that are being fetched.
  private var waiting: [FileProtection: [@MainActor () -> Void]] = [:]
  private var failures: [FileProtection: (reason: String, end: Double)] = [:]
  private var hasReportedKernel = false

  // MARK: Ciphers

  private func isAvailable(_ protection: FileProtection) -> Bool {
    protection != .complete || application.isProtectedDataAvailable
  }

  func cipher(_ protection: FileProtection, for use: CipherUse) -> Result<any ContentCipher, ProtectionFailure>? {
    if !isAvailable(protection) { return refuse(protection, .unavailable) }
    if Sodium.shared == nil { return refuse(protection, .noCipher) }
    if let keys = keys[protection] {
      trace("protectedFile", protection, ["event": .string(use.rawValue)])
      return .success(ProtectionCipher(protection: protection, keys: keys))
    }
    guard let (reason, end) = failures[protection], conductor.platform.now < end else { return nil }
    return refuse(protection, .noKey(reason))
  }

  private func refuse(
    _ protection: FileProtection, _ failure: ProtectionFailure
  ) -> Result<any ContentCipher, ProtectionFailure> {
    trace("protectedFile", protection, ["event": .string("refused"), "cause": .string(failure.word)])
    return .failure(failure)
  }

  func fetchKey(_ protection: FileProtection, _ then: @escaping @MainActor () -> Void) {
    // Before there is any content: texts, arrays and messages of it are freed unwiped by whoever has made them.
    application.host.process?.beginOverwritingFreedMemory()
    waiting[protection, default: []].append(then)
    guard waiting[protection]?.count == 1 else { return }
    guard let service = application.host.services.keys else {
      return found(.failure(KeyFailure("the program runs without a desktop")), protection)
    }
    service.findKeys(of: protection.rawValue) { [weak self] in self?.found($0, protection) }
  }

  private func found(_ result: Result<ProtectionKeys, KeyFailure>, _ protection: FileProtection) {
    failures[protection] = nil
    switch result {
    // Locked meanwhile: what has come is wiped.
    case _ where !isAvailable(protection): break
    case .success(let found):
      keys[protection] = found.keys
      if protection == .complete { application.setValue(true, ProtectedDataUseKey.self) }
      trace("protectionKey", protection, ["event": .string("fetched"), "place": .string(found.place.rawValue)])
      if found.place == .kernel { reportKernel() }
    case .failure(let failure):
      failures[protection] = (failure.reason, conductor.platform.now + Self.restAfterFailure.seconds)
      trace("protectionKey", protection, ["event": .string("failed"), "cause": .string(failure.reason)])
    }
    for then in waiting.removeValue(forKey: protection) ?? [] { then() }
    // Those who waited have their ciphers. Nothing else wipes a key that comes after the save for the sleep.
    if conductor.feature(Presence.self)?.isSleepAnnounced == true { wipe(.complete, "sleeping") }
  }

  private func reportKernel() {
    guard !exchange(&hasReportedKernel, with: true) else { return }
    conductor.report(
      "There is no Secret Service. The key of protected files lies in the kernel's keyring, and is lost, with the content "
        + "of all of them, when the machine is started again. Install and start a Secret Service, such as gnome-keyring; "
        + "the key is moved there when it is used next.")
  }

  private func trace(_ name: String, _ protection: FileProtection, _ details: TraceDetails) {
    var details = details
    details.append("protection", .string(protection.rawValue))
    conductor.trace(.system(name, details))
  }

  // MARK: Moments

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .configured: application.setValue(self, FileProtectorKey.self)
    // A suspended program notices neither a lock nor the end of its grace, and a machine that hibernates writes its
    // memory to the disk.
    case .protectedDataChanged(.unavailable): wipe(.complete, "locked")
    case .suspending: wipe(.complete, "suspended")
    case .savedForSleep: wipe(.complete, "sleeping")
    case .ended: for protection in FileProtection.allCases { wipe(protection, "ended") }
    default: break
    }
    return []
  }

  private func wipe(_ protection: FileProtection, _ cause: String) {
    guard keys.removeValue(forKey: protection) != nil else { return }
    application.host.process?.overwriteFreedMemory()
    trace("protectionKey", protection, ["event": .string("wiped"), "cause": .string(cause)])
  }
}

extension ProtectionFailure {
  /// The failure in the trace.
  fileprivate var word: String {
    switch self {
    case .unavailable: "unavailable"
    case .noCipher: "noCipher"
    case .noKey: "noKey"
    case .otherKey: "otherKey"
    case .damaged: "damaged"
    case .newer: "newer"
    case .notProtected: "notProtected"
    case .missing: "missing"
    }
  }
}
