import CXCB
import Glibc
import ProsceniumPlatform

/// The properties that windows have for window managers and other clients.
@MainActor final class PropertyWriter: X11Component {
  /// `WM_CLASS`: each window has the same, and to make it costs more than to send it.
  private lazy var windowClass = Hints.windowClass(parts.context.identity)

  /// Creates the client leader and writes its properties.
  func createLeader() {
    connection.createPropertyWindow(server.leader)
    writeClass(server.leader)
    connection.changeProperty(
      server.leader, server.atoms[.wmClientLeader], type: PredefinedAtom.window, [server.leader])
  }

  /// Writes the properties that every client may read: when the window is first shown, so that earlier changes cost
  /// nothing.
  func write(_ window: TopLevel) {
    guard !window.properties.areWritten else { return }
    window.properties.areWritten = true
    writeTitle(window)
    writeClass(window.id)
    parts.protocols.write(to: window)
    writeRole(window)
    if window.description.transientFor != nil { writeTransient(window) }
  }

  /// Writes the properties that only a window manager reads.
  func writeForManager(_ window: TopLevel) {
    guard !window.properties.areWrittenForManager else { return }
    window.properties.areWrittenForManager = true
    let atoms = server.atoms
    writeNormalHints(window)
    writeGeneralHints(window, isIconic: false)
    connection.changeProperty(window.id, atoms[.wmClientLeader], type: PredefinedAtom.window, [server.leader])
    connection.changeProperty(
      window.id, atoms[.netWMPID], type: PredefinedAtom.cardinal, [UInt32(bitPattern: getpid())])
    connection.changeProperty(window.id, PredefinedAtom.wmClientMachine, type: PredefinedAtom.string, HostName.bytes)
    writeType(window)
    if window.properties.icon != nil { writeIcon(window) }
    parts.protocols.createCounter(for: window)
  }

  /// Writes the properties of a pop-up: for compositors and screen readers, as no window manager reads them.
  func writePopUp(_ window: TopLevel) {
    let type: AtomName =
      switch window.description.popUp {
      case .menu: .netWMWindowTypePopUpMenu
      case .toolTip: .netWMWindowTypeToolTip
      case .drag: .netWMWindowTypeDrag
      case .dropDownMenu, nil: .netWMWindowTypeDropDownMenu
      }
    writeTitle(window)
    writeClass(window.id)
    writeTransient(window)
    connection.changeProperty(
      window.id, server.atoms[.netWMWindowType], type: PredefinedAtom.atom, [server.atoms[type]])
  }

  // MARK: Changes

  func setTitle(_ window: TopLevel, _ title: String) {
    window.description.title = title
    if window.properties.areWritten { writeTitle(window) }
  }

  func setIcon(_ window: TopLevel, _ icon: WindowIcon?) {
    let hadIcon = window.properties.icon != nil
    window.properties.icon = icon
    if window.properties.areWrittenForManager, icon != nil || hadIcon { writeIcon(window) }
  }

  func setSizeLimits(_ window: TopLevel, minimum: Size?, maximum: Size?) {
    window.description.minimumSize = minimum
    window.description.maximumSize = maximum
    updateNormalHints(window)
  }

  /// The window has become a panel of another one, or one that is none (`WM_TRANSIENT_FOR`, ICCCM 4.1.2.6).
  func setTransient(_ window: TopLevel, for owner: WindowID?) {
    window.description.transientFor = owner
    updateTransient(window)
  }

  /// The place or the size of a window, as the program wants it, has changed.
  func updateNormalHints(_ window: TopLevel) { if window.properties.areWrittenForManager { writeNormalHints(window) } }

  /// Another description has replaced that of a window.
  func update(_ window: TopLevel, from old: WindowDescription) {
    if window.properties.areWritten {
      if old.title != window.description.title { writeTitle(window) }
      if old.role != window.description.role { writeRole(window) }
    }
    if old.transientFor != window.description.transientFor { updateTransient(window) }
    updateNormalHints(window)
  }

