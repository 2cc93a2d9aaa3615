import FoundationEssentials
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Opens URLs in the user's preferred applications: by the desktop portal where it is present, and is that of the
/// program's display, else by `xdg-open`.
@MainActor final class URLOpener {
  typealias Completion = @MainActor (Bool) -> Void

  /// The response of a request that succeeded; 1 is the user's refusal.
  private static let success = 0

  private weak var host: (any SystemHost)?
  /// The session bus, once it is known.
  var bus: Bus?
  /// Tells whether the portal is that of the program's display, once the bus is known.
  var services: DisplayServices?
  private var isListening = false
  /// The portal, as far as it is known.
  private var owner: String?
  /// The portal's open requests, by path.
  private var requests: [String: Completion] = [:]
  /// Responses that came before the answer with the request's path.
  private var early: [String: Bool] = [:]
  private var openCalls = 0
  private var children: [pid_t: ProcessWatch] = [:]

  init(host: any SystemHost) { self.host = host }

  /// Opens a URL.
  /// - Parameters:
  ///   - url: The URL, or a file's.
  ///   - asksUser: Whether the portal asks the user for the application.
  ///   - token: The startup notification's id for the application.
  ///   - completion: Called once with whether the URL was opened.
  func open(_ url: URL, asksUser: Bool, token: String?, completion: @escaping Completion) {
    guard let bus, bus.isConnected, let (method, value) = request(url) else {
      return spawn(url, token, completion)
    }
    guard let services else { return call(bus, method, value, url, asksUser, token, completion) }
    services.find(Portal.name) { [weak self] isOurs in
      guard let self else { return }
      guard isOurs else { return spawn(url, token, completion) }
      call(bus, method, value, url, asksUser, token, completion)
    }
  }

  private func call(
    _ bus: Bus, _ method: String, _ value: BusValue, _ url: URL, _ asksUser: Bool, _ token: String?,
    _ completion: @escaping Completion
  ) {
    subscribe(bus)
    var options: [String: BusValue] = [:]
    if let token { options["activation_token"] = .string(token) }
    if asksUser { options["ask"] = .bool(true) }
    openCalls += 1
    bus.call(Portal.name, Portal.member("OpenURI", method), [.string(""), value, .options(options)]) {
      [weak self] result in
      guard let self else { return }
      openCalls -= 1
      defer { if openCalls == 0 { early = [:] } }
      if case .failure(let failure) = result, failure.isAbsence { return spawn(url, token, completion) }
      // A portal that refused, or did not answer, may have opened it all the same: it is not opened twice.
      guard case .success(let values) = result, case .objectPath(let path)? = values.first else {
        return completion(false)
      }
      if let answer = early.removeValue(forKey: path) { return completion(answer) }
      requests[path] = completion
    }
  }

  /// The portal's method and its argument.
  ///
  /// The portal takes files as descriptors; nil for a file that cannot be opened.
  private func request(_ url: URL) -> (method: String, value: BusValue)? {
    guard url.isFileURL else { return ("OpenURI", .string(url.absoluteString)) }
    guard url.isFileHere else { return nil }
    guard let file = try? Descriptor(opening: url.path, O_RDONLY) else { return nil }
    return ("OpenFile", .descriptor(BusDescriptor(file)))
  }

  /// Follows responses from the first request on.
  private func subscribe(_ bus: Bus) {
    guard !isListening else { return }
    isListening = true
    bus.subscribe(BusRule(sender: Portal.name, interface: Portal.interface + ".Request", name: "Response")) {
      [weak self] in self?.responded($0)
    }
    bus.onOwner(of: Portal.name) { [weak self] in self?.ownerChanged(to: $0) }
  }

  /// A portal that is gone, and one that has been replaced, does not answer any more.
  private func ownerChanged(to owner: String?) {
    guard let old = exchange(&self.owner, with: owner), old != owner else { return }
    let lost = requests.sorted { $0.key < $1.key }
    requests = [:]
    for (_, completion) in lost { completion(false) }
  }

  private func responded(_ signal: BusSignal) {
    let isDone = signal.values.first?.integer == Self.success
    if let completion = requests.removeValue(forKey: signal.member.path) {
      completion(isDone)
    } else if openCalls > 0 {
      early[signal.member.path] = isDone
    }
  }

  /// `xdg-open` ends with zero when it has passed the URL on, or when the program that it started ends.
  private func spawn(_ url: URL, _ token: String?, _ completion: @escaping Completion) {
    guard let host else { return }
    var environment: [String: String] = [:]
    if let token { for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] { environment[name] = token } }
    guard let child = Spawn.start(["xdg-open", url.absoluteString], environment: environment) else {
      host.log("\(url.absoluteString.prefix(200)) cannot be opened: there is no portal, and no xdg-open.")
      host.after(milliseconds: 0) { completion(false) }
      return
    }
    children[child] = try? ProcessWatch(child, host: host) { [weak self] in
      self?.children[child] = nil
      var status: Int32 = 0
      let ended = waitpid(child, &status, WNOHANG)
      // Where SIGCHLD is ignored, or another part of the process waits for all children, its status is not known.
      completion(ended == child ? status == 0 : errno == ECHILD)
    }
    // On a kernel without process descriptors its end is not seen.
    if children[child] == nil { host.after(milliseconds: 0) { completion(true) } }
  }
}
