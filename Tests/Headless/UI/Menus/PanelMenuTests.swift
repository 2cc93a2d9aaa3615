import Testing

@testable import ProsceniumCore
@testable import ProsceniumTesting
@testable import ProsceniumUI

extension UISuites {
  /// Menu bars that a panel of the desktop shows in place of the window.
  @MainActor @Suite("Menu bars in a panel") struct PanelMenuTests {
    final class Sheet: View, MenuValidating {
      var log: [String] = []
      var validations = 0
      var isMarked = false
      var canRename = true
      override var canBecomeFirstResponder: Bool { true }
      func rename(_ sender: AnyObject?) { log.append("rename") }
      func validate(_ item: MenuItem) {
        validations += 1
        item.state = isMarked ? .on : .off
        if canRename { item.attributes.remove(.disabled) } else { item.attributes.insert(.disabled) }
      }
    }

    final class Stranger: Responder { func act(_ sender: AnyObject?) {} }

    @MainActor private final class Run {
      let sheet = Sheet()
      let bar: MenuBar
      let stage: UIStage

      init(suspends: Bool = false) throws {
        let sheet = sheet
        bar = MenuBar([
          Menu(
            titleWithMnemonic: "_File",
            children: [
              MenuItem(titleWithMnemonic: "_New") { sheet.log.append("new") },
              MenuItem(KeyCommand(input: "r", title: "Rename", action: Action(Sheet.rename))),
              Menu(options: .displayInline, children: [MenuItem("Nobody's", action: Action(Stranger.act))]),
              Menu("More", children: [MenuItem("Deep") { sheet.log.append("deep") }]),
            ]), Menu("Help"),
        ])
        sheet.isStretching = true
        let bar = bar
        stage = try UIStage(suspends: suspends) { window in
          window.rootView = StackView(.vertical, spacing: 0, [bar, sheet])
        }
        sheet.becomeFirstResponder()
        stage.settle()
      }

      var machine: HeadlessMachine { stage.program.machine }
      var panel: HeadlessMenuPanel { machine.menuPanel }
      var menus: [PanelMenuItem]? { machine.menuPanel.menus(of: stage.window) }

      func start() {
        machine.menuPanel.start()
        stage.settle()
      }

      func item(_ title: String) throws -> PanelMenuItem {
        func find(_ items: [PanelMenuItem]) -> PanelMenuItem? {
          items.lazy.compactMap { $0.titleWithMnemonic == title ? $0 : find($0.children) }.first
        }
        return try #require(find(menus ?? []))
      }

      func choose(_ title: String) throws {
        machine.menuPanel.choose(try item(title).id, of: stage.window)
        stage.settle()
      }

      func open(_ title: String) throws {
        machine.menuPanel.open(try item(title).id, of: stage.window)
        stage.settle()
      }
    }

    @Test(
      "Without a panel the window shows its bar, and nothing is read; with one the window hides it, and gets it back")
    func comesAndGoes() throws {
      let run = try Run()
      let top = run.sheet.frame.origin.y
      #expect(!run.bar.isHidden && top > 0 && run.menus == nil && run.panel.isFollowed)
      for _ in 0..<2 {
        run.start()
        #expect(run.bar.isHidden && run.bar.isShownByPanel && run.sheet.frame.origin.y == 0)
        let all = try #require(run.menus)
        #expect(all.map(\.titleWithMnemonic) == ["_File", "Help"] && all.map(\.isEnabled) == [true, false])
        let titles = all[0].children.map { $0.kind == .separator ? "-" : $0.titleWithMnemonic }
        #expect(titles == ["_New", "Rename", "-", "Nobody's", "-", "More"])
        #expect(try run.item("Rename").keys == ["Control", "r"] && run.item("More").kind == .menu)
        let ids = all[0].children.map(\.id) + all.map(\.id) + [try run.item("Deep").id]
        #expect(Set(ids).count == ids.count && ids.allSatisfy { $0 > 0 })
        run.machine.menuPanel.stop()
        run.stage.settle()
        #expect(!run.bar.isHidden && run.sheet.frame.origin.y == top && run.menus == nil)
      }
      // What the program hides stays hidden, and has no place in the panel.
      run.bar.isHidden = true
      run.start()
      #expect(run.menus == nil && run.bar.isHidden)
      run.machine.menuPanel.stop()
      run.stage.settle()
      #expect(run.bar.isHidden)
    }

    #if !WITHOUT_Suspension
      @Test("A panel that restarts while the program is suspended has the bar afterwards, as one that has gone has not")
      func restarts() throws {
        let run = try Run(suspends: true)
        run.start()
        let (program, window) = (run.stage.program, run.stage.window)
        for isBack in [true, false] {
          program.desk.minimize(window)
          program.advance(by: .seconds(10))
          try #require(program.platform.isSuspended)
          run.panel.stop()
          if isBack { run.panel.start() }
          program.desk.restore(window)
          run.stage.settle()
          #expect((run.menus != nil) == isBack && run.bar.isHidden == isBack)
        }
      }
    #endif

    @Test("A program without a menu bar looks for no panel")
    func none() throws {
      let stage = try UIStage { $0.rootView = TextView() }
      stage.program.machine.menuPanel.start()
      stage.settle()
      #expect(!stage.program.machine.menuPanel.isFollowed)
    }

