import FoundationEssentials
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Has URLs opened by other programs: through the desktop portal where there is one, else by `xdg-open`.
@MainActor final class URLOpener {
  typealias Completion = @MainActor (Bool) -> Void

  private static let portal = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"
  private static let requestInterface = "org.freedesktop.portal.Request"

  private weak var host: (any SystemHost)?
  /// The session bus, once there is one.
  var bus: Bus?
  private var isListening = false
  /// Requests that the portal works on, by their paths.
  private var requests: [String: Completion] = [:]
  /// Answers that came before it was known to what.
  private var early: [String: Bool] = [:]
  private var callsUnderWay = 0
  private var children: [pid_t: ProcessWatch] = [:]

  init(host: any SystemHost) { self.host = host }

  func open(_ url: URL, asksUser: Bool, token: String?, completion: @escaping Completion) {
    guard let bus, bus.isConnected, let (method, value) = question(url) else {
      return spawn(url, token, completion)
    }
    listen(bus)
    var options: [String: BusValue] = [:]
    if let token { options["activation_token"] = .string(token) }
    if asksUser { options["ask"] = .bool(true) }
    let member = BusMember(path: Self.path, interface: "org.freedesktop.portal.OpenURI", name: method)
    callsUnderWay += 1
    bus.call(Self.portal, member, [.string(""), value, .options(options)]) { [weak self] result in
      guard let self else { return }
      callsUnderWay -= 1
      defer { if callsUnderWay == 0 { early = [:] } }
      if case .failure(let failure) = result, Self.isAbsent(failure) { return spawn(url, token, completion) }
      // Whoever has been asked and said no, or nothing, may have opened it all the same: nobody else is asked.
      guard case .success(let values) = result, case .objectPath(let path)? = values.first else {
        return completion(false)
      }
      if let answer = early.removeValue(forKey: path) { return completion(answer) }
      requests[path] = completion
    }
  }

  /// Whether there is no portal, or one that does not do this: then nobody has been asked yet.
  private static func isAbsent(_ failure: BusFailure) -> Bool {
    let prefix = "org.freedesktop.DBus.Error."
    guard failure.name.hasPrefix(prefix) else { return false }
    let name = failure.name.dropFirst(prefix.count)
    return name.hasPrefix("Spawn.")
      || ["ServiceUnknown", "NameHasNoOwner", "UnknownObject", "UnknownInterface", "UnknownMethod"].contains(name)
  }

  /// The portal takes files as descriptors only; nil for one that cannot be opened.
  private func question(_ url: URL) -> (method: String, value: BusValue)? {
    guard url.isFileURL else { return ("OpenURI", .string(url.absoluteString)) }
    guard url.isFileHere else { return nil }
    let descriptor = Glibc.open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    return ("OpenFile", .descriptor(BusDescriptor(descriptor)))
  }

  /// From the first question on; a portal that goes in the middle answers nothing any more.
  private func listen(_ bus: Bus) {
    guard !isListening else { return }
    isListening = true
    bus.subscribe(BusRule(sender: Self.portal, interface: Self.requestInterface, name: "Response")) { [weak self] in
      self?.heard($0)
    }
    bus.onOwner(of: Self.portal) { [weak self] owner in
      guard let self, owner == nil else { return }
      let lost = requests.sorted { $0.key < $1.key }
      requests = [:]
      for (_, completion) in lost { completion(false) }
    }
  }

  private func heard(_ signal: BusSignal) {
    // 0 is success, 1 is the user's refusal.
    let isDone = signal.values.first?.integer == 0
    if let completion = requests.removeValue(forKey: signal.member.path) {
      completion(isDone)
    } else if callsUnderWay > 0 {
      early[signal.member.path] = isDone
    }
  }

  /// `xdg-open` ends with zero once it has handed the URL on, or when the program that it has started ends.
  private func spawn(_ url: URL, _ token: String?, _ completion: @escaping Completion) {
    guard let host else { return }
    var environment: [String: String] = [:]
    if let token { for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] { environment[name] = token } }
    guard let child = Spawn.start(["xdg-open", url.absoluteString], environment: environment) else {
      host.log("\(url.absoluteString.prefix(200)) cannot be opened: there is no portal, and no xdg-open.")
      host.after(milliseconds: 0) { completion(false) }
      return
    }
    children[child] = ProcessWatch(child, host: host) { [weak self] in
      self?.children[child] = nil
      var status: Int32 = 0
      completion(waitpid(child, &status, WNOHANG) == child && status == 0)
    }
    // A kernel without process descriptors: it runs, and nobody hears of its end.
    if children[child] == nil { host.after(milliseconds: 0) { completion(true) } }
  }
}
