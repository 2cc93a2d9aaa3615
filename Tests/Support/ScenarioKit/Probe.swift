private import Dispatch
private import FoundationEssentials
private import Glibc
package import ProsceniumCore

/// What a scenario's program is told to do by its arguments.
@MainActor package struct ScenarioOptions {
  package var isAppBased = false
  package var showsWindow = true
  /// Windows are painted by hand, with something in them that is to be hidden in the background.
  package var paints = false
  /// Windows that come back are not painted before a command says so.
  package var paintsLate = false
  package var staysAlive = false
  package var separateStores = false
  package var closePolicy = SceneConfiguration.ClosePolicy.discard
  package var closeReply = SceneCloseReply.now
  package var activationPolicy = ActivationPolicy.whenFocused
  #if !WITHOUT_Suspension
    package var suspensionPolicy = SuspensionPolicy.never
  #endif
  /// A callback by name, and what is asked for from within it, once.
  package var reactions: [(callback: String, action: Reaction)] = []

  /// A callback by name, and how long it takes, once.
  package var slow: [(callback: String, milliseconds: Int, kind: Slowness)] = []
  /// A callback by name, and how the program ends itself within it.
  package var death: (callback: String, kind: Death)?
  /// A callback by name, within which the program installs a handler of crashes that calls what it finds.
  package var crashHandler: String?
  package var replays = false
  #if !WITHOUT_Watchdog
    package var watchdogPolicy = WatchdogPolicy.report
    package var watchdogLimits = WatchdogLimits()
  #endif

  package enum Slowness: String, Sendable {
    /// Waits until the time has passed.
    case wall
    /// Waits until the watchdog's report asks this thread where it is, at most so long.
    case report
    /// Waits for a moment of the monotonic clock.
    case until
    /// Waits until the file `go` is in the program's home, at most so long.
    case file
    /// Keeps a processor busy.
    case busy
  }

  package enum Death: String, CaseIterable, Sendable {
    case trap, abort, null, overflow, exit
    /// A trap in `runBesideMainThread(_:)`, for which the callback waits.
    case trapBeside
  }

  package enum Reaction: String, CaseIterable, Sendable {
    case closeSelf, closeOther, newScene, disconnectOther, terminate, keep
  }

  package init(_ arguments: [String]) {
    for argument in arguments {
      switch argument {
      case "--app-based": isAppBased = true
      case "--no-window": showsWindow = false
      case "--paint": paints = true
      case "--paint-late": (paints, paintsLate) = (true, true)
      case "--stay": staysAlive = true
      case "--separate": separateStores = true
      case "--close-to-background": closePolicy = .background
      case "--refuse-close": closeReply = .cancel
      case "--delay-close": closeReply = .later
      case "--when-visible": activationPolicy = .whenVisible
      case "--replay": replays = true
      #if !WITHOUT_Suspension
        case "--suspend": suspensionPolicy = .whenAllInBackground
      #endif
      default:
        let parts = argument.split(separator: "=")
        if parts.count == 3, parts[0] == "--react", let action = Reaction(rawValue: String(parts[2])) {
          reactions.append((String(parts[1]), action))
        }
        if parts.count == 3, parts[0] == "--die", let kind = Death(rawValue: String(parts[2])) {
          death = (String(parts[1]), kind)
        }
        if parts.count == 2, parts[0] == "--crash-handler" { crashHandler = String(parts[1]) }
        // --slow=sceneDidEnterBackground=1500=wall
        if parts.count == 4, parts[0] == "--slow", let milliseconds = Int(parts[2]),
          let kind = Slowness(rawValue: String(parts[3]))
        {
          slow.append((String(parts[1]), milliseconds, kind))
        }
        #if !WITHOUT_Watchdog
          if parts.count == 2, parts[0] == "--watchdog" {
            watchdogPolicy = WatchdogPolicy(rawValue: String(parts[1])) ?? .report
          }
          // --limits=<launch>,<background>,<termination>,<scene update>[,<event>], in milliseconds
          if parts.count == 2, parts[0] == "--limits" {
            let limits = parts[1].split(separator: ",").compactMap { Int($0) }.map { Duration.milliseconds($0) }
            guard limits.count >= 4 else { continue }
            (watchdogLimits.launch, watchdogLimits.background) = (limits[0], limits[1])
            (watchdogLimits.termination, watchdogLimits.sceneUpdate) = (limits[2], limits[3])
            if limits.count > 4 { watchdogLimits.event = limits[4] }
          }
        #endif
      }
    }
  }
}

/// A crash reporter that is installed late, and calls the handler that it has found.
private enum ChainedHandler {
  nonisolated(unsafe) private static var found: [Int32: sigaction] = [:]

