import ProsceniumPlatform

/// Tables and their cells: rows out of sight are counted and selected, but are no elements.
extension AccessibleAnswers {
  /// The most selected rows that are named.
  private static let mostRows = 10_000

  private func table(_ id: AccessibilityID) -> AccessibilityTable? { tree[id]?.properties.table }

  /// The element at a place of a table; nil where that is out of sight.
  private func cell(_ row: Int, _ column: Int, in id: AccessibilityID) -> AccessibilityID? {
    let place = AccessibilityProperties.Cell(row: row, column: column)
    // Cells are in the table, or in its rows.
    let rows = tree.children(of: id)
    return rows.first { tree[$0]?.properties.cell == place }
      ?? rows.lazy.flatMap { tree.children(of: $0) }.first { tree[$0]?.properties.cell == place }
  }

  /// The table that a cell is in.
  private func tableOfCell(_ id: AccessibilityID) -> AccessibilityID? {
    guard let parent = tree[id]?.parent else { return nil }
    if table(parent) != nil { return parent }
    return tree[parent].flatMap { table($0.parent) == nil ? nil : $0.parent }
  }

  /// The place of a child of a table, by its number.
  private func place(_ index: Int, in id: AccessibilityID) -> AccessibilityProperties.Cell? {
    let children = tree.children(of: id)
    return children.indices.contains(index) ? tree[children[index]]?.properties.cell : nil
  }

  private func numbers(_ values: [Int]) -> BusValue { .array(of: "i", values.map { .int32($0) }) }

  func tableProperties(_ id: AccessibilityID) -> [String: BusValue] {
    guard let table = table(id) else { return [:] }
    let selected = table.selectedRows.ranges.reduce(0) { $0 &+ $1.count }
    return [
      "NRows": .int32(table.rowCount), "NColumns": .int32(table.columnCount), "Caption": reference(nil),
      "Summary": reference(nil), "NSelectedRows": .int32(selected), "NSelectedColumns": .int32(0),
    ]
  }

  func cellProperties(_ id: AccessibilityID) -> [String: BusValue] {
    guard let place = tree[id]?.properties.cell else { return [:] }
    return [
      "ColumnSpan": .int32(1), "RowSpan": .int32(1), "Table": reference(tableOfCell(id)),
      "Position": .structure([.int32(place.row), .int32(place.column)]),
    ]
  }

  func table(_ call: MethodCall, _ id: AccessibilityID) -> AccessibleAnswer? {
    guard let table = table(id) else { return nil }
    let number = call.int(0)
    let hasRow = (0..<max(0, table.rowCount)).contains(number)
    switch (call.name, call.signature) {
    case ("GetAccessibleAt", "ii"): return .values([reference(cell(number, call.int(1), in: id))])
    case ("GetIndexAt", "ii"):
      let index = cell(number, call.int(1), in: id).flatMap { tree.children(of: id).firstIndex(of: $0) }
      return .values([.int32(index ?? -1)])
    case ("GetRowAtIndex", "i"): return .values([.int32(place(number, in: id)?.row ?? -1)])
    case ("GetColumnAtIndex", "i"): return .values([.int32(place(number, in: id)?.column ?? -1)])
    case ("GetRowDescription", "i"): return .values([.string("")])
    case ("GetColumnDescription", "i"):
      let titles = table.columnTitles
      return .values([.string(titles.indices.contains(number) ? titles[number].withoutZeros : "")])
    case ("GetRowExtentAt", "ii"), ("GetColumnExtentAt", "ii"):
      let hasColumn = (0..<max(0, table.columnCount)).contains(call.int(1))
      return .values([.int32(hasRow && hasColumn ? 1 : 0)])
    case ("GetRowHeader", "i"), ("GetColumnHeader", "i"): return .values([reference(nil)])
    case ("GetSelectedRows", ""):
      return .values([numbers(Array(table.selectedRows.ranges.joined().prefix(Self.mostRows)))])
    case ("GetSelectedColumns", ""): return .values([numbers([])])
    case ("IsRowSelected", "i"): return .values([.bool(table.selectedRows.contains(number))])
    case ("IsSelected", "ii"):
      let hasColumn = (0..<max(0, table.columnCount)).contains(call.int(1))
      return .values([.bool(hasColumn && table.selectedRows.contains(number))])
    case ("IsColumnSelected", "i"), ("AddColumnSelection", "i"), ("RemoveColumnSelection", "i"):
      return .values([.bool(false)])
    case ("AddRowSelection", "i"): return ask(.setRowSelected(number, true), of: id, if: hasRow)
    case ("RemoveRowSelection", "i"): return ask(.setRowSelected(number, false), of: id, if: hasRow)
    case ("GetRowColumnExtentsAtIndex", "i"):
      let place = place(number, in: id)
      let span = place == nil ? 0 : 1
      let all = [place?.row ?? -1, place?.column ?? -1, span, span].map { BusValue.int32($0) }
      let isSelected = place.map { table.selectedRows.contains($0.row) } ?? false
      return .values([.bool(place != nil)] + all + [.bool(isSelected)])
    default: return nil
    }
  }

  func tableCell(_ call: MethodCall, _ id: AccessibilityID) -> AccessibleAnswer? {
    guard let place = tree[id]?.properties.cell else { return nil }
    switch (call.name, call.signature) {
    case ("GetRowHeaderCells", ""), ("GetColumnHeaderCells", ""): return .values([.array(of: "(so)", [])])
    case ("GetRowColumnSpan", ""):
      return .values([.bool(true)] + [place.row, place.column, 1, 1].map { .int32($0) })
    default: return nil
    }
  }
}
