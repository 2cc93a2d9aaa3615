import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import Gallery
@testable import ProsceniumUI

extension UISuites {
  /// The demo in memory: what is entered, shown and opened in it, and what a kill leaves of that.
  @MainActor @Suite("Gallery in memory") struct GalleryTests {
    private let program = HeadlessProgram(delegate: GalleryProgram.init)

    private func scene() throws -> GalleryScene {
      try #require(program.scenes.lazy.compactMap { $0.delegate as? GalleryScene }.first)
    }

    private func launch() throws -> GalleryController {
      program.launch()
      program.advance(by: .seconds(1))
      return try scene().gallery
    }

    /// A kill as soon as everything has been saved, and the next launch.
    private func killAndLaunch() throws -> GalleryController {
      program.advance(by: .seconds(2))
      program.kill()
      program.relaunch()
      program.advance(by: .seconds(1))
      return try scene().gallery
    }

    private func press(_ symbol: UInt32, _ characters: String = "", with modifiers: ModifierFlags = []) throws {
      let window = try #require(program.windows.first { program.desk.hasFocus($0) })
      for isDown in [true, false] {
        let key = Key(code: 30, symbol: symbol, characters: characters, isDown: isDown, modifiers: modifiers)
        program.desk.send(.key(key), to: window)
      }
    }

    private func type(_ text: String) throws {
      for letter in text { try press(letter.unicodeScalars.first?.value ?? 0, String(letter)) }
    }

    private func command(_ letter: Unicode.Scalar) throws {
      try press(letter.value, String(Unicode.Scalar(UInt8(letter.value & 0x1F))), with: .control)
      program.advance(by: .seconds(1))
    }

    private func tab() throws { try press(KeySymbol.tab, "\t") }

    // MARK: The form

    /// The name of the field that has the keys.
    private func focus(_ form: FormController) -> String? { form.fields.first { $0.value.isFirstResponder }?.key }

