/// The chunks of a QOI picture (qoiformat.org): each pixel is a run of the last one, a recent colour, a small
/// difference, or its channels.
///
/// Pixels are `0xAARRGGBB`.
enum QOI {
  /// The bytes behind the last pixel.
  static let end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

  /// What encoder and decoder know of the pixels before.
  fileprivate struct Memory {
    var last: UInt32 = 0xFF00_0000
    var recent = InlineArray<64, UInt32>(repeating: 0)

    /// The place of a colour among the recent ones.
    static func place(_ pixel: UInt32) -> Int {
      let (red, green, blue, alpha) = (pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF, pixel >> 24)
      return Int((red * 3 + green * 5 + blue * 7 + alpha * 11) % 64)
    }
  }

  /// Encodes pixels one after another.
  struct Encoder {
    /// The bytes so far; the owner may take them out.
    var bytes: [UInt8] = []
    private var memory = Memory()
    private var run: UInt8 = 0

    mutating func add(_ pixel: UInt32) {
      if pixel == memory.last {
        run += 1
        if run == 62 { endRun() }
        return
      }
      endRun()
      let place = Memory.place(pixel)
      if memory.recent[place] == pixel {
        bytes.append(UInt8(place))
      } else {
        memory.recent[place] = pixel
        add(pixel, after: memory.last)
      }
      memory.last = pixel
    }

    private mutating func endRun() {
      if run > 0 { bytes.append(0xC0 | (run - 1)) }
      run = 0
    }

    private mutating func add(_ pixel: UInt32, after last: UInt32) {
      let (red, green, blue) = (UInt8(pixel >> 16 & 0xFF), UInt8(pixel >> 8 & 0xFF), UInt8(pixel & 0xFF))
      guard pixel >> 24 == last >> 24 else { return bytes += [0xFF, red, green, blue, UInt8(pixel >> 24)] }
      let greenStep = green &- UInt8(last >> 8 & 0xFF)
      let (redStep, blueStep) = (red &- UInt8(last >> 16 & 0xFF), blue &- UInt8(last & 0xFF))
      let (small, smallGreen, smallBlue) = (redStep &+ 2, greenStep &+ 2, blueStep &+ 2)
      if small < 4, smallGreen < 4, smallBlue < 4 {
        return bytes.append(0x40 | small << 4 | smallGreen << 2 | smallBlue)
      }
      let (redRest, blueRest) = (redStep &- greenStep &+ 8, blueStep &- greenStep &+ 8)
      if greenStep &+ 32 < 64, redRest < 16, blueRest < 16 {
        bytes.append(0x80 | (greenStep &+ 32))
        bytes.append(redRest << 4 | blueRest)
      } else {
        bytes += [0xFE, red, green, blue]
      }
    }

    mutating func finish() {
      endRun()
      bytes += QOI.end
    }
  }

  /// Decodes pixels one after another; any bytes at all are safe.
  struct Decoder {
    private let bytes: ArraySlice<UInt8>
    private var next: Int
    private var memory = Memory()
    private var run = 0

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      next = bytes.startIndex
    }

    /// Whether the bytes end as they must behind the last pixel.
    var isAtEnd: Bool { run == 0 && bytes[next...].elementsEqual(QOI.end) }

    private mutating func byte() -> UInt32? {
      guard next < bytes.endIndex else { return nil }
      defer { next += 1 }
      return UInt32(bytes[next])
    }

    /// The next pixel; nil where the bytes are at their end.
    mutating func pixel() -> UInt32? {
      if run > 0 {
        run -= 1
        return memory.last
      }
      guard let tag = byte() else { return nil }
      let last = memory.last
      switch tag {
      case 0xFE, 0xFF:
        guard let red = byte(), let green = byte(), let blue = byte() else { return nil }
        guard let alpha = tag == 0xFE ? last >> 24 : byte() else { return nil }
        memory.last = alpha << 24 | red << 16 | green << 8 | blue
      case 0xC0...:
        run = Int(tag & 0x3F)
        return last
      case 0x80...:
        guard let rests = byte() else { return nil }
        let green = (tag & 0x3F) &- 32
        step(red: green &+ (rests >> 4) &- 8, green: green, blue: green &+ (rests & 0xF) &- 8)
      case 0x40...: step(red: (tag >> 4 & 3) &- 2, green: (tag >> 2 & 3) &- 2, blue: (tag & 3) &- 2)
      default: memory.last = memory.recent[Int(tag)]
      }
      memory.recent[Memory.place(memory.last)] = memory.last
      return memory.last
    }

    private mutating func step(red: UInt32, green: UInt32, blue: UInt32) {
      let last = memory.last
      memory.last =
        last & 0xFF00_0000 | ((last >> 16 &+ red) & 0xFF) << 16 | ((last >> 8 &+ green) & 0xFF) << 8 | (last &+ blue)
        & 0xFF
    }
  }
}
