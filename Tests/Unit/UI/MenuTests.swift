import ProsceniumCore
import Testing

@testable import ProsceniumUI

@Suite("Menus: places and keys") struct MenuMachineTests {
  let area = Rect(x: 100, y: 50, width: 800, height: 600)
  let size = Size(width: 200, height: 150)

  @Test("A menu hangs below what it belongs to, above where there is no room, and is shifted in")
  func below() {
    func frame(_ x: Int, _ y: Int, _ isRightToLeft: Bool = false) -> Rect {
      let anchor = Rect(x: x, y: y, width: 80, height: 20)
      return MenuPlacement.below.frame(of: size, at: anchor, in: area, isRightToLeft: isRightToLeft)
    }
    #expect(frame(300, 100) == Rect(x: 300, y: 120, width: 200, height: 150))
    #expect(frame(300, 600) == Rect(x: 300, y: 450, width: 200, height: 150))
    #expect(frame(850, 100).origin == Point(x: 700, y: 120))
    #expect(frame(0, 100).origin == Point(x: 100, y: 120))
    #expect(frame(300, 100, true).origin == Point(x: 180, y: 120))
    #expect(frame(110, 100, true).origin == Point(x: 100, y: 120))
    let low = Rect(x: 100, y: 50, width: 800, height: 160)
    let between = MenuPlacement.below.frame(of: size, at: Rect(x: 300, y: 100, width: 9, height: 20), in: low)
    #expect(between == Rect(x: 300, y: 60, width: 200, height: 150))
  }

  @Test("A submenu opens to the right of its item, to the left where there is no room, mirrored from right to left")
  func beside() {
    func frame(_ x: Int, _ y: Int, _ isRightToLeft: Bool = false) -> Point {
      let anchor = Rect(x: x, y: y, width: 120, height: 20)
      return MenuPlacement.beside.frame(of: size, at: anchor, in: area, isRightToLeft: isRightToLeft).origin
    }
    #expect(frame(300, 100) == Point(x: 420, y: 100))
    #expect(frame(700, 100) == Point(x: 500, y: 100))
    #expect(frame(300, 640) == Point(x: 420, y: 500))
    #expect(frame(400, 100, true) == Point(x: 200, y: 100))
    #expect(frame(150, 100, true) == Point(x: 270, y: 100))
  }

  @Test("Whatever is asked for, the frame lies in the area and has a size", arguments: MenuPlacement.allCases)
  func anywhere(side: MenuPlacement) {
    let numbers = [Int.min, -40_000, -1, 0, 1, 99, 100, 500, 899, 900, 40_000, Int.max]
    for x in numbers {
      for y in numbers {
        for length in numbers {
          for isRightToLeft in [false, true] {
            let anchor = Rect(x: x, y: y, width: length, height: length)
            let wish = Size(width: y, height: length)
            let frame = side.frame(of: wish, at: anchor, in: area, isRightToLeft: isRightToLeft)
            #expect(area.contains(frame) && frame.size.width > 0 && frame.size.height > 0)
          }
        }
      }
    }
  }

  // MARK: Keys

  private func key(_ symbol: UInt32, _ text: String = "", _ modifiers: ModifierFlags = []) -> Key {
    Key(code: 9, symbol: symbol, characters: text, isDown: true, modifiers: modifiers)
  }

  /// Open, a separator, Save (disabled), a submenu, Sort, Quit.
  private func menu() -> MenuNavigation {
    MenuNavigation([
      .init(title: "Open"), .init(isEnabled: false), .init(title: "Save", isEnabled: false),
      .init(title: "Recent", opensMenu: true), .init(title: "Sort"), .init(title: "Quit"), .init(title: "Reload"),
    ])
  }

