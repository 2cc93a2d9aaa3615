import ProsceniumPlatform

/// Properties of ICCCM 4.1.2, laid out as values.
enum Hints {
  /// StaticGravity (X protocol, CreateWindow): a position is that of the window itself, not of its frame.
  private static let staticGravity: UInt32 = 10

  /// `WM_NORMAL_HINTS` (ICCCM 4.1.2.3): 18 words.
  static func normal(_ description: WindowDescription) -> [UInt32] {
    var words = [UInt32](repeating: 0, count: 18)
    // USSize and PSize are left out where the window is new: a window manager may make it fit the screen.
    words[3] = UInt32(bounded(description.size.width))
    words[4] = UInt32(bounded(description.size.height))
    if let position = description.position {
      // USPosition 1, PPosition 4, PSize 8, PWinGravity 512.
      words[0] |= 1 | 4 | 8 | 512
      words[1] = UInt32(bitPattern: Int32(clamping: position.x))
      words[2] = UInt32(bitPattern: Int32(clamping: position.y))
      words[17] = staticGravity
    }
    // USSize 2: the user made it so large.
    if description.placement != nil { words[0] |= 2 }
    if let minimum = description.minimumSize {
      words[0] |= 16
      words[5] = UInt32(bounded(minimum.width))
      words[6] = UInt32(bounded(minimum.height))
    }
    if let maximum = description.maximumSize {
      words[0] |= 32
      words[7] = UInt32(max(bounded(maximum.width), Int(words[5])))
      words[8] = UInt32(max(bounded(maximum.height), Int(words[6])))
    }
    return words
  }

  /// `WM_HINTS` (ICCCM 4.1.2.4): 9 words.
  ///
  /// Input hint True and no WM_TAKE_FOCUS: the passive model of ICCCM 4.1.7; False where no keyboard is wanted.
  static func general(leader: UInt32, isIconic: Bool, isInteractive: Bool = true) -> [UInt32] {
    // InputHint 1, StateHint 2, WindowGroupHint 64; NormalState 1, IconicState 3.
    [1 | 2 | 64, isInteractive ? 1 : 0, isIconic ? 3 : 1, 0, 0, 0, 0, 0, leader]
  }

  /// A length that fits the protocol and is not nothing: a window without a pixel is a BadValue.
  static func bounded(_ length: Int) -> Int { min(max(length, 1), 32767) }

  static func position(_ value: Int) -> Int16 { Int16(clamping: value) }

  /// `WM_NAME` is Latin-1 where that is enough (`STRING`), else UTF-8; nil means UTF-8.
  static func latin1(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard scalar.value <= 0xFF else { return nil }
      bytes.append(UInt8(scalar.value))
    }
    return bytes
  }

  /// Text for a property: bounded, because a request has a greatest length, and cut between characters.
  static func text(_ text: String) -> String {
    guard text.utf8.count > 16_384 else { return text }
    var short = String(text.prefix(4096))
    while short.utf8.count > 16_384 { short.removeLast() }
    return short
  }
}
