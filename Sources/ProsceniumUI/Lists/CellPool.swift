/// The cells that are used again, and how new ones are made.
///
/// It calls nothing of the program, which may use the list meanwhile.
@MainActor struct CellPool {
  private(set) var makers: [String: @MainActor () -> ListCell] = [:]
  private var unused: [String: [ListCell]] = [:]

  /// The cells that are not used.
  var cells: [ListCell] { unused.values.flatMap { $0 } }

  /// Registers how cells of a kind are made.
  /// - Returns: Those that were made before.
  mutating func register(_ identifier: String, _ make: @escaping @MainActor () -> ListCell) -> [ListCell] {
    makers[identifier] = make
    return unused.removeValue(forKey: identifier) ?? []
  }

  /// Takes a cell of a kind that is not used.
  mutating func take(_ identifier: String) -> ListCell? { unused[identifier]?.popLast() }

  /// Takes a cell, which the program has kept and shows again.
  mutating func take(_ cell: ListCell) {
    guard let identifier = cell.reuseIdentifier else { return }
    unused[identifier]?.removeAll { $0 === cell }
  }

  /// Keeps a cell that is out of sight.
  /// - Returns: Whether it is kept; one without a kind is not.
  mutating func put(_ cell: ListCell) -> Bool {
    guard let identifier = cell.reuseIdentifier else { return false }
    unused[identifier, default: []].append(cell)
    return true
  }

  mutating func removeAll() -> [ListCell] {
    defer { unused = [:] }
    return cells
  }
}