  @Test("The arrows go over what can be chosen, round and round")
  func arrows() {
    var menu = menu()
    var seen: [Int?] = []
    for _ in 0..<6 {
      #expect(menu.handle(key(KeySymbol.down)) == .moved)
      seen.append(menu.highlighted)
    }
    #expect(seen == [0, 3, 4, 5, 6, 0])
    #expect(menu.handle(key(KeySymbol.up)) == .moved && menu.highlighted == 6)
    #expect(menu.handle(key(KeySymbol.home)) == .moved && menu.highlighted == 0)
    #expect(menu.handle(key(KeySymbol.end)) == .moved && menu.highlighted == 6)
    var fresh = self.menu()
    #expect(fresh.handle(key(KeySymbol.up)) == .moved && fresh.highlighted == 6)
  }

  @Test("Return chooses and opens, the arrows to the sides open and leave, Escape closes")
  func keys() {
    var menu = menu()
    #expect(menu.handle(key(KeySymbol.return)) == .none)
    #expect(menu.handle(key(KeySymbol.right)) == .leave(forward: true))
    menu.highlight(3)
    #expect(menu.handle(key(KeySymbol.right)) == .open(3))
    #expect(menu.handle(key(KeySymbol.keypadEnter)) == .open(3))
    #expect(menu.handle(key(KeySymbol.left)) == .leave(forward: false))
    #expect(menu.handle(key(KeySymbol.escape)) == .close)
    menu.highlight(4)
    #expect(menu.handle(key(KeySymbol.space)) == .choose(4))
    #expect(menu.handle(key(KeySymbol.right)) == .leave(forward: true))
    menu.highlight(2)
    #expect(menu.highlighted == nil)
    #expect(menu.handle(key(0x6F, "o", .control)) == .none)
  }

  @Test("A letter chooses the only item that begins with it, and goes round several")
  func letters() {
    var menu = menu()
    #expect(menu.handle(key(0x71, "q")) == .choose(5))
    #expect(menu.handle(key(0x52, "R")) == .moved && menu.highlighted == 6)
    #expect(menu.handle(key(0x72, "r")) == .moved && menu.highlighted == 3)
    #expect(menu.handle(key(0x73, "s")) == .choose(4), "what cannot be chosen does not count")
    #expect(menu.handle(key(0x7A, "z")) == .none && menu.highlighted == 4)
  }

  @Test("A letter is found in upper and lower case, and with the signs that belong to it")
  func scripts() {
    var menu = MenuNavigation(
      ["İşlem", "किताब", "\u{5D1}\u{5BC}\u{5D9}\u{5EA}", "ΣΟΦΙΑ"].map { MenuNavigation.Row(title: $0) })
    for (letter, row) in [("i", 0), ("İ", 0), ("क", 1), ("कि", 1), ("\u{5D1}", 2), ("σ", 3), ("ς", 3)] {
      #expect(menu.handle(key(0, letter)) == .choose(row), "\(letter)")
    }
    #expect(menu.handle(key(0, "त")) == .none)
  }