  private func updateTransient(_ window: TopLevel) {
    if window.properties.areWritten { writeTransient(window) }
    if window.properties.areWrittenForManager { writeType(window) }
  }

  /// Writes `WM_HINTS` (ICCCM 4.1.2.4).
  func writeGeneralHints(_ window: TopLevel, isIconic: Bool) {
    connection.changeProperty(
      window.id, PredefinedAtom.wmHints, type: PredefinedAtom.wmHints,
      Hints.general(leader: server.leader, isIconic: isIconic, isInteractive: window.description.isInteractive))
  }

  // MARK: Writing

  /// `WM_NAME` for all clients, `_NET_WM_NAME` in UTF-8 (ICCCM 4.1.2.1, EWMH "Application Window Properties").
  private func writeTitle(_ window: TopLevel) {
    let title = Hints.text(window.description.title)
    let utf8 = Array(title.utf8)
    let latin1 = Hints.latin1(title)
    connection.changeProperty(window.id, server.atoms[.netWMName], type: server.atoms[.utf8String], utf8)
    connection.changeProperty(
      window.id, PredefinedAtom.wmName, type: latin1 == nil ? server.atoms[.utf8String] : PredefinedAtom.string,
      latin1 ?? utf8)
  }

  /// `WM_CLASS`: instance, zero, class, zero (ICCCM 4.1.2.5).
  private func writeClass(_ window: UInt32) {
    connection.changeProperty(window, PredefinedAtom.wmClass, type: PredefinedAtom.string, windowClass)
  }

  private func writeRole(_ window: TopLevel) {
    guard !window.description.role.isEmpty else { return }
    connection.changeProperty(
      window.id, server.atoms[.wmWindowRole], type: PredefinedAtom.string,
      Array(Hints.text(window.description.role).utf8))
  }

  private func writeTransient(_ window: TopLevel) {
    guard let owner = window.description.transientFor else {
      return connection.deleteProperty(window.id, PredefinedAtom.wmTransientFor)
    }
    connection.changeProperty(window.id, PredefinedAtom.wmTransientFor, type: PredefinedAtom.window, [owner.rawValue])
  }

  private func writeType(_ window: TopLevel) {
    let isDialog = window.description.transientFor != nil
    connection.changeProperty(
      window.id, server.atoms[.netWMWindowType], type: PredefinedAtom.atom,
      [server.atoms[isDialog ? .netWMWindowTypeDialog : .netWMWindowTypeNormal]])
  }

  private func writeNormalHints(_ window: TopLevel) {
    connection.changeProperty(
      window.id, PredefinedAtom.wmNormalHints, type: PredefinedAtom.wmSizeHints, Hints.normal(window.description))
  }

  /// Piece by piece: a request has a greatest length.
  private func writeIcon(_ window: TopLevel) {
    guard let icon = window.properties.icon else {
      return connection.deleteProperty(window.id, server.atoms[.netWMIcon])
    }
    let words = [UInt32(icon.size.width), UInt32(icon.size.height)] + icon.pixels
    for start in stride(from: 0, to: words.count, by: 60_000) {
      connection.changeProperty(
        window.id, server.atoms[.netWMIcon], type: PredefinedAtom.cardinal,
        Array(words[start..<min(start + 60_000, words.count)]),
        mode: start == 0 ? XCB_PROP_MODE_REPLACE : XCB_PROP_MODE_APPEND)
    }
  }
}

