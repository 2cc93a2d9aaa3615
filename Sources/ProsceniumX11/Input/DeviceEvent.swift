/// An event of XInput 2 (XI2proto.txt, section "DeviceEvent"): motion, buttons and touches.
struct DeviceEvent: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case motion
    case button(isDown: Bool)
    case touch(TouchPhase)
  }
  enum TouchPhase: Hashable, Sendable { case began, moved, ended }

  var kind: Kind
  /// The device that the user moved, not the master that it moves.
  var source: UInt16
  /// The event as the core protocol has it; `detail` is 0 for a number above 255.
  var input: XInput
  /// The touch's number.
  var touch: UInt32 = 0
  /// Whether the server made it out of another event that comes as well: of a touch, or of a smooth wheel.
  var isEmulated: Bool
  /// The axes that have changed, by their number.
  var valuators: [Int: Double] = [:]
}
