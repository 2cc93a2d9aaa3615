import FoundationEssentials
import ProsceniumCore

/// The selected items of a list as text.
@MainActor struct ListCopying {
  let core: ListCore

  /// The most items that become the primary selection: they are read whenever the user selects.
  private static let mostPublished = 1000

  var canSelectAll: Bool { core.mode == .multiple && core.loadedSections.itemCount > 0 }

  func selectAll() {
    guard canSelectAll else { return }
    var new = core.selection
    new.items = RangeSet(0..<core.sections.itemCount)
    core.userSelects(new)
  }

  var canCopy: Bool { !core.selection.items.isEmpty }

  /// Copies what the data source says of the selected items, each on a line of its own.
  func copy(to pasteboard: Pasteboard = .general) {
    let generation = core.generation
    var texts: [String] = []
    for path in core.selectedPaths {
      if let text = core.host.copiedText(of: path) { texts.append(text) }
      // The data source may have changed the list.
      guard generation == core.generation else { return }
    }
    if !texts.isEmpty { pasteboard.setString(texts.joined(separator: "\n")) }
  }

  /// Offers what the user has selected for pasting with the middle button.
  func publish() {
    let count = core.selection.items.ranges.reduce(0) { $0 + $1.count }
    if (1...Self.mostPublished).contains(count) { copy(to: .primary) }
  }
}

extension ListCell {
  /// The texts of its labels, in the order of its views; nil where there are none.
  var labelText: String? {
    var texts: [String] = []
    func collect(_ view: View) {
      if let label = view as? Label, !label.text.isEmpty { texts.append(label.text) }
      for subview in view.subviews { collect(subview) }
    }
    collect(self)
    return texts.isEmpty ? nil : texts.joined(separator: "\t")
  }
}
