import FoundationEssentials
import Glibc
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  /// The dialog of views for files, where the desktop has none: by keys, and by the pointer.
  @MainActor @Suite("Dialog for files") struct FileDialogTests {
    @MainActor private final class Run {
      let stage: UIStage
      let home: RealHome
      private(set) var results: [String] = []
      private(set) var task: Task<Void, Never>?

      init() throws {
        home = try RealHome()
        for name in ["b.txt", "a.txt", "c.png", ".hidden", "sub/inner.txt"] { try home.write(name, "12345") }
        stage = try UIStage { $0.rootView = View() }
        stage.program.dialogs.isAvailable = false
      }

      var scene: WindowScene? { stage.window.windowScene }
      var window: Window? { scene?.modalWindows.last }
      var dialog: FileDialogController? { scene?.modalWindows.first?.rootViewController as? FileDialogController }
      var question: String? { (window?.rootViewController as? AlertController)?.alertTitle }
      var names: [String] { dialog?.page.entries.map(\.name) ?? [] }
      var message: String { dialog?.views.message.text ?? "" }

      func wait(until condition: @escaping () -> Bool, _ location: SourceLocation = #_sourceLocation) async {
        await stage.wait(
          until: {
            // Another test may have launched a program meanwhile: the dialog that is made now is this one's.
            Application.sharedIfLaunched = stage.program.application
            stage.program.advance(by: .milliseconds(20))
            return condition()
          }, location)
      }

      /// Asks for files, and waits for the folder.
      func ask(_ kind: FileDialogKind, _ options: FileDialogOptions = FileDialogOptions()) async {
        var options = options
        if options.title != "unplaced" { options.directory = options.directory ?? URL(filePath: home.path) }
        let (scene, application) = (scene, stage.program.application)
        task = Task { [options] in
          // As below: the dialog may be made within the call.
          Application.sharedIfLaunched = application
          do {
            let urls: [URL?] =
              switch kind {
              case .open: try await scene?.openFiles(options) ?? []
              case .save: [try await scene?.saveFile(options)]
              case .folder: [try await scene?.chooseFolder(options)]
              }
            let paths = urls.compactMap { $0?.path }
            results.append(paths.isEmpty ? "none" : paths.joined(separator: " "))
          } catch {
            results.append(error is CancellationError ? "gone" : "\(error)")
          }
        }
        await wait { self.dialog != nil && self.message != "Reading\u{2026}" }
      }

      func result() async -> String {
        await wait { !self.results.isEmpty }
        defer { results = [] }
        #expect(scene?.modalWindows.isEmpty == true && scene?.windows.count == 1)
        return results.joined(separator: ", ").replacing(home.path, with: "~")
      }

      /// Shows a screen of a size and a scale.
      func show(_ size: Size, scale: Double) {
        var screen = HeadlessScreen("DP-2", frame: Rect(.zero, size), isPrimary: true)
        screen.scale = scale
        stage.program.desk.screens = [screen]
        stage.settle()
      }

      func press(_ symbol: UInt32, _ characters: String = "", _ modifiers: ModifierFlags = []) {
        guard let window else { return #expect(Bool(false)) }
        stage.send(.type(symbol, characters, modifiers), to: window)
      }
      func type(_ text: String) { for one in text.unicodeScalars { press(one.value, String(one)) } }
      func enter() { press(KeySymbol.return, "\r") }

      /// Clicks in the middle of a view.
      func click(_ view: View, count: Int = 1, at place: Point? = nil) {
        let middle = Point(x: view.bounds.size.width / 2, y: view.bounds.size.height / 2)
        let point = view.convert(place ?? middle, to: nil)
        for _ in 0..<count {
          stage.send(.press(point.x, point.y), .release(point.x, point.y), to: window)
        }
      }
    }

    @Test(
      "On a small screen of small pixels the dialog is as large as that has room, and the user may not make it larger",
      arguments: [Size(width: 600, height: 400), Size(width: 400, height: 300)])
    func smallScreen(_ size: Size) async throws {
      let run = try Run()
      run.show(Size(width: 2 * size.width, height: 2 * size.height), scale: 2)
      await run.ask(.open)
      let window = try #require(run.window)
      let frame = window.frame
      #expect(frame.origin.x == 0 && frame.size == Size(width: size.width, height: size.height - 32))
      #expect(frame.origin.y >= 0 && frame.origin.y + frame.size.height <= size.height, "\(frame)")
      let least = try #require(window.minimumSize)
      #expect(least.width <= size.width && least.height <= size.height, "\(least)")
      // Its buttons are within it, beside each other.
      let accept = try #require(run.dialog?.views.accept as Button?)
      #expect(accept.convert(accept.bounds, to: nil).origin.x + accept.bounds.size.width <= size.width)
      run.press(KeySymbol.escape)
      #expect(await run.result() == "none")
    }

    @Test("A file is found by typing and opened by Return, and a folder is entered and left by keys")
    func keys() async throws {
      let run = try Run()
      await run.ask(.open)
      #expect(run.names == ["sub", "a.txt", "b.txt", "c.png"] && run.window?.title == "Open")
      run.type("b")
      run.enter()
      #expect(await run.result() == "~/b.txt")
      await run.ask(.open)
      run.type("s")
      run.enter()
      await run.wait { run.names == ["inner.txt"] }
      run.press(KeySymbol.up, "", .alternate)
      await run.wait { run.names.count == 4 }
      // Where it came from is selected.
      #expect(run.dialog?.views.table.indexPathForSelectedRow?.row == 0)
      run.press(0x68, "\u{8}", .control)
      await run.wait { run.names == ["sub", ".hidden", "a.txt", "b.txt", "c.png"] }
      run.press(KeySymbol.escape, "\u{1B}")
      #expect(await run.result() == "none")
    }

    @Test("Several files, the kinds of files, and a folder by its typed path")
    func choices() async throws {
      let run = try Run()
      let filters = [FileFilter("Text", extensions: ["txt"]), FileFilter("All")]
      await run.ask(.open, FileDialogOptions(title: "Import", filters: filters, allowsMultipleSelection: true))
      #expect(run.names == ["sub", "a.txt", "b.txt"] && run.window?.title == "Import")
      run.type("a")
      run.press(KeySymbol.down, "", .shift)
      run.enter()
      #expect(await run.result() == "~/a.txt ~/b.txt")
      await run.ask(.open, FileDialogOptions(filters: filters))
      run.press(0x6C, "\u{C}", .control)
      run.type(run.home.path + "/sub")
      run.enter()
      await run.wait { run.names == ["inner.txt"] }
      run.press(KeySymbol.home)
      run.enter()
      #expect(await run.result() == "~/sub/inner.txt")
    }

    @Test("By the pointer: a folder by two clicks, a file by the button, and Cancel")
    func pointer() async throws {
      let run = try Run()
      await run.ask(.open)
      let views = try #require(run.dialog?.views)
      #expect(views.message.isHidden)
      run.click(views.accept)
      #expect(run.message == "Select a file." && !views.message.isHidden)
      run.click(views.table, count: 2, at: Point(x: 60, y: 10))
      await run.wait { run.names == ["inner.txt"] }
      run.click(views.parent)
      await run.wait { run.names.count == 4 }
      run.click(views.hidden)
      await run.wait { run.names.count == 5 }
      run.click(views.table, at: Point(x: 60, y: 70))
      run.click(views.accept)
      #expect(await run.result() == "~/a.txt")
      await run.ask(.open)
      run.click(try #require(run.dialog?.views.cancel))
      #expect(await run.result() == "none")
    }

    @Test(
      "A place is entered by the pointer and by keys, is known to a screen reader, and is not there in a narrow window")
    func places() async throws {
      let run = try Run()
      let asked = Task { await run.ask(.open) }
      await run.wait { run.dialog != nil }
      let places = try #require(run.dialog?.views.places)
      // The home folder and the root are there without a look at any disk, which may not answer.
      #expect(places.places.first?.kind == .home && places.places.last?.path == "/")
      await asked.value
      let sub = run.home.path + "/sub"
      let own = [
        FilePlace(kind: .home, name: "Home", path: run.home.path), FilePlace(kind: .medium, name: "Disk", path: sub),
      ]
      // Those of this machine may come at any time, once.
      func showOwn() { if places.places != own { places.show(own) } }
      showOwn()
      #expect(places.indexPathForSelectedRow?.row == 0 && !places.isHidden)
      run.click(places, at: Point(x: 40, y: 42))
      await run.wait { run.names == ["inner.txt"] }
      showOwn()
      #expect(places.indexPathForSelectedRow?.row == 1 && places.isFirstResponder)
      run.press(KeySymbol.up)
      await run.wait { run.names.count == 4 }
      run.dialog?.enterParent(nil)
      await run.wait { run.dialog?.page.path != run.home.path && run.message.isEmpty }
      #expect(places.indexPathForSelectedRow == nil)
      showOwn()
      run.stage.program.machine.startScreenReader()
      run.stage.settle()
      let window = try #require(run.stage.program.machine.accessibleWindows.last)
      #expect(window.first(.list, "Places") != nil && window.first(.listItem, "Disk")?.properties.hint == sub)
      run.press(KeySymbol.escape)
      #expect(await run.result() == "none")
      run.show(Size(width: 500, height: 400), scale: 1)
      await run.ask(.open)
      #expect(run.dialog?.views.places.isHidden == true)
      run.press(KeySymbol.escape)
      #expect(await run.result() == "none")
    }

    @Test("A file is saved under a name, and one that exists after a question")
    func save() async throws {
      let run = try Run()
      await run.ask(.save, FileDialogOptions(suggestedName: "new.txt"))
      // The name is selected up to the extension.
      run.type("x")
      run.enter()
      #expect(await run.result() == "~/x.txt")
      await run.ask(.save, FileDialogOptions(suggestedName: "a.txt"))
      run.enter()
      await run.wait { run.scene?.modalWindows.count == 2 }
      #expect(run.question == "Replace \u{201C}a.txt\u{201D}?")
      run.press(KeySymbol.escape, "\u{1B}")
      await run.wait { run.scene?.modalWindows.count == 1 }
      run.enter()
      await run.wait { run.scene?.modalWindows.count == 2 }
      run.press(KeySymbol.tab, "\t")
      run.enter()
      #expect(await run.result() == "~/a.txt")
      await run.ask(.save, FileDialogOptions(suggestedName: "no/x"))
      run.enter()
      await run.wait { run.message == "There is no folder \u{201C}\(run.home.path)/no\u{201D}." }
      run.press(KeySymbol.escape, "\u{1B}")
      #expect(await run.result() == "none")
    }

    @Test("A folder is the selected one, else the one that is shown")
    func folder() async throws {
      let run = try Run()
      await run.ask(.folder)
      #expect(run.names == ["sub"])
      run.click(try #require(run.dialog?.views.accept))
      #expect(await run.result() == "~")
      await run.ask(.folder)
      run.press(KeySymbol.home)
      run.click(try #require(run.dialog?.views.accept))
      #expect(await run.result() == "~/sub")
    }

    @Test("The titles of the columns sort, by the pointer and by keys, and what is selected stays selected")
    func sorted() async throws {
      let run = try Run()
      try run.home.write("b.txt", "123456789")
      try run.home.write("a.txt", "1")
      await run.ask(.open)
      run.type("c")
      let views = try #require(run.dialog?.views)
      func title(_ column: FolderOrder.Column) throws -> FileColumnTitle {
        try #require(views.header.subviews.compactMap { $0 as? FileColumnTitle }.first { $0.column == column })
      }
      run.click(try title(.size))
      await run.wait { run.names == ["sub", "a.txt", "c.png", "b.txt"] }
      #expect(try title(.size).accessibilityValue == "sorted upwards" && title(.name).accessibilityValue == nil)
      #expect(views.table.indexPathForSelectedRow?.row == 2)
      try title(.size).becomeFirstResponder()
      run.press(KeySymbol.space, " ")
      await run.wait { run.names == ["sub", "b.txt", "c.png", "a.txt"] }
      #expect(views.table.indexPathForSelectedRow?.row == 2)
      run.click(try title(.name))
      await run.wait { run.names == ["sub", "a.txt", "b.txt", "c.png"] }
      // The columns stand above those of the rows.
      let cell = try #require(views.table.cellForRow(at: IndexPath(row: 1, section: 0)))
      #expect(try title(.name).convert(Point(x: 6, y: 0), to: nil).x == cell.textLabel.convert(.zero, to: nil).x)
      views.table.becomeFirstResponder()
      run.press(0x63, "\u{3}", .control)
      let copied = run.stage.program.platform.pasteboards.items[.general]?.first?.data
      #expect(copied.map { String(decoding: $0, as: UTF8.self) } == run.home.path + "/c.png")
      run.press(KeySymbol.escape, "\u{1B}")
      #expect(await run.result() == "none")
    }

    #if !WITHOUT_Directories
      @Test("The folder in which something was chosen last is shown the next time, unless the program names one")
      func lastFolder() async throws {
        let run = try Run()
        run.stage.program.application.host.directories = ["HOME": run.home.path, "TMPDIR": run.home.path]
        await run.ask(.open, FileDialogOptions(directory: URL(filePath: run.home.path + "/sub")))
        run.press(KeySymbol.home)
        run.enter()
        #expect(await run.result() == "~/sub/inner.txt")
        let file = try run.stage.program.application.directories.state.appending(path: "last-folder")
        func remembered() -> String? { (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } }
        await run.wait { remembered() == run.home.path + "/sub" }
        await run.ask(.save, .unplaced)
        #expect(run.dialog?.page.path == run.home.path + "/sub")
        run.press(KeySymbol.escape, "\u{1B}")
        #expect(await run.result() == "none")
        // What is no path, or a folder that is gone, gives way to the home folder.
        for text in ["", "sub", "/none\0/x", "/none/at/all", "/\u{FF}"] {
          try Data(text.utf8).write(to: file)
          await run.ask(.open, .unplaced)
          #expect(run.dialog?.page.error == nil && run.dialog?.page.path.hasSuffix("/sub") == false)
          run.press(KeySymbol.escape, "\u{1B}")
          #expect(await run.result() == "none")
        }
      }
    #endif

    @Test("A name without an extension is saved with that of the chosen kind of files")
    func extensions() async throws {
      let run = try Run()
      let filters = [FileFilter("Text", extensions: ["txt"]), FileFilter("All")]
      await run.ask(.save, FileDialogOptions(suggestedName: "new", filters: filters))
      run.enter()
      #expect(await run.result() == "~/new.txt")
      await run.ask(.save, FileDialogOptions(suggestedName: "a", filters: filters))
      run.enter()
      await run.wait { run.scene?.modalWindows.count == 2 }
      #expect(run.question == "Replace \u{201C}a.txt\u{201D}?")
      run.press(KeySymbol.escape, "\u{1B}")
      await run.wait { run.scene?.modalWindows.count == 1 }
      run.dialog?.views.filter.selectedIndex = 1
      run.enter()
      #expect(await run.result() == "~/a")
      // A folder of the name is entered.
      await run.ask(.save, FileDialogOptions(suggestedName: "sub", filters: filters))
      run.enter()
      await run.wait { run.names == ["inner.txt"] }
      run.press(KeySymbol.escape, "\u{1B}")
      #expect(await run.result() == "none")
    }

    @Test("Folders and files that are gone, and names that are no UTF-8, are told of")
    func trouble() async throws {
      let run = try Run()
      #expect(creat(run.home.path + "/z", 0o600) >= 0)
      var path = Array((run.home.path + "/").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
      #expect(creat(&path, 0o600) >= 0)
      await run.ask(.open)
      #expect(run.names == ["sub", "a.txt", "b.txt", "c.png", "z", "\u{FFFD}"])
      run.press(KeySymbol.end)
      run.enter()
      await run.wait { run.message.contains("its name is no UTF-8") }
      run.press(KeySymbol.home)
      try FileManager.default.removeItem(atPath: run.home.path + "/sub")
      run.enter()
      await run.wait { run.message.hasSuffix("/sub\u{201D} cannot be shown: No such file or directory.") }
      #expect(run.names == [])
      run.press(KeySymbol.up, "", .alternate)
      await run.wait { run.names.first == "a.txt" }
      run.press(KeySymbol.home)
      try FileManager.default.removeItem(atPath: run.home.path + "/a.txt")
      run.enter()
      await run.wait { run.message.hasSuffix("/a.txt\u{201D} is not there any more.") }
      run.press(KeySymbol.escape, "\u{1B}")
      #expect(await run.result() == "none")
      // A folder that is not there gives way to the home folder.
      await run.ask(.open, FileDialogOptions(directory: URL(filePath: run.home.path + "/none")))
      #expect(run.dialog?.page.path.contains(run.home.path) == false && run.dialog?.page.error == nil)
      run.press(KeySymbol.escape, "\u{1B}")
      #expect(await run.result() == "none")
    }

    @Test("The dialog goes with its task, with its close button, and with its scene, and so does its question")
    func cancellation() async throws {
      let run = try Run()
      await run.ask(.open)
      run.task?.cancel()
      #expect(await run.result() == "gone")
      await run.ask(.open)
      if let window = run.window { run.stage.program.desk.close(window) }
      #expect(await run.result() == "none")
      await run.ask(.save, FileDialogOptions(suggestedName: "a.txt"))
      run.enter()
      await run.wait { run.scene?.modalWindows.count == 2 }
      run.task?.cancel()
      #expect(await run.result() == "gone")
      await run.ask(.open)
      let session = try #require(run.scene?.session)
      run.stage.program.application.requestSceneSessionDestruction(session)
      await run.wait { !run.results.isEmpty }
      #expect(run.results == ["gone"])
    }

    @Test("A folder with 20,000 files is read beside the main thread, and holds the cells in sight alone")
    func large() async throws {
      let run = try Run()
      let folder = run.home.path + "/sub"
      for number in 0..<20_000 { close(creat("\(folder)/n\(number)", 0o600)) }
      await run.ask(.open, FileDialogOptions(directory: URL(filePath: folder)))
      #expect(run.names.count == 20_001 && (1...40).contains(run.dialog?.views.table.visibleCells.count ?? 0))
      run.press(KeySymbol.end)
      run.enter()
      #expect(await run.result() == "~/sub/n9999")
    }
  }
}

extension FileDialogOptions {
  /// A dialog that shows the folder that it chooses.
  fileprivate static var unplaced: FileDialogOptions { FileDialogOptions(title: "unplaced") }
}
