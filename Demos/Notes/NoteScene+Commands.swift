import Proscenium
import ProsceniumUI

/// What keys do besides writing, and what follows from writing.
extension NoteScene: TextViewDelegate {
  static let commands = [
    KeyCommand(input: "n", title: "New", action: Action(NoteScene.new)),
    KeyCommand(input: "s", title: "Save", action: Action(NoteScene.save)),
    KeyCommand(input: "w", title: "Close", action: Action(NoteScene.close)),
    KeyCommand(input: "q", title: "Quit", action: Action(NoteScene.quit)),
    KeyCommand(input: "d", title: "Discard", action: Action(NoteScene.discard)),
    KeyCommand(symbol: 0xFF1B, title: "Go On", action: Action(NoteScene.goOn)),
  ]

  private func new(_ sender: AnyObject?) {
    guard question == nil else { return }
    Application.shared.activateSceneSession(for: SceneSessionActivationRequest())
  }

  private func save(_ sender: AnyObject?) {
    problem = nil
    let isSaved = save()
    // A note that could not be saved stays open, and says why.
    if question != nil { answer(closes: isSaved) }
    changed()
  }

  private func close(_ sender: AnyObject?) {
    if question == nil { closeByKey() }
    changed()
  }

  private func quit(_ sender: AnyObject?) { Application.shared.terminate() }

  private func discard(_ sender: AnyObject?) {
    if question != nil { answer(closes: true) }
    changed()
  }

  private func goOn(_ sender: AnyObject?) {
    problem = nil
    if question != nil { answer(closes: false) }
    changed()
  }

  func textViewDidChange(_ textView: TextView) {
    problem = nil
    edited()
    changed()
  }

  func textViewDidChangeSelection(_ textView: TextView) { scene?.invalidateRestorableState() }

  private func changed() {
    show()
    scene?.invalidateRestorableState()
  }
}