    @Test("The form is filled in by keys alone, and is there again after a kill, but for the password")
    func form() throws {
      var form = try launch().form
      func field<Field: View>(_ name: String) throws -> Field { try #require(form.fields[name] as? Field) }
      #expect(focus(form) == "name")
      try type("Ada")
      try tab()
      try type("Ger")
      try tab()
      #expect(try (field("country") as TextField).text == "Germany")
      try type("secret")
      try tab()
      // The month, the day and the year, each of which is a stop.
      try type("12101815")
      try tab()
      #expect(focus(form) == "about")
      try type("Writes")
      // In a text Tab is a letter: with Control it leaves it. Then a link.
      try press(KeySymbol.tab, "\t", with: .control)
      try tab()
      #expect(focus(form) == "news")
      try press(KeySymbol.space, " ")
      try tab()
      try press(KeySymbol.space, " ")
      try tab()
      try press(KeySymbol.down)
      #expect(focus(form) == "size Medium")
      try tab()
      try press(KeySymbol.end)
      try tab()
      #expect(focus(form) == "paper")
      try press(KeySymbol.down)
      program.advance(by: .milliseconds(100))
      try press(KeySymbol.down)
      try press(KeySymbol.return, "\r")
      program.advance(by: .milliseconds(100))
      try tab()
      #expect(focus(form) == "ink")
      try tab()
      try press(KeySymbol.up)
      try tab()
      try press(KeySymbol.end)
      try tab()
      try press(KeySymbol.right)
      try press(KeySymbol.right)
      try tab()
      try press(KeySymbol.space, " ")
      #expect(focus(form) == "working")
      for isAgain in [false, true] {
        if isAgain { form = try killAndLaunch().form }
        #expect(try (field("name") as TextField).text == "Ada", "\(isAgain)")
        #expect(try (field("country") as TextField).text == "Germany", "\(isAgain)")
        #expect(try (field("password") as TextField).text == (isAgain ? "" : "secret"))
        // The tenth of December, 1815, whichever the machine's time zone is.
        let born = try (field("born") as DatePicker).date
        #expect(abs(born.timeIntervalSince1970 + 4_861_728_000) < 100_000, "\(isAgain)")
        #expect(try (field("about") as TextView).text == "Writes", "\(isAgain)")
        for name in ["news", "parcels", "size Medium", "working"] {
          #expect(try (field(name) as Switch).isOn, "\(name), \(isAgain)")
        }
        #expect(try (field("way") as SegmentedControl).selectedSegmentIndex == 2, "\(isAgain)")
        #expect(try (field("paper") as PopUpButton).selectedItem == "Wove", "\(isAgain)")
        #expect(try (field("copies") as NumberField).value == 2, "\(isAgain)")
        #expect(try (field("quality") as Slider).value == 1, "\(isAgain)")
        #expect(try (field("steps") as Stepper).value == 2, "\(isAgain)")
        #expect(focus(form) == "working", "\(isAgain)")
      }
    }

    @Test("A form that is not shown after a kill is where it was scrolled to after the next one")
    func scrolled() throws {
      var gallery = try launch()
      func form() throws -> ScrollView { try #require(gallery.form.view as? ScrollView) }
      try scene().window?.frame.size = Size(width: 400, height: 300)
      program.advance(by: .seconds(1))
      try form().contentOffset.y = 100
      gallery.tabs.selectedIndex = 3
      for _ in 1...2 {
        gallery = try killAndLaunch()
        try #require(try scene().window?.windowScene).invalidateRestorableState()
      }
      gallery.tabs.selectedIndex = 0
      program.advance(by: .seconds(1))
      #expect(try form().contentOffset.y == 100)
    }

    @Test("A kill in the middle of a Chinese word leaves what was written before it, and the caret behind that")
    func composing() throws {
      var word = ""
      let machine = program.machine
      machine.inputMethod.start { [unowned machine] key in
        guard key.isDown else { return .passes }
        if key.characters == " " {
          machine.inputMethod.commitText(["nihao": "你好", "shijie": "世界"][word] ?? word)
          word = ""
        } else {
          word += key.characters
          machine.inputMethod.compose(TextComposition(word, caret: word.count))
        }
        return .takes
      }
      var form = try launch().form
      func name() throws -> TextField { try #require(form.fields["name"] as? TextField) }
      try type("nihao ")
      try type("shij")
      #expect(try name().text == "你好" && name().input.marked?.text == "shij")
      form = try killAndLaunch().form
      word = ""
      #expect(try name().text == "你好" && focus(form) == "name")
      try type("shijie ")
      #expect(try name().text == "你好世界")
    }

    @Test("All that can be operated, on each page, has a name for screen readers")
    func names() async throws {
      let gallery = try launch()
      program.machine.startScreenReader()
      for page in 0..<4 {
        if page == 1 { _ = await showPictures(gallery) } else { gallery.tabs.selectedIndex = page }
        program.advance(by: .seconds(1))
        var nameless: [String] = []
        func look(_ element: AccessibleElement) {
          let properties = element.properties
          // Segments have names, what they are in need not.
          if properties.states.contains(.focusable), properties.role != .group, properties.label.isEmpty {
            nameless.append("\(properties.role) \(element.frame)")
          }
          element.elements.forEach(look)
        }
        program.machine.accessibleWindows.forEach(look)
        #expect(nameless == [], "page \(page)")
      }
    }

    // MARK: The pictures

    private func showPictures(_ gallery: GalleryController) async -> PicturesController {
      gallery.tabs.selectedIndex = 1
      program.advance(by: .seconds(1))
      await isDrawn(gallery.pictures.list)
      return gallery.pictures.list
    }

    /// Waits until each picture in sight has been drawn.
    private func isDrawn(_ list: PicturesController, _ location: SourceLocation = #_sourceLocation) async {
      let isDrawn = await program.waits {
        let cells = list.collection.visibleCells.compactMap { $0 as? ArtworkCell }
        return !cells.isEmpty && cells.allSatisfy(\.hasImage)
      }
      #expect(isDrawn, sourceLocation: location)
    }

    @Test("A picture that is dragged out of the window opens one of its own at the pointer, and is a PNG elsewhere")
    func dragged() async throws {
      let list = await showPictures(try launch())
      let window = try #require(program.windows.first)
      let place = try #require(list.collection.rectForItem(at: IndexPath(item: 1, section: 0)))
      let start = list.collection.convert(
        Point(x: place.origin.x + 40, y: place.origin.y + 40), to: nil)
      program.desk.send(.button(PointerButton(number: 1, isDown: true, location: start)), to: window)
      program.desk.send(.motion(Motion(phase: .moved, location: Point(x: start.x + 9, y: start.y))), to: window)
      #expect(program.desk.isDragging && program.desk.promisedFileName?.hasSuffix(" 2.png") == true)
      program.desk.moveDrag(over: nil, to: Point(x: 1200, y: 300))
      let png = await program.desk.dataOfDrag(type: "image/png")
      #expect(png.flatMap { try? Image(png: Array($0)) }?.size == Size(width: 640, height: 640))
      program.desk.dropDrag()
      program.advance(by: .seconds(1))
      #expect(program.scenes.count == 2)
      let opened = try #require(program.scenes.lazy.compactMap { $0.delegate as? Gallery.PictureScene }.first)
      #expect(opened.artwork?.identifier == "2")
      let frame = try #require(opened.window?.frame)
      #expect(frame.origin == Point(x: 1200 - frame.size.width / 2, y: 300))
    }

    @Test("Pictures are drawn when they come in sight; what is kept of them goes in the background, and for a warning")
    func purged() async throws {
      let list = await showPictures(try launch())
      let first = list.cache.count
      #expect(first > 0 && first < 100)
      // Another page: those of the first one are kept.
      for _ in 1...2 { try press(KeySymbol.pageDown) }
      program.advance(by: .seconds(1))
      await isDrawn(list)
      #expect(list.cache.count > first)
      let window = try #require(program.windows.first)
      program.desk.minimize(window)
      program.advance(by: .seconds(2))
      #expect(list.cache.count == 0)
      program.desk.restore(window)
      try press(KeySymbol.end)
      program.advance(by: .seconds(1))
      await isDrawn(list)
      #expect(list.cache.count > 0)
      #if !WITHOUT_Memory
        program.machine.runShortOfMemory()
        program.advance(by: .seconds(1))
        #expect(list.cache.count == 0)
      #endif
    }

    @Test("A picture that was found by its name is selected and in sight after a kill")
    func found() async throws {
      var list = await showPictures(try launch())
      try type("Rings 500")
      program.advance(by: .seconds(1))
      let place = try #require(list.collection.restorationState["top"] as? String)
      #expect(place != "1")
      let gallery = try killAndLaunch()
      list = await showPictures(gallery)
      #expect(gallery.tabs.selectedIndex == 1)
      #expect(gallery.pictures.preview.artwork?.name == "Rings 500")
      #expect(list.collection.indexPathsForSelectedItems == [IndexPath(item: 499, section: 0)])
      #expect(list.collection.restorationState["top"] as? String == place)
    }

    @Test("A card that was moved is at the other side after a kill, and turned as it was")
    func moved() throws {
      var gallery = try launch()
      gallery.tabs.selectedIndex = 3
      program.advance(by: .seconds(1))
      func stage() throws -> StageView {
        try #require(gallery.motion.view.subviews.lazy.compactMap { $0 as? StageView }.first)
      }
      try stage().move()
      program.advance(by: .seconds(1))
      let turned = Transform(rotationAngle: .pi)
      #expect(try stage().subviews.first?.transform == turned)
      gallery = try killAndLaunch()
      #expect(try stage().isAtEnd && stage().subviews.first?.transform == turned)
    }

    @Test("A picture is opened in a window once, which is there after a kill as it was turned")
    func windows() async throws {
      _ = await showPictures(try launch())
      func pictures() -> [Gallery.PictureScene] { program.scenes.compactMap { $0.delegate as? Gallery.PictureScene } }
      let main = try #require(program.windows.first)
      func open(_ name: String) throws {
        program.desk.focus(main)
        program.advance(by: .seconds(2))
        try type(name)
        try press(KeySymbol.return, "\r")
        program.advance(by: .seconds(1))
      }
      try open("Rings 505")
      try open("Petals 503")
      #expect(pictures().compactMap(\.artwork?.name) == ["Rings 505", "Petals 503"])
      // Again: it comes forward.
      try open("Rings 505")
      #expect(pictures().count == 2)
      let window = try #require(pictures().first?.window)
      #expect(program.desk.hasFocus(window) && window.windowScene?.title == "Rings 505")
      try command("r")
      _ = try killAndLaunch()
      #expect(
        Set(pictures().compactMap { "\($0.artwork?.name ?? "none") \($0.quarters)" }) == [
          "Rings 505 1", "Petals 503 0",
        ])
    }

    @Test("The sheet for a caption is there after a kill, with what was written in it")
    func sheet() async throws {
      var gallery = try launch()
      _ = await showPictures(gallery)
      try type("Waves 1")
      let window = try #require(gallery.window)
      program.desk.move(window, to: Rect(x: 300, y: 200, width: 800, height: 600))
      program.advance(by: .seconds(1))
      try command("i")
      try type("Sand")
      let place = try #require(program.windows.last?.frame)
      gallery = try killAndLaunch()
      // It is in the middle of its window again.
      #expect(program.windows.map(\.frame) == [Rect(x: 300, y: 200, width: 800, height: 600), place])
      let sheet = try #require(gallery.pictures.preview.presentedViewController as? CaptionController)
      #expect(sheet.text == "Sand")
      try type("s")
      try press(KeySymbol.return, "\r")
      program.advance(by: .seconds(1))
      #expect(gallery.pictures.preview.presentedViewController == nil)
      let state = gallery.pictures.preview.restorationState["captions"] as? [String: String]
      #expect(state == ["1": "Sands"])
    }

    @Test("A card that pulses does so again whenever it comes back in sight")
    func pulsing() throws {
      var gallery = try launch()
      // The light on the card on the stage.
      func pulses() -> Bool {
        var view: View? = gallery.motion.view
        for _ in 1...3 { view = view?.subviews.first }
        return view?.host.motions.isEmpty == false
      }
      gallery.tabs.selectedIndex = 3
      program.advance(by: .seconds(1))
      #expect(!pulses())
      for isOn in [true, false, true] {
        try press(0x75, "u", with: .alternate)
        #expect(pulses() == isOn)
      }
      let window = try #require(program.windows.first)
      program.desk.minimize(window)
      program.advance(by: .seconds(2))
      #expect(!pulses())
      program.desk.restore(window)
      program.advance(by: .seconds(1))
      #expect(pulses())
      gallery.tabs.selectedIndex = 2
      program.advance(by: .seconds(1))
      #expect(!pulses())
      gallery.tabs.selectedIndex = 3
      program.advance(by: .seconds(1))
      #expect(pulses())
      gallery = try killAndLaunch()
      #expect(pulses())
      try press(0x75, "u", with: .alternate)
      #expect(!pulses())
    }

    @Test("The menu that a key opens is that of the selected picture, which comes in sight")
    func menuByKey() async throws {
      let gallery = try launch()
      let list = await showPictures(gallery)
      try type("Rings 500")
      program.advance(by: .seconds(1))
      list.collection.contentOffset.y = 0
      program.advance(by: .seconds(1))
      try press(KeySymbol.menu)
      program.advance(by: .seconds(1))
      #expect(gallery.pictures.preview.artwork?.name == "Rings 500")
      #expect(list.collection.indexPathsForVisibleItems.contains(IndexPath(item: 499, section: 0)))
    }

    @Test("The appearance that is chosen in the menu bar stays")
    func dark() throws {
      var gallery = try launch()
      try press(0x76, "v", with: .alternate)
      program.advance(by: .milliseconds(100))
      for symbol in [KeySymbol.down, KeySymbol.down, KeySymbol.return] { try press(symbol) }
      program.advance(by: .seconds(1))
      #expect(gallery.window?.overrideAppearance == .dark)
      gallery = try killAndLaunch()
      #expect(gallery.window?.overrideAppearance == .dark)
      gallery.tabs.selectedIndex = 3
      let stage = try #require(gallery.motion.view.subviews.first)
      #expect(stage.backgroundColor == Theme.dark.contentBackground)
    }
  }
}
