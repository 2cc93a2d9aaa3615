#if canImport(ProsceniumUI)
  import DeskSupport
  import Glibc
  import ProsceniumCore
  import ProsceniumDesk
  import ProsceniumTesting
  import ProsceniumUI
  import SuiteSupport
  import Testing

  @testable import ProsceniumLoop
  @testable import ProsceniumPlatform
  @testable import ProsceniumX11

  extension X11PlatformTests {
    /// Menus of views on a real server, used by hand.
    @MainActor @Suite("Menus of views") struct MenuServerTests {
      /// What has been chosen.
      final class Log { var names: [String] = [] }

      /// A program whose window, at 100, 100, has a menu bar above a text.
      private func launch(
        _ manager: WindowManager, _ appearance: InterfaceStyle = .light
      ) async throws -> (PrivateDesktop, XProgram, Log, TextView) {
        try Requirement.windowManager(manager)
        let desktop = try await PrivateDesktop(manager)
        let (log, text) = (Log(), TextView())
        func item(_ name: String) -> MenuItem { MenuItem(name) { log.names.append(name) } }
        let bar = MenuBar([
          Menu(
            "File", children: [item("New"), Menu("Recent", children: [item("First"), item("Second")]), item("Quit")]),
          Menu("View", children: [item("Zoom")]),
        ])
        let program = try XProgram(display: desktop.server.display) { window in
          window.overrideAppearance = appearance
          window.rootView = StackView(.vertical, spacing: 0, [bar, text])
        }
        text.text = "one two"
        text.becomeFirstResponder()
        try #require(program.run { program.window?.draws.isEmpty == false && text.frame.size.height > 0 })
        return (desktop, program, log, text)
      }

      /// The menus on the server, the first one first.
      private func menus(_ desktop: PrivateDesktop, _ program: XProgram) -> [Place] {
        let client = desktop.desk.client
        return program.platform.parts.context.windows.all.filter(\.isPopUp).compactMap { client.place(of: $0.id) }
      }

      @Test(
        "An item is chosen by clicks, by a drag and by keys, and no state changes",
        arguments: [
          WindowManager.openbox, .xfwm4,
        ])
      func chosen(manager: WindowManager) async throws {
        let (desktop, program, log, text) = try await launch(manager)
        let desk = desktop.desk
        let calls = program.calls.filter { $0.name.hasPrefix("scene") }
        // Click, click.
        try desk.click(x: 115, y: 110)
        try #require(program.run { menus(desktop, program).count == 1 })
        let file = try #require(menus(desktop, program).first)
        try desk.click(x: file.x + 40, y: file.y + 18)
        try #require(program.run { log.names == ["New"] && menus(desktop, program).isEmpty })
        program.run(milliseconds: 50)
        // Press, drag, release.
        desk.movePointer(x: 115, y: 110)
        try desk.button(isDown: true)
        try #require(program.run { menus(desktop, program).count == 1 })
        desk.movePointer(x: file.x + 30, y: file.y + file.height - 25)
        desk.movePointer(x: file.x + 40, y: file.y + file.height - 18)
        program.run(milliseconds: 50)
        try desk.button(isDown: false)
        try #require(program.run { log.names == ["New", "Quit"] })
        // Keys alone, through a submenu.
        try desk.press(DeskKey(symbol: KeySymbol.function(10)))
        for key in [DeskKey.down, .right, .down, .return] { try desk.press(key) }
        try #require(program.run { log.names == ["New", "Quit", "Second"] && menus(desktop, program).isEmpty })
        // The text has the keys again.
        try desk.key("x")
        try #require(program.run { text.text.contains("x") })
        #expect(program.calls.filter { $0.name.hasPrefix("scene") } == calls)
        #expect(program.scene?.activationState == .foregroundActive)
      }

      @Test("Menus that open and close as fast as keys come end as the last key says")
      func quick() async throws {
        let (desktop, program, _, text) = try await launch(.openbox)
        try desktop.desk.key("x")
        try #require(program.run { text.text.contains("x") })
        for round in 1...10 {
          for _ in 1...5 {
            try desktop.desk.press(DeskKey(symbol: KeySymbol.function(10)))
            for key in [DeskKey.down, .right, .escape, .escape] { try desktop.desk.press(key) }
          }
          try desktop.desk.press(DeskKey(symbol: KeySymbol.menu))
          // The text's menu comes of the last key alone, and any other would be beside it.
          func kinds() -> [PopUpKind] {
            program.platform.parts.context.windows.all.compactMap(\.description.popUp)
          }
          #expect(program.run { kinds() == [.menu] }, "round \(round): \(kinds())")
          try desktop.desk.press(.escape)
          try #require(program.run { menus(desktop, program).isEmpty })
        }
      }

      @Test("A menu near the edges of the monitor is moved in")
      func edges() async throws {
        let (desktop, program, _, _) = try await launch(.openbox)
        let client = desktop.desk.client
        let (width, height) = (Int(client.width), Int(client.height))
        let owner = try #require(program.window?.id?.rawValue)
        desktop.desk.move(owner, to: Place(width - 150, height - 90, 200, 100))
        try #require(program.run { program.window?.frame.origin.x == width - 150 })
        try desktop.desk.press(DeskKey(symbol: KeySymbol.menu))
        try #require(program.run { menus(desktop, program).count == 1 })
        let menu = try #require(menus(desktop, program).first)
        #expect(menu.x + menu.width <= width && menu.y + menu.height <= height && menu.x >= 0 && menu.y >= 0)
      }

      @Test("A menu is as light or dark as its scene", arguments: [InterfaceStyle.light, .dark])
      func appearance(style: InterfaceStyle) async throws {
        let (desktop, program, _, _) = try await launch(.openbox, style)
        try desktop.desk.press(DeskKey(symbol: KeySymbol.menu))
        try #require(program.run { menus(desktop, program).count == 1 })
        let menu = try #require(menus(desktop, program).first)
        let client = desktop.desk.client
        /// The share of the menu's pixels that are light.
        func lightness() -> Double {
          guard
            let pixels = client.pixels(of: client.root, x: menu.x, y: menu.y, width: menu.width, height: menu.height)
          else { return 0.5 }
          return Double(pixels.count { $0 >> 8 & 0xFF > 0x7F }) / Double(max(1, pixels.count))
        }
        let isPainted = program.run { style == .light ? lightness() > 0.7 : lightness() < 0.3 }
        #expect(isPainted, "\(lightness()) of the menu is light")
      }
    }
  }
#endif
