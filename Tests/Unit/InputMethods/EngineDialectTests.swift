import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumPlatform

/// What frameworks say and are told, as values.
@Suite("The dialects of input methods") struct EngineDialectTests {
  private typealias Texts = [String: String]

  @Test(
    "The environment chooses as for GTK and Qt, else what runs",
    arguments: [
      ([:], [.ibus, .fcitx]), (["GTK_IM_MODULE": "fcitx"], [.fcitx]), (["GTK_IM_MODULE": "ibus"], [.ibus]),
      (["GTK_IM_MODULE": "simple", "QT_IM_MODULE": "ibus"], []), (["QT_IM_MODULE": "fcitx5"], [.fcitx]),
      (["GTK_IM_MODULE": "xim", "XMODIFIERS": "@im=fcitx"], [.fcitx]), (["XMODIFIERS": "@im=ibus"], [.ibus]),
      (["XMODIFIERS": "@im=none"], []), (["XMODIFIERS": "@im=SCIM"], [.ibus, .fcitx]),
      (["GTK_IM_MODULE": "", "QT_IM_MODULE": "wayland;fcitx;ibus"], [.fcitx]),
      (["GTK_IM_MODULE": "ibus", "XMODIFIERS": "@im=fcitx"], [.ibus]),
    ] as [([String: String], [InputMethodFramework])])
  func choice(environment: [String: String], candidates: [InputMethodFramework]) {
    #expect(InputMethodFramework.candidates(environment) == candidates)
  }

