import CXCB
import ProsceniumPlatform

/// Properties of ICCCM 4.1.2, laid out as values.
enum Hints {
  /// `WM_NORMAL_HINTS` (ICCCM 4.1.2.3): 18 words.
  static func normal(_ description: WindowDescription) -> [UInt32] {
    var hints = icccm_size_hints()
    var flags: [icccm_size_flag] = []
    // USSize and PSize are left out where the window is new: a window manager may make it fit the screen.
    hints.width = UInt32(bounded(description.size.width))
    hints.height = UInt32(bounded(description.size.height))
    if let position = description.position {
      flags += [ICCCM_USER_POSITION, ICCCM_PROGRAM_POSITION, ICCCM_PROGRAM_SIZE, ICCCM_WINDOW_GRAVITY]
      hints.x = Int32(clamping: position.x)
      hints.y = Int32(clamping: position.y)
      // The position is that of the window itself, not of its frame.
      hints.gravity = XCB_GRAVITY_STATIC.rawValue
    }
    if description.placement != nil { flags.append(ICCCM_USER_SIZE) }
    if let minimum = description.minimumSize {
      flags.append(ICCCM_MINIMUM_SIZE)
      hints.minimum_width = UInt32(bounded(minimum.width))
      hints.minimum_height = UInt32(bounded(minimum.height))
    }
    if let maximum = description.maximumSize {
      flags.append(ICCCM_MAXIMUM_SIZE)
      hints.maximum_width = max(UInt32(bounded(maximum.width)), hints.minimum_width)
      hints.maximum_height = max(UInt32(bounded(maximum.height)), hints.minimum_height)
    }
    hints.flags = flags.reduce(0) { $0 | $1.rawValue }
    return words(hints)
  }

  /// `WM_HINTS` (ICCCM 4.1.2.4): 9 words.
  ///
  /// Input hint True and no WM_TAKE_FOCUS: the passive model of ICCCM 4.1.7; False where no keyboard is wanted.
  static func general(leader: UInt32, isIconic: Bool, isInteractive: Bool = true) -> [UInt32] {
    var hints = icccm_hints()
    hints.flags = ICCCM_INPUT_HINT.rawValue | ICCCM_STATE_HINT.rawValue | ICCCM_WINDOW_GROUP_HINT.rawValue
    hints.input = isInteractive ? 1 : 0
    hints.initial_state = (isIconic ? ICCCM_ICONIC_STATE : ICCCM_NORMAL_STATE).rawValue
    hints.window_group = leader
    return words(hints)
  }

  private static func words(_ hints: some BitwiseCopyable) -> [UInt32] {
    withUnsafeBytes(of: hints) { Array($0.bindMemory(to: UInt32.self)) }
  }

  /// A length that fits the protocol and is not zero: a window without a pixel is a BadValue.
  static func bounded(_ length: Int) -> Int { min(max(length, 1), 32767) }

  /// A rectangle that a window can have.
  static func bounded(_ frame: Rect) -> Rect {
    Rect(
      x: Int(Int16(clamping: frame.origin.x)), y: Int(Int16(clamping: frame.origin.y)),
      width: bounded(frame.size.width), height: bounded(frame.size.height))
  }

  /// A text in Latin-1, which `WM_NAME` is (`STRING`) where that is enough; nil where it has other characters.
  static func latin1(_ text: String) -> [UInt8]? {
    guard text.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) else { return nil }
    return text.unicodeScalars.map { UInt8($0.value) }
  }

  /// A text for a property: bounded, because a request has a greatest length, and cut between characters.
  static func text(_ text: String) -> String {
    guard text.utf8.count > 16_384 else { return text }
    var short = String(text.prefix(4096))
    while short.utf8.count > 16_384 { short.removeLast() }
    return short
  }
}
