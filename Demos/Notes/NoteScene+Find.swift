import Proscenium
import ProsceniumUI

/// Finding in the text.
extension NoteScene {
  static let findCommands = [
    KeyCommand(input: "f", title: "Find…", action: Action(NoteScene.find)),
    KeyCommand(input: "g", title: "Find Next", action: Action(NoteScene.findNext)),
    KeyCommand(
      input: "g", modifiers: [.control, .shift], title: "Find Previous", action: Action(NoteScene.findPrevious)),
  ]

  /// Shows the row for the words, which are at first what is selected.
  private func find(_ sender: AnyObject?) {
    let selected = view.text.selectedText
    if !selected.isEmpty, !selected.contains(where: \.isNewline) { view.findBar.words.text = selected }
    view.showsFindBar = true
    view.findBar.words.becomeFirstResponder()
    view.findBar.words.selectAll()
  }

  private func findNext(_ sender: AnyObject?) { find(backwards: false) }

  private func findPrevious(_ sender: AnyObject?) { find(backwards: true) }

  /// Selects the nearest place of the words.
  func find(backwards: Bool) {
    let (text, words) = (view.text, view.findBar.words.text)
    guard !words.isEmpty else { return find(nil) }
    let place = TextSearch.range(of: words, in: text.text, from: text.selectedRange, backwards: backwards)
    problem = place == nil ? "There is no \u{201C}\(words)\u{201D} in the note." : nil
    if let place {
      text.selectedRange = place
      text.scrollToCaret()
    }
    show()
  }

  /// Hides the row; the place that was found stays selected.
  func endFinding() {
    guard view.showsFindBar else { return }
    view.showsFindBar = false
    view.text.becomeFirstResponder()
  }
}