    @Test("Items are validated before a menu is shown, and only what changes is shown anew")
    func validated() throws {
      let run = try Run()
      run.start()
      #expect(run.sheet.validations == 0 && run.panel.publications == 1)
      (run.sheet.isMarked, run.sheet.canRename) = (true, false)
      try run.open("_File")
      let file = try run.item("_File").id
      #expect(run.sheet.validations == 1 && run.panel.completed == [file])
      #expect(try run.item("Rename").mark == .on && !run.item("Rename").isEnabled)
      #expect(try !run.item("Nobody's").isEnabled && run.item("_New").isEnabled)
      (run.sheet.isMarked, run.sheet.canRename) = (false, true)
      try run.open("_File")
      #expect(try run.item("Rename").mark == .none && run.item("Rename").isEnabled)
      // A number that is no menu, and none at all.
      try run.open("_New")
      run.machine.menuPanel.open(0, of: run.stage.window)
      run.machine.menuPanel.open(99, of: run.stage.window)
      run.stage.settle()
      #expect(run.sheet.validations == 2 && run.panel.completed.suffix(2) == [0, 99])
    }

    @Test("What is chosen is performed as from the window, also by the keys while the bar is in the panel")
    func chosen() throws {
      let run = try Run()
      run.start()
      try run.choose("_New")
      try run.choose("Rename")
      try run.choose("Deep")
      #expect(run.sheet.log == ["new", "rename", "deep"])
      run.sheet.canRename = false
      try run.choose("Rename")
      try run.choose("Nobody's")
      try run.choose("_File")
      run.machine.menuPanel.choose(99, of: run.stage.window)
      run.stage.settle()
      #expect(run.sheet.log.count == 3)
      run.sheet.canRename = true
      run.stage.command("r")
      #expect(run.sheet.log.last == "rename")
      // The panel opens its menus for keys.
      run.stage.send(.type(0x66, "f", .alternate))
      run.stage.press([KeySymbol.function(10)])
      let file = try run.item("_File").id
      #expect(run.panel.opened == [file, file] && MenuSession.current == nil)
      #expect(run.stage.program.platform.commands.contains(.userActed(0)))
    }

    @Test("Other menus are shown, items that stay keep their numbers, and those of others are never used again")
    func changed() throws {
      let run = try Run()
      run.start()
      let (file, new) = (try run.item("_File"), try run.item("_New"))
      let gone = try run.item("Help")
      run.bar.menus = [run.bar.menus[0], Menu("View", children: [MenuItem("Zoom") { run.sheet.log.append("zoom") }])]
      run.stage.settle()
      #expect(try run.item("_File").id == file.id && run.item("_New").id == new.id)
      #expect(run.menus?.map(\.titleWithMnemonic) == ["_File", "View"])
      #expect(try ![gone.id, file.id].contains(run.item("View").id))
      run.machine.menuPanel.choose(gone.id, of: run.stage.window)
      run.stage.settle()
      #expect(run.sheet.log == [])
      try run.choose("Zoom")
      #expect(run.sheet.log == ["zoom"])
      // A bar that leaves its window has it back.
      run.bar.removeFromSuperview()
      run.stage.settle()
      #expect(run.menus == nil && !run.bar.isHidden)
    }

    @Test("While nothing is the first responder, what is chosen acts on the controller that is shown")
    func chosenForShown() throws {
      let run = try MenuTests.BarAboveStack()
      let (stage, panel) = (run.stage, run.stage.program.machine.menuPanel)
      panel.start()
      run.navigation.pushViewController(run.detail, animated: false)
      stage.settle()
      #expect(stage.window.firstResponder == nil)
      let file = try #require(panel.menus(of: stage.window)?.first)
      panel.open(file.id, of: stage.window)
      stage.settle()
      let item = try #require(panel.menus(of: stage.window)?.first?.children.first)
      #expect(item.isEnabled)
      panel.choose(item.id, of: stage.window)
      stage.settle()
      #expect(run.detail.saves == 1)
    }

    @Test("Beneath an alert nothing of the bar can be chosen, and a window that is hidden has none in the panel")
    func blocked() throws {
      let run = try Run()
      run.start()
      let alert = AlertController(title: "Sure?")
      alert.present(above: run.stage.window)
      run.stage.settle()
      #expect(try !run.item("_New").isEnabled)
      try run.choose("_New")
      #expect(run.sheet.log == [])
      alert.dismiss()
      run.stage.settle()
      #expect(try run.item("_New").isEnabled)
      run.stage.window.isHidden = true
      run.stage.settle()
      #expect(run.menus == nil)
      run.stage.window.isHidden = false
      run.stage.settle()
      #expect(run.menus != nil && run.bar.isHidden)
    }

    @Test("Pictures are given to the panel as files, once")
    func pictures() throws {
      let numbers = PanelMenuNumbers()
      let image = try Image(size: Size(width: 2, height: 2), pixels: [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0])
      let large = try Image(size: Size(width: 200, height: 1), pixels: Array(repeating: 0, count: 200))
      let menu = Menu("", children: [MenuItem("", image: image) {}, MenuItem("", image: large) {}])
      let first = numbers.describe([menu])
      #expect(first[0].children[0].picture?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
      #expect(first[0].children[1].picture == nil)
      #expect(numbers.describe([menu]) == first)
    }
  }
}
