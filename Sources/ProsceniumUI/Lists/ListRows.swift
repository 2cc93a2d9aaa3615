import ProsceniumCore

/// The rows of a list, one after the other from one of them on, whether they are in sight or not.
@MainActor struct ListRows {
  let list: ListView
  let isBackwards: Bool
  private let first: Int
  /// The most rows that are looked at for one key: each that is out of sight has a cell made.
  private static let most = 200

  init(_ list: ListView, from first: Int, _ isBackwards: Bool) {
    self.list = list
    self.first = first
    self.isBackwards = isBackwards
  }

  /// The cell of a list that a view is in, or is.
  static func cell(around view: View, in list: ListView) -> ListCell? {
    view.selfAndSuperviews.lazy.compactMap { $0 as? ListCell }.first { $0.superview === list }
  }

  /// Looks for a row, and scrolls it into sight.
  ///
  /// What is in sight stays so where there is none, as in a list whose rows have no controls.
  /// - Parameter isWanted: Whether the row of a cell is the one that is looked for; nil to go on with the next row.
  /// - Returns: Whether there is one.
  func reach(_ isWanted: (ListCell) -> Bool?) -> Bool {
    let (core, offset) = (list.core, list.contentOffset)
    let count = core.loadedSections.itemCount
    let generation = core.generation
    var item = first
    for number in 0..<Self.most where (0..<count).contains(item) {
      let path = core.sections.path(of: item)
      // The nearest one with the least movement, those behind it by whole pages.
      if core.cell(at: path) == nil { core.reveal(item, number == 0 ? .none : isBackwards ? .bottom : .top) }
      // The program, which is called for cells and places, may have changed the items.
      guard let cell = core.cell(at: path), generation == core.generation else { break }
      if let isFound = isWanted(cell) {
        if isFound { return true }
        break
      }
      item += isBackwards ? -1 : 1
    }
    if generation == core.generation { list.contentOffset = offset }
    return false
  }
}
