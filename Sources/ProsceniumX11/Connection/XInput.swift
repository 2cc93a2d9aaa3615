import ProsceniumPlatform

/// The part that pointer and key events have in common.
struct XInput: Hashable, Sendable {
  var window: UInt32
  /// The keycode or the button.
  var detail: UInt8
  var time: UInt32
  /// Modifiers and buttons before the event, and the keyboard group (XKB protocol, section 2.2.2).
  var state: UInt16
  var location: Point
  /// Whether another client sent it (SendEvent): nothing about the focus or the time follows from it.
  var isSynthetic = false

  /// The keyboard group in a state: bits 13 and 14.
  static func group(_ state: UInt16) -> UInt16 { state >> 13 & 3 }
}
