import CXCB
import ProsceniumPlatform

/// Keys, pointer and cursors of our windows, and what is dragged.
@MainActor final class Input: X11Component {
  /// The core events that only a window with contents needs.
  private static let keyEvents =
    XCB_EVENT_MASK_EXPOSURE.rawValue | XCB_EVENT_MASK_KEY_PRESS.rawValue | XCB_EVENT_MASK_KEY_RELEASE.rawValue
  /// Of those, the ones that only a visible window needs.
  private static let pointerEvents =
    XCB_EVENT_MASK_BUTTON_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_RELEASE.rawValue
    | XCB_EVENT_MASK_POINTER_MOTION.rawValue
  /// The core events that the life cycle needs.
  static let stateEvents =
    XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
    | XCB_EVENT_MASK_FOCUS_CHANGE.rawValue | XCB_EVENT_MASK_VISIBILITY_CHANGE.rawValue
    | XCB_EVENT_MASK_ENTER_WINDOW.rawValue | XCB_EVENT_MASK_LEAVE_WINDOW.rawValue
  /// The core events that a menu needs, beside those of its drawing.
  static let menuEvents =
    pointerEvents | XCB_EVENT_MASK_KEY_PRESS.rawValue | XCB_EVENT_MASK_KEY_RELEASE.rawValue
    | XCB_EVENT_MASK_ENTER_WINDOW.rawValue | XCB_EVENT_MASK_LEAVE_WINDOW.rawValue
  /// The core events of a window with contents.
  static let allEvents = stateEvents | keyEvents | pointerEvents

  private(set) lazy var keyboard = Keyboard(parts)
  private(set) lazy var pointer = Pointer(parts)
  private(set) lazy var cursors = Cursors(parts)
  private(set) lazy var dragAndDrop = DragAndDrop(parts)

  /// An event of XInput 2.
  func handle(_ event: DeviceEvent) {
    server.time.observe(event.input.time)
    dragAndDrop.source.observe(event)
    switch event.kind {
    case .motion: pointer.moved(event)
    case .button(let isDown): pointer.buttonChanged(event, isDown: isDown)
    case .touch(let phase): pointer.touched(event, phase)
    }
  }

  /// Selects the pointer's events of a window, or none.
  ///
  /// Keys are selected all the same: the first one after the window is shown may come before a request that is sent
  /// because of it.
  func selectPointer(for window: TopLevel, isWanted: Bool) {
    guard !window.isBare else { return }
    connection.changeAttributes(
      window.id, .init(eventMask: isWanted ? Self.allEvents : Self.stateEvents | Self.keyEvents))
    pointer.devices.select(for: window, isWanted: isWanted)
  }

  /// Ends the input of a window that is hidden, or has no contents any more.
  func end(in window: TopLevel) {
    keyboard.releaseKeys(in: window)
    pointer.end(in: window)
  }

  /// A window is gone.
  func remove(_ window: TopLevel) {
    keyboard.remove(window)
    pointer.remove(window)
    cursors.remove(window.id)
  }
}
