import FoundationEssentials
import Proscenium
import ProsceniumUI

/// Key commands, and changes of the text.
extension NoteScene: TextViewDelegate {
  static let commands = [
    KeyCommand(input: "n", title: "New", action: Action(NoteScene.new)),
    KeyCommand(input: "o", title: "Open…", action: Action(NoteScene.open)),
    KeyCommand(input: "s", title: "Save", action: Action(NoteScene.save)),
    KeyCommand(
      input: "s", modifiers: [.control, .shift], title: "Save As…", action: Action(NoteScene.saveAs)),
    KeyCommand(input: "w", title: "Close", action: Action(NoteScene.close)),
    KeyCommand(input: "q", title: "Quit", action: Action(NoteScene.quit)),
  ]
  /// Not in the menus.
  static let goOnCommand = KeyCommand(symbol: KeySymbol.escape, title: "Go On", action: Action(NoteScene.goOn))

  var menus: [Menu] {
    let items = Self.commands.map { MenuItem($0) }
    func group(_ elements: [MenuElement]) -> Menu { Menu(options: .displayInline, children: elements) }
    let groups = [group([items[0], items[1], recentNotes]), group(Array(items[2..<4])), group(Array(items[4...]))]
    let edit = Menu.standardEdit
    edit.children.append(group(Self.findCommands.map { MenuItem($0) }))
    return [Menu("File", children: groups), edit]
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

  private func open(_ sender: AnyObject?) {
    ask { scene in
      let options = FileDialogOptions(title: "Open Notes", filters: [Self.texts], allowsMultipleSelection: true)
      for url in try await scene.openFiles(options) { DocumentController.shared.openDocument(at: url) }
    }
  }

  private func saveAs(_ sender: AnyObject?) {
    ask { [weak self] scene in
      guard let note = self?.note else { return }
      let name = note.isNew ? "Untitled.txt" : note.name
      let options = FileDialogOptions(suggestedName: name, filters: [Self.texts])
      guard let url = try await scene.saveFile(options) else { return }
      // Also a note that is still being read, and a file by another path: through a symbolic link.
      let others = Application.shared.connectedScenes.compactMap { ($0.delegate as? NoteScene)?.note }
      let identifier = Document.contentIdentifier(of: url)
      if others.contains(where: { $0 !== note && Document.contentIdentifier(of: $0.fileURL) == identifier }) {
        self?.problem = "\(url.lastPathComponent) is open in another window."
      } else {
        await self?.save { await $0.save(as: url) }
      }
    }
  }

  private static let texts = FileFilter("Text", extensions: ["txt"], contentTypes: ["text/plain"])

  /// Asks the user by a dialog, and shows why that was not possible.
  private func ask(_ body: @escaping @MainActor (WindowScene) async throws -> Void) {
    problem = nil
    guard let scene = window?.windowScene, !isAsking else { return }
    isAsking = true
    Task {
      do {
        try await body(scene)
      } catch is CancellationError {
        // The window is gone.
      } catch {
        problem = "\(error)"
      }
      isAsking = false
      show()
    }
  }

  private func close(_ sender: AnyObject?) { closeByKey() }

  private func quit(_ sender: AnyObject?) { Application.shared.terminate() }

  private func goOn(_ sender: AnyObject?) {
    problem = nil
    endFinding()
    show()
  }

  /// The view has registered the change with the note's undo manager, which counts it.
  func textViewDidChange(_ textView: TextView) {
    problem = nil
    viewState = nil
    makeFile()
    show()
  }
}
