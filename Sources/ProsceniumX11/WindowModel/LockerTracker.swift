package import ProsceniumPlatform

/// Whether a screen locker covers the screen that tells nobody: a reducer of signals, without xcb, clock or I/O.
///
/// X has no word for a lock (i3lock, slock, xsecurelock). What all lockers do is to hold the keyboard, and to cover
/// every monitor with windows above all others; both together, for a while, count as a lock. A menu holds the keyboard
/// and covers nothing, an overlay covers and holds nothing, and a game's client has a window that is managed
/// (``LockerStack``). xscreensaver says more: its property tells a screen that is only blanked from one that is locked.
package struct LockerTracker: Hashable, Sendable {
  /// What xscreensaver's property says (`_SCREENSAVER_STATUS`, its first unit).
  package enum Status: Hashable, Sendable, CaseIterable { case none, blanked, locked }

  package enum Signal: Hashable, Sendable {
    /// Whether another client holds the keyboard, as events of the focused window show.
    case windowGrabbed(Bool)
    /// The same, as events of the root show: most lockers hold it for the root.
    case rootGrabbed(Bool)
    /// The focus has come to a window of the program while another client holds the keyboard.
    case focusedWhileGrabbed
    /// The time of ``Effect/wait(_:)`` is over.
    case due
    case status(Status)
    /// The windows that cover every monitor, above all others; none where a part is not covered.
    case covers(Set<UInt32>)
    /// One of the windows that are followed is not shown any more.
    case gone(UInt32)
    /// A key or a button has reached a window of the program: nobody keeps them.
    case input
  }

  package enum Effect: Hashable, Sendable {
    /// Ask which windows cover the screen; the answer is ``Signal/covers(_:)``.
    case ask
    /// Ask for events of these windows, and of no others.
    case follow(Set<UInt32>)
    /// Apply ``Signal/due`` after this many milliseconds; replaces a running deadline.
    case wait(Int)
    case cancelWait
    case report(LockerState)
  }

  /// Passive grabs of key commands and menus are over by then; lockers of which windows come late are asked for again.
  static let waits = [400, 800, 1600, 3200, 6400]

  package private(set) var state = LockerState.none
  private var isWindowGrabbed = false
  private var isRootGrabbed = false
  /// The keyboard was held before the program had the focus, and it is not known yet what covers the screen.
  private var isSuspected = false
  private var status = Status.none
  private var covering: Set<UInt32> = []
  private var followed: Set<UInt32> = []
  /// How often the question was answered in vain since the evidence began.
  private(set) var attempts = 0

  package init() {}

  /// Whether another client holds the keyboard, as far as events show.
  package var isGrabbed: Bool { isWindowGrabbed || isRootGrabbed }

  /// Applies one signal.
  /// - Returns: What has to be done because of it.
  package mutating func apply(_ signal: Signal) -> [Effect] {
    switch signal {
    case .windowGrabbed(let isOn): return setGrabbed(window: isOn, root: isRootGrabbed)
    case .rootGrabbed(let isOn): return setGrabbed(window: isWindowGrabbed, root: isOn)
    case .focusedWhileGrabbed: return suspect()
    case .due: return hasEvidence ? [.ask] : []
    case .status(let new): return setStatus(new)
    case .covers(let windows): return setCovering(windows)
    case .gone(let window): return followed.contains(window) ? [.ask] : []
    case .input: return disprove()
    }
  }

  /// Whether it is worth asking what covers the screen.
  private var hasEvidence: Bool { isGrabbed || status != .none || state != .none }

  private mutating func setGrabbed(window: Bool, root: Bool) -> [Effect] {
    let was = isGrabbed
    (isWindowGrabbed, isRootGrabbed) = (window, root)
    guard was != isGrabbed else { return [] }
    attempts = 0
    guard isGrabbed else {
      isSuspected = false
      return [.cancelWait] + (covering.isEmpty ? report() : [.ask])
    }
    return [.wait(Self.waits[0])]
  }

  /// A locker that was there before the program has to keep it from ever being active: it is asked about at once.
  private mutating func suspect() -> [Effect] {
    guard !isGrabbed else { return [] }
    (isWindowGrabbed, isSuspected) = (true, true)
    attempts = 0
    return report() + [.ask]
  }

  /// A screen that was only blanked is the user's again before xscreensaver takes its windows away.
  private mutating func setStatus(_ new: Status) -> [Effect] {
    guard new != status else { return [] }
    status = new
    attempts = 0
    if new == .none, state == .blanked { covering = [] }
    return report() + (hasEvidence ? [.ask] : [])
  }

  /// Windows are followed before they are believed: one may have gone before its events were selected.
  private mutating func setCovering(_ windows: Set<UInt32>) -> [Effect] {
    let isNew = windows != followed
    followed = windows
    let follow: [Effect] = isNew ? [.follow(windows)] : []
    let isConfirmed = !windows.isEmpty && !isNew
    covering = isConfirmed ? windows : []
    if isConfirmed { attempts = 0 }
    // What has been seen once is asked about again at once.
    isSuspected = isSuspected && !isConfirmed && !windows.isEmpty && attempts < Self.waits.count
    guard !isConfirmed, isGrabbed || status != .none || !windows.isEmpty, attempts < Self.waits.count else {
      return follow + report()
    }
    attempts += 1
    // Others than before lie above all: asked at once, and not for ever where they change all the time.
    return follow + (windows.isEmpty ? report() + [.wait(Self.waits[attempts - 1])] : [.ask])
  }

  private mutating func disprove() -> [Effect] {
    guard state != .none || isGrabbed else { return [] }
    (isWindowGrabbed, isRootGrabbed, isSuspected) = (false, false, false)
    covering = []
    return [.cancelWait] + report()
  }

  /// A lock lasts until its windows go: the focus, whose events show the grab, may move meanwhile.
  private var derived: LockerState {
    if covering.isEmpty { return isSuspected ? .suspected : .none }
    switch status {
    case .blanked: return .blanked
    case .locked: return .locked
    case .none: return isGrabbed || state == .locked ? .locked : .none
    }
  }

  private mutating func report() -> [Effect] {
    let new = derived
    guard new != state else { return [] }
    state = new
    return [.report(new)]
  }
}

