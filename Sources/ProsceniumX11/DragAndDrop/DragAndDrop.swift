import CXCB
import ProsceniumPlatform

/// Drag and drop with other programs and between our own windows: version 5 of the XDND protocol, and XDS for files.
///
/// Our own windows are targets like others: the messages go through the server.
@MainActor final class DragAndDrop: X11Component {
  /// The oldest version that is spoken: earlier ones have no types in XdndEnter.
  static let versions: ClosedRange<UInt32> = 3...5

  private(set) lazy var source = DragSource(parts)
  private(set) lazy var target = DropTarget(parts)
  /// How many drags need the end of each window of another client.
  private var followed: [UInt32: Int] = [:]

  /// A client message has come to one of our windows.
  /// - Returns: Whether it is one of the protocol's.
  func handle(_ type: UInt32, _ words: [UInt32], to window: UInt32) -> Bool {
    guard words.count == 5, let name = server.atoms.name(of: type) else { return false }
    switch name {
    case .xdndStatus, .xdndFinished: if window == server.leader { source.handle(name, words) }
    case .xdndEnter, .xdndPosition, .xdndLeave, .xdndDrop:
      if windows[window] != nil { target.handle(name, words, window) }
    case _: return false
    }
    return true
  }

  // MARK: Windows of other clients

  /// Has the end of a window reported, until as many ``unfollow(_:)``.
  /// - Parameters:
  ///   - window: The window; one of ours is known anyway.
  ///   - isGone: Called where the window does not exist.
  func follow(_ window: UInt32, isGone: @escaping @MainActor () -> Void) {
    guard canFollow(window) else { return }
    followed[window, default: 0] += 1
    guard followed[window] == 1 else { return }
    selectEvents(of: window)
    connection.windowAttributes(window) { if $0 == nil { isGone() } }
  }

  func unfollow(_ window: UInt32) {
    guard let count = followed[window] else { return }
    followed[window] = count == 1 ? nil : count - 1
    if count == 1, !server.isLost { selectEvents(of: window) }
  }

  /// The events of our own windows, of frames and of the root are selected already.
  private func canFollow(_ window: UInt32) -> Bool {
    windows.isForeign(window) && window != server.leader && window != server.root && window != 0
  }

  /// Selects the events of a window of another client for all that need some of them: its adoption, drags, answers in
  /// pieces, the user's settings, and lockers.
  ///
  /// Any client can name any window in its messages, and as the owner of a selection.
  func selectEvents(of window: UInt32) {
    guard canFollow(window) else { return }
    var events: UInt32 = 0
    if windows[window] != nil { events |= Input.stateEvents }
    if followed[window] != nil { events |= XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue }
    if parts.pasteboard.isDelivering(to: window) {
      // Its end, and each piece that it has read.
      events |= XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
    }
    if parts.settings.manager == window { events |= XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue }
    if parts.screenSaver.lockers.follows(window) { events |= XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue }
    connection.changeAttributes(window, .init(eventMask: events), .ignore)
  }

  /// A window has been destroyed, ours or another client's.
  func windowDestroyed(_ window: UInt32) {
    followed[window] = nil
    source.windowDestroyed(window)
    target.windowDestroyed(window)
  }
}

extension Atoms {
  /// The action that stands for an operation (XDND, "Actions").
  func action(of operation: DropOperation) -> UInt32 {
    switch operation {
    case .copy: self[.xdndActionCopy]
    case .move: self[.xdndActionMove]
    case .cancel, .forbidden: 0
    }
  }
}