/// Properties of ICCCM 4.1.2, laid out as values.
enum Hints {
  /// `WM_NORMAL_HINTS` (ICCCM 4.1.2.3): 18 words.
  static func normal(_ description: WindowDescription) -> [UInt32] {
    var hints = icccm_size_hints()
    var flags: [icccm_size_flag] = []
    // USSize and PSize are left out where the window is new: a window manager may make it fit the screen.
    hints.width = UInt32(bounded(description.size.width))
    hints.height = UInt32(bounded(description.size.height))
    if let position = description.position {
      flags += [ICCCM_USER_POSITION, ICCCM_PROGRAM_POSITION, ICCCM_PROGRAM_SIZE, ICCCM_WINDOW_GRAVITY]
      hints.x = Int32(clamping: position.x)
      hints.y = Int32(clamping: position.y)
      // The position is that of the window itself, not of its frame.
      hints.gravity = XCB_GRAVITY_STATIC.rawValue
    }
    if description.placement != nil { flags.append(ICCCM_USER_SIZE) }
    if let minimum = description.minimumSize {
      flags.append(ICCCM_MINIMUM_SIZE)
      hints.minimum_width = UInt32(bounded(minimum.width))
      hints.minimum_height = UInt32(bounded(minimum.height))
    }
    if let maximum = description.maximumSize {
      flags.append(ICCCM_MAXIMUM_SIZE)
      hints.maximum_width = max(UInt32(bounded(maximum.width)), hints.minimum_width)
      hints.maximum_height = max(UInt32(bounded(maximum.height)), hints.minimum_height)
    }
    hints.flags = flags.reduce(0) { $0 | $1.rawValue }
    return words(hints)
  }

  /// `WM_HINTS` (ICCCM 4.1.2.4): 9 words.
  ///
  /// Input hint True and no WM_TAKE_FOCUS: the passive model of ICCCM 4.1.7; False where no keyboard is wanted.
  static func general(leader: UInt32, isIconic: Bool, isInteractive: Bool = true) -> [UInt32] {
    var hints = icccm_hints()
    hints.flags = ICCCM_INPUT_HINT.rawValue | ICCCM_STATE_HINT.rawValue | ICCCM_WINDOW_GROUP_HINT.rawValue
    hints.input = isInteractive ? 1 : 0
    hints.initial_state = (isIconic ? ICCCM_ICONIC_STATE : ICCCM_NORMAL_STATE).rawValue
    hints.window_group = leader
    return words(hints)
  }

  private static func words(_ hints: some BitwiseCopyable) -> [UInt32] {
    withUnsafeBytes(of: hints) { Array($0.bindMemory(to: UInt32.self)) }
  }

  /// A length that fits the protocol and is not zero: a window without a pixel is a BadValue.
  static func bounded(_ length: Int) -> Int { min(max(length, 1), 32767) }

  /// A rectangle that a window can have.
  static func bounded(_ frame: Rect) -> Rect {
    Rect(
      x: Int(Int16(clamping: frame.origin.x)), y: Int(Int16(clamping: frame.origin.y)),
      width: bounded(frame.size.width), height: bounded(frame.size.height))
  }

  /// `WM_CLASS`: instance, zero, class, zero (ICCCM 4.1.2.5).
  static func windowClass(_ identity: ApplicationIdentity) -> [UInt8] {
    var bytes: [UInt8] = []
    for name in [identity.instance, identity.id] {
      for byte in text(name).utf8 where byte != 0 { bytes.append(byte) }
      bytes.append(0)
    }
    return bytes
  }

  /// A text in Latin-1, which `WM_NAME` is (`STRING`) where that is enough; nil where it has other characters.
  static func latin1(_ text: String) -> [UInt8]? {
    // Most titles are ASCII, which needs no look at characters.
    let utf8 = Array(text.utf8)
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8 }
    guard text.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) else { return nil }
    return text.unicodeScalars.map { UInt8($0.value) }
  }

  /// A text for a property: bounded, because a request has a greatest length, and cut between characters.
  static func text(_ text: String) -> String {
    guard text.utf8.count > 16_384 else { return text }
    var short = String(text.prefix(4096))
    while short.utf8.count > 16_384 { short.removeLast() }
    return short
  }
}
