package import FoundationEssentials
import Glibc
package import ProsceniumPlatform
import Synchronization

/// The services of the desktop environment: opens URLs, shows notices, and reaches other instances of the program.
@MainActor package final class DesktopServices: DesktopLink {
  /// The schemes that the program opens itself.
  private nonisolated let ownSchemes = Mutex<Set<String>>([])
  private nonisolated let handlers: SchemeHandlers
  /// Notices to the user.
  package let notices = NoticeSource()
  /// Messages that the program's server pushes.
  package let push: PushSource
  private var opener: URLOpener?
  private var instance: InstanceService?

  init(environment: [String: String]) {
    handlers = SchemeHandlers(folders: DataFolders(environment))
    push = PushSource(environment: environment)
  }

  /// Begins a launch; called again when there is a session bus.
  func begin(
    bus: Bus?, services: DisplayServices? = nil, instance: InstanceService?, schemes: Set<String>, host: any SystemHost
  ) {
    self.instance = instance
    ownSchemes.withLock { $0 = Set(schemes.map { $0.lowercased() }) }
    // Never replaced, because it has open requests.
    if opener == nil { opener = URLOpener(host: host) }
    opener?.bus = bus
    opener?.services = services
  }

  package func open(
    _ url: URL, asksUser: Bool, token: String?, completion: @escaping @MainActor (Bool) -> Void
  ) {
    guard let opener else { return completion(false) }
    opener.open(url, asksUser: asksUser, token: token, completion: completion)
  }

  package nonisolated func canOpen(_ url: URL) -> Bool {
    guard let scheme = url.scheme?.lowercased() else { return false }
    if url.isFileURL { return url.isFileHere && access(url.path, F_OK) == 0 }
    return ownSchemes.withLock { $0.contains(scheme) } || handlers.hasHandler(for: scheme)
  }

  package func handOff(
    _ activity: StoredActivity, token: String?,
    completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void
  ) {
    guard let bus = opener?.bus, let instance else {
      return completion(.failure(DesktopFailure("there is no session bus that others could be reached on")))
    }
    guard let text = ActivityText.write(activity) else {
      return completion(.failure(DesktopFailure("the activity cannot be written as a text")))
    }
    let values: [BusValue] = [
      .string(activity.activityType), .string(text),
      .options(PlatformData.entries(token: token)),
    ]
    bus.call(BusDaemon.name, BusDaemon.member("ListNames")) { result in
      switch result {
      case .failure(let failure): completion(.failure(DesktopFailure("\(failure)")))
      case .success(let answer):
        let names = (answer.first?.elements ?? []).compactMap(\.text)
          .filter { instance.name.includes($0) && $0 != instance.ownName }
        Self.send(values, to: names.sorted { ($0.count, $0) < ($1.count, $1) }, of: instance.name, bus, completion)
      }
    }
  }

  /// Sends an activity to the first instance that takes it, and to none after one that may have taken it.
  private static func send(
    _ values: [BusValue], to names: [String], of name: InstanceName, _ bus: Bus, reason: String? = nil,
    _ completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void
  ) {
    guard let next = names.first else {
      return completion(.failure(DesktopFailure(reason ?? "no other instance of the program runs")))
    }
    let member = BusMember(path: name.path, interface: InstanceInterface.own, name: "Continue")
    bus.call(next, member, values) { result in
      switch result {
      case .success: completion(.success(()))
      case .failure(let failure):
        // An instance that did not answer may still take it.
        let others = failure.name == BusFailure.noReply.name ? [] : Array(names.dropFirst())
        send(values, to: others, of: name, bus, reason: "\(next): \(failure)", completion)
      }
    }
  }
}
