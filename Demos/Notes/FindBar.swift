import Proscenium
import ProsceniumUI

/// A row with the words that are looked for.
final class FindBar: View {
  let words = TextField("", placeholder: "Find")
  /// Called with whether the one before is wanted, when the user wants another place.
  var find: (_ backwards: Bool) -> Void = { _ in }
  private let row: StackView
  private let history = UndoManager()

  /// What is typed here is no change of the note.
  override var undoManager: UndoManager? { history }

  override init() {
    let (previous, next) = (Button("Previous"), Button("Next"))
    row = StackView(.horizontal, spacing: 6, margin: 6, [words, previous, next])
    super.init()
    words.isStretching = true
    words.clearButtonMode = .whileEditing
    words.addAction(for: .primaryActionTriggered) { [weak self] in self?.find(false) }
    previous.addAction(for: .primaryActionTriggered) { [weak self] in self?.find(true) }
    next.addAction(for: .primaryActionTriggered) { [weak self] in self?.find(false) }
    addSubview(row)
  }

  override var intrinsicContentSize: Size { row.intrinsicContentSize }

  override func layoutSubviews() { row.frame = bounds }
}
