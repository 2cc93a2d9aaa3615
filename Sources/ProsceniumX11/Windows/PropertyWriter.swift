import CXCB
import Glibc
import ProsceniumPlatform

/// The properties that windows have for window managers and other clients.
@MainActor final class PropertyWriter: X11Component {
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
    writeTransient(window)
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
    let isDialog = window.description.transientFor != nil
    connection.changeProperty(
      window.id, atoms[.netWMWindowType], type: PredefinedAtom.atom,
      [atoms[isDialog ? .netWMWindowTypeDialog : .netWMWindowTypeNormal]])
    if window.properties.icon != nil { writeIcon(window) }
    parts.protocols.createCounter(for: window)
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

  /// The place or the size of a window, as the program wants it, has changed.
  func updateNormalHints(_ window: TopLevel) { if window.properties.areWrittenForManager { writeNormalHints(window) } }

  /// Another description has replaced that of a window.
  func update(_ window: TopLevel, from old: WindowDescription) {
    if window.properties.areWritten {
      if old.title != window.description.title { writeTitle(window) }
      if old.role != window.description.role { writeRole(window) }
      if old.transientFor != window.description.transientFor { writeTransient(window) }
    }
    updateNormalHints(window)
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
    let identity = parts.context.identity
    let names = [identity.instance, identity.id].map { Hints.text($0).utf8.filter { $0 != 0 } + [0] }
    connection.changeProperty(window, PredefinedAtom.wmClass, type: PredefinedAtom.string, Array(names.joined()))
  }

  private func writeRole(_ window: TopLevel) {
    guard !window.description.role.isEmpty else { return }
    connection.changeProperty(
      window.id, server.atoms[.wmWindowRole], type: PredefinedAtom.string,
      Array(Hints.text(window.description.role).utf8))
  }

  private func writeTransient(_ window: TopLevel) {
    guard let owner = window.description.transientFor else { return }
    connection.changeProperty(window.id, PredefinedAtom.wmTransientFor, type: PredefinedAtom.window, [owner.rawValue])
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
