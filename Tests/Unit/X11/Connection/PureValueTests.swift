import DeskSupport
import ProsceniumCore
import TestSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// What the platform decodes and lays out, without a server.
@Suite("X11 values") struct PureValueTests {
  @Test("no event packet crashes the decoder, whatever its bytes are")
  func decoderIsTotal() {
    var generator = SeededNumbers(testSeed())
    let decoder = EventDecoder(firstRandREvent: 89, firstFixesEvent: 87)
    for code in UInt8.min...UInt8.max {
      for _ in 0..<20 {
        let words = [UInt32(code) | generator.next() << 8] + (0..<8).map { _ in generator.next() as UInt32 }
        words.withUnsafeBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          _ = decoder.decode(base)
        }
      }
    }
  }

  @Test("what a client sends with SendEvent is a message, input or a window manager's word, and nothing else")
  func sentEvents() {
    let decoder = EventDecoder(firstRandREvent: 89, firstFixesEvent: 87, firstScreenSaverEvent: 92)
    // Given events that are all zero but for their code and the bit of SendEvent, and a ClientMessage of format 32
    let known = (UInt8(2)..<128).filter { code in
      let words = [UInt32(code) | 0x80 | (code == 33 ? 32 << 8 : 0)] + [UInt32](repeating: 0, count: 8)
      let event = words.withUnsafeBytes { $0.baseAddress.map(decoder.decode) }
      return event != .unknown(code)
    }
    // Then keys, buttons, motion, UnmapNotify, ConfigureNotify, SelectionNotify and ClientMessage are left
    #expect(known == [2, 3, 4, 5, 6, 18, 22, 31, 33])
  }

  @Test("a time of the server that was heard long ago is not compared with those that come")
  func oldTimes() {
    let day = 86_400.0
    let claim = OwnedSelection(items: [], time: 1000, since: 0, number: 1)
    // What was on its way at the claim, and what comes when the server's clock has gone half round.
    #expect(
      claim.isLater(than: 999, now: 1) && !claim.isLater(than: 1000, now: 1) && !claim.isLater(than: 1001, now: 1))
    #expect(!claim.isLater(than: 1000 &+ 0x9000_0000, now: 28 * day))
    let clock = ServerTime()
    for (time, latest) in [(1000, 1000), (999, 1000), (0x9000_03E8, 0x9000_03E8)] as [(UInt32, UInt32)] {
      clock.observe(time)
      #expect(clock.latest == latest)
    }
    let action = UserAction(time: 1000, heard: day)
    #expect(action.time(now: day) == 1000 && action.time(now: 12 * day) == 1000)
    #expect(action.time(now: 13.1 * day) == 0 && action.time(now: 100 * day) == 0)
  }

  @Test("rules that libxkbcommon does not know give no keymap, and no crash")
  func unknownRules() throws {
    let bytes = Array("nope\0nope\0nope\0nope\0nope\0".utf8)
    let rules = try #require(KeyboardRules(PropertyValue(type: PredefinedAtom.string, bytes: bytes)))
    #expect(XKBKeymap(rules) == nil)
  }

  @Test("a key that is remembered means what it means without")
  func rememberedKeys() throws {
    let bytes = Array("evdev\0pc105\0de\0\0\0".utf8)
    let rules = try #require(KeyboardRules(PropertyValue(type: PredefinedAtom.string, bytes: bytes)))
    let found = XKBKeymap(rules)
    if found == nil, !mustNotSkip { try Test.cancel("libxkbcommon, or its keyboard layouts, are not installed") }
    let keymap = try #require(found)
    // Modifiers, the pointer's buttons, the groups.
    let states: [UInt16] = [0, 1, 2, 4, 0x10, 0x80, 0x81, 0x100, 0x1F01, 0x2000, 0x6005]
    for _ in 0..<2 {
      for code in UInt8(8)...255 {
        for state in states {
          let key = keymap.key(code, state: state)
          #expect((key.symbol, key.text) == keymap.lookUp(code, state: state) && key.latin == 0)
        }
      }
    }
  }

  @Test("short, long and wrong property replies give what is there, or nothing")
  func properties() {
    func value(format: UInt8, type: UInt32, length: UInt32, _ words: [UInt32]) -> PropertyValue? {
      let all = [UInt32(format) << 8, 0, type, 0, length, 0, 0, 0] + words
      return all.withUnsafeBytes { PropertyValue(ReplyBytes($0)) }
    }
    #expect(value(format: 0, type: 0, length: 0, []) == nil)
    #expect(value(format: 16, type: 6, length: 1, [7]) == nil)
    #expect(value(format: 32, type: 6, length: 0, [])?.first(ofType: 6) == nil)
    #expect(value(format: 32, type: 4, length: 1, [3])?.first(ofType: 6) == nil)
    #expect(value(format: 32, type: 6, length: 1, [3])?.first(ofType: 6) == 3)
    #expect(value(format: 32, type: 4, length: .max, [1, 2])?.words(ofType: 4) == [1, 2])
    #expect(value(format: 8, type: 31, length: 3, [0x0063_6261])?.text == "abc")
  }

  @Test("a reply of monitors that lies about its length gives the monitors that are there")
  func monitors() {
    let header: [UInt32] = [0, 0, 0, 1000, 0, 0, 0, 0]
    let monitor: [UInt32] = [77, 0x0000_0001, 0x0000_0000, 600 << 16 | 800, 200, 150]
    let found = (header + monitor).withUnsafeBytes { MonitorReply.decode(ReplyBytes($0)) }
    #expect(found.map(\.frame) == [Rect(x: 0, y: 0, width: 800, height: 600)])
    #expect(found.first?.isPrimary == true)
  }

  @Test("the size in millimetres of a turned monitor is turned with its rectangle, which the server turns alone")
  func turnedMonitors() {
    func size(_ width: UInt32, _ height: UInt32, _ millimetres: Size) -> Size? {
      let words: [UInt32] = [
        0, 0, 0, 1, 0, 0, 0, 0, 77, 0, 0, height << 16 | width, UInt32(millimetres.width), UInt32(millimetres.height),
      ]
      return words.withUnsafeBytes { MonitorReply.decode(ReplyBytes($0)) }.first?.physicalSize
    }
    let (wide, tall) = (Size(width: 597, height: 336), Size(width: 336, height: 597))
    #expect(size(3840, 2160, wide) == wide && size(2160, 3840, wide) == tall)
    // A panel that is tall itself
    #expect(size(2160, 3840, tall) == tall && size(3840, 2160, tall) == wide)
    #expect(size(1000, 1000, wide) == wide && size(2160, 3840, Size(width: 300, height: 300))?.width == 300)
  }

  @Test("the launch's id gives its time, and its end is told in pieces of 20 bytes with a zero at the end")
  func startup() {
    let launch = StartupNotification(id: "host-12-a\"b_TIME4711")
    #expect(launch.time == 4711)
    #expect(StartupNotification(id: "host_TIME").time == nil)
    #expect(StartupNotification(id: "4711").time == nil)
    let messages = launch.removeMessages
    #expect(messages.allSatisfy { (1...20).contains($0.count) })
    #expect(messages.joined().last == 0)
    #expect(String(decoding: messages.joined().dropLast(), as: UTF8.self) == #"remove: ID="host-12-a\"b_TIME4711""#)
  }

  @Test("size hints stay in the protocol's range, and a maximum is never below the minimum")
  func hints() {
    var description = WindowDescription()
    description.size = Size(width: -5, height: 1_000_000)
    description.minimumSize = Size(width: 300, height: 0)
    description.maximumSize = Size(width: 200, height: 100)
    let words = Hints.normal(description)
    #expect(words.count == 18)
    #expect(Array(words[3...8]) == [1, 32767, 300, 1, 300, 100])
    #expect(Hints.latin1("Größe") == [71, 114, 246, 223, 101])
    #expect(Hints.latin1("日本") == nil)
    #expect(Hints.text(String(repeating: "日", count: 100_000)).utf8.count <= 16_384)
  }

  @Test("the core map follows shift, caps lock, num lock and the second group")
  func coreMap() {
    // Keycode 10: a, A, adiaeresis (second group); 11: KP_End, KP_1; 12: Num_Lock; 13: Mode_switch.
    let symbols: [UInt32] = [
      0x61, 0, 0xE4, 0, 0xFF9C, 0xFFB1, 0, 0, KeySymbols.numLock, 0, 0, 0, KeySymbols.modeSwitch, 0, 0, 0,
    ]
    var modifiers = [UInt8](repeating: 0, count: 8)
    modifiers[4] = 12
    modifiers[7] = 13
    let map = CoreKeyboardMap(firstCode: 10, perKey: 4, symbols: symbols, modifiers: modifiers)
    let letters = [UInt16(0), 1, 2, 3, 0x80, 0x81].map { map.symbol(10, state: $0) }
    #expect(letters == [0x61, 0x41, 0x41, 0x41, 0xE4, 0xC4])
    #expect([UInt16(0), 0x10, 0x11].map { map.symbol(11, state: $0) } == [0xFF9C, 0xFFB1, 0xFF9C])
    #expect(map.symbol(9, state: 0) == 0 && map.symbol(200, state: 0) == 0)
  }

  @Test("of the core map, too, a key of another script has its Latin character, if it has one")
  func latinCharacters() {
    // Keycode 38: a, A, Cyrillic_ef, its capital; 39: the same letters the other way round; 52: Greek_zeta alone;
    // 59: Cyrillic_be alone; 60: Mode_switch. Signs beside Cyrillic: 40: d, D, semicolon, colon; 47: slash, question,
    // period, comma; 58: 5, percent, exclam.
    var symbols = [UInt32](repeating: 0, count: 23 * 4)
    symbols.replaceSubrange(0..<8, with: [0x61, 0x41, 0x6C6, 0x6E6, 0x6C6, 0x6E6, 0x61, 0x41])
    symbols.replaceSubrange(2 * 4..<3 * 4, with: [0x64, 0x44, 0x3B, 0x3A])
    symbols.replaceSubrange(9 * 4..<10 * 4, with: [0x2F, 0x3F, 0x2E, 0x2C])
    symbols.replaceSubrange(20 * 4..<21 * 4, with: [0x35, 0x25, 0x21, 0])
    symbols[14 * 4] = 0x7E6
    symbols[21 * 4] = 0x6C2
    symbols[22 * 4] = KeySymbols.modeSwitch
    var modifiers = [UInt8](repeating: 0, count: 8)
    modifiers[7] = 60
    let map = KeyboardMap(core: CoreKeyboardMap(firstCode: 38, perKey: 4, symbols: symbols, modifiers: modifiers))
    func latin(_ code: UInt8, _ state: UInt16) -> String {
      let input = XInput(window: 1, detail: code, time: 0, state: state, location: Point(x: 0, y: 0))
      return map.key(input, isDown: true, isRepeat: false).latinCharacter
    }
    #expect([UInt16(0), 1, 4].map { latin(38, $0) } == ["", "", ""])
    #expect([0x2000, 0x2001, 0x2004, 0x80].map { latin(38, $0) } == ["a", "a", "a", "a"])
    #expect([UInt16(0), 1, 4].map { latin(39, $0) } == ["a", "a", "a"] && latin(39, 0x2000) == "")
    // Of a sign the letter, and no other sign; in a Latin layout nothing.
    #expect([0x2000, 0x2001, 0x2004, 0x80].map { latin(40, $0) } == ["d", "d", "d", "d"])
    #expect([UInt16(0), 1, 0x2000, 0x2001].map { latin(47, $0) } == ["", "", "", ""] && latin(40, 0) == "")
    #expect(latin(58, 0) == "" && latin(58, 1) == "" && latin(58, 0x2000) == "m")
    // Where they are on an American keyboard, and a key that is no letter there.
    #expect(latin(52, 0) == "z" && latin(59, 0) == "" && latin(200, 0) == "")
  }

  @Test("letters of Latin scripts, signs and keys without a character are of no other script")
  func scripts() {
    // a, ä, č, ğ, Vietnamese ạ, €, →, “, Left, dead_acute, XF86AudioPlay
    for symbol: UInt32 in [
      0x61, 0xE4, 0x1E8, 0x2BB, 0x0100_1EA1, 0x20AC, 0x8FD, 0xAD2, 0xFF51, 0xFE51, 0x1008_FF14, 0,
    ] { #expect(!KeySymbols.isOfOtherScript(symbol), "\(symbol)") }
    // с, γ, ש, ش, ก, Armenian, Georgian, Devanagari, Persian 1
    for symbol: UInt32 in [
      0x6D3, 0x7E3, 0xCF9, 0x5D4, 0xDA1, 0x0100_0561, 0x0100_10D0, 0x0100_0915, 0x0100_06F1,
    ] { #expect(KeySymbols.isOfOtherScript(symbol), "\(symbol)") }
  }

  @Test("the rules property is five strings, or nothing")
  func rules() {
    func rules(_ text: String) -> KeyboardRules? {
      KeyboardRules(PropertyValue(type: PredefinedAtom.string, bytes: Array(text.utf8)))
    }
    #expect(rules("evdev\0pc105\0de\0nodeadkeys\0\0")?.layout == "de")
    #expect(rules("evdev\0pc105\0") == nil)
    #expect(rules("") == nil)
  }
}
