import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumPlatform

/// What panels read of a menu bar, and what they are told of changes.
@Suite("com.canonical.dbusmenu") struct DBusMenuTests {
  private func items(enabled: Bool = true, extra: Bool = false) -> [PanelMenuItem] {
    var save = PanelMenuItem(2, titleWithMnemonic: "_Save")
    save.isEnabled = enabled
    save.keys = ["Control", "s"]
    var mark = PanelMenuItem(4, titleWithMnemonic: "Mark")
    mark.mark = enabled ? .on : .none
    let more = extra ? [PanelMenuItem(5, titleWithMnemonic: "New")] : []
    return [
      PanelMenuItem(1, .menu, titleWithMnemonic: "_File", children: [save, PanelMenuItem(3, .separator), mark] + more)
    ]
  }

  private func answer(_ menu: DBusMenu, _ name: String, _ values: BusValue...) -> Result<[BusValue], BusFailure>? {
    menu.answer(MethodCall(name: name, values: values))
  }

  private let none = BusValue.array(of: "s", [])

  @Test("The layout has what is not as usual, to the depth and with the properties that are asked for")
  func layout() throws {
    let menu = DBusMenu(items())
    let whole = try #require(try answer(menu, "GetLayout", .int32(0), .int32(-1), none)?.get())
    #expect(whole.map(\.signature).joined() == "u(ia{sv}av)" && whole[0] == .uint32(1))
    let text = "\(whole[1])"
    for part in ["_File", "_Save", "separator", "checkmark", "submenu", "Control"] { #expect(text.contains(part)) }
    let shallow = try #require(try answer(menu, "GetLayout", .int32(0), .int32(1), none)?.get())
    #expect("\(shallow[1])".contains("_File") && !"\(shallow[1])".contains("_Save"))
    let label = BusValue.array(of: "s", [.string("label")])
    let named = try #require(try answer(menu, "GetLayout", .int32(1), .int32(0), label)?.get())
    let expected = BusValue.structure([.int32(1), .options(["label": .string("_File")]), .array(of: "v", [])])
    #expect(named[1] == expected)
    for (id, depth) in [(99, -1), (-1, 0), (Int(Int32.max), 3)] {
      guard case .failure? = answer(menu, "GetLayout", .int32(id), .int32(depth), none) else {
        return #expect(Bool(false))
      }
    }
    #expect(answer(menu, "GetLayout") == nil && answer(menu, "Whatever", .int32(0)) == nil)
  }

  @Test("Properties are read of one item and of many; those that are as usual have their usual value")
  func properties() throws {
    let menu = DBusMenu(items(enabled: false))
    func one(_ id: Int, _ name: String) throws -> BusValue? {
      try answer(menu, "GetProperty", .int32(id), .string(name))?.get().first
    }
    #expect(try one(2, "label") == .variant(.string("_Save")) && one(2, "enabled") == .variant(.bool(false)))
    #expect(try one(1, "enabled") == .variant(.bool(true)) && one(3, "type") == .variant(.string("separator")))
    #expect(throws: BusFailure.self) { try one(2, "nothing") }
    #expect(throws: BusFailure.self) { try one(9, "label") }
    let ids = BusValue.array(of: "i", [.int32(2), .int32(77)])
    let group = try #require(try answer(menu, "GetGroupProperties", ids, none)?.get().first)
    #expect(group.signature == "a(ia{sv})" && group.elements?.count == 1)
    let all = try #require(try answer(menu, "GetGroupProperties", .array(of: "i", []), none)?.get().first)
    #expect(all.elements?.count == 5)
  }

  @Test("An item that is named many times is answered once, and the names are walked once for all items")
  func repeated() throws {
    let some = DBusMenu(items())
    let equal = BusValue.array(of: "i", Array(repeating: .int32(2), count: 1000) + [.int32(3), .int32(2)])
    let once = try #require(try answer(some, "GetGroupProperties", equal, none)?.get().first?.elements)
    #expect(once.compactMap { $0.fields?.first } == [.int32(2), .int32(3)])
    // To walk these for each item would take minutes.
    let names = BusValue.array(of: "s", Array(repeating: .string(""), count: 100_000))
    let large = DBusMenu((1...5000).map { PanelMenuItem($0, titleWithMnemonic: "\($0)") })
    let ids = BusValue.array(of: "i", (1...5000).map { .int32($0) })
    let group = try #require(try answer(large, "GetGroupProperties", ids, names)?.get().first?.elements)
    #expect(group.count == 5000 && group.last == .structure([.int32(5000), .options([:])]))
    let layout = try #require(try answer(large, "GetLayout", .int32(0), .int32(-1), names)?.get())
    #expect(layout[1].fields?.last?.elements?.count == 5000)
  }

  @Test("A change of an item is told as its properties, one of the items by a revision and the menu that differs")
  func changes() {
    var menu = DBusMenu(items())
    #expect(menu.update(items()).isEmpty && menu.revision == 1)
    let properties = menu.update(items(enabled: false))
    #expect(properties.map(\.name) == ["ItemsPropertiesUpdated"] && menu.revision == 1)
    let (updated, removed) = ("\(properties[0].values[0])", "\(properties[0].values[1])")
    #expect(updated.contains("enabled") && !updated.contains("_Save"))
    #expect(removed.contains("toggle-type") && removed.contains("toggle-state"))
    #expect(properties[0].values.map(\.signature).joined() == "a(ia{sv})a(ias)")
    let layout = menu.update(items(enabled: false, extra: true))
    #expect(layout.map(\.name) == ["LayoutUpdated"] && menu.revision == 2)
    #expect(layout[0].values == [.uint32(2), .int32(1)])
    let both = menu.update([PanelMenuItem(1, .menu, titleWithMnemonic: "File"), PanelMenuItem(8, .menu)])
    #expect(both.map(\.name) == ["ItemsPropertiesUpdated", "LayoutUpdated"])
    #expect(both[1].values == [.uint32(3), .int32(0)])
    #expect(!menu.has(2) && menu.has(8) && !menu.isEnabled(2) && menu.isEnabled(1))
  }

  @Test("Endless menus, numbers that cannot be, and an item in two places leave a menu that can be read")
  func rubbish() throws {
    var deep = PanelMenuItem(1, .menu)
    for id in 2...200 { deep = PanelMenuItem(id, .menu, children: [deep]) }
    let odd = [PanelMenuItem(0), PanelMenuItem(-1), PanelMenuItem(.max), PanelMenuItem(7, titleWithMnemonic: "a\0b")]
    let wide = (1000...30_000).map { PanelMenuItem($0) }
    let menu = DBusMenu([deep] + odd + odd + wide)
    let whole = try #require(try answer(menu, "GetLayout", .int32(0), .int32(-1), none)?.get())
    #expect(whole[1].fields?[2].elements?.count ?? 0 <= DBusMenu.mostItems)
    #expect(try answer(menu, "GetProperty", .int32(7), .string("label"))?.get() == [.variant(.string("ab"))])
    #expect(!menu.has(-1) && !menu.has(.max))
  }
}
