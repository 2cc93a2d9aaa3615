import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  @MainActor @Suite("Menus") struct MenuTests {
    /// A view that has a menu and performs one of its actions.
    final class Sheet: View, MenuValidating {
      var log: [String] = []
      var canRename = true
      var menu: Menu?
      override var canBecomeFirstResponder: Bool { true }
      override func contextMenu(at point: Point) -> Menu? { menu }
      func rename(_ sender: AnyObject?) { log.append("rename by \((sender as? MenuItem)?.title ?? "nobody")") }
      func refuse(_ sender: AnyObject?) { log.append("refused") }
      func validate(_ item: MenuItem) {
        if !canRename { item.attributes.insert(.disabled) }
        item.state = .on
      }
    }

    final class Stranger: Responder { func act(_ sender: AnyObject?) {} }

    private func makeStage() throws -> (UIStage, Sheet) {
      let sheet = Sheet()
      let stage = try UIStage { window in window.rootView = sheet }
      sheet.menu = Menu(children: [
        MenuItem("Open") { sheet.log.append("open") },
        MenuItem(KeyCommand(input: "r", title: "Rename", action: Action(Sheet.rename))),
        Menu(options: .displayInline, children: [MenuItem("Nobody's", action: Action(Stranger.act))]),
        Menu(
          "More",
          children: [
            MenuItem("Hidden", attributes: .hidden) {}, MenuItem("Deep") { sheet.log.append("deep") },
            MenuItem("Off", attributes: .disabled) { sheet.log.append("off") },
          ]),
        MenuItem("Delete", attributes: .destructive, state: .mixed) { sheet.log.append("delete") },
      ])
      sheet.becomeFirstResponder()
      return (stage, sheet)
    }

    private func menus(_ stage: UIStage) -> [PopUpWindow] {
      stage.program.application.conductor?.feature(PopUps.self)?.presented ?? []
    }

    private func view(_ stage: UIStage, _ level: Int = 0) throws -> MenuView {
      let menus = menus(stage)
      try #require(menus.indices.contains(level))
      return try #require(menus[level].rootView as? MenuView)
    }

    /// The middle of a row, in pixels of the menu.
    private func place(_ row: Int, _ view: MenuView) -> (x: Int, y: Int) {
      let rect = view.rect(of: row)
      return (40, rect.origin.y + rect.size.height / 2 - view.bounds.origin.y)
    }

    @Test("The right button opens the menu at its place, and a click on an item chooses it")
    func clicked() throws {
      let (stage, sheet) = try makeStage()
      stage.click(30, 40, 3)
      stage.settle()
      let menu = try #require(menus(stage).first)
      #expect(menu.frame.origin == Point(x: 130, y: 140), "the release of the press leaves it open")
      let rows = try view(stage).navigation.rows
      #expect(rows.map(\.title) == ["Open", "Rename", "", "Nobody's", "", "More", "Delete"])
      #expect(rows.map(\.isEnabled) == [true, true, false, false, false, true, true])
      #expect((try view(stage).element(at: 1) as? MenuItem)?.state == .on)
      let spot = place(0, try view(stage))
      stage.send(.move(spot.x, spot.y), .press(spot.x, spot.y), .release(spot.x, spot.y), to: menu)
      stage.settle()
      #expect(sheet.log == ["open"] && menus(stage).isEmpty && MenuSession.current == nil)
      #expect(stage.window.windowScene?.activationState == .foregroundActive)
    }

    @Test("A press that is dragged to an item chooses it; dragged out again it chooses nothing")
    func dragged() throws {
      let (stage, sheet) = try makeStage()
      stage.send(.press(30, 40, 3))
      var spot = place(1, try view(stage))
      // The presses are the owner's by the pointer's grab.
      stage.send(.move(30 + spot.x, 40 + spot.y), .release(30 + spot.x, 40 + spot.y, 3))
      #expect(sheet.log == ["rename by Rename"] && menus(stage).isEmpty)
      stage.send(.press(30, 40, 3))
      spot = place(1, try view(stage))
      stage.send(.move(30 + spot.x, 40 + spot.y), .move(5, 5), .release(5, 5, 3))
      #expect(sheet.log.count == 1 && menus(stage).isEmpty)
    }

    @Test("Keys alone: the Menu key, arrows into a submenu and back, Return, Escape, letters")
    func keys() throws {
      let (stage, sheet) = try makeStage()
      stage.press([KeySymbol.menu])
      #expect(menus(stage).first?.frame.origin == Point(x: 100, y: 340))
      #expect(try view(stage).navigation.highlighted == 0)
      stage.press([KeySymbol.down, KeySymbol.down, KeySymbol.right])
      #expect(menus(stage).count == 2)
      #expect(try view(stage, 1).navigation.rows.map(\.title) == ["Deep", "Off"])
      let parent = try view(stage)
      let row = parent.rect(of: 5)
      #expect(
        menus(stage)[1].frame.origin == Point(x: 100 + row.size.width, y: menus(stage)[0].frame.origin.y + row.origin.y)
      )
      stage.press([KeySymbol.left])
      #expect(menus(stage).count == 1)
      stage.press([KeySymbol.return, KeySymbol.return])
      #expect(sheet.log == ["deep"] && menus(stage).isEmpty)
      stage.press([KeySymbol.function(10)], with: .shift)
      stage.press([KeySymbol.end, KeySymbol.escape])
      #expect(menus(stage).isEmpty && sheet.log == ["deep"])
      stage.press([KeySymbol.menu])
      stage.type("d")
      #expect(sheet.log == ["deep", "delete"])
      // A menu takes no key any more.
      stage.type("d")
      #expect(stage.scene?.heard.last == "d")
    }

    @Test("Keys that come at once are all the menus'")
    func atOnce() throws {
      let (stage, sheet) = try makeStage()
      let keys = [KeySymbol.menu, KeySymbol.down, KeySymbol.down, KeySymbol.right, KeySymbol.return].map { symbol in
        PlatformEvent.input(stage.id, InputEvent(.type(symbol), time: 1))
      }
      stage.program.platform.send(Array(keys.dropLast()))
      #expect(try view(stage).bounds.size == menus(stage).first?.frame.size)
      stage.program.platform.send(keys.last.map { [$0] } ?? [])
      stage.settle()
      #expect(sheet.log == ["deep"] && menus(stage).isEmpty)
    }

    @Test("A submenu opens where the pointer rests, and closes where it rests on another item")
    func rest() throws {
      let (stage, _) = try makeStage()
      stage.click(30, 40, 3)
      let menu = try #require(menus(stage).first)
      let (more, open) = (place(5, try view(stage)), place(0, try view(stage)))
      stage.send(.move(more.x, more.y), to: menu)
      #expect(menus(stage).count == 1)
      stage.program.advance(by: 400)
      #expect(menus(stage).count == 2)
      // Diagonally over other items into the submenu.
      stage.send(.move(open.x, open.y), to: menu)
      let deep = place(0, try view(stage, 1))
      stage.send(.move(deep.x, deep.y), to: menus(stage)[1])
      stage.program.advance(by: 400)
      #expect(menus(stage).count == 2)
      #expect(try view(stage).navigation.highlighted == 5 && (try view(stage, 1)).navigation.highlighted == 0)
      stage.send(.move(open.x, open.y), to: menu)
      stage.program.advance(by: 400)
      #expect(menus(stage).count == 1)
      // Nothing more is drawn while the pointer rests.
      stage.program.advance(by: 1000)
      let count = stage.program.platform.drawCount
      stage.program.advance(by: 5000)
      #expect(stage.program.platform.drawCount == count)
    }

    @Test("What cannot be chosen is not, and leaves the menu open; a target validates each time")
    func disabled() throws {
      let (stage, sheet) = try makeStage()
      sheet.canRename = false
      stage.click(30, 40, 3)
      let menu = try #require(menus(stage).first)
      for row in [1, 2, 3] {
        let spot = place(row, try view(stage))
        stage.send(.move(spot.x, spot.y), .press(spot.x, spot.y), .release(spot.x, spot.y), to: menu)
      }
      #expect(sheet.log == [] && menus(stage) == [menu])
      stage.send(.press(300, 200))
      #expect(menus(stage).isEmpty)
    }

    @Test("A menu that is higher than the monitor scrolls by keys and by the wheel")
    func long() throws {
      let (stage, sheet) = try makeStage()
      sheet.menu = Menu(
        children: (0..<200).map { number in MenuItem("Item \(number)") { sheet.log.append("\(number)") } })
      stage.click(30, 40, 3)
      stage.settle()
      let menu = try #require(menus(stage).first)
      #expect(menu.frame.size.height == 1080 && menu.frame.origin.y == 0)
      stage.press([KeySymbol.end])
      let view = try view(stage)
      #expect(view.bounds.origin.y > 3000)
      let wheel = Scroll(deltaX: 0, deltaY: -1e300, isPrecise: false, location: Point(x: 40, y: 40))
      stage.send(.scroll(wheel), to: menu)
      #expect(view.bounds.origin.y == 0)
      stage.press([KeySymbol.end, KeySymbol.return])
      #expect(sheet.log == ["199"])
    }

    @Test("An empty menu does not open, and one that opens another replaces the first")
    func replaced() throws {
      let (stage, sheet) = try makeStage()
      let menu = sheet.menu
      sheet.menu = Menu()
      stage.click(30, 40, 3)
      #expect(menus(stage).isEmpty)
      sheet.menu = menu
      stage.press([KeySymbol.menu])
      stage.program.platform.minimize(stage.id)
      stage.program.advance(by: 3000)
      #expect(menus(stage).isEmpty && MenuSession.current == nil && sheet.log == [])
    }

    // MARK: Texts

    @Test("A text has the standard menu, with what can be done enabled")
    func text() async throws {
      let text = TextView()
      let stage = try UIStage { window in window.rootView = text }
      text.text = "one two"
      func enabled() throws -> [String] {
        try view(stage).navigation.rows.filter(\.isEnabled).map(\.title)
      }
      stage.click(20, 15, 3)
      #expect(try enabled() == ["Paste", "Select All"])
      stage.press([KeySymbol.escape])
      text.selectedRange = 0..<3
      stage.press([KeySymbol.menu])
      #expect(try enabled() == ["Cut", "Copy", "Paste", "Delete", "Select All"])
      stage.type("d")
      #expect(text.text == " two" && text.canUndo)
      stage.press([KeySymbol.menu])
      #expect(try enabled() == ["Undo", "Paste", "Select All"])
      stage.type("u")
      #expect(text.text == "one two")
      text.isEditable = false
      text.selectAll()
      stage.press([KeySymbol.menu])
      #expect(try enabled() == ["Copy"])
    }

    @Test("A secure field's menu copies nothing")
    func secure() throws {
      let field = TextField()
      let stage = try UIStage { window in window.rootView = StackView(.vertical, margin: 10, [field, Spacer()]) }
      field.text = "secret"
      field.isSecureTextEntry = true
      field.becomeFirstResponder()
      field.selectAll()
      stage.settle()
      stage.press([KeySymbol.menu])
      let rows = try view(stage).navigation.rows
      #expect(rows.filter(\.isEnabled).map(\.title) == ["Paste", "Delete"])
    }

    // MARK: Menu bars

    @Test("A menu bar: presses, the pointer and the arrows move between menus, keys work while it is closed")
    func bar() throws {
      let sheet = Sheet()
      let bar = MenuBar([
        Menu("File", children: [MenuItem("New") { sheet.log.append("new") }]),
        Menu(
          "Edit", children: [MenuItem(KeyCommand(input: "r", title: "Rename", action: Action(Sheet.rename)))]),
        Menu("Help", children: [MenuItem("About") { sheet.log.append("about") }]),
      ])
      sheet.isStretching = true
      let stage = try UIStage { window in window.rootView = StackView(.vertical, spacing: 0, [bar, sheet]) }
      sheet.becomeFirstResponder()
      func titles() -> [String] { menus(stage).map { $0.title ?? "" } }
      stage.click(15, 10)
      #expect(titles() == ["File"] && menus(stage)[0].kind == .dropDownMenu)
      #expect(menus(stage)[0].frame.origin == Point(x: 100, y: 100 + bar.frame.size.height))
      stage.send(.move(60, 10))
      #expect(titles() == ["Edit"])
      stage.press([KeySymbol.right])
      #expect(titles() == ["Help"])
      stage.press([KeySymbol.right])
      #expect(titles() == ["File"])
      stage.press([KeySymbol.left])
      #expect(titles() == ["Help"])
      stage.press([KeySymbol.return])
      #expect(sheet.log == ["about"] && titles() == [])
      stage.press([KeySymbol.function(10)])
      #expect(titles() == ["File"])
      stage.press([KeySymbol.escape])
      stage.send(.type(0x65, "e", .alternate))
      #expect(titles() == ["Edit"])
      // A second press on a title closes its menu.
      stage.click(60, 10)
      #expect(titles() == [])
      stage.command("r")
      #expect(sheet.log == ["about", "rename by Rename"])
      sheet.canRename = false
      stage.command("r")
      #expect(sheet.log.count == 2)
    }

    /// A menu bar above a stack, whose upper controller performs the action of the item.
    @MainActor struct BarAboveStack {
      final class Detail: ViewController {
        var saves = 0
        func save(_ sender: AnyObject?) { saves += 1 }
      }
      let detail = Detail()
      let navigation = NavigationController(rootViewController: ViewController())
      let bar = MenuBar([
        Menu("File", children: [MenuItem(KeyCommand(input: "s", title: "Save", action: Action(Detail.save)))])
      ])
      let stage: UIStage

      init() throws {
        let root = ViewController()
        root.addChild(navigation)
        root.view = StackView(.vertical, spacing: 0, [bar, navigation.view])
        navigation.didMove(toParent: root)
        stage = try UIStage { $0.rootViewController = root }
        stage.settle()
      }
    }

    private final class Page: View {
      var saves = 0
      func save(_ sender: AnyObject?) { saves += 1 }
    }

    @Test(
      "While nothing is the first responder, the items of a bar act on the views around it, too",
      arguments: [true, false])
    func itemsOfViewsAround(_ hasController: Bool) throws {
      let page = Page()
      let bar = MenuBar([
        Menu("File", children: [MenuItem(KeyCommand(input: "s", title: "Save", action: Action(Page.save)))])
      ])
      bar.frame = Rect(x: 0, y: 0, width: 320, height: 30)
      page.addSubview(bar)
      let root = ViewController()
      let stage = try UIStage { window in
        if hasController {
          root.view = page
          window.rootViewController = root
        } else {
          window.rootView = page
        }
      }
      stage.settle()
      stage.command("s")
      #expect(page.saves == 1 && stage.window.firstResponder == nil)
    }

    @Test("While nothing is the first responder, the items of a bar act on the controller that is shown")
    func itemsOfShown() throws {
      let run = try BarAboveStack()
      let (stage, detail) = (run.stage, run.detail)
      func isEnabled() throws -> Bool {
        stage.press([KeySymbol.function(10)])
        return try view(stage).navigation.rows[0].isEnabled
      }
      #expect(try !isEnabled())
      stage.press([KeySymbol.escape])
      run.navigation.pushViewController(detail, animated: false)
      stage.settle()
      #expect(stage.window.firstResponder == nil)
      stage.command("s")
      #expect(detail.saves == 1)
      #expect(try isEnabled())
      stage.press([KeySymbol.return])
      #expect(detail.saves == 2)
    }

    @Test("Mnemonics: Alt and the marked letter opens a menu, letters choose in it, and no underscore is shown")
    func mnemonics() throws {
      let sheet = Sheet()
      let file = Menu(
        titleWithMnemonic: "F_ile",
        children: [
          MenuItem(titleWithMnemonic: "Save _As") { sheet.log.append("save as") }, MenuItem("Add") {},
          Menu(
            titleWithMnemonic: "_More", children: [MenuItem(titleWithMnemonic: "_Deep") { sheet.log.append("deep") }]),
          MenuItem(
            KeyCommand(input: "r", title: "Rename", action: Action(Sheet.rename)), titleWithMnemonic: "Re_name"),
          MenuItem(titleWithMnemonic: "Re_fuse", action: Action(Sheet.refuse)),
        ])
      let bar = MenuBar([file, Menu("Insert", children: [MenuItem("x") {}])])
      sheet.isStretching = true
      let stage = try UIStage { window in window.rootView = StackView(.vertical, spacing: 0, [bar, sheet]) }
      sheet.becomeFirstResponder()
      func alt(_ letter: Unicode.Scalar) { stage.send(.type(letter.value, String(letter), .alternate)) }
      alt("f")
      #expect(menus(stage).isEmpty)
      alt("i")
      #expect(menus(stage).map(\.title) == ["File"])
      #expect(try view(stage).navigation.rows.map(\.title) == ["Save As", "Add", "More", "Rename", "Refuse"])
      stage.type("a")
      #expect(sheet.log == ["save as"] && menus(stage).isEmpty)
      alt("i")
      stage.type("md")
      #expect(sheet.log == ["save as", "deep"])
      alt("i")
      alt("n")
      #expect(sheet.log.last == "rename by Rename")
      alt("i")
      stage.type("f")
      #expect(sheet.log.last == "refused")
      // The other title has the first letter that is free.
      alt("n")
      #expect(menus(stage).map(\.title) == ["Insert"])
      file.title = "_File"
      #expect(file.titleWithMnemonic == "__File" && file.title == "_File")
    }

    @Test("The marked letter of a title and of an item is underlined, and nothing else is")
    func underlined() throws {
      func pixels(_ title: String) throws -> (bar: [UInt32], menu: [UInt32]) {
        let bar = MenuBar([Menu(titleWithMnemonic: title, children: [MenuItem(titleWithMnemonic: title) {}])])
        let stage = try UIStage { $0.rootView = StackView(.vertical, spacing: 0, [bar, Spacer()]) }
        stage.settle()
        let shown = try stage.surface()
        let first = (0..<29).flatMap { y in (0..<120).map { shown[$0, y] } }
        stage.press([KeySymbol.function(10), KeySymbol.escape])
        bar.openMenu(0)
        stage.settle()
        let id = try #require(menus(stage).first?.id)
        let menu = try #require(stage.program.platform.surface(of: id))
        return (first, (0..<menu.size.height).flatMap { y in (0..<120).map { menu[$0, y] } })
      }
      let (plain, second) = (try pixels("n_nnn"), try pixels("nn_nn"))
      for (one, other) in [(plain.bar, second.bar), (plain.menu, second.menu)] {
        let changed = one.indices.filter { one[$0] != other[$0] }
        #expect(Set(changed.map { $0 / 120 }).count == 1, "one row of pixels differs")
      }
    }

    @Test("Under a layout of another script shortcuts, titles and items are found by the keys of their letters")
    func otherScripts() throws {
      let (stage, sheet) = try makeStage()
      let bar = MenuBar([
        Menu("File", children: [MenuItem("New") { sheet.log.append("new") }]),
        Menu("Edit", children: [MenuItem(KeyCommand(input: "r", title: "Rename", action: Action(Sheet.rename)))]),
      ])
      sheet.isStretching = true
      stage.window.rootView = StackView(.vertical, spacing: 0, [bar, sheet])
      sheet.becomeFirstResponder()
      func press(_ letter: String, _ latin: Character, _ modifiers: ModifierFlags) {
        // A Cyrillic letter
        var key = Key(code: 30, symbol: 0x6C1, characters: letter, isDown: true, modifiers: modifiers)
        key.latinCode = latin.asciiValue ?? 0
        stage.send(.key(key))
      }
      press("\u{12}", "r", .control)
      #expect(sheet.log == ["rename by Rename"])
      press("\u{12}", "r", [.control, .shift])
      press("к", "r", [])
      press("\u{12}", "x", .control)
      #expect(sheet.log.count == 1)
      press("а", "F", .alternate)
      #expect(menus(stage).map(\.title) == ["File"])
      press("т", "n", [])
      #expect(sheet.log.last == "new" && menus(stage).isEmpty)
    }

    @Test("The keys of a disabled item are as clear as its title", arguments: [InterfaceStyle.light, .dark])
    func disabledKeys(_ appearance: InterfaceStyle) throws {
      let (stage, sheet) = try makeStage()
      stage.window.overrideAppearance = appearance
      sheet.menu = Menu(children: [MenuItem(KeyCommand(input: "h", title: "HHH", action: Action(Stranger.act)))])
      stage.click(30, 40, 3)
      stage.settle()
      let row = try view(stage).rect(of: 0)
      let surface = try #require(menus(stage).first?.id.flatMap(stage.program.platform.surface))
      let background = Theme.of(appearance).controlBackground.pixel
      func clearest(_ columns: Range<Int>) -> Double {
        let rows = row.origin.y + 1..<row.origin.y + row.size.height - 1
        let pixels = rows.flatMap { y in columns.map { surface[$0, y] } }
        return pixels.map { Color.contrast($0, background) }.max() ?? 0
      }
      let middle = surface.size.width / 2
      let (title, keys) = (clearest(20..<middle), clearest(middle..<surface.size.width - 8))
      #expect(abs(title - keys) < 0.1 && title > 2, "\(title), \(keys)")
    }

    @Test("The texts of keys end where the arrows of submenus do", arguments: [1, 2])
    func rightEdge(scale: Double) throws {
      let (stage, sheet) = try makeStage()
      sheet.menu = Menu(children: [
        MenuItem(KeyCommand(input: "n", title: "New", action: Action(Sheet.rename))),
        Menu("Recent", children: [MenuItem("One") {}]),
      ])
      stage.program.platform.send(.scale(stage.id, scale))
      stage.click(30, 40, 3)
      stage.settle()
      let menu = try view(stage)
      let surface = try #require(menus(stage).first?.id.flatMap(stage.program.platform.surface))
      let background = Theme.light.controlBackground.pixel
      let ends = [0, 1].map { row in
        let place = Pixels(scale: scale).rect(menu.rect(of: row))
        return (0..<surface.size.width - Int(3 * scale)).last { x in
          (place.origin.y + 1..<place.origin.y + place.size.height - 1).contains {
            surface[x, $0] & 0xFFFFFF != background
          }
        }
      }
      let (keys, arrow) = (try #require(ends[0]), try #require(ends[1]))
      #expect(abs(keys - arrow) <= Int(scale), "\(ends)")
    }

    @Test("The answers of an alert have mnemonics")
    func answers() throws {
      let stage = try UIStage { $0.rootView = View() }
      let alert = AlertController(title: "Discard?")
      var answer = ""
      let discard = AlertAction(titleWithMnemonic: "_Discard", style: .destructive) { answer = "discard" }
      alert.addAction(discard)
      alert.addAction(AlertAction("Keep", style: .cancel) { answer = "keep" })
      alert.present(above: stage.window)
      stage.settle()
      #expect(discard.title == "Discard")
      let window = try #require(stage.window.windowScene?.modalWindows.last)
      stage.send(.type(0x64, "d", .alternate), to: window)
      #expect(answer == "discard" && !alert.isPresented)
    }

    // MARK: Pop-up buttons

    @Test("A pop-up button shows its choice, and changes by click, by drag and by key")
    func popUp() throws {
      let button = PopUpButton(["One", "Two", "Three"])
      var events: [String] = []
      button.addAction(for: .valueChanged) { events.append(button.selectedItem ?? "") }
      let stage = try UIStage { window in window.rootView = StackView(.vertical, margin: 10, [button, Spacer()]) }
      stage.settle()
      #expect(button.selectedIndex == 0)
      stage.click(30, 20)
      #expect((try view(stage).element(at: 0) as? MenuItem)?.state == .on)
      var spot = place(2, try view(stage))
      let menu = try #require(menus(stage).first)
      stage.send(.move(spot.x, spot.y), .press(spot.x, spot.y), .release(spot.x, spot.y), to: menu)
      #expect(events == ["Three"] && button.selectedIndex == 2 && menus(stage).isEmpty && !button.isTracking)
      stage.send(.press(30, 20))
      spot = place(1, try view(stage))
      let frame = try #require(menus(stage).first?.frame)
      let (x, y) = (frame.origin.x - 100 + spot.x, frame.origin.y - 100 + spot.y)
      stage.send(.move(x, y), .release(x, y))
      #expect(events == ["Three", "Two"])
      button.becomeFirstResponder()
      stage.press([KeySymbol.down, KeySymbol.up, KeySymbol.return])
      #expect(events == ["Three", "Two", "One"])
      // The choice that was selected sends nothing.
      stage.press([KeySymbol.space, KeySymbol.return])
      #expect(events.count == 3)
      button.selectedIndex = .max
      #expect(button.selectedIndex == nil && button.selectedItem == nil)
      button.items = []
      stage.press([KeySymbol.space])
      #expect(menus(stage).isEmpty)
    }

    @Test("The menu of a pop-up button is as wide as the button, or wider")
    func popUpWidth() throws {
      let button = PopUpButton(["One", "Two"])
      let stage = try UIStage { window in window.rootView = StackView(.vertical, margin: 10, [button, Spacer()]) }
      stage.settle()
      stage.click(30, 20)
      #expect(menus(stage).first?.frame.size.width == button.frame.size.width)
      stage.press([KeySymbol.escape])
      button.preferredSize = Size(width: 20, height: 30)
      button.stackPlacement.horizontal = .leading
      stage.settle()
      stage.click(20, 20)
      #expect(try #require(menus(stage).first?.frame.size.width) > 20)
    }

    @Test("A button opens its menu by click, by drag and by key, in place of its action, where it is to")
    func pullDown() throws {
      let button = Button("New")
      var events: [String] = []
      button.menu = Menu(children: ["Note", "Folder"].map { title in MenuItem(title) { events.append(title) } })
      button.addAction(for: .primaryActionTriggered) { events.append("pressed") }
      let width = button.intrinsicContentSize.width
      let stage = try UIStage { window in window.rootView = StackView(.vertical, margin: 10, [button, Spacer()]) }
      stage.settle()
      stage.click(30, 20)
      #expect(events == ["pressed"] && menus(stage).isEmpty)
      stage.click(30, 20, 3)
      #expect(menus(stage).count == 1, "its context menu")
      stage.press([KeySymbol.escape])
      button.showsMenuAsPrimaryAction = true
      stage.settle()
      #expect(button.intrinsicContentSize.width > width)
      stage.click(30, 20)
      var spot = place(1, try view(stage))
      let menu = try #require(menus(stage).first)
      #expect(button.isOpen && !button.isTracking)
      stage.send(.move(spot.x, spot.y), .press(spot.x, spot.y), .release(spot.x, spot.y), to: menu)
      #expect(events == ["pressed", "Folder"] && menus(stage).isEmpty && !button.isOpen && !button.isHighlighted)
      stage.send(.press(30, 20))
      spot = place(0, try view(stage))
      let frame = try #require(menus(stage).first?.frame)
      let (x, y) = (frame.origin.x - 100 + spot.x, frame.origin.y - 100 + spot.y)
      stage.send(.move(x, y), .release(x, y))
      #expect(events.last == "Note" && events.count == 3)
      button.becomeFirstResponder()
      stage.press([KeySymbol.return, KeySymbol.down, KeySymbol.return])
      #expect(events.last == "Folder" && events.count == 4)
      stage.press([KeySymbol.space])
      #expect(button.isOpen)
      button.menu = nil
      #expect(!button.isOpen && menus(stage).isEmpty)
      stage.press([KeySymbol.space])
      #expect(events.last == "pressed", "without a menu it is any button")
    }
  }
}