  static func install() {
    for number in [SIGSEGV, SIGABRT] where found[number] == nil {
      var (action, old) = (sigaction(), sigaction())
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      action.__sigaction_handler.sa_sigaction = { number, signal, context in
        let text: StaticString = "the late handler\n"
        _ = write(1, text.utf8Start, text.utf8CodeUnitCount)
        ChainedHandler.found[number]?.__sigaction_handler.sa_sigaction(number, signal, context)
      }
      guard sigaction(number, &action, &old) == 0, old.sa_flags & SA_SIGINFO != 0 else { continue }
      found[number] = old
    }
  }
}

/// Sees every callback of a scenario's program, and performs what commands and reactions ask for.
@MainActor package final class Probe {
  package static var current = Probe(options: ScenarioOptions([]))

  package var options: ScenarioOptions
  /// Names of the callbacks, in order.
  package private(set) var calls: [String] = []
  /// What must never happen: a callback within another.
  package private(set) var violations: [String] = []
  /// Sessions in order of appearance; scene N of a scenario is the N-th.
  package private(set) var sessions: [SceneSession] = []
  /// Panels and alerts, by session.
  package var panels: [Window] = []
  private var link: FrameLink?
  private var running: [String] = []

  package init(options: ScenarioOptions) { self.options = options }

  /// The manifest of both kinds of delegates.
  var manifest: ApplicationManifest {
    var manifest = ApplicationManifest(applicationIdentifier: "org.proscenium.Scenario")
    #if !WITHOUT_OpenRequests
      manifest.openedURLSchemes = ["note"]
    #endif
    #if !WITHOUT_Suspension
      manifest.suspensionPolicy = options.suspensionPolicy
    #endif
    #if !WITHOUT_Watchdog
      manifest.watchdogPolicy = options.watchdogPolicy
      manifest.watchdogLimits = options.watchdogLimits
    #endif
    #if !WITHOUT_OpenRequests
      manifest.shortcutItems = [ApplicationShortcutItem(type: "org.example.compose", localizedTitle: "New letter")]
    #endif
    return manifest
  }

  /// Runs the body of a callback.
  package func callback(_ name: String, _ scene: Scene? = nil) {
    calls.append(name)
    if let outer = running.last { violations.append("\(name) within \(outer)") }
    running.append(name)
    if let session = scene?.session { note(session) }
    if let index = options.reactions.firstIndex(where: { $0.callback == name }) {
      let reaction = options.reactions.remove(at: index)
      react(reaction.action, scene)
    }
    beSlow(name)
    if options.crashHandler == name { ChainedHandler.install() }
    if let death = options.death, death.callback == name { die(death.kind) }
    running.removeLast()
  }

  private func die(_ kind: ScenarioOptions.Death) {
    switch kind {
    case .trap: preconditionFailure("as the scenario says")
    case .abort: abort()
    case .null: UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 0
    case .overflow: print(overflow(0))
    case .exit: exit(1)
    case .trapBeside:
      Task.immediate { await runBesideMainThread { () -> Void in preconditionFailure("as the scenario says") } }
      while true { pause() }
    }
  }

  private func overflow(_ depth: Int) -> Int { depth < 0 ? 0 : overflow(depth + 1) + 1 }

  /// Takes the time that `--slow` says, once.
  package func beSlow(_ name: String) {
    guard let index = options.slow.firstIndex(where: { $0.callback == name }) else { return }
    let slow = options.slow.remove(at: index)
    takeTime(name, slow.milliseconds, slow.kind)
  }

  /// Says when it begins, and how long it took.
  private func takeTime(_ name: String, _ milliseconds: Int, _ kind: ScenarioOptions.Slowness) {
    print("slow \(name)")
    fflush(nil)
    let start = Self.milliseconds
    switch kind {
    case .wall: while Self.milliseconds < start + milliseconds { usleep(5000) }
    case .report:
      var rest = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
      nanosleep(&rest, nil)
    case .until: while Self.milliseconds < milliseconds { usleep(5000) }
    case .file:
      let path = getenv("HOME").map { String(cString: $0) + "/go" } ?? ""
      while access(path, F_OK) != 0, Self.milliseconds < start + milliseconds { usleep(10_000) }
    case .busy: while Self.milliseconds < start + milliseconds {}
    }
    print("took \(name) \(Self.milliseconds - start)")
    fflush(nil)
  }

  private static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// Prints what is to be opened.
  #if !WITHOUT_OpenRequests
    package func noteURLs(_ contexts: Set<OpenURLContext>) {
      for url in contexts.map(\.url.absoluteString).sorted() { print("opened \(url)") }
      fflush(nil)
    }
  #endif

  /// Prints what is to be performed.
  package func noteAction(_ item: ApplicationShortcutItem?) {
    guard let item else { return }
    print("performs \(item.type) \(item.targetContentIdentifier ?? "anywhere")")
    fflush(nil)
  }

  /// Prints the region that the user has chosen.
  func noteLocale(_ identifier: String) {
    print("locale \(identifier)")
    fflush(nil)
  }

  /// Something that only a program that is suspended and woken has to tell in order.
  package func hear(_ what: String) {
    #if !WITHOUT_Suspension
      guard options.suspensionPolicy != .never else { return }
      print("heard \(what)")
      fflush(nil)
    #endif
  }

  package func note(_ session: SceneSession) {
    if !sessions.contains(session) { sessions.append(session) }
  }

  private func react(_ action: ScenarioOptions.Reaction, _ scene: Scene?) {
    let application = Application.shared
    let own = scene?.session ?? sessions.last
    let other = application.openSessions.first { $0 !== own }
    switch action {
    case .closeSelf: if let own { application.requestSceneSessionDestruction(own) { _ in } }
    case .closeOther: if let other { application.requestSceneSessionDestruction(other) { _ in } }
    case .newScene: application.activateSceneSession(for: SceneSessionActivationRequest()) { _ in }
    case .disconnectOther: if let other { application.requestSceneDisconnection(other) { _ in } }
    case .terminate: application.terminate()
    case .keep: own?.userInfo = ["text": "kept at last"]
    }
  }

  /// Performs one command of a scenario; false if there is no such command.
  package func perform(_ command: String) -> Bool {
    let words = command.split(separator: " ").map(String.init)
    let application = Application.shared
    if words.first == "keep", words.count == 3 {
      // By identity: sessions that were never connected have no number here.
      let session = application.openSessions.first { $0.persistentIdentifier == words[1] }
      session?.userInfo = ["text": words[2]]
      return session != nil
    }
    let session = words.dropFirst().first.flatMap { Int($0) }.flatMap {
      sessions.indices.contains($0 - 1) ? sessions[$0 - 1] : nil
    }
    let window = (session?.scene as? WindowScene)?.windows.first
    switch (words.first ?? "", session) {
    case ("new", _): application.activateSceneSession(for: SceneSessionActivationRequest()) { _ in }
    case ("continue", let session?):
      application.activateSceneSession(
        for: SceneSessionActivationRequest(session: session, userActivity: UserActivity(activityType: "edit"))
      ) { _ in }
    case ("activate", let session?):
      application.activateSceneSession(for: SceneSessionActivationRequest(session: session)) { _ in }
    case ("destroy", let session?): application.requestSceneSessionDestruction(session) { _ in }
    case ("disconnect", let session?): application.requestSceneDisconnection(session) { _ in }
    case ("refresh", let session?): application.requestSceneSessionRefresh(session)
    case ("paint", _?): window?.setNeedsDisplay()
    case ("slow", _):
      options.slow.append((words[1], Int(words[2]) ?? 0, .wall))
    case ("block", _): beSlow("block")
    case ("timer", _): DispatchQueue.main.asyncAfter(deadline: .now() + 0.01) { self.beSlow("timer") }
    case ("link", _?): link = window.map { FrameLink(window: $0) { [self] _ in beSlow("link") } }
    case ("hide", _?): window?.isHidden = true
    case ("show", _?): window?.makeKeyAndVisible()
    case ("interrupt", let session?): session.scene?.beginInterruption()
    case ("resume", let session?): session.scene?.endInterruption()
    case ("answer", let session?): session.scene?.reply(toShouldClose: words.last == "yes")
    case ("panel", let session?):
      guard let scene = session.scene as? WindowScene else { return false }
      let panel = Window(windowScene: scene)
      panels.append(panel)
      panel.makeKeyAndVisible()
    case ("terminate", _): application.terminate()
    // What other programs ask for; "open" alone is for the program itself.
    case ("open", _):
      var request = IncomingRequest()
      request.urls = words.dropFirst().compactMap { URL(string: $0) }
      application.conductor?.post(.request(request))
    case ("hand-over", _):
      var request = IncomingRequest()
      request.activity = .whole(StoredActivity(activityType: words.last ?? ""))
      application.conductor?.post(.request(request))
    case ("hand-over-badly", _):
      var request = IncomingRequest()
      request.activity = .failed(type: words.last ?? "", reason: "the scenario says so")
      application.conductor?.post(.request(request))
    case ("perform", _):
      var request = IncomingRequest()
      request.shortcut = application.resolvedManifest.openable.shortcutItems.item(named: words.last ?? "")
      application.conductor?.post(.request(request))
    case ("start-again", _):
      var request = IncomingRequest()
      request.arguments = Array(words.dropFirst())
      application.conductor?.post(.request(request))
    case ("refresh-all", _): for session in application.openSessions { application.requestSceneSessionRefresh(session) }
    case ("copy", _): Pasteboard.general.setString(words.dropFirst().joined(separator: " "))
    case ("grace", _): application.holdTimes.suspension = .milliseconds(words.last.flatMap { Int($0) } ?? 5000)
    // Its answer says that everything before it has been done.
    case ("nothing", _): break
    default: return false
    }
    return true
  }
}
