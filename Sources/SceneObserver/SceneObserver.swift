import CSystem
public import CXCB
import Glibc
import ProsceniumLoop
import ProsceniumPlatform
import ProsceniumX11
@_exported public import SceneLifecycle

/// Follows the life-cycle states of windows that were made without Proscenium: those of other toolkits in this process,
/// or of any process.
///
/// A window is a scene of its own: `background` while nobody can see it, `foregroundInactive` while it can be seen, and
/// `foregroundActive` while it is the one being used. The states follow from the same rules and holds
/// (`HoldTimes`) as those of Proscenium's own scenes; windows of one X client are scenes of one program, of
/// which one takes the focus from another at once. What is no fact of a window is not followed: the lock of the screen,
/// say.
///
/// ```swift
/// let observer = try SceneObserver()
/// observer.observe(0x1a00007)
/// while observer.isConnected {
///   var descriptor = pollfd(fd: observer.descriptor, events: Int16(POLLIN), revents: 0)
///   poll(&descriptor, 1, -1)
///   for change in observer.dispatch() { print(change) }
/// }
/// ```
///
/// An observer belongs to one thread at a time, whichever it is, and runs in any loop: wait for ``descriptor``, and
/// call ``dispatch()``. At rest nothing wakes it. It changes nothing about the windows: over a connection of its own
/// the events that their program has selected stay as they are.
public final class SceneObserver {
  /// A step of a window's scene from one state to the next.
  public struct Change: Hashable, Sendable, CustomStringConvertible {
    /// The window.
    public let window: UInt32
    /// The state that the scene has left.
    public let previous: ActivationState
    /// The state that it has arrived at, one step away.
    public let state: ActivationState
    /// The rule or the event that has decided: `viewable`, `wm-state`, `other-desktop`, `focus-in`, as in the trace.
    public let cause: String

    /// One line: `0x1a00007 foregroundActive (focus-in)`.
    public var description: String { "0x\(String(window, radix: 16)) \(state) (\(cause))" }
  }

  /// How long facts that become untrue are held; set before the first window is observed.
  public var holdTimes = HoldTimes()
  /// Why the connection was lost; nil while it is there.
  public private(set) var lossReason: String?
  /// Whether the connection is there; without it nothing is found any more.
  public var isConnected: Bool { lossReason == nil }
  /// Whether all windows are observed that the window manager manages, now and later (EWMH, `_NET_CLIENT_LIST`).
  ///
  /// Where there is no such list, none are: a window is named with ``observe(_:)``.
  public var observesManagedWindows: Bool {
    get { windows.followsClients }
    set {
      windows.followsClients = newValue
      wake()
    }
  }

  private struct HoldName: Hashable {
    var client: UInt32
    var number: SceneNumber
    var hold: Hold
  }

  private let windows: WindowObserver
  private let epoll: Descriptor
  private let timer: KernelTimer
  private var programs: [UInt32: ObservedProgram] = [:]
  private var titles: [UInt32: String] = [:]
  /// The windows that were to be observed by their numbers, with whether each is gone.
  private var named: [UInt32: Bool] = [:]
  private var deadlines = Deadlines<HoldName>()
  private var nextNumber: SceneNumber = 1
  private var isManagerChanging = false
  private var changes: [Change] = []

  /// Connects to an X server; the observer has a connection of its own.
  /// - Parameter display: The display, such as `:0`; nil for the one that `DISPLAY` names.
  /// - Throws: ``SceneObserverError`` where there is no server, or the system has no descriptor left.
  public convenience init(display: String? = nil) throws(SceneObserverError) {
    try self.init { () throws(PlatformError) in try WindowObserver(display: display) }
  }

