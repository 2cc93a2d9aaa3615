import CXCB
import ProsceniumPlatform

/// Menus and tooltips: windows that the window manager does not see (override-redirect, ICCCM 4.1.10), and the grab of
/// the pointer by which a press in another program is known.
///
/// The grab window is the one that the menus belong to. The server ends the grab by itself when that is not viewable
/// any more, and when the program dies (X protocol, GrabPointer). The keyboard is not grabbed: the window with the
/// menus has the focus, and the window manager's keys work on.
@MainActor final class PopUps: X11Component {
  /// The window that holds the pointer, and whether the server has said so.
  private var holder: (window: UInt32, isGrabbed: Bool)?
  /// The number of the grab: the answer to an older one counts no more.
  private var grab = 0

  /// The events that a pop-up needs.
  static func events(of kind: PopUpKind) -> UInt32 {
    let own = XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_EXPOSURE.rawValue
    return kind.isMenu ? own | Input.menuEvents : own
  }

  /// Maps a pop-up once the atoms of its type are known: with the first menu that is one answer later.
  func show(_ window: TopLevel) {
    guard !window.showing.isRequested else { return }
    window.showing.isRequested = true
    windows.apply(.showRequested, to: window)
    parts.drawing.updateBackground(window)
    guard server.atoms[.netWMWindowTypePopUpMenu] == 0 else { return map(window) }
    server.intern(AtomName.forPopUps) { [weak self, weak window] in
      guard let self, let window, windows[window.id] === window else { return }
      map(window)
    }
  }

  private func map(_ window: TopLevel) {
    parts.windows.writer.writePopUp(window)
    connection.raise(window.id)
    connection.mapWindow(window.id)
  }

  // MARK: The pointer

  func holdPointer(for window: TopLevel) {
    // Without a window manager keys may go where the pointer is, which is about to be over a menu.
    if root.isKnownUnmanaged, !window.model.focus.hasFocus { parts.focus.set(window) }
    holder = (window.id, false)
    grab += 1
    let number = grab
    // The press that opens a menu holds the pointer for this program already, by XInput 2 (X protocol, ButtonPress):
    // while it does, servers refuse the core protocol's grab.
    connection.releasePointer()
    connection.grabPointer(window.id) { [weak self] isGrabbed in
      guard let self, number == grab, holder != nil else { return }
      if isGrabbed { holder?.isGrabbed = true } else { lose() }
    }
  }

  func releasePointer() {
    guard holder.take() != nil else { return }
    connection.releasePointer()
  }

  /// Whether the program holds the pointer: touches come as the presses that the server makes of them.
  var holdsPointer: Bool { holder != nil }

  /// The pointer has left a window because a grab has ended: that of the menus, where this program has not ended it.
  ///
  /// What comes before the answer is the end of the grab before.
  func grabEnded(in window: UInt32) { if let holder, holder == (window, true) { lose() } }

  private func lose() {
    holder = nil
    batch.append(.pointerLost)
  }
}
