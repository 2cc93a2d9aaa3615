import CXCB
import DeskSupport
import Glibc
import ProsceniumDesk
import SceneObserver
import SuiteSupport
import Testing

/// An observer in a loop of the test's own.
private final class Watch {
  let observer: SceneObserver
  private(set) var changes: [SceneObserver.Change] = []
  /// How often the descriptor has woken the loop.
  private(set) var wakeCount = 0

  init(_ observer: SceneObserver) { self.observer = observer }

  convenience init(display: String) throws { self.init(try SceneObserver(display: display)) }

  /// The states that a window has gone through since the last call.
  func takeStates(of window: UInt32) -> [ActivationState] {
    defer { changes.removeAll { $0.window == window } }
    return changes.filter { $0.window == window }.map(\.state)
  }

  /// Waits for the descriptor, at most so long; whether it could be read.
  @discardableResult func turn(milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: observer.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return false }
    wakeCount += 1
    changes += observer.dispatch()
    return true
  }

  /// Runs until something is true; whether it became so within a minute.
  func run(until condition: () -> Bool) -> Bool {
    let limit = ContinuousClock.now + .seconds(60)
    while !condition() {
      if ContinuousClock.now > limit { return false }
      turn(milliseconds: 20)
    }
    return true
  }

  /// Runs until nothing comes for a second; whether that is so within ten minutes.
  ///
  /// A window manager that gets no processor may say the rest of what it has to say after a while.
  func rests() -> Bool { (0..<600).contains { _ in !turn(milliseconds: 1000) } }

  /// Runs until nothing more comes for longer than every hold but that of another window manager.
  func settle() { while turn(milliseconds: 600) {} }
}

extension OwnServer {
  /// Windows of another client under real window managers: what the observer says against what the server says.
  @Suite("The states of windows of others", .enabled(if: Requirement.server)) struct SceneObserverTests {
    @Test("follow the server, step by step, under each window manager", arguments: windowManagers)
    func follow(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let (desk, client) = (desktop.desk, desktop.desk.client)
      // Given one window that was there before the observer, and one that came after it
      let first = client.makeWindow()
      try await desk.waitUntil("the first window") { client.truth(first).isViewable }
      let watch = try Watch(display: desktop.server.display)
      watch.observer.observe(first)
      #expect(watch.run { watch.observer.state(of: first) >= .foregroundInactive })
      let second = client.makeWindow(x: 500, y: 400)
      watch.observer.observe(second)
      #expect(watch.run { watch.observer.state(of: second) >= .foregroundInactive })
      func agrees() -> Bool {
        [first, second].allSatisfy { "\(watch.observer.state(of: $0))" == client.truth($0).expectedState.rawValue }
      }
      #expect(watch.run(until: agrees))
      // When the focus goes from one to the other
      for window in [first, second, first] {
        watch.settle()
        _ = (watch.takeStates(of: first), watch.takeStates(of: second))
        desk.focus(window)
        #expect(watch.run { watch.observer.state(of: window) == .foregroundActive && agrees() }, "\(watch.changes)")
        watch.settle()
        let other = window == first ? second : first
        #expect([[], [.foregroundInactive]].contains(watch.takeStates(of: other)))
        #expect([[], [.foregroundActive]].contains(watch.takeStates(of: window)))
      }
      // When it is hidden by the user, and comes back
      if kind.reasonAgainst(.iconify) == nil {
        watch.settle()
        _ = watch.takeStates(of: first)
        try desk.minimize(first)
        #expect(watch.run { watch.observer.state(of: first) == .background && agrees() })
        #expect(watch.takeStates(of: first) == [.foregroundInactive, .background])
        desk.restore(first)
        #expect(watch.run { watch.observer.state(of: first) >= .foregroundInactive && agrees() })
      }
      // When it is hidden by its program, and shown again
      xcb_unmap_window(client.connection, second)
      client.sync()
      #expect(watch.run { watch.observer.state(of: second) == .background })
      xcb_map_window(client.connection, second)
      client.sync()
      #expect(watch.run { watch.observer.state(of: second) >= .foregroundInactive && agrees() })
      // When the window manager dies and another one comes
      if kind != .none {
        try await desktop.killWindowManager(9)
        watch.settle()
        #expect(watch.run(until: agrees))
        try await desktop.startWindowManager(kind)
        watch.settle()
        #expect(watch.run(until: agrees))
      }
      // When it is destroyed, and its program dies
      _ = watch.takeStates(of: first)
      client.destroy(first)
      #expect(watch.run { watch.observer.state(of: first) == .unattached && watch.observer.isMissing(first) })
      #expect(watch.takeStates(of: first).last == .unattached)
      #expect(watch.observer.isConnected)
    }

    @Test("A focus that moves while it is asked about is where it has come to, whenever it moves")
    func focusMovesMeanwhile() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      for turns in 0..<6 {
        // Given a window with the focus in a window of its own, and another one
        let first = client.makeWindow()
        let child = xcb_generate_id(client.connection)
        xcb_create_window(
          client.connection, 0, child, first, 0, 0, 50, 50, 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, 0,
          nil)
        xcb_map_window(client.connection, child)
        let second = client.makeWindow(x: 800, y: 600)
        desktop.desk.focus(child)
        let watch = try Watch(display: desktop.server.display)
        watch.observer.observe(second)
        #expect(watch.run { watch.observer.state(of: second) == .foregroundInactive })
        watch.settle()
        // When the focus moves after so many turns, and the answers until then are read with that
        watch.observer.observe(first)
        for _ in 0..<turns { watch.turn(milliseconds: 50) }
        for _ in 0..<3 { client.sync() }
        desktop.desk.focus(second)
        #expect(watch.run { watch.observer.state(of: first) >= .foregroundInactive })
        watch.settle()
        // Then it is known
        #expect(watch.observer.state(of: second) == .foregroundActive, "after \(turns) turns: \(watch.changes)")
        #expect(watch.observer.state(of: first) == .foregroundInactive, "after \(turns) turns: \(watch.changes)")
        for window in [first, second] { client.destroy(window) }
      }
    }