  /// Uses an xcb connection of the program's.
  ///
  /// The program goes on reading its events, and passes each one to ``handle(event:)`` and then calls ``dispatch()``.
  /// The events that the connection has selected of the windows are kept, and others are added to them, which a toolkit
  /// has to be able to ignore; where that is not wanted, the observer has a connection of its own (``init(display:)``).
  /// - Parameters:
  ///   - connection: The connection, `xcb_connection_t *`, which outlives the observer.
  ///   - screen: The number of the screen.
  /// - Throws: ``SceneObserverError`` where the connection is closed, or the system has no descriptor left.
  public convenience init(connection: OpaquePointer, screen: Int = 0) throws(SceneObserverError) {
    try self.init { () throws(PlatformError) in try WindowObserver(sharing: connection, screen: screen) }
  }

  private init(_ make: () throws(PlatformError) -> WindowObserver) throws(SceneObserverError) {
    do throws(PlatformError) { windows = try make() } catch { throw SceneObserverError(error.description) }
    do throws(Errno) {
      epoll = try Descriptor(checking: linux_epoll(linux_epoll_close_on_exec))
      timer = try KernelTimer()
    } catch {
      throw SceneObserverError("no descriptor could be made for an observer of windows: \(error)")
    }
    for descriptor in [windows.descriptor, timer.descriptor.number]
    where linux_epoll_add(epoll.number, descriptor) != 0 {
      throw SceneObserverError("the descriptor of an observer of windows could not be set up: \(Errno.last)")
    }
    wake()
  }

  /// The descriptor to wait for: it can be read (`POLLIN`) when ``dispatch()`` has something to do.
  ///
  /// It stays the same, and belongs to the observer. A program that shares its connection also calls ``dispatch()``
  /// after it has read from that.
  public var descriptor: Int32 { epoll.number }

  // MARK: Windows

  /// Begins to observe a window; nothing happens where it is observed.
  ///
  /// The first changes, from `unattached` on, are returned by ``dispatch()`` as soon as the server has answered. For a
  /// window that does not exist there are none.
  /// - Parameter window: The window as its program knows it, not a frame of the window manager's.
  public func observe(_ window: UInt32) {
    named[window] = false
    windows.observe(window)
    wake()
  }

  /// Ends it: the scene walks to `unattached`, which ``dispatch()`` returns.
  /// - Parameter window: The window.
  public func stopObserving(_ window: UInt32) {
    named[window] = nil
    windows.stopObserving(window)
    remove(window, isGone: false)
    wake()
  }

  /// The state of a window's scene, as far as ``dispatch()`` has found it.
  /// - Parameter window: The window.
  /// - Returns: The state; `unattached` where the window is not observed, or gone.
  public func state(of window: UInt32) -> ActivationState {
    programs[client(of: window)]?.state(of: window) ?? .unattached
  }

  /// Whether a window that was to be observed does not exist, or not any more, as far as ``dispatch()`` has found it.
  /// - Parameter window: The window.
  /// - Returns: Whether it is missing; false for one that was never to be observed.
  public func isMissing(_ window: UInt32) -> Bool { named[window] == true }

  /// The title of a window that is observed (`_NET_WM_NAME`, else `WM_NAME`); empty where it has none.
  /// - Parameter window: The window.
  /// - Returns: The title.
  public func title(of window: UInt32) -> String { titles[window] ?? "" }

  /// The X client that has made a window, by the bits of its windows that are all the same.
  private func client(of window: UInt32) -> UInt32 { window & ~windows.resourceMask }

  /// Waits until the user has clicked on a window, which gets nothing of the click; for tools.
  /// - Parameters:
  ///   - display: The display; nil for the one that `DISPLAY` names.
  ///   - isReady: Called once the pointer is held, to ask the user for the click.
  /// - Returns: The window; nil where the click was on the desktop's background.
  /// - Throws: ``SceneObserverError`` where there is no server, or another program holds the pointer.
  public static func pickWindow(display: String? = nil, isReady: () -> Void = {}) throws(SceneObserverError) -> UInt32?
  {
    do throws(PlatformError) { return try WindowPicker.pick(display: display, isReady: isReady) } catch {
      throw SceneObserverError(error.description)
    }
  }

  // MARK: A turn