/// What a locker's window says that it is, for the trace: letters, digits and marks of another program's text.
struct LockerName: Equatable {
  /// The most bytes that are read of it.
  static let longest = 64

  let text: String

  /// Nil for a text without a name.
  init?(_ text: String) {
    let name = text.prefix(Self.longest).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.+ ".contains($0)) }
    guard name.contains(where: { $0 != " " }) else { return nil }
    self.text = String(name)
  }
}

/// A child of the root, as far as the search for a locker needs it.
package struct StackedWindow: Hashable, Sendable {
  package var id: UInt32
  package var frame: Rect
  /// Mapped, with pixels of its own: windows for input alone cover nothing.
  package var isVisible: Bool
  /// Without it the window is the window manager's affair (ICCCM 4.1.10).
  package var overridesRedirect: Bool
  /// Without a shape of its own, and without bits that compositors take for alpha.
  package var isOpaque: Bool
  package init(id: UInt32, frame: Rect, isVisible: Bool, overridesRedirect: Bool, isOpaque: Bool) {
    self.id = id
    self.frame = frame
    self.isVisible = isVisible
    self.overridesRedirect = overridesRedirect
    self.isOpaque = isOpaque
  }
}

/// Which windows cover every monitor above all others, as those of a locker do.
package struct LockerStack: Hashable, Sendable {
  /// xsecurelock leaves a pixel at each edge, so that compositors do not take its window for a full-screen one.
  private static let tolerance = 4

  package var monitors: [Rect]
  /// The bits of an identifier that tell its client's resources apart (X protocol, section 8, `resource-id-mask`).
  package var resourceMask: UInt32
  /// Windows of clients that are no lockers: ours, those that are managed, and one of the window manager's own.
  package var others: [UInt32]

  package init(monitors: [Rect], resourceMask: UInt32, others: [UInt32]) {
    self.monitors = monitors
    self.resourceMask = resourceMask
    self.others = others
  }

  /// Finds the windows.
  /// - Parameter stack: The children of the root, the highest first.
  /// - Returns: The windows that cover all monitors together; none where a part of the screen is another client's.
  package func covering(_ stack: [StackedWindow]) -> Set<UInt32> {
    let known = Set(others.map(client))
    var open = monitors
    var found: Set<UInt32> = []
    for window in stack where window.isVisible && monitors.contains(where: { $0.intersects(window.frame) }) {
      // The server's own is the overlay of the Composite extension, which lies above all and shows what is below.
      if client(window.id) == 0 { continue }
      guard window.overridesRedirect, !known.contains(client(window.id)) else { return [] }
      guard window.isOpaque else { continue }
      let count = open.count
      open.removeAll { window.frame.contains($0.inset(x: Self.tolerance, y: Self.tolerance)) }
      if open.count < count { found.insert(window.id) }
      if open.isEmpty { return found }
    }
    return []
  }

  private func client(_ id: UInt32) -> UInt32 { id & ~resourceMask }
}
