import ProsceniumPlatform

/// Decodes XInput 2's generic events.
///
/// Total: wrong lengths and wild numbers give fewer valuators or no event, never memory that is not the event's own.
struct DeviceEventDecoder {
  private let bytes: ReplyBytes

  /// The event as libxcb hands it out: with its own sequence number between byte 32 and what follows it on the wire.
  init(_ raw: UnsafeRawPointer) {
    // GenericEvent: the length of what follows the 32 bytes, in units of four, at 4.
    let units = raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    bytes = ReplyBytes(UnsafeRawBufferPointer(start: raw, count: 36 + 4 * Int(min(units, 1 << 16))))
  }

  func decode() -> XEvent {
    // Event type at 8, device at 10, time at 12.
    guard let type = bytes.u16(8) else { return .unknown(35) }
    switch type {
    case DeviceEventType.hierarchyChanged: return .devicesChanged
    // DeviceChanged: source at 18, reason at 20: SlaveSwitch 1, DeviceChange 2.
    case DeviceEventType.deviceChanged: return bytes.u8(20) == 2 ? .devicesChanged : .deviceSwitched
    case DeviceEventType.motion: return device(.motion)
    case DeviceEventType.buttonPress: return device(.button(isDown: true))
    case DeviceEventType.buttonRelease: return device(.button(isDown: false))
    case DeviceEventType.touchBegin: return device(.touch(.began))
    case DeviceEventType.touchUpdate: return device(.touch(.moved))
    case DeviceEventType.touchEnd: return device(.touch(.ended))
    case _: return .unknown(35)
    }
  }

  /// DeviceEvent, offsets behind the 32nd byte 4 further: detail at 16, event window at 24, event-x and -y (FP1616) at
  /// 44 and 48, length of the buttons' and the valuators' masks at 52 and 54, source at 56, flags at 60, effective
  /// modifiers at 76, effective group at 83, then both masks, then the values (FP3232).
  private func device(_ kind: DeviceEvent.Kind) -> XEvent {
    guard let time = bytes.u32(12), let detail = bytes.u32(16), let window = bytes.u32(24), let x = bytes.u32(44),
      let y = bytes.u32(48), let buttonsLength = bytes.u16(52), let valuatorsLength = bytes.u16(54),
      let source = bytes.u16(56), let flags = bytes.u32(60), let modifiers = bytes.u32(76), let group = bytes.u8(83)
    else { return .unknown(35) }
    // Button 1 is bit 1 here and bit 8 in the core protocol's state.
    let buttons = buttonsLength > 0 ? bytes.u32(84) ?? 0 : 0
    let state = UInt16(modifiers & 0xFF) | UInt16(buttons >> 1 & 0x1F) << 8 | UInt16(group & 3) << 13
    var event = DeviceEvent(
      kind: kind, source: source,
      input: XInput(
        window: window, detail: 0, time: time, state: state,
        location: Point(x: Int(Int32(bitPattern: x) >> 16), y: Int(Int32(bitPattern: y) >> 16))),
      // XIPointerEmulated, of buttons and motion alone: bit 16 means other things in touches.
      isEmulated: false)
    switch kind {
    case .touch: event.touch = detail
    case .motion, .button:
      event.input.detail = UInt8(exactly: detail) ?? 0
      event.isEmulated = flags & 1 << 16 != 0
    }
    let mask = 84 + 4 * Int(buttonsLength)
    var value = mask + 4 * Int(valuatorsLength)
    for number in 0..<32 * Int(valuatorsLength) {
      guard let word = bytes.u32(mask + number / 32 * 4) else { break }
      guard word & 1 << UInt32(number % 32) != 0 else { continue }
      guard let fixed = Self.fixed(bytes, value) else { break }
      event.valuators[number] = fixed
      value += 8
    }
    return .device(event)
  }

  /// FP3232: a signed whole part, then the fraction.
  static func fixed(_ bytes: ReplyBytes, _ offset: Int) -> Double? {
    guard let whole = bytes.u32(offset), let fraction = bytes.u32(offset + 4) else { return nil }
    return Double(Int32(bitPattern: whole)) + Double(fraction) / 4_294_967_296
  }
}
