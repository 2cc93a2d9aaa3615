import CXCB

/// The core protocol's requests about selections (X protocol, section 9).
extension Connection {
  func setSelectionOwner(_ owner: UInt32, _ selection: UInt32, time: UInt32) {
    sent(xcb_set_selection_owner(raw, owner, selection, time), "SetSelectionOwner", owner)
  }

  func selectionOwner(_ selection: UInt32, _ handler: @escaping @MainActor (UInt32?) -> Void) {
    whenReplied(xcb_get_selection_owner(raw, selection).sequence) {
      handler($0?.read(xcb_get_selection_owner_reply_t.self)?.owner)
    }
  }

  /// At the current time: a program may paste without an event behind it, and an older time would be refused.
  func convertSelection(_ selection: UInt32, to target: UInt32, _ property: UInt32, of window: UInt32) {
    sent(
      xcb_convert_selection(raw, window, selection, target, property, XCB_TIME_CURRENT_TIME.rawValue),
      "ConvertSelection",
      window, .ignore)
  }

  /// Answers a request (X protocol, SelectionNotify); property 0 refuses it.
  func answer(_ request: SelectionRequest, property: UInt32) {
    var event = xcb_selection_notify_event_t()
    event.response_type = UInt8(XCB_SELECTION_NOTIFY)
    event.time = request.time
    event.requestor = request.requestor
    event.selection = request.selection
    event.target = request.target
    event.property = property
    send(event, to: request.requestor, mask: 0)
  }
}
