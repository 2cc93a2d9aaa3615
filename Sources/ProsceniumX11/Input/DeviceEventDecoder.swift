import CXCB
import ProsceniumPlatform

/// Decodes XInput 2's generic events.
///
/// Total: wrong lengths and wild numbers give fewer valuators or no event, never memory that is not the event's own.
struct DeviceEventDecoder {
  private let bytes: ReplyBytes

  /// The event as libxcb hands it out: 36 bytes with its own sequence number, and what follows 32 bytes on the wire.
  init(_ raw: UnsafeRawPointer) {
    // In units of four.
    let length = raw.load(as: xcb_ge_generic_event_t.self).length
    bytes = ReplyBytes(UnsafeRawBufferPointer(start: raw, count: 36 + 4 * Int(min(length, 1 << 16))))
  }

  func decode() -> XEvent {
    guard let changed = bytes.read(xinput_changed_event.self) else { return Self.unknown }
    switch UInt32(changed.event_type) {
    case XINPUT_HIERARCHY_CHANGED.rawValue: return .devicesChanged
    case XINPUT_DEVICE_CHANGED.rawValue:
      return UInt32(changed.reason) == XINPUT_DEVICE_CHANGE.rawValue ? .devicesChanged : .deviceSwitched
    case XINPUT_MOTION.rawValue: return device(.motion)
    case XINPUT_BUTTON_PRESS.rawValue: return device(.button(isDown: true))
    case XINPUT_BUTTON_RELEASE.rawValue: return device(.button(isDown: false))
    case XINPUT_TOUCH_BEGIN.rawValue: return device(.touch(.began))
    case XINPUT_TOUCH_UPDATE.rawValue: return device(.touch(.moved))
    case XINPUT_TOUCH_END.rawValue: return device(.touch(.ended))
    case _: return Self.unknown
    }
  }

  private static let unknown = XEvent.unknown(UInt8(XCB_GE_GENERIC))

  /// DeviceEvent, which is followed by the masks of the buttons and of the valuators, and by the valuators' values.
  private func device(_ kind: DeviceEvent.Kind) -> XEvent {
    guard let raw = bytes.read(xinput_device_event.self) else { return Self.unknown }
    let rest = MemoryLayout<xinput_device_event>.size
    // Button 1 is bit 1 here and bit 8 in the core protocol's state.
    let buttons = raw.button_words > 0 ? bytes.u32(rest) ?? 0 : 0
    let state = UInt16(raw.modifiers & 0xFF) | UInt16(buttons >> 1 & 0x1F) << 8 | UInt16(raw.group & 3) << 13
    let input = XInput(
      window: raw.window, detail: 0, time: raw.timestamp, state: state,
      location: Point(x: Int(raw.x >> 16), y: Int(raw.y >> 16)),
      rootLocation: Point(x: Int(raw.root_x >> 16), y: Int(raw.root_y >> 16)))
    var event = DeviceEvent(kind: kind, source: raw.source, input: input)
    switch kind {
    case .touch: event.touch = raw.detail
    case .motion, .button:
      event.input.detail = UInt8(exactly: raw.detail) ?? 0
      // The bit means other things in touches.
      event.isEmulated = raw.flags & XINPUT_POINTER_EMULATED.rawValue != 0
    }
    event.valuators = valuators(at: rest + 4 * Int(raw.button_words), words: Int(raw.valuator_words))
    return .device(event)
  }

  /// The values of the axes whose bits are set in a mask; the values follow the mask.
  private func valuators(at mask: Int, words: Int) -> [Int: Double] {
    var valuators: [Int: Double] = [:]
    var value = mask + 4 * words
    for number in 0..<32 * words {
      guard let word = bytes.u32(mask + number / 32 * 4) else { break }
      guard word & 1 << UInt32(number % 32) != 0 else { continue }
      guard let fixed = bytes.read(xinput_fixed.self, at: value) else { break }
      valuators[number] = fixed.value
      value += MemoryLayout<xinput_fixed>.size
    }
    return valuators
  }
}

extension xinput_fixed {
  /// FP3232: a signed whole part, then the fraction.
  var value: Double { Double(whole) + Double(fraction) / 4_294_967_296 }
}

/// An event of XInput 2 (XI2proto.txt, section "DeviceEvent"): motion, buttons and touches.
struct DeviceEvent: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case motion
    case button(isDown: Bool)
    case touch(Touch.Phase)
  }

  var kind: Kind
  /// The device that the user moved, not the master that it moves.
  var source: UInt16
  /// The event as the core protocol has it; `detail` is 0 for a number above 255.
  var input: XInput
  /// The touch's number.
  var touch: UInt32 = 0
  /// Whether the server made it out of another event that comes as well: of a touch, or of a smooth wheel.
  var isEmulated = false
  /// The axes that have changed, by their number.
  var valuators: [Int: Double] = [:]
}