  @Test("Every key in every state of every small menu keeps the highlighted row one that can be chosen")
  func grid() {
    let kinds = [
      MenuNavigation.Row(title: "a"), .init(title: "b", isEnabled: false), .init(title: "a", opensMenu: true),
    ]
    let keys = [
      KeySymbol.down, KeySymbol.up, KeySymbol.home, KeySymbol.end, KeySymbol.left, KeySymbol.right, KeySymbol.return,
      KeySymbol.escape, KeySymbol.pageUp, 0x61, 0x62,
    ]
    for count in 0...3 {
      for code in 0..<Int(pow3(count)) {
        var (rest, rows) = (code, [MenuNavigation.Row]())
        for _ in 0..<count {
          rows.append(kinds[rest % 3])
          rest /= 3
        }
        for start in [nil, 0, 1, 2, -1, 7] {
          for symbol in keys {
            var menu = MenuNavigation(rows)
            menu.highlight(start)
            let effect = menu.handle(key(symbol, symbol < 0x80 ? String(UnicodeScalar(UInt8(symbol))) : ""))
            if let row = menu.highlighted { #expect(rows[row].isEnabled) }
            switch effect {
            case .choose(let row): #expect(rows[row].isEnabled && !rows[row].opensMenu)
            case .open(let row): #expect(rows[row].isEnabled && rows[row].opensMenu)
            case .none, .moved, .close, .leave: break
            }
          }
        }
      }
    }
  }

  private func pow3(_ count: Int) -> Int { (0..<count).reduce(1) { product, _ in product * 3 } }

  @Test("Each title of a bar has a letter of its own, where it has one that is free")
  @MainActor func mnemonics() {
    func letters(_ titles: String...) -> [String?] {
      MenuBar.mnemonics(of: titles.map { MarkedText($0) }).map(\.mnemonic)
    }
    #expect(letters("File", "Edit", "Find", "F", "…", "") == ["f", "e", "i", nil, nil, nil])
    // Marked ones come first, and of two the first one has the letter.
    #expect(letters("File", "F_ind", "_Form", "_Fit", "_Éclair") == ["l", "i", "f", "t", "é"])
    #expect(MenuBar.mnemonics(of: [MarkedText("_Fit"), MarkedText("_Fa__t")]).map(\.marked) == ["_Fit", "F_a__t"])
  }

  @Test("A mnemonic chooses before the first letters of other titles, also that of an item that cannot be chosen")
  func mnemonicsOfItems() {
    var menu = MenuNavigation([
      .init(title: "Cut", mnemonic: "t"), .init(title: "Copy", mnemonic: "c"), .init(title: "Close"),
      .init(title: "Paste", isEnabled: false, mnemonic: "p"), .init(title: "Print"),
      .init(title: "More", opensMenu: true, mnemonic: "o"), .init(title: "Top"), .init(title: "Tip", mnemonic: "i"),
      .init(title: "Ink", mnemonic: "i"),
    ])
    #expect(menu.handle(key(0x63, "c")) == .choose(1))
    #expect(menu.handle(key(0x54, "T", .alternate)) == .choose(0))
    #expect(menu.handle(key(0x70, "p")) == .none && menu.highlighted == 0)
    #expect(menu.handle(key(0x6F, "o")) == .open(5))
    #expect(menu.handle(key(0x69, "i")) == .moved && menu.highlighted == 7)
    #expect(menu.handle(key(0x69, "i")) == .moved && menu.highlighted == 8)
    #expect(menu.handle(key(0x69, "i")) == .moved && menu.highlighted == 7)
    #expect(menu.handle(key(0x6D, "m")) == .open(5))
  }

  @Test("A letter of another script chooses what begins with it, else what its key has in a Latin layout")
  func otherScripts() {
    var menu = MenuNavigation([.init(title: "Save"), .init(title: "Имя"), .init(title: "Cut", mnemonic: "t")])
    func key(_ characters: String, _ latin: Character) -> Key {
      var key = Key(code: 30, symbol: 0x6DB, characters: characters, isDown: true)
      key.latinCode = latin.asciiValue ?? 0
      return key
    }
    #expect(menu.handle(key("ы", "s")) == .choose(0))
    #expect(menu.handle(key("и", "s")) == .choose(1))
    #expect(menu.handle(key("е", "T")) == .choose(2))
    #expect(menu.handle(key("й", "q")) == .none)
  }

  @Test("Keys are shown by their names")
  @MainActor func keyTitles() {
    let action = Action(TextView.undo)
    #expect(KeyCommand(input: "z", modifiers: [.control, .shift], action: action).keysTitle == "Ctrl+Shift+Z")
    #expect(KeyCommand(symbol: KeySymbol.function(11), action: action).keysTitle == "F11")
    #expect(KeyCommand(symbol: KeySymbol.delete, modifiers: [.alternate], action: action).keysTitle == "Alt+Del")
  }
}
