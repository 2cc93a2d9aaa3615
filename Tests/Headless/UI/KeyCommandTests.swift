import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Which keys are typed into a text, and which ask for the commands of what is around it.
  @MainActor @Suite("Key commands around a text") struct KeyCommandTests {
    /// A page with commands, some of them of keys that are typed.
    private final class Page: ViewController {
      var keys: [KeyCommand] = []
      var heard: [String] = []
      var senders: [AnyObject?] = []
      override var keyCommands: [KeyCommand] { keys }
      func play(_ sender: AnyObject?) { heard.append("play") }
      func move(_ sender: AnyObject?) { heard.append("move") }
      func leave(_ sender: AnyObject?) { heard.append("leave") }
      func choose(_ sender: AnyObject?) { senders.append(sender) }

      func take() -> [String] {
        defer { heard = [] }
        return heard
      }
    }

    private let page = Page()

    private func stage(_ views: View...) throws -> UIStage {
      let playing = Action(Page.play)
      let moving = Action(Page.move)
      let leaving = Action(Page.leave)
      page.keys =
        [" ", "n", "1", "e"].map { KeyCommand(input: $0, modifiers: [], action: playing) }
        + [Symbol.left, Symbol.up, Symbol.backspace, Symbol.tab, KeySymbol.return].map {
          KeyCommand(symbol: $0, action: moving)
        }
        + [
          KeyCommand(symbol: Symbol.escape, action: leaving), KeyCommand(symbol: Symbol.pageUp, action: leaving),
          KeyCommand(symbol: KeySymbol.function(5), action: leaving), KeyCommand(input: "n", action: leaving),
        ]
      let stage = try UIStage { [page] window in
        page.view = StackView(.vertical, spacing: 4, views)
        window.rootViewController = page
      }
      stage.settle()
      views.first?.becomeFirstResponder()
      return stage
    }

    @Test("What is typed comes into a field, with the keys that edit it")
    func field() throws {
      let field = TextField()
      let stage = try stage(field)
      stage.type("no one")
      stage.press([Symbol.left, Symbol.backspace])
      #expect(field.text == "no oe" && field.caretOffset == 4 && page.take() == [])
      stage.press([Symbol.up])
      stage.type("\n")
      #expect(field.caretOffset == 0 && page.take() == [])
      // Composed of a dead key and the key of a command.
      stage.send(.type(0xFE51), .type(0x65, "é"))
      #expect(field.text == "éno oe" && page.take() == [])
    }

    @Test("Keys that a field has no use for, and those with Control, are commands as before")
    func commands() throws {
      let field = TextField()
      let stage = try stage(field)
      stage.press([Symbol.escape, Symbol.pageUp, KeySymbol.function(5)])
      #expect(page.take() == ["leave", "leave", "leave"])
      stage.command("n")
      stage.press([Symbol.tab])
      #expect(page.take() == ["leave", "move"] && field.text == "")
      field.resignFirstResponder()
      stage.type("n")
      #expect(page.take() == ["play"])
    }

    @Test("A text of lines has Return and Tab, too; one that is only read leaves what would change it")
    func text() throws {
      let text = TextView()
      let stage = try stage(text)
      stage.type("n\n")
      stage.send(.type(Symbol.tab, "\t"))
      #expect(text.text == "n\n\t" && page.take() == [])
      text.isEditable = false
      stage.type(" n")
      stage.press([Symbol.backspace])
      #expect(page.take() == ["play", "play", "move"])
      stage.press([Symbol.left])
      #expect(text.caretOffset == 2 && page.take() == [] && text.text == "n\n\t")
    }

    @Test("A number and a date are typed as texts are")
    func numbers() throws {
      let (number, date) = (NumberField(0, in: 0...99), DatePicker(DateFields(year: 2024, month: 5, day: 9).date))
      let stage = try stage(number, date)
      stage.type("11")
      stage.press([Symbol.up])
      #expect(number.value == 12)
      date.becomeFirstResponder()
      stage.type("11")
      stage.press([Symbol.up, Symbol.left])
      #expect(DateFields(date.date).month == 11 && DateFields(date.date).day == 10 && page.take() == [])
    }

    @Test("Shift and Delete cut, and Shift and Insert paste, as they do without commands")
    func olderKeys() async throws {
      for view in [TextField("word"), TextView()] as [any TextEditor] {
        let stage = try stage(view)
        view.text = "word"
        stage.command("a")
        stage.press([Symbol.delete], with: .shift)
        #expect(view.text == "")
        stage.press([Symbol.insert], with: .shift)
        await stage.wait { view.text == "word" }
        #expect(page.take() == [])
        view.restorationState = [:]
        stage.press([Symbol.delete], with: .shift)
        #expect(view.text == "word" && page.take() == [], "nothing is selected")
      }
    }

    @Test("A command with priority comes before the text, whichever command comes first in the list")
    func priority() throws {
      for view in [TextField(), TextView()] as [any TextEditor] {
        let stage = try stage(view)
        let plain = page.keys
        for key in [KeyCommand(input: "n", modifiers: [], action: Action(Page.leave)), page.keys[1]] {
          key.wantsPriorityOverSystemBehavior = true
          page.keys = plain + [key]
          stage.type("no")
          stage.press([Symbol.escape])
          #expect(view.text == "o" && page.take() == [key === plain[1] ? "play" : "leave", "leave"])
          view.text = ""
          page.keys = plain
        }
      }
    }

    /// A view of the program's own that keys are typed into.
    private final class Board: View {
      var isTyping = true
      var typed = ""
      var asked = 0
      override var canBecomeFirstResponder: Bool { true }
      override var isTextInput: Bool { isTyping }
      override func handle(_ event: Event) -> Bool {
        guard case .key(let key) = event.kind else { return false }
        asked += 1
        guard key.isDown, key.characters != "x", key.characters != " " else { return false }
        typed += key.characters
        return true
      }
    }

    @Test("A view of the program's own is typed into where it says so, and is asked once about each key")
    func ownView() throws {
      let board = Board()
      let stage = try stage(board)
      stage.type("nx ")
      #expect(board.typed == "n" && board.asked == 3 && page.take() == ["play"] && stage.scene?.heard == ["x"])
      stage.send(.key(Key(code: 30, symbol: 0x78, characters: "x", isDown: false)))
      #expect(board.asked == 4 && stage.scene?.heard == ["x", "x"])
      board.isTyping = false
      stage.type("nx")
      #expect(board.typed == "n" && board.asked == 5 && page.take() == ["play"])
    }

    @Test("The sender of a command's action is the command")
    func sender() throws {
      let field = TextField()
      let stage = try stage(field)
      let keys = (1...3).map { KeyCommand(input: "\($0)", action: Action(Page.choose)) }
      page.keys = keys
      stage.press([0x32, 0x31], with: .control)
      #expect(page.senders.count == 2 && page.senders[0] === keys[1] && page.senders[1] === keys[0])
    }

    @Test("A list finds what is typed only where no command has the key")
    func list() throws {
      let list = try ListStage(Numbers(Array(0..<20)))
      page.keys = [KeyCommand(input: "1", modifiers: [], action: Action(Page.play))]
      page.view.frame = Rect(x: 0, y: 0, width: 10, height: 10)
      list.stage.window.rootViewController = page
      page.view.addSubview(list.table)
      list.table.frame = Rect(x: 0, y: 0, width: 200, height: 200)
      list.stage.settle()
      list.table.becomeFirstResponder()
      list.stage.type("15")
      #expect(page.take() == ["play"] && list.table.indexPathForSelectedRow?.row == 5)
    }
  }
}
