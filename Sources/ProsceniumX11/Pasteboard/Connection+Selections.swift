import CXCB
import FoundationEssentials

/// The requests about selections (X protocol, section 9), and properties of any size.
extension Connection {
  /// A property as it is, whatever its format.
  struct RawProperty {
    var type: UInt32
    var format: UInt8
    var bytes: [UInt8]

    /// The 32-bit units; none where the format is another.
    var words: [UInt32] {
      guard format == 32 else { return [] }
      return bytes.withUnsafeBytes { raw in
        (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
      }
    }
  }

  /// How many bytes of a property fit into one request, without the BIG-REQUESTS extension.
  var largestPiece: Int {
    let units = xcb_get_setup(raw)?.pointee.maximum_request_length ?? 4096
    // ChangeProperty's own 24 bytes, and some.
    return max(1024, min(Int(units) * 4 - 64, 1 << 18))
  }

  func setSelectionOwner(_ owner: UInt32, _ selection: UInt32, time: UInt32) {
    sent(xcb_set_selection_owner(raw, owner, selection, time), "SetSelectionOwner", owner)
  }

  func selectionOwner(_ selection: UInt32, _ handler: @escaping @MainActor (UInt32?) -> Void) {
    let cookie = xcb_get_selection_owner(raw, selection)
    whenReplied(cookie.sequence) { handler($0?.u32(8)) }
  }

  func convertSelection(_ selection: UInt32, to target: UInt32, _ property: UInt32, of window: UInt32) {
    // CurrentTime: a program may paste without an event behind it, and an older time would be refused.
    sent(
      xcb_convert_selection(raw, window, selection, target, property, 0), "ConvertSelection", window, .ignore)
  }

  /// Reads a whole property and deletes it, which tells its writer to go on (ICCCM 2.7.2); nil where there is none, or
  /// more than `limit` bytes.
  func takeProperty(
    _ window: UInt32, _ property: UInt32, delete: Bool = true, limit: Int,
    _ handler: @escaping @MainActor (RawProperty?) -> Void
  ) {
    let cookie = xcb_get_property(
      raw, delete ? 1 : 0, window, property, PredefinedAtom.any, 0, UInt32(clamping: limit / 4))
    whenReplied(cookie.sequence) { reply in
      // Reply: format at 1, type at 8, bytes-after at 12, length in units of the format at 16, value from 32.
      guard let reply, let format = reply.u8(1), let type = reply.u32(8), type != 0, reply.u32(12) == 0,
        let length = reply.u32(16)
      else { return handler(nil) }
      let count = Int(length) * Int(format / 8)
      handler(RawProperty(type: type, format: format, bytes: reply.u8s(32, count: count)))
    }
  }

  /// Writes onto another client's window, which may be gone.
  func write(_ data: Data, type: UInt32, format: UInt8 = 8, to window: UInt32, _ property: UInt32) {
    data.withUnsafeBytes { bytes in
      let count = UInt32(bytes.count / Int(format / 8))
      sent(
        xcb_change_property(
          raw, PropertyMode.replace.rawValue, window, property, type, format, count, bytes.baseAddress),
        "ChangeProperty", window, .ignore)
    }
  }

  func write(_ words: [UInt32], type: UInt32, to window: UInt32, _ property: UInt32) {
    words.withUnsafeBytes { write(Data($0), type: type, format: 32, to: window, property) }
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
