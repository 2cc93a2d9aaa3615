import ProsceniumLoop
package import ProsceniumPlatform

/// Start-up: two serial round trips, whatever the number of windows, and two more where windows are placed on the
/// screens: RandR answers no query before its version is agreed on, and the monitors' names can be queried only after
/// their atoms have arrived.
extension X11Platform {
  /// How long after the start the user's settings are asked for.
  private static let settingsDelay = Duration.milliseconds(400)

  package func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription] {
    guard components == nil else { throw PlatformError("the X11 platform has been started already.") }
    guard loop.canWake else { throw PlatformError("no file descriptors are left for the event loop.") }
    BrokenPipe.tolerate()
    let server = try XServer(display: display)
    if loop.hosting == .program { loop.catchTerminationSignals() }
    let plan = sessionManager.flatMap { SessionManagerPlan($0, identity) }
    let launch = StartupNotification.removeFromEnvironment()
    let batch = Batch()
    let components = X11Components(
      X11Context(
        loop: loop, server: server, windows: WindowTable(loop, server, batch), batch: batch, identity: identity))
    components.sessionManager.plan = plan
    let isManaged = try server.setUp(
      AtomName.atStart + (launch == nil ? [] : AtomName.forStartup) + (plan == nil ? [] : [.smClientID]))
    self.components = components
    source = loop.watch(
      LoopSource(descriptor: server.connection.fileDescriptor, interest: .readable) { _ in }, stage: .input)

    components.windows.writer.createLeader()
    components.sessionManager.writePreviousID()
    if let launch {
      components.startup.begin(launch)
      components.startup.write(launch, to: server.leader)
    }
    components.manager.selectRootEvents()
    components.settings.readResources()
    components.input.pointer.devices.begin()
    components.context.windows.apply(.windowManager(present: isManaged, name: nil))
    if isManaged { components.manager.restart() }
    components.screens.begin()
    components.monitors.refresh()
    if identity.needsScreens { components.monitors.await() }
    if loop.hosting == .program { loop.set(.settings, after: Self.settingsDelay) }
    server.connection.flush()
    components.sessionManager.open()
    // The screens of the launch do not connect: the first event about them does.
    return components.screens.current.map { screen in
      var screen = screen
      screen.isProvisional = server.extensions.has(.randr)
      return screen
    }
  }

  // MARK: Suspension
  // While the program is suspended the loop waits for the server, signals and other sources alone. Nothing of the
  // program runs, and the server is asked for no events but those that can show a window again.

  func suspend() {
    guard !loop.isSuspended else { return }
    loop.suspend { $0.isPausedBySuspension }
    guard let components, !components.server.isLost else { return }
    for window in components.context.windows.all { components.input.selectPointer(for: window, isWanted: false) }
    components.manager.suspend()
  }

  func resume() {
    guard loop.isSuspended else { return }
    loop.resume()
    guard let components, !components.server.isLost else { return }
    for window in components.context.windows.all { components.input.selectPointer(for: window, isWanted: true) }
    guard components.manager.resume() else { return }
    components.settings.readResources()
    components.input.keyboard.maps.layoutChanged()
    components.manager.restart()
  }
}
