/// An event of XInput 2 (XI2proto.txt, section "DeviceEvent"): motion, buttons and touches.
struct DeviceEvent: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case motion
    case button(isDown: Bool)
    case touch(TouchPhase)
  }
  enum TouchPhase: Hashable, Sendable { case began, moved, ended }

  var kind: Kind
  /// The device that the user touched, not the master that it moves.
  var source: UInt16
  /// As a core event would have it; `detail` is 0 for a number above 255.
  var input: XInput
  /// The touch's number.
  var touch: UInt32 = 0
  /// Made by the server out of another event that we get as well: a touch, or a turn of a smooth wheel.
  var isEmulated: Bool
  /// The axes that have changed, by their number.
  var valuators: [Int: Double] = [:]
}

/// The types of XInput 2's events that are listened to (XI2proto.txt, section "Events").
enum DeviceEventType {
  static let deviceChanged: UInt16 = 1
  static let buttonPress: UInt16 = 4
  static let buttonRelease: UInt16 = 5
  static let motion: UInt16 = 6
  static let hierarchyChanged: UInt16 = 11
  static let touchBegin: UInt16 = 18
  static let touchUpdate: UInt16 = 19
  static let touchEnd: UInt16 = 20

  static func mask(_ types: UInt16...) -> UInt32 { types.reduce(0) { $0 | 1 << UInt32($1) } }
}
