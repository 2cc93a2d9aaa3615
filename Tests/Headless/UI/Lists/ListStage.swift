import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

/// Rows with numbers, and what the table has told of them.
@MainActor final class Numbers: TableViewDataSource, TableViewDelegate {
  var sections: [[Int]]
  var titles: [String?] = []
  var canMove = false
  var refused: Set<Int> = []
  /// The rows that are selected instead of a number.
  var redirected: [Int: IndexPath] = [:]
  var log: [String] = []
  var made = 0
  var asked = 0

  init(_ sections: [Int]...) { self.sections = sections }

  func number(_ path: IndexPath) -> Int { sections[path.section][path.row] }

  func numberOfSections(in tableView: TableView) -> Int { sections.count }
  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { sections[section].count }
  func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
    asked += 1
    let cell = tableView.dequeueReusableCell(withIdentifier: "number", for: indexPath)
    cell.textLabel.text = "\(number(indexPath))"
    return cell
  }
  func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
    titles.indices.contains(section) ? titles[section] : nil
  }
  func tableView(_ tableView: TableView, canMoveRowAt indexPath: IndexPath) -> Bool { canMove }
  func tableView(_ tableView: TableView, moveRowAt from: IndexPath, to: IndexPath) {
    sections[to.section].insert(sections[from.section].remove(at: from.row), at: to.row)
  }
  func tableView(_ tableView: TableView, typeSelectTextForRowAt indexPath: IndexPath) -> String? {
    "\(number(indexPath))"
  }

  func tableView(_ tableView: TableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? {
    refused.contains(number(indexPath)) ? nil : redirected[number(indexPath)] ?? indexPath
  }
  func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) { log.append("+\(number(indexPath))") }
  func tableView(_ tableView: TableView, didDeselectRowAt indexPath: IndexPath) { log.append("-\(number(indexPath))") }
  func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath) {
    log.append("!\(number(indexPath))")
  }
  func scrollViewDidScroll(_ scrollView: ScrollView) { scrolls += 1 }
  var scrolls = 0

  /// What the delegate has heard since the last call.
  func take() -> [String] {
    defer { log = [] }
    return log
  }
}

/// The rows whose cells have gone out of sight.
@MainActor final class EndedRows: TableViewDelegate {
  var rows: [Int] = []
  func tableView(_ table: TableView, didEndDisplaying cell: TableViewCell, forRowAt path: IndexPath) {
    rows.append(path.row)
  }
}

/// A table of 200 by 200 points with rows of 20, so that ten are in sight.
@MainActor struct ListStage {
  static let frame = Rect(x: 10, y: 10, width: 200, height: 200)
  let table = TableView()
  let stage: UIStage
  let numbers: Numbers

  init(_ numbers: Numbers, _ style: InterfaceStyle = .light) throws {
    self.numbers = numbers
    table.rowHeight = 20
    table.register(
      {
        numbers.made += 1
        return TableViewCell()
      }, forCellReuseIdentifier: "number")
    table.dataSource = numbers
    table.delegate = numbers
    stage = try UIStage(table, Self.frame, style)
  }

  /// The numbers of the rows in sight, by their cells.
  var shown: [Int] {
    stage.settle()
    return table.visibleCells.compactMap { Int($0.textLabel.text) }
  }

  /// The numbers of the selected rows.
  var selected: [Int] { table.indexPathsForSelectedRows.map(numbers.number) }

  /// Clicks in the middle of a row of those in sight, by its place.
  func click(_ row: Int, modifiers: ModifierFlags = [], after milliseconds: UInt32 = 2000) {
    stage.click(60, 20 + 20 * row, after: milliseconds, modifiers: modifiers)
    stage.settle()
  }
}
