import FoundationEssentials
import ProsceniumPlatform

/// The user's distributor of pushed notifications in memory, which outlasts processes.
@MainActor final class HeadlessPush: PushService {
  private static let name = "org.unifiedpush.Distributor.headless"

  /// The address that it gives; nil where there is no distributor.
  var endpoint: URL?
  private(set) var isRegistered = false
  private(set) var key: String?
  private var waiting: [@MainActor (_ isEnded: Bool) -> Void] = []
  private unowned let machine: HeadlessMachine

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// Another process begins, which has asked for nothing.
  func forgetProcess() { waiting = [] }

  func register(key: String?, distributor: String?, completion: @escaping @MainActor (DesktopFailure?) -> Void) {
    waiting.append { [weak self] isEnded in
      guard let self else { return }
      guard !isEnded else {
        return completion(DesktopFailure("the program has ended the registration before there was one"))
      }
      guard let endpoint, (distributor ?? Self.name) == Self.name else {
        return completion(DesktopFailure("there is no distributor of pushed notifications"))
      }
      (isRegistered, self.key) = (true, key)
      completion(nil)
      tell(.endpoint(endpoint))
    }
    machine.later { [weak self] in
      if let self, !waiting.isEmpty { waiting.removeFirst()(false) }
    }
  }

  func listDistributors(_ completion: @escaping @MainActor ([String]) -> Void) {
    let names = endpoint == nil ? [] : [Self.name]
    machine.later { completion(names) }
  }

  /// Sends the process what the distributor tells, where one runs.
  func tell(_ event: PushEvent) {
    guard isRegistered || event == .unregistered, machine.hasSource else { return }
    var request = IncomingRequest()
    request.push = event
    request.isBackground = true
    machine.receive(request)
  }

  func unregister() {
    isRegistered = false
    for answer in exchange(&waiting, with: []) { answer(true) }
  }
}