  @Test(
    "A server of XIM is one that XMODIFIERS names, unless the user wants no input method",
    arguments: [
      (["XMODIFIERS": "@im=fcitx"], "fcitx"), (["XMODIFIERS": "@im=SCIM@other=1", "GTK_IM_MODULE": "xim"], "SCIM"),
      (["XMODIFIERS": "@other=1@im=uim"], "uim"), ([:], nil), (["XMODIFIERS": ""], nil), (["XMODIFIERS": "@im="], nil),
      (["XMODIFIERS": "@im=none"], nil), (["XMODIFIERS": "@im=local"], nil),
      (["XMODIFIERS": "@im=ibus", "GTK_IM_MODULE": "simple"], nil), (["XMODIFIERS": "@im=a b"], nil),
      (["XMODIFIERS": "@im=" + String(repeating: "a", count: 300)], nil),
    ] as [([String: String], String?)])
  func server(environment: [String: String], name: String?) {
    let server = InputMethodServer(environment.merging(["DISPLAY": ":7", "LANG": "ja_JP.UTF-8"]) { $1 })
    #expect(server?.name == name)
    if let server { #expect(server.display == ":7" && server.locale == "ja_JP.UTF-8") }
  }

  @Test("The file with IBus's address is that of the machine and the display")
  func file() {
    func path(_ variables: Texts) -> String? { IBusAddressFile(variables, machine: "abc").path }
    #expect(path(["HOME": "/h", "DISPLAY": ":0"]) == "/h/.config/ibus/bus/abc-unix-0")
    #expect(path(["HOME": "/h", "XDG_CONFIG_HOME": "/c", "DISPLAY": ":12.3"]) == "/c/ibus/bus/abc-unix-12")
    #expect(path(["HOME": "/h", "DISPLAY": "far.example:1.0"]) == "/h/.config/ibus/bus/abc-far.example-1")
    #expect(path(["HOME": "/h", "DISPLAY": ""]) == nil)
    #expect(path(["HOME": "/h", "DISPLAY": ":../../x"]) == nil)
    #expect(path(["DISPLAY": ":0"]) == nil)
    #expect(path(["IBUS_ADDRESS_FILE": "/f", "HOME": "/h", "DISPLAY": ":0"]) == "/f")
    #expect(IBusAddressFile(["IBUS_ADDRESS": "unix:path=/a"]).read() == "unix:path=/a")
  }

  @Test("An address counts while its daemon lives")
  func address() {
    let text = "# A comment=1\nIBUS_ADDRESS=unix:path=/a,guid=b=c\nIBUS_DAEMON_PID=7\n"
    #expect(IBusAddressFile.address(in: text) { $0 == 7 } == "unix:path=/a,guid=b=c")
    #expect(IBusAddressFile.address(in: text) { _ in false } == nil)
    for bad in ["", "IBUS_ADDRESS=\nIBUS_DAEMON_PID=7", "IBUS_ADDRESS=a\nIBUS_DAEMON_PID=-1", "IBUS_ADDRESS=a"] {
      #expect(IBusAddressFile.address(in: bad) { _ in true } == nil)
    }
  }

  // MARK: IBus

  private func signal(_ name: String, _ values: BusValue...) -> BusSignal {
    BusSignal(member: BusMember(path: "/c", interface: "i", name: name), values: values)
  }

  private func ibusText(_ text: String, _ attributes: [(UInt32, UInt32, UInt32)] = []) -> BusValue {
    let none = BusValue.dictionary(key: "s", value: "v", [:])
    let list = attributes.map { type, start, end in
      BusValue.variant(
        .structure([.string("IBusAttribute"), none, .uint32(type), .uint32(0), .uint32(start), .uint32(end)]))
    }
    return .variant(
      .structure([
        .string("IBusText"), none, .string(text),
        .variant(.structure([.string("IBusAttrList"), none, .array(of: "v", list)])),
      ]))
  }

  @Test("IBus: texts, their carets and highlighted parts in scalars, and what stays of them")
  func ibus() {
    var dialect = IBusDialect()
    #expect(dialect.event(of: signal("CommitText", ibusText("你好"))) == .commit("你好"))
    let text = ibusText("e\u{301}你好", [(1, 0, 4), (3, 2, 3)])
    let composition = TextComposition("e\u{301}你好", caret: 2, segments: [.init(1..<2, isHighlighted: true)])
    #expect(
      dialect.event(of: signal("UpdatePreeditText", text, .uint32(3), .bool(true))) == .compose(composition))
    #expect(dialect.event(of: signal("HidePreeditText")) == .compose(nil))
    #expect(dialect.event(of: signal("ShowPreeditText")) == .compose(composition))
    #expect(
      dialect.event(of: signal("UpdatePreeditTextWithMode", ibusText("한"), .uint32(1), .bool(true), .uint32(1)))
        == .compose(TextComposition("한", caret: 1, remainder: "한")))
    let text2 = SurroundingText("e\u{301}b", anchor: 0, caret: 2)
    #expect(dialect.surroundings(text2) == nil)
    #expect(dialect.event(of: signal("RequireSurroundingText")) == nil)
    #expect(dialect.surroundings(text2)?.values.dropFirst() == [.uint32(3), .uint32(0)])
    let deletion = signal("DeleteSurroundingText", .whole(-2, code: "i"), .uint32(2))
    #expect(dialect.event(of: deletion) == .deleteSurrounding(offset: -2, count: 2))
    let key = Key(code: 38, symbol: 0x61, characters: "a", isDown: true, modifiers: .shift)
    #expect(dialect.key(key, time: 5) == [.uint32(0x61), .uint32(30), .uint32(1)])
    #expect(
      dialect.event(of: signal("ForwardKeyEvent", .uint32(0x61), .uint32(30), .uint32(1))) == .key(key))
    var secret = TextInputTraits()
    secret.isSecureTextEntry = true
    let purpose: BusValue = .structure([.uint32(8), .uint32(2048)])
    #expect(dialect.traits(secret).values.last == .variant(purpose))
  }

  @Test("Fcitx: parts of a text, its caret in bytes, and what stays of it")
  func fcitx() {
    var dialect = FcitxDialect()
    func part(_ text: String, _ format: Int32) -> BusValue {
      .structure([.string(text), .whole(Int128(format), code: "i")])
    }
    let parts = BusValue.array(of: "(si)", [part("你", 1 << 3), part("hao", 1 << 4 | 1 << 5)])
    let composition = TextComposition(
      "你hao", caret: 2, segments: [.init(1..<4, isHighlighted: true)], remainder: "你")
    #expect(
      dialect.event(of: signal("UpdateFormattedPreedit", parts, .whole(4, code: "i"))) == .compose(composition))
    #expect(
      dialect.event(of: signal("UpdateFormattedPreedit", .array(of: "(si)", []), .whole(-1, code: "i")))
        == .compose(nil))
    #expect(dialect.event(of: signal("CommitString", .string("你好"))) == .commit("你好"))
    #expect(
      dialect.event(of: signal("ForwardKey", .uint32(0xFF08), .uint32(0), .bool(false)))
        == .key(Key(code: 0, symbol: 0xFF08, characters: "", isDown: true)))
    let key = Key(code: 38, symbol: 0x61, characters: "a", isDown: false)
    #expect(dialect.key(key, time: 5) == [.uint32(0x61), .uint32(38), .uint32(0), .bool(true), .uint32(5)])
    var secret = TextInputTraits()
    secret.isSecureTextEntry = true
    let flags: Int128 = 0x10_0000_003A
    #expect(dialect.traits(secret).values == [.whole(flags, code: "t")])
  }

  @Test("Rubbish has no meaning, whatever its types and numbers are")
  func rubbish() {
    let values: [BusValue] = [
      .bool(true), .string("x"), .double(.nan), .whole(Int128(UInt64.max), code: "t"), .whole(-1, code: "x"),
      .uint32(.max), .variant(.string("")), .structure([]), .structure([.string("IBusText")]), .array(of: "v", []),
      ibusText("\u{0}", [(3, 5, 2), (3, .max, .max)]), ibusText(String(repeating: "e\u{301}", count: 9000)),
      .structure([.string("IBusText"), .bool(true), .string("a"), .bool(false)]),
      .array(of: "(si)", [.structure([.string("a")]), .structure([.string("b"), .whole(.max >> 65, code: "x")])]),
    ]
    let names = [
      "CommitText", "UpdatePreeditText", "UpdatePreeditTextWithMode", "ShowPreeditText", "HidePreeditText",
      "ForwardKeyEvent", "DeleteSurroundingText", "RequireSurroundingText", "CommitString", "UpdateFormattedPreedit",
      "ForwardKey", "Other",
    ]
    var (ibus, fcitx) = (IBusDialect(), FcitxDialect())
    for name in names {
      #expect(ibus.event(of: signal(name)) == nil || name.hasSuffix("PreeditText"))
      for first in values {
        for second in values {
          for third in values {
            let signal = signal(name, first, second, third, first)
            for event in [ibus.event(of: signal), fcitx.event(of: signal)] {
              guard case .compose(let composition?) = event else { continue }
              #expect(composition.text.unicodeScalars.count <= 4096)
              #expect((composition.caret ?? 0) <= composition.text.count)
            }
          }
        }
      }
    }
  }
}
