import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension FourthDesk {
  /// What Orca says while the demos are used by keys.
  @Suite("Orca") struct OrcaTests {
    private let assisted: AssistedDesktop
    private let orca: Orca

    init() async throws {
      try Requirement.orca()
      assisted = try await AssistedDesktop("IsEnabled", "ScreenReaderEnabled")
      orca = try await Orca(on: assisted)
    }

    private var desk: Desk { assisted.desktop }

    private func start(_ name: String) throws -> Program { try assisted.start(name) }

    /// Presses keys one after the other, each of which has to bring about what Orca says.
    private func press(
      _ keys: (key: DeskKey, modifiers: DeskModifiers, phrases: [String])..., fileID: StaticString = #fileID,
      line: UInt = #line
    ) async throws {
      for (key, modifiers, phrases) in keys {
        try desk.press(key, modifiers)
        for phrase in phrases { try await orca.says(phrase, fileID: fileID, line: line) }
      }
    }

    @Test(
      "It reads the texts of Gallery's form, and what keys do in them", .enabled(if: Requirement.program("Gallery")))
    func texts() async throws {
      let program = try start("Gallery")
      defer { program.send(SIGTERM) }
      try await orca.says("Gallery frame", "Name entry In any script")
      try await press(("a", [], ["a "]), ("d", [], ["d "]), (" ", [], ["space "]), ("b", [], ["b "]))
      try await orca.handlesCaret(at: 4)
      try await press((.left, [], ["b"]), (.left, [], [" "]), (.home, [], ["a"]), (.end, .shift, ["ad b", "selected"]))
      try await press((.tab, [], ["Country entry Is completed"]), ("F", [], ["rance"]))
      try await press((.tab, [], ["Password password text"]), ("x", [], ["\u{2022}"]))
      // A date, its parts, and what follows it.
      try await press((.tab, [], ["Born 01/01/2000 spin button"]), (.up, [], ["02/01/2000"]))
      try await press((.right, [], ["01", "selected"]), (.up, [], ["02/02/2000"]), (.tab, [], ["2000", "selected"]))
      try await press((.tab, [], ["About you text"]), ("i", [], ["i "]), (.return, [], ["return "]), ("j", [], ["j "]))
      try await orca.handlesCaret(at: 3)
      try await press((.up, [], ["i"]), (.tab, .control, ["All scripts link"]))
    }

    @Test("It reads the choices of Gallery's form, and how they change", .enabled(if: Requirement.program("Gallery")))
    func choices() async throws {
      let program = try start("Gallery")
      defer { program.send(SIGTERM) }
      try await orca.says("Gallery frame", "Name entry")
      try await press(("x", [], ["x "]), ("e", .alt, ["News toggle button not pressed"]), (" ", [], ["pressed"]))
      try await press((.tab, [], ["Parcels too check box not checked"]), (" ", [], ["checked"]))
      #expect(orca.phrases.count { $0 == "pressed" } == 1)
      try await press((.tab, [], ["Small", "not selected radio button"]), (" ", [], ["selected"]))
      try await press((.tab, [], ["Way panel"]), (.left, [], ["Air", "selected radio button"]))
      try await press((.tab, [], ["Paper combo box", "Laid", "The paper of the letters"]))
      try await press((.down, [], ["Laid check menu item checked"]), (.down, [], ["Wove"]))
      try await press((.return, [], ["Paper combo box", "Wove"]), (.tab, [], ["Ink push button", "#1A66D6"]))
      try await press((" ", [], ["Color dialog", "Colors", "List with"]), (.right, [], ["#000000"]))
      try await press((.escape, [], ["Gallery frame", "Ink push button"]), (.tab, [], ["Copies 1 spin button"]))
      try await press((.up, [], ["2"]), (.tab, [], ["Quality horizontal slider 0.5"]), (.right, [], ["0.6"]))
      try await press((.tab, [], ["Steps 0 spin button"]), (.right, [], ["1"]), (.tab, [], ["At work toggle button"]))
      try await press((.tab, [], ["Send push button"]))
      let title = "Thank you, x. dialog Nothing has been sent: this is a demo."
      try await press((" ", [], [title, "Go On push button"]), (.tab, [], ["Empty the Form push button"]))
      try await press((.escape, [], ["Gallery frame", "Send push button"]))
    }

    @Test("It reads menus, tabs and lists of Gallery", .enabled(if: Requirement.program("Gallery")))
    func walks() async throws {
      let program = try start("Gallery")
      defer { program.send(SIGTERM) }
      try await orca.says("Gallery frame", "Name entry")
      try await press((.function(10), [], ["File menu", "New Window", "Ctrl+N"]), (.down, [], ["Close"]))
      try await press((.right, [], ["Edit menu"]), (.right, [], ["Picture menu"]), (.right, [], ["View menu"]))
      try await press((.down, [], ["Light"]), (.left, [], ["Picture menu"]), (.escape, [], ["Name entry"]))
      try await press((.pageDown, .control, ["Pictures page tab", "Pictures", "List with"]))
      try await press((.right, [], ["Waves 1"]), (.right, [], ["Weave 2"]), (.end, [], ["Rings 1000"]))
      try await press((.tab, [], ["Open push button"]), (.tab, .shift, ["Pictures", "Rings 1000"]))
      // A window of its own, and back.
      try await press(
        (.return, [], ["Rings 1000 frame"]), ("w", .control, ["Gallery frame", "Pictures", "Rings 1000"]))
      try await press((.pageDown, .control, ["Numbers page tab"]))
    }

    @Test("It reads the text, the find bar and the questions of Notes", .enabled(if: Requirement.program("Notes")))
    func notes() async throws {
      let program = try start("Notes")
      defer { program.send(SIGTERM) }
      try await orca.says("Untitled frame", "Note text")
      try await press(("o", [], ["o "]), ("n", [], ["n "]), (" ", [], ["space "]), ("t", [], ["t "]))
      try await press((.return, [], ["return "]), ("w", [], ["w "]))
      try await orca.handlesCaret(at: 6)
      try await press((.up, [], ["on t"]), (.down, [], ["w"]))
      try await press((.home, [], ["w"]), (.up, [], ["on t"]), (.right, [], ["n"]))
      try await press(("f", .control, ["Find entry"]), ("w", [], ["w "]), (.return, [], ["w", "selected"]))
      try await press((.tab, [], ["Previous push button"]), (.escape, [], ["Note text"]))
      // Of a long paragraph the line that the view has wrapped it to.
      try await press((.end, [], []), (.return, [], ["return "]), ("q", [], ["q "]))
      for key in String(repeating: " mmmm", count: 30) { try desk.key(key) }
      try await press(("z", [], ["z "]))
      try await orca.handlesCaret(at: 159)
      try await press((.up, [], ["mmmm"]))
      // Another window, and a question about it.
      try await press(("n", .control, ["Untitled frame", "Note text"]), ("x", [], ["x "]))
      try await press(
        ("w", .control, ["Save Untitled before it closes? dialog It is lost otherwise", "Save push button"]),
        (.escape, [], ["Untitled frame", "Note text", "x"]), ("w", .control, ["Save push button"]),
        (.tab, [], ["Discard push button"]), (.return, [], ["Untitled frame", "Note text"]))
    }

    @Test(
      "It reads the windows and buttons of the other demos",
      .enabled(if: ["SceneLab", "Beacon", "Postcard"].allSatisfy(Requirement.program)))
    func others() async throws {
      let lab = try start("SceneLab")
      try await orca.says("scene 1: foreground, active frame")
      try await press((.tab, [], ["New push button"]), (.tab, [], ["Close push button"]))
      lab.send(SIGTERM)
      #expect(try await lab.end() == .exited(0))
      let beacon = try start("Beacon")
      try await orca.says("Beacon frame")
      beacon.send(SIGTERM)
      #expect(try await beacon.end() == .exited(0))
      let card = try start("Postcard")
      defer { card.send(SIGTERM) }
      try await orca.says("Postcard frame", "Message text")
      try await press(("x", [], ["x "]), (.tab, .control, ["Clear push button"]))
    }

    @Test(
      "It reads the titles of the demos that draw by themselves",
      .enabled(if: ["Meter", "Pong", "Triangle"].allSatisfy(Requirement.program)))
    func drawn() async throws {
      for library in ["libEGL.so.1", "libGLESv2.so.2"] { try Requirement.library(library) }
      let meter = try start("Meter")
      try await orca.says("Meter frame")
      try await press(("u", [], ["Meter: uploading", "Meter: uploaded"]))
      meter.send(SIGTERM)
      #expect(try await meter.end() == .exited(0))
      // The title of the game has its score, too.
      for (name, title) in [("Pong", "Pong "), ("Triangle", "Triangle frame")] {
        let program = try start(name)
        try await orca.says(title)
        program.send(SIGTERM)
        #expect(try await program.end() == .exited(0))
      }
    }
  }
}