    @Test("A flood of events is handled a part at a time, and the descriptor says that there is more")
    func flood() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let window = client.makeWindow()
      let watch = try Watch(display: desktop.server.display)
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
      watch.settle()
      let (name, type) = (client.atom("WM_NAME"), client.atom("STRING"))
      for _ in 1...25_000 {
        xcb_change_property(client.connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, name, type, 8, 1, "a")
      }
      client.sync()
      // What is there is more than one turn may take.
      for _ in 1...3 { #expect(watch.turn(milliseconds: 60_000)) }
      client.destroy(window)
      #expect(watch.run { watch.observer.state(of: window) == .unattached })
    }

    @Test("A window under the pointer is not the one that is used where one has the focus that is not observed")
    func pointerElsewhere() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let (other, window) = (client.makeWindow(), client.makeWindow(x: 500, y: 400))
      desktop.desk.movePointer(x: 600, y: 475)
      desktop.desk.focus(other)
      let watch = try Watch(display: desktop.server.display)
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
      watch.settle()
      #expect(watch.observer.state(of: window) == .foregroundInactive)
    }

    @Test("A window that hides and comes back within the hold stays where it is")
    func held() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let client = desktop.desk.client
      let window = client.makeWindow()
      let watch = try Watch(display: desktop.server.display)
      watch.observer.holdTimes.background = .seconds(3600)
      watch.observer.holdTimes.inactive = .seconds(3600)
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) == .foregroundActive })
      watch.settle()
      _ = watch.takeStates(of: window)
      for _ in 1...5 {
        xcb_unmap_window(client.connection, window)
        client.sync()
        watch.turn(milliseconds: 1000)
        xcb_map_window(client.connection, window)
        client.sync()
      }
      watch.settle()
      #expect(!watch.takeStates(of: window).contains(.background))
    }

    @Test("Without holds the steps of a scene come in their order, also where another scene takes the focus meanwhile")
    func withoutHolds() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let windows = [client.makeWindow(), client.makeWindow(x: 500, y: 400)]
      let watch = try Watch(display: desktop.server.display)
      watch.observer.holdTimes = .none
      for window in windows { watch.observer.observe(window) }
      desktop.desk.focus(windows[0])
      #expect(watch.run { watch.observer.state(of: windows[0]) == .foregroundActive })
      watch.settle()
      // Both are there when the observer looks next
      xcb_unmap_window(client.connection, windows[0])
      desktop.desk.focus(windows[1])
      #expect(
        watch.run {
          watch.observer.state(of: windows[0]) == .background
            && watch.observer.state(of: windows[1]) == .foregroundActive
        })
      var states: [UInt32: ActivationState] = [:]
      for change in watch.changes {
        #expect(change.previous == states[change.window, default: .unattached], "\(watch.changes)")
        states[change.window] = change.state
      }
    }

    @Test("All managed windows are found, few wake-ups are enough for a change of the focus, and none comes at rest")
    func many() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let (desk, client) = (desktop.desk, desktop.desk.client)
      let windows = (0..<200).map { _ in client.makeWindow() }
      let watch = try Watch(display: desktop.server.display)
      watch.observer.observesManagedWindows = true
      // openbox puts some of them below the screen's edge, where nobody sees them.
      #expect(watch.run { windows.allSatisfy { watch.observer.state(of: $0) >= .background } })
      #expect(watch.rests())
      let other = try #require(windows.first { watch.observer.state(of: $0) == .foregroundInactive })
      let (before, changes) = (watch.wakeCount, watch.changes.count)
      desk.focus(other)
      #expect(watch.run { watch.observer.state(of: other) == .foregroundActive })
      watch.settle()
      // One window's step and the other one's; what the window manager writes then wakes the observer, too.
      #expect(watch.changes.count - changes <= 2 && watch.wakeCount - before < 40)
    }

    @Test("Of a thousand windows one wakes it once for each event, and twice where the value is asked for")
    func wakeUps() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let windows = (0..<Int16(1000)).map { (number: Int16) -> UInt32 in
        let (column, row) = (number % 40, number / 40)
        return client.makeWindow(x: column * 26, y: row * 26, width: 20, height: 20)
      }
      let watch = try Watch(display: desktop.server.display)
      watch.observer.holdTimes = .none
      for window in windows { watch.observer.observe(window) }
      #expect(watch.run { windows.allSatisfy { watch.observer.state(of: $0) >= .foregroundInactive } })
      watch.settle()
      let before = watch.wakeCount
      for window in windows.prefix(20) {
        client.setProperty(window, "_OTHER", type: "STRING", format: 8, bytes: [1])
        client.sync()
        #expect(watch.turn(milliseconds: 60_000))
        xcb_unmap_window(client.connection, window)
        client.sync()
        #expect(watch.turn(milliseconds: 60_000))
        #expect(watch.observer.state(of: window) == .background)
      }
      watch.settle()
      #expect(watch.wakeCount - before == 40)
      for (number, window) in windows.suffix(20).enumerated() {
        client.setProperty(window, "_NET_WM_NAME", type: "UTF8_STRING", format: 8, bytes: [UInt8(65 + number)])
        client.sync()
        #expect(watch.run { watch.observer.title(of: window).utf8.elementsEqual([UInt8(65 + number)]) })
      }
      watch.settle()
      #expect(watch.wakeCount - before <= 80)
    }

    @Test("Numbers that are no windows, windows that vanish, and a server that ends are told, and nothing fails")
    func vanishing() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let watch = try Watch(display: desktop.server.display)
      for wild in [0, 1, client.root, .max, 0x7fff_0000] { watch.observer.observe(wild) }
      #expect(watch.run { watch.observer.isMissing(.max) && watch.observer.isMissing(0) })
      #expect(watch.run { watch.observer.isMissing(client.root) })
      for _ in 1...200 {
        let window = client.makeWindow()
        watch.observer.observe(window)
        client.destroy(window)
        watch.turn(milliseconds: 1)
      }
      let window = client.makeWindow()
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
      #expect(watch.changes.allSatisfy { $0.previous != $0.state })
      // Observed no longer: it walks to its end, and its events are not heard of
      watch.observer.stopObserving(window)
      #expect(watch.run { watch.changes.last { $0.window == window }?.state == .unattached })
      #expect(watch.observer.state(of: window) == .unattached && watch.takeStates(of: window).last == .unattached)
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
      try await desktop.server.kill()
      #expect(watch.run { !watch.observer.isConnected })
      #expect(watch.observer.state(of: window) == .unattached && watch.takeStates(of: window).last == .unattached)
      #expect(watch.observer.lossReason?.isEmpty == false)
      // And a loop that waits for it sleeps, whatever is asked for
      watch.observer.observe(window)
      #expect(watch.rests())
    }

    @Test("A window that is asked about late is followed at once as the frame of another")
    func lateFrames() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let frame = client.makeWindow()
      let window = client.makeWindow { xcb_reparent_window(client.connection, $0, frame, 0, 0) }
      let watch = try Watch(display: desktop.server.display)
      watch.observer.observe(window)
      // Each is asked about before the frame is.
      for missing in 1...4000 { watch.observer.observe(UInt32(missing)) }
      watch.observer.observe(frame)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
      xcb_unmap_window(client.connection, frame)
      client.sync()
      #expect(watch.run { watch.observer.isMissing(4000) && watch.observer.state(of: frame) == .background })
      watch.settle()
      #expect(watch.observer.state(of: window) == .background)
    }

    @Test("Windows that are observed no longer before they are asked about are passed over, however many")
    func passedOver() async throws {
      let desktop = try await PrivateDesktop(.none)
      let window = desktop.desk.client.makeWindow()
      let watch = try Watch(display: desktop.server.display)
      for missing in UInt32(1)...50_000 { watch.observer.observe(missing) }
      for missing in UInt32(1)...50_000 { watch.observer.stopObserving(missing) }
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
    }

    @Test("A connection of the program's keeps the events that it has selected, and its own queue")
    func shared() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let connection = try #require(xcb_connect(desktop.server.display, nil))
      defer { xcb_disconnect(connection) }
      let own = XCB_EVENT_MASK_KEY_PRESS.rawValue | XCB_EVENT_MASK_EXPOSURE.rawValue
      let window = try makeWindow(connection, x: 10, events: own)
      xcb_map_window(connection, window)
      let observer = try SceneObserver(connection: connection)
      observer.observe(window)
      var changes: [SceneObserver.Change] = []
      var exposures = 0
      func run(until state: ActivationState) -> Bool {
        let limit = ContinuousClock.now + .seconds(60)
        while observer.state(of: window) != state, ContinuousClock.now < limit {
          changes += turn(connection, observer) {
            if Int32($0.pointee.response_type & 0x7F) == XCB_EXPOSE { exposures += 1 }
          }
        }
        return observer.state(of: window) == state
      }
      #expect(run(until: .foregroundActive))
      try desktop.desk.minimize(window)
      #expect(run(until: .background))
      desktop.desk.restore(window)
      #expect(run(until: .foregroundActive))
      #expect(exposures > 0)
      let found = xcb_get_window_attributes_reply(connection, xcb_get_window_attributes(connection, window), nil)
      #expect((found?.pointee.your_event_mask ?? 0) & own == own)
      free(found)
    }

    @Test(
      "An untrusted observer sees windows of untrusted programs", arguments: [WindowManager.openbox, .xfwm4, .metacity])
    func untrusted(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      // As through `ssh -X`: no event of a frame comes.
      let proxy = try XProxy(forUntrusted: desktop.server)
      let watch = try Watch(display: proxy.display)
      let client = try XClient(display: proxy.display)
      let window = client.makeWindow { id in
        watch.observer.observe(id)
        #expect(watch.run { watch.observer.state(of: id) == .background })
      }
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
      try desktop.desk.minimize(window)
      #expect(watch.run { watch.observer.state(of: window) == .background })
      desktop.desk.restore(window)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
    }

    @Test("A window that is observed again at once is known as if it had not been observed before")
    func observedAgain() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let window = client.makeWindow()
      client.setProperty(window, "_NET_WM_NAME", type: "UTF8_STRING", format: 8, bytes: Array("title".utf8))
      let watch = try Watch(display: desktop.server.display)
      watch.observer.observe(window)
      watch.observer.stopObserving(window)
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
      #expect(watch.observer.title(of: window) == "title")
    }

    @Test("The end of a window manager is known where it has framed no window")
    func managerWithoutFrames() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let window = client.makeWindow()
      // Given a window manager that has made an icon of a window, and left it mapped
      let manager = try XClient(display: desktop.server.display)
      let check = manager.makeWindow(x: 600, overrideRedirect: true)
      xcb_set_selection_owner(manager.connection, check, manager.atom("WM_S0"), 0)
      for id in [check, manager.root] {
        manager.setProperty(id, "_NET_SUPPORTING_WM_CHECK", type: "WINDOW", longs: [check])
      }
      manager.setProperty(window, "WM_STATE", type: "WM_STATE", longs: [3, 0])
      let watch = try Watch(display: desktop.server.display)
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) == .background })
      watch.settle()
      #expect(watch.observer.state(of: window) == .background)
      // When it dies, then its properties count no more
      client.killClient(of: check)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
    }

    @Test(
      "HIDDEN that a window manager left is not believed under the next one, which has not written it",
      arguments: [["_NET_WM_STATE", "_NET_WM_STATE_HIDDEN"], ["_NET_WM_STATE"]])
    func leftHidden(supported: [String]) async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let window = client.makeWindow()
      client.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [client.atom("_NET_WM_STATE_HIDDEN")])
      let watch = try Watch(display: desktop.server.display)
      watch.observer.holdTimes = .none
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
      watch.settle()
      _ = watch.takeStates(of: window)
      // When one starts that leaves the property as it is
      let manager = try XClient(display: desktop.server.display)
      let check = manager.beginToManage(supporting: supported)
      manager.setProperty(window, "WM_STATE", type: "WM_STATE", longs: [1, 0])
      watch.settle()
      #expect(!watch.takeStates(of: window).contains(.background))
      // When it dies, and another one comes
      client.killClient(of: check)
      watch.settle()
      let next = try XClient(display: desktop.server.display)
      next.beginToManage(supporting: supported)
      watch.settle()
      #expect(!watch.takeStates(of: window).contains(.background))
      #expect(watch.observer.state(of: window) >= .foregroundInactive)
      // When it hides the window, then that counts where it says that it does so
      next.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [])
      watch.settle()
      next.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [next.atom("_NET_WM_STATE_HIDDEN")])
      if supported.count > 1 {
        #expect(watch.run { watch.observer.state(of: window) == .background })
      } else {
        watch.settle()
        #expect(watch.observer.state(of: window) >= .foregroundInactive)
      }
    }

    @Test("HIDDEN that is found on a window in the normal state is believed under i3 alone", arguments: ["JWM", "i3"])
    func foundHidden(name: String) async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let hidden = client.atom("_NET_WM_STATE_HIDDEN")
      let manager = try XClient(display: desktop.server.display)
      manager.beginToManage(as: name, supporting: ["_NET_WM_STATE", "_NET_WM_STATE_HIDDEN"])
      let window = client.makeWindow()
      manager.setProperty(window, "WM_STATE", type: "WM_STATE", longs: [1, 0])
      manager.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [hidden])
      let watch = try Watch(display: desktop.server.display)
      watch.observer.holdTimes = .none
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) >= .background })
      watch.settle()
      if name == "i3" {
        #expect(watch.observer.state(of: window) == .background)
      } else {
        #expect(watch.observer.state(of: window) >= .foregroundInactive)
        // The first step is to the background.
        #expect(!watch.takeStates(of: window).dropFirst().contains(.background))
      }
      // When it goes, and comes again
      manager.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [])
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
      watch.settle()
      manager.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [hidden])
      #expect(watch.run { watch.observer.state(of: window) == .background })
    }

    @Test("Over a shared connection a window is known where it is that is mapped while it is asked about")
    func sharedAtOnce() async throws {
      let desktop = try await PrivateDesktop(.none)
      let connection = try #require(xcb_connect(desktop.server.display, nil))
      defer { xcb_disconnect(connection) }
      // Beyond the edge of the screen.
      let window = try makeWindow(connection, x: 3000, events: XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue)
      let observer = try SceneObserver(connection: connection)
      observer.observe(window)
      xcb_map_window(connection, window)
      xcb_flush(connection)
      var changes: [SceneObserver.Change] = []
      let limit = ContinuousClock.now + .seconds(60)
      while changes.isEmpty, ContinuousClock.now < limit { changes += turn(connection, observer) }
      #expect(changes.map(\.state) == [.background] && observer.state(of: window) == .background, "\(changes)")
    }

    /// A window over a connection that is shared with the observer.
    private func makeWindow(_ connection: OpaquePointer, x: Int16, events: UInt32) throws -> UInt32 {
      let root = try #require(xcb_setup_roots_iterator(xcb_get_setup(connection)).data).pointee.root
      let window = xcb_generate_id(connection)
      xcb_create_window(
        connection, 0, window, root, x, 10, 200, 150, 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0,
        XCB_CW_EVENT_MASK.rawValue, [events])
      return window
    }

    /// A turn of a program's own loop, which hands the events of its connection to the observer.
    private func turn(
      _ connection: OpaquePointer, _ observer: SceneObserver,
      _ hear: (UnsafeMutablePointer<xcb_generic_event_t>) -> Void = { _ in }
    ) -> [SceneObserver.Change] {
      while let event = xcb_poll_for_event(connection) {
        hear(event)
        observer.handle(event: event)
        free(event)
      }
      let changes = observer.dispatch()
      var descriptors = [observer.descriptor, xcb_get_file_descriptor(connection)].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&descriptors, 2, 20)
      return changes
    }

    /// The tool with its output in a folder.
    private func watch(_ arguments: [String], _ desktop: PrivateDesktop) throws -> (ChildProcess, TemporaryFolder) {
      let folder = try TemporaryFolder()
      let tool = try ChildProcess(
        [Program.besideTests("proscenium-watch")] + arguments, environment: ["DISPLAY": desktop.server.display],
        output: folder.file("output"), errors: folder.file("errors"))
      return (tool, folder)
    }

    private func wait(for text: String, in folder: TemporaryFolder) async throws {
      try await waitUntil("\(text)", evidence: { folder.read("output") + folder.read("errors") }) {
        folder.read("output").split(separator: "\n").last?.contains(text) == true
      }
    }

    @Test("The tool prints titles that cannot command the terminal, and says by its status that a window is missing")
    func toolOnTerminal() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let (desk, client) = (desktop.desk, desktop.desk.client)
      let window = client.makeWindow()
      client.setProperty(
        window, "_NET_WM_NAME", type: "UTF8_STRING", format: 8, bytes: Array("a\u{1B}]0;b\u{7}\nc\u{202E}d".utf8))
      try await desk.waitUntil("the window") { client.truth(window).isViewable }
      let (tool, folder) = try watch(["0x" + String(window, radix: 16)], desktop)
      try await wait(for: " foreground", in: folder)
      tool.send(SIGINT)
      _ = try await tool.wait()
      #expect(folder.read("output").contains(" a\u{FFFD}]0;b\u{FFFD}\u{FFFD}c\u{FFFD}d\n"), "\(folder.read("output"))")
      let (other, errors) = try watch(["0xffffff0"], desktop)
      #expect(try await other.wait() == .exited(1), "\(errors.read("errors"))")
    }

    @Test("The title of a program of Xlib alone counts until the window has a newer one")
    func oldTitles() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let window = client.makeWindow()
      client.setProperty(window, "WM_NAME", type: "STRING", format: 8, bytes: [0x66, 0xFC, 0x72])
      let watch = try Watch(display: desktop.server.display)
      watch.observer.observe(window)
      #expect(watch.run { watch.observer.state(of: window) >= .foregroundInactive })
      #expect(watch.observer.title(of: window) == "für")
      client.setProperty(window, "WM_NAME", type: "UTF8_STRING", format: 8, bytes: Array("→".utf8))
      #expect(watch.run { watch.observer.title(of: window) == "→" })
      client.setProperty(window, "_NET_WM_NAME", type: "UTF8_STRING", format: 8, bytes: Array("new".utf8))
      #expect(watch.run { watch.observer.title(of: window) == "new" })
      client.setProperty(window, "WM_NAME", type: "STRING", format: 8, bytes: Array("old".utf8))
      watch.settle()
      #expect(watch.observer.title(of: window) == "new")
    }

    @Test("The tool prints the states of the window that it is given, and of all")
    func tool() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let (desk, client) = (desktop.desk, desktop.desk.client)
      let window = client.makeWindow()
      try await desk.waitUntil("the window") { client.truth(window).isViewable }
      for argument in ["0x" + String(window, radix: 16), "--all"] {
        let (tool, folder) = try watch([argument], desktop)
        try await wait(for: " foreground", in: folder)
        try desk.minimize(window)
        try await wait(for: " background (", in: folder)
        desk.restore(window)
        try await wait(for: " foreground", in: folder)
        tool.send(SIGINT)
        #expect(try await tool.wait() == .signalled(SIGINT), "\(folder.read("errors"))")
      }
    }

    @Test("The tool prints the states of the window that is clicked on until it is gone; what is no window ends it")
    func clicked() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let window = client.makeWindow()
      let (tool, folder) = try watch([], desktop)
      try await wait(for: "Click", in: folder)
      try desktop.desk.click(window)
      try await wait(for: " foreground", in: folder)
      client.destroy(window)
      #expect(try await tool.wait() == .exited(0), "\(folder.read("errors"))")
      #expect(folder.read("output").contains(" unattached (destroyed)"))
      for (argument, status) in [("0x7f", 1), ("window", 2)] {
        let (tool, folder) = try watch([argument], desktop)
        #expect(try await tool.wait() == .exited(Int32(status)), "\(folder.read("errors"))")
        #expect(!folder.read("errors").isEmpty)
      }
    }
  }
}
