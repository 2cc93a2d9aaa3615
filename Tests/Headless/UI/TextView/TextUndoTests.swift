import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Steps of a text that an undo manager has, and what the program does with that manager meanwhile.
  @MainActor @Suite("Texts and an undo manager") struct TextUndoTests {
    private final class Page: TextView {
      var manager = UndoManager()
      override var undoManager: UndoManager? { manager }
    }

    private let page = Page()
    private let stage: UIStage
    private var manager: UndoManager { page.manager }

    init() throws {
      let page = page
      stage = try UIStage { window in
        window.rootView = page
        page.becomeFirstResponder()
      }
    }

    @Test("What is typed after the program has written the document's file itself is a change, and a step of its own")
    func cleared() async throws {
      let run = try DocumentRun(RealHome())
      let letter = try await run.open("letter.txt", "old")
      let page = Page()
      page.manager = letter.undoManager
      for sign in ["a", "b"] { page.type(sign) }
      #expect(letter.hasUnsavedChanges)
      letter.updateChangeCount(.cleared)
      #expect(!letter.hasUnsavedChanges)
      for sign in ["c", "d"] { page.type(sign) }
      #expect(letter.hasUnsavedChanges)
      page.undo()
      #expect(page.text == "ab" && !letter.hasUnsavedChanges)
    }

    @Test("What is typed after the actions were removed can be undone", arguments: [true, false])
    func removed(all: Bool) {
      stage.type("ab")
      if all { manager.removeAllActions() } else { manager.removeAllActions(withTarget: page) }
      #expect(!page.canUndo)
      stage.type("cd")
      #expect(page.canUndo)
      stage.command("z")
      #expect(page.text == "ab" && !page.canUndo)
    }

    @Test("A run of typing stays one step while the program removes the actions of what has none")
    func removedOther() {
      let other = TextField()
      page.addSubview(other)
      for letter in ["a", "b"] {
        stage.type(letter)
        other.text = page.text
      }
      stage.command("z")
      #expect(page.text == "")
    }

    @Test("A group of the program's is a step of its own between what is typed before it and after it")
    func groups() {
      stage.type("ab")
      manager.beginUndoGrouping()
      stage.type("cd")
      manager.endUndoGrouping()
      stage.type("ef")
      stage.command("z")
      #expect(page.text == "abcd")
      stage.command("z")
      #expect(page.text == "ab")
      stage.command("z")
      #expect(page.text == "")
    }

    @Test("What is changed while nothing is registered cannot be undone, nor can what was there before")
    func disabled() {
      stage.type("abc")
      page.caretOffset = 0
      manager.disableUndoRegistration()
      page.insertText("LOG ")
      manager.enableUndoRegistration()
      #expect(!page.canUndo)
      stage.command("z")
      #expect(page.text == "LOG abc")
      // And what comes after it can.
      manager.disableUndoRegistration()
      stage.type("d")
      manager.enableUndoRegistration()
      stage.type("ef")
      #expect(page.text == "LOG defabc" && page.canUndo)
      stage.command("z")
      #expect(page.text == "LOG dabc" && !page.canUndo)
      // A movement of the caret is no change.
      manager.removeAllActions()
      stage.type("g")
      manager.disableUndoRegistration()
      page.caretOffset = 0
      manager.enableUndoRegistration()
      #expect(page.canUndo)
    }
  }
}
