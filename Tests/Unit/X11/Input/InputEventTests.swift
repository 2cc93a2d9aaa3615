import DeskSupport
import ProsceniumCore
import TestSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// What XInput 2 says, decoded and counted without a server.
@Suite("XInput 2 values") struct InputEventTests {
  /// A DeviceEvent as libxcb hands it out.
  private static func event(
    _ type: UInt16, detail: UInt32 = 0, window: UInt32 = 7, x: Int32 = 0, y: Int32 = 0, flags: UInt32 = 0,
    source: UInt16 = 9, modifiers: UInt32 = 0, group: UInt8 = 0, buttons: [UInt32] = [],
    valuators: [(number: Int, whole: Int32, fraction: UInt32)] = [], maskLength: Int = 1, length: UInt32? = nil
  ) -> [UInt8] {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
    var mask = [UInt32](repeating: 0, count: maskLength)
    for valuator in valuators { mask[valuator.number / 32] |= 1 << UInt32(valuator.number % 32) }
    var rest: [UInt8] = bytes(x << 16) + bytes(y << 16) + bytes(x << 16) + bytes(y << 16)
    rest += bytes(UInt16(buttons.count)) + bytes(UInt16(maskLength)) + bytes(source) + [0, 0] + bytes(flags)
    rest += [UInt8](repeating: 0, count: 12) + bytes(modifiers) + [0, 0, 0, group]
    rest += buttons.flatMap(bytes) + mask.flatMap(bytes)
    for valuator in valuators { rest += bytes(valuator.whole) + bytes(valuator.fraction) }
    let head: [UInt8] =
      [35, 131, 0, 0] + bytes(length ?? UInt32(rest.count / 4)) + bytes(type) + [2, 0] + bytes(UInt32(1234))
      + bytes(detail) + bytes(UInt32(1)) + bytes(window) + bytes(UInt32(0))
    // libxcb's own sequence number
    return head + bytes(UInt32(55)) + rest
  }

  private func decode(_ bytes: [UInt8]) -> XEvent? {
    var decoder = EventDecoder()
    decoder.inputOpcode = 131
    return bytes.withUnsafeBytes { $0.baseAddress.map(decoder.decode) }
  }

