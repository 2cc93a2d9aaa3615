import ProsceniumLoop
package import ProsceniumPlatform

/// The events and services of D-Bus: the login session, screen savers, settings, other programs, the desktop
/// environment, and what is observed on request.
///
/// Without sd-bus, or without a bus, there are none.
@MainActor package final class BusSource: SystemSource {
  /// The variables of the environment that it reads at a launch.
  package static let variables =
    BusAddress.variables + DesktopInstaller.variables + WorkSource.variables
    + ["DISPLAY", "XDG_SESSION_ID", "SNAP", PushSource.preference]
  /// How long a launch waits until it is known whether the user is present; that is known within a few milliseconds.
  package static let presenceTimeout = Duration.milliseconds(100)

  /// The services of the desktop environment.
  package let desktop: DesktopServices
  /// What is observed on request.
  package let requested: RequestedSources
  /// Describes the program when it is launched; without a description other programs cannot reach it by name.
  package var instance: (@MainActor () -> InstanceDescription?)?

  /// Answers the key of the program's notices that is kept, and keeps the new one where none is: see ``NoticeKey``.
  package var keptNoticeKey: (@MainActor (_ new: String?) -> String?)?

  private let environment: [String: String]
  private let processFolder: String
  private var buses: [Bus] = []
  private var login: LoginSource?
  private var desktopSources: [AnyObject] = []
  private var service: InstanceService?
  private lazy var noticeKey = NoticeKey { [weak self] in self?.keptNoticeKey?($0) }
  private var firstRequest: FirstRequest?
  private var isStopped = false
  /// The buses on which it is not known yet whether the user is present.
  private var unknown: Set<Bus.Kind> = []
  private let onInhibitor: (any SleepInhibitor) -> Void

  /// Makes a source that is not started.
  /// - Parameters:
  ///   - environment: The program's environment, as far as ``variables`` names it.
  ///   - ofInputMethods: Reads it as far as ``InputMethodSource/variables`` names it, once a text has the focus; nil
  ///     for the same one.
  ///   - processFolder: The folder of the processes, which callers are looked up in.
  ///   - thermalFolder: The folder of the kernel's thermal zones.
  ///   - onInhibitor: Called once with the object that delays sleep and shutdown.
  package init(
    environment: [String: String], ofInputMethods: (@MainActor () -> [String: String])? = nil,
    processFolder: String = "/proc", thermalFolder: String = ThermalZone.folder,
    onInhibitor: @escaping (any SleepInhibitor) -> Void
  ) {
    self.environment = environment
    self.processFolder = processFolder
    self.onInhibitor = onInhibitor
    requested = RequestedSources(
      thermalFolder: thermalFolder, program: try? DesktopInstaller.startPath(environment),
      environment: environment,
      ofInputMethods: ofInputMethods ?? { environment })
    desktop = DesktopServices(environment: environment)
  }

  /// Starts the source: the buses are connected once the first windows have been requested, so that those are not later
  /// for it.
  ///
  /// Scenes become active when it is known whether the user is present, that the screen is not locked for example.
  package func start(_ host: any SystemHost) {
    let description = instance?()
    requested.start(host)
    desktop.notices.start(host)
    desktop.push.start(host)
    desktop.begin(bus: nil, instance: nil, schemes: description?.schemes ?? [], host: host)
    let buses = [Bus.Kind.system, .session].compactMap { Bus($0, environment: environment, host: host) }
    unknown = Set(buses.filter(\.isThere).map(\.kind))
    if !unknown.isEmpty {
      // On another thread, which is done by the time that the windows have been requested.
      BusLibrary.prepare()
      host.post(.firstWord(isAwaited: true))
    }
    if let description, description.awaitsRequest, InstanceName(identifier: description.identifier) != nil,
      unknown.contains(.session)
    {
      firstRequest = FirstRequest(host: host)
    }
    host.after(milliseconds: 0) { [weak self, weak host] in
      guard let self, let host, !isStopped else { return }
      for bus in buses { open(bus, description, host) }
      requested.secrets.ready()
      if !buses.contains(where: { $0.kind == .session }) {
        desktop.notices.use(nil)
        desktop.push.use(nil)
      }
      host.after(milliseconds: Self.presenceTimeout.milliseconds) { [weak self] in
        guard let self else { return }
        // A process that got no processor for so long has answers that it has not heard.
        for bus in buses { bus.catchUp { [weak self] in self?.unknown.contains(bus.kind) == true } }
        for kind in unknown { becameKnown(kind, host) }
      }
    }
  }

  package func stop() {
    isStopped = true
    requested.stop()
    for bus in buses { bus.disconnect() }
  }

  private func becameKnown(_ kind: Bus.Kind, _ host: any SystemHost) {
    guard unknown.remove(kind) != nil, unknown.isEmpty else { return }
    host.post(.firstWord(isAwaited: false))
  }

  private func open(_ bus: Bus, _ description: InstanceDescription?, _ host: any SystemHost) {
    buses.append(bus)
    let onPresenceKnown: @MainActor () -> Void = { [weak self, weak host] in
      if let self, let host { becameKnown(bus.kind, host) }
    }
    switch bus.kind {
    case .system:
      let login = LoginSource(
        bus: bus, sessionID: environment["XDG_SESSION_ID"], host: host, onPresenceKnown: onPresenceKnown)
      self.login = login
      onInhibitor(login.inhibitor)
    case .session:
      let objects = BusObjects(bus: bus, host: host)
      let services = DisplayServices(bus: bus, display: environment["DISPLAY"], processFolder: processFolder)
      service = description.flatMap {
        let callers = CallerApplication(folder: processFolder, ownIdentifier: $0.identifier)
        requested.handoff.use(
          bus, objects, developer: HandoffDeveloper(application: $0.identifier), callers: callers)
        return InstanceService(
          bus: bus, objects: objects, description: $0, callers: callers, handoff: requested.handoff,
          noticeKey: noticeKey, firstRequest: firstRequest, host: host)
      }
      if let service { desktop.push.answer(on: objects, of: service) }
      requested.mediaPlayer.use(bus, objects)
      requested.panelMenus.use(bus, objects)
      desktop.begin(
        bus: bus, services: services, instance: service, schemes: description?.schemes ?? [], host: host)
      requested.dialogs.use(services)
      desktopSources = [
        ScreenSaverSource(
          bus: bus, services: services, host: host,
          locksAreReported: { [weak self] in self?.login?.reportsLocks == true }, onPresenceKnown: onPresenceKnown),
        SettingsSource(bus: bus, host: host), ScreenSaverInhibitor(bus: bus, host: host),
      ]
    }
    requested.use(bus)
    bus.connect()
    if bus.kind == .session {
      desktop.notices.use(bus) { [weak self] in self?.noticeRoutes(bus, description, host) ?? [] }
      desktop.push.use(bus)
    }
    guard !bus.isConnected else { return }
    onPresenceKnown()
    if bus.kind == .session { firstRequest?.end() }
  }

  /// The ways for notices.
  ///
  /// The portal shows those of a program that it knows: in a sandbox, or by the control group that the desktop has
  /// started it in, which is where it looks, too.
  private func noticeRoutes(
    _ bus: Bus, _ description: InstanceDescription?, _ host: any SystemHost
  ) -> [any NoticeRoute] {
    let callers = CallerApplication(folder: processFolder, ownIdentifier: host.applicationIdentifier)
    // A packager may have named the entry by the id itself.
    let isInstalled = callers.ownControlGroup == host.desktopIdentifier
    let identifier = isInstalled ? host.desktopIdentifier : host.applicationIdentifier
    let portal = NotificationPortal(bus: bus, host: host, key: noticeKey) { [weak self] in
      self?.service.map { $0.ownName == identifier } ?? false
    }
    if callers.isSandboxed || environment["SNAP"] != nil { return [portal] }
    let server = NotificationServer(bus: bus, host: host) { [weak notices = desktop.notices] in notices?.onClosed?($0) }
    return callers.ownControlGroup == identifier ? [portal, server] : [server, portal]
  }
}

extension BusSource: PanelMenuProvider {
  package var panelMenus: any PanelMenuService { requested.panelMenus }
}
