import FoundationEssentials
import Proscenium
import ProsceniumUI

/// Key commands, and changes of the text.
extension NoteScene: TextViewDelegate {
  static let commands = [
    KeyCommand(input: "n", title: "New", action: Action(NoteScene.new)),
    KeyCommand(input: "s", title: "Save", action: Action(NoteScene.save)),
    KeyCommand(input: "w", title: "Close", action: Action(NoteScene.close)),
    KeyCommand(input: "q", title: "Quit", action: Action(NoteScene.quit)),
    KeyCommand(symbol: KeySymbol.escape, title: "Go On", action: Action(NoteScene.goOn)),
  ]

  var menus: [Menu] {
    var items: [MenuElement] = Self.commands.dropLast().map { MenuItem($0) }
    items.insert(recentNotes, at: 1)
    return [Menu("File", children: items), .standardEdit]
  }

  func updateRecentNotes() {
    Task { [recentNotes] in
      let urls = await DocumentController.shared.recentDocuments.urls().prefix(10)
      recentNotes.children = urls.map { url in
        MenuItem(url.lastPathComponent) { DocumentController.shared.openDocument(at: url) }
      }
    }
  }

  private func new(_ sender: AnyObject?) {
    Application.shared.activateSceneSession(for: SceneSessionActivationRequest())
  }

  private func save(_ sender: AnyObject?) {
    problem = nil
    Task { await keep() }
  }

  private func close(_ sender: AnyObject?) { closeByKey() }

  private func quit(_ sender: AnyObject?) { Application.shared.terminate() }

  private func goOn(_ sender: AnyObject?) {
    problem = nil
    show()
  }

  /// The view has registered the change with the note's undo manager, which counts it.
  func textViewDidChange(_ textView: TextView) {
    problem = nil
    makeFile()
    show()
  }
}