  @Test("a motion has its place, its state, its source and its valuators")
  func motion() {
    let bytes = Self.event(
      6, x: -3, y: 40, modifiers: 0x05, group: 1, buttons: [0b10], valuators: [(0, 5, 0), (3, -2, 1 << 31)])
    let input = XInput(
      window: 7, detail: 0, time: 1234, state: 0x05 | 1 << 8 | 1 << 13, location: Point(x: -3, y: 40),
      rootLocation: Point(x: -3, y: 40))
    #expect(
      decode(bytes)
        == .device(
          DeviceEvent(kind: .motion, source: 9, input: input, isEmulated: false, valuators: [0: 5, 3: -1.5])))
  }

  @Test("what the server has made out of other events is told apart")
  func emulated() {
    guard case .device(let button) = decode(Self.event(4, detail: 5, flags: 1 << 16)) else {
      Issue.record("no device event")
      return
    }
    #expect(button.isEmulated && button.kind == .button(isDown: true) && button.input.detail == 5)
    // The same bit of a touch is XITouchPendingEnd
    guard case .device(let touch) = decode(Self.event(19, detail: 70_000, flags: 1 << 16)) else {
      Issue.record("no device event")
      return
    }
    #expect(!touch.isEmulated && touch.touch == 70_000 && touch.kind == .touch(.moved))
  }

  @Test("events of other extensions, of other types, and short ones are none")
  func foreign() {
    var other = Self.event(6)
    other[1] = 140
    #expect(decode(other) == .unknown(35))
    #expect(decode(Self.event(17)) == .unknown(35))
    #expect(decode(Self.event(6, length: 3)) == .unknown(35))
    // Masks that claim more than there is give what is there
    guard
      case .device(let short) = decode(
        Self.event(6, valuators: [(0, 1, 0), (1, 2, 0)], length: UInt32(48 / 4 + 1 + 2)))
    else {
      Issue.record("no device event")
      return
    }
    #expect(short.valuators == [0: 1])
  }

  @Test("no bytes crash the decoder")
  func total() {
    var generator = SeededNumbers(testSeed())
    for _ in 0..<5000 {
      var bytes = Self.event(
        [1, 4, 5, 6, 11, 18, 19, 20].randomElement(using: &generator) ?? 6, valuators: [(0, 1, 0), (2, 2, 0)])
      let length = Array(bytes[4..<8])
      for _ in 0..<20 { bytes[Int.random(in: 12..<bytes.count, using: &generator)] = generator.next() }
      bytes.replaceSubrange(4..<8, with: length)
      _ = decode(bytes)
    }
  }

  @Test("the first value of a wheel says where it stands, and the next ones how far it was turned")
  func scrolling() {
    let down = ScrollAxes.Name(device: 9, number: 3)
    let right = ScrollAxes.Name(device: 9, number: 2)
    var axes = ScrollAxes([
      down: .init(isHorizontal: false, increment: 15), right: .init(isHorizontal: true, increment: -120),
    ])
    #expect(axes.turn(9, [0: 4, 1: 5]) == nil)
    #expect(axes.turn(8, [3: 4]) == nil)
    #expect(axes.turn(9, [3: 150])! == (0, 0))
    #expect(axes.turn(9, [3: 165])! == (0, 1))
    #expect(axes.turn(9, [3: 157.5])! == (0, -0.5))
    #expect(axes.turn(9, [2: 0])! == (0, 0))
    #expect(axes.turn(9, [2: 120, 3: 172.5])! == (-1, 1))
    // Turned elsewhere meanwhile
    axes.reset()
    #expect(axes.turn(9, [3: 900])! == (0, 0))
  }

  @Test("until a wheel's next value its turn is unknown, in its direction and of its device alone")
  func unknownTurns() {
    var axes = ScrollAxes([
      .init(device: 9, number: 3): .init(isHorizontal: false, increment: 15),
      .init(device: 9, number: 2): .init(isHorizontal: true, increment: 15),
    ])
    func unknown() -> [Bool] { [false, true].map { axes.isTurnUnknown(9, isHorizontal: $0) } }
    #expect(unknown() == [false, false])
    _ = axes.turn(9, [3: 15])
    #expect(unknown() == [true, false] && !axes.isTurnUnknown(8, isHorizontal: false))
    // A move of the pointer says nothing about wheels
    _ = axes.turn(9, [0: 15])
    #expect(unknown() == [true, false])
    _ = axes.turn(9, [2: 15, 3: 30])
    #expect(unknown() == [false, true])
    axes.reset()
    #expect(unknown() == [false, false])
  }

  @Test("wild valuators scroll nowhere, and wheels without an increment are none")
  func wildScrolling() {
    let name = ScrollAxes.Name(device: 9, number: 3)
    var axes = ScrollAxes([name: .init(isHorizontal: false, increment: 1)])
    for value in [0, .nan, .infinity, -.infinity, 2e9, -2e9, .greatestFiniteMagnitude] {
      #expect(axes.turn(9, [3: value])! == (0, 0), "\(value)")
    }
    for increment in [0, .nan, .infinity] {
      #expect(ScrollAxes([name: .init(isHorizontal: false, increment: increment)]).axes.isEmpty)
    }
  }

  @Test("a reply about devices that lies about its lengths gives the wheels that are there")
  func devices() {
    // Given one device with a button class of 2 units, a scroll class, and 9 devices claimed
    var words = [UInt32](repeating: 0, count: 8)
    words[2] = 9
    words += [9 | 3 << 16, 2 | 2 << 16, 5 | 1 << 16, 0x6162_6364, 0x65]
    words += [1 | 2 << 16, 0]
    words += [3 | 6 << 16, 9 | 3 << 16, 1, 0, 15, 1 << 31]
    for count in 8...words.count {
      let axes = words[..<count].withUnsafeBytes { ScrollAxes(ReplyBytes($0)) }
      if count == words.count {
        #expect(axes.axes == [.init(device: 9, number: 3): .init(isHorizontal: false, increment: 15.5)])
      }
    }
  }

  @Test("dead keys compose, and what means nothing types nothing")
  func compose() throws {
    let found = XKBCompose(locale: "C")
    if found == nil, !mustNotSkip { try Test.cancel("libxkbcommon or its compose tables are not installed") }
    let compose = try #require(found)
    #expect(compose.feed(0x61) == .none)
    // dead_acute, e
    #expect(compose.feed(0xFE51) == .swallowed)
    // Shift is no part of a sequence
    #expect(compose.feed(0xFFE1) == .none)
    #expect(compose.feed(0x65) == .composed("é"))
    // Multi_key, o, c
    #expect(compose.feed(0xFF20) == .swallowed)
    #expect(compose.feed(0x6F) == .swallowed)
    #expect(compose.feed(0x63) == .composed("©"))
    // dead_acute, q; dead_acute, BackSpace
    #expect(compose.feed(0xFE51) == .swallowed)
    #expect(compose.feed(0x71) == .cancelled)
    #expect(compose.feed(0xFE51) == .swallowed)
    #expect(compose.feed(0xFF08) == .cancelled)
    #expect(compose.feed(0x71) == .none)
    compose.reset()
    #expect(XKBCompose(locale: "xx_YY.nonsense") != nil)
  }

  @Test("One compose table is made, of the first locale that has one")
  func composeTables() {
    var made: [String] = []
    let table = XKBCompose.table(of: ["xx", "de_DE", "en_US"]) { locale in
      made.append(locale)
      return locale == "xx" ? nil : OpaquePointer(bitPattern: made.count)
    }
    #expect(made == ["xx", "de_DE"] && table == OpaquePointer(bitPattern: 2))
    #expect(XKBCompose.table(of: ["xx"]) { _ in nil } == nil)
  }
}
