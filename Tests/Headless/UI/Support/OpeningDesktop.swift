#if !WITHOUT_OpenRequests
  import FoundationEssentials

  @testable import ProsceniumCore

  /// A desktop that opens every URL.
  @MainActor final class OpeningDesktop: DesktopLink {
    var opened: [URL] = []
    func open(_ url: URL, asksUser: Bool, token: String?, completion: @escaping @MainActor (Bool) -> Void) {
      opened.append(url)
      completion(true)
    }
    nonisolated func canOpen(_ url: URL) -> Bool { true }
    func handOff(
      _ activity: StoredActivity, token: String?,
      completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void
    ) {}
  }
#endif