  /// Handles an event of the connection that is shared; the event stays the caller's.
  ///
  /// Only for an observer that was made with ``init(connection:screen:)``.
  /// - Parameter event: The event, as libxcb returned it.
  public func handle(event: UnsafePointer<xcb_generic_event_t>) {
    windows.handle(event: event)
    wake()
  }

  /// Reads what has come and does what is due, without waiting: of a flood a part, after which ``descriptor`` can still
  /// be read.
  /// - Returns: The steps of all scenes in their order: those that go down before those that go up, and then those that
  ///   a hold has kept back, or would have.
  public func dispatch() -> [Change] {
    timer.stop()
    try? timer.wait()
    take(windows.dispatch())
    for name in deadlines.removeDue(now: MonotonicClock.now) {
      expire(name)
    }
    if windows.hasMore {
      wake()
    } else if let next = [deadlines.next, windows.nextDeadline].compactMap(\.self).min() {
      timer.start(after: max(.zero, next - MonotonicClock.now))
    }
    defer { changes = [] }
    return changes
  }

  /// Makes the descriptor readable: what was asked for may have read what the socket does not announce again.
  private func wake() { timer.start(after: .zero) }

  private func take(_ facts: [ObservedFact]) {
    var found: [UInt32: [(window: UInt32, levels: WindowLevels)]] = [:]
    var order: [UInt32] = []
    for fact in facts {
      switch fact {
      case .levels(let window, let levels):
        let client = client(of: window)
        if found[client] == nil { order.append(client) }
        found[client, default: []].append((window, levels))
      case .title(let window, let title): titles[window] = title
      case .gone(let window):
        found[client(of: window)]?.removeAll { $0.window == window }
        if named[window] != nil { named[window] = true }
        remove(window, isGone: true)
      case .clients(let windows): for window in windows { self.windows.observe(window) }
      case .windowManager(let state):
        isManagerChanging = state == .changing
        for client in programs.keys.sorted() {
          perform(programs[client]?.observeAll(isChanging: isManagerChanging) ?? [], of: client)
        }
      case .lost(let reason):
        lossReason = reason
        for window in programs.values.flatMap(\.windows) { remove(window, isGone: true) }
        // A closed socket can be read for ever.
        var event = linux_epoll_event()
        linux_change_epoll(epoll.number, linux_epoll_remove, windows.descriptor, &event)
        deadlines.cancelAll { _ in true }
        return
      }
    }
    for client in order {
      guard let levels = found[client], !levels.isEmpty else { continue }
      perform(
        programs[client, default: ObservedProgram()].observe(levels, &nextNumber, isChanging: isManagerChanging),
        of: client)
    }
  }

  private func remove(_ window: UInt32, isGone: Bool) {
    let client = client(of: window)
    titles[window] = nil
    perform(programs[client]?.remove(window, isGone: isGone) ?? [], of: client)
    guard programs[client]?.isEmpty == true else { return }
    programs[client] = nil
    deadlines.cancelAll { $0.client == client }
  }

  private func perform(_ consequences: [ObservedProgram.Consequence], of client: UInt32) {
    var due: [HoldName] = []
    for consequence in consequences {
      switch consequence {
      case .change(let window, let edge, let cause):
        changes.append(Change(window: window, previous: edge.from, state: edge.to, cause: cause))
      case .hold(let number, let hold, let long):
        let (name, length) = (
          HoldName(client: client, number: number, hold: hold), holdTimes.length(of: hold, long: long)
        )
        // No hold at all: it falls at once, after the steps that have been taken already.
        if length > .zero { deadlines.set(name, after: length, now: MonotonicClock.now) } else { due.append(name) }
      case .release(let number, let hold):
        let name = HoldName(client: client, number: number, hold: hold)
        deadlines.cancel(name)
        due.removeAll { $0 == name }
      }
    }
    due.forEach(expire)
  }

  private func expire(_ name: HoldName) {
    let consequences = programs[name.client]?.expire(name.hold, of: name.number, isChanging: isManagerChanging)
    perform(consequences ?? [], of: name.client)
  }
}

/// Why windows cannot be observed.
public struct SceneObserverError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, to what, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
