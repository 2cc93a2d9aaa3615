public import FoundationEssentials
public import ProsceniumCore

/// What a ``TableView`` shows.
///
/// All functions are called on the main thread, and only for rows that the data source has named. After a change of its
/// rows call ``TableView/insertRows(at:)`` and its like, or ``ListView/reloadData()``; a
/// ``TableViewDiffableDataSource`` does so by itself.
@preconcurrency @MainActor public protocol TableViewDataSource: AnyObject {
  /// The number of sections; 1 by default.
  /// - Parameter tableView: The table.
  /// - Returns: The number.
  func numberOfSections(in tableView: TableView) -> Int

  /// The number of rows of a section.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - section: The section.
  /// - Returns: The number.
  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int

  /// The cell for a row that comes in sight.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - indexPath: The row.
  /// - Returns: A cell of ``TableView/dequeueReusableCell(withIdentifier:for:)``, or a new one.
  func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell

  /// The title above a section, which stays in sight as long as the section is; none by default.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - section: The section.
  /// - Returns: The title; nil for none.
  func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String?

  /// The text below a section; none by default.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - section: The section.
  /// - Returns: The text; nil for none.
  func tableView(_ tableView: TableView, titleForFooterInSection section: Int) -> String?

  /// Whether the user may move a row, by dragging it or with Alt and Up or Down; false by default.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - indexPath: The row.
  /// - Returns: Whether the row can be moved.
  func tableView(_ tableView: TableView, canMoveRowAt indexPath: IndexPath) -> Bool

  /// Moves a row, because the user has moved it: change the data, and nothing of the table.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - sourceIndexPath: The row.
  ///   - destinationIndexPath: Its new place, after it has left the old one.
  func tableView(_ tableView: TableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath)

  /// What a user types to find a row; nil by default, so that letters find nothing.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - indexPath: The row.
  /// - Returns: The beginning of it is typed, in letters of either case.
  func tableView(_ tableView: TableView, typeSelectTextForRowAt indexPath: IndexPath) -> String?

  /// What is copied of a row that the user has selected; by default the texts of the labels in its cell, with tabs
  /// between them.
  ///
  /// Called for each selected row when the user copies, and when the user selects up to 1,000 rows, which become the
  /// contents of `Pasteboard.primary`. The default has a cell made for each row that is out of sight: answer it
  /// yourself where many rows may be selected.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - indexPath: The row.
  /// - Returns: The text; nil where nothing of the row is copied.
  func tableView(_ tableView: TableView, textForCopyingRowAt indexPath: IndexPath) -> String?
}

extension TableViewDataSource {
  /// One.
  public func numberOfSections(in tableView: TableView) -> Int { 1 }
  /// No title.
  public func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? { nil }
  /// No text.
  public func tableView(_ tableView: TableView, titleForFooterInSection section: Int) -> String? { nil }
  /// No row can be moved.
  public func tableView(_ tableView: TableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }
  /// Does nothing.
  public func tableView(
    _ tableView: TableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
  ) {}
  /// Nothing is found by typing.
  public func tableView(_ tableView: TableView, typeSelectTextForRowAt indexPath: IndexPath) -> String? { nil }
  /// The texts of the cell's labels.
  public func tableView(_ tableView: TableView, textForCopyingRowAt indexPath: IndexPath) -> String? {
    tableView.core.labelText(at: indexPath)
  }
}

/// What a ``TableView`` calls, on the main thread, when the user does something with its rows.
///
/// What the program selects, moves or scrolls calls none of these.
@preconcurrency @MainActor public protocol TableViewDelegate: ScrollViewDelegate {
  /// The type of the heights of rows: `Int`, or `NotImplemented` where the delegate has none.
  associatedtype TableViewRowHeight: OptionalRowHeight = NotImplemented

  /// Whether the user may select a row; true by default.
  ///
  /// Also asked for a click or a tap on the row that is selected, and before a row is opened that is not.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - indexPath: The row.
  /// - Returns: The row, or another one that is selected in its place; nil where it is not selected. Where the user
  ///   selects several rows at once, any answer but nil agrees.
  func tableView(_ tableView: TableView, willSelectRowAt indexPath: IndexPath) -> IndexPath?

  /// The user has selected a row, or has clicked or tapped the row that is selected, as in UIKit.
  ///
  /// A click on a row that is not selected calls it with the press, one on the row that is with the release.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - indexPath: The row.
  func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath)

  /// The user has deselected a row, or selected another one instead.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - indexPath: The row.
  func tableView(_ tableView: TableView, didDeselectRowAt indexPath: IndexPath)

  /// The user wants to open a row: by a double click, or by Return; not one that may not be selected.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - indexPath: The row.
  func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath)

  /// The height of a row in points; all have ``TableView/rowHeight`` where the delegate does not implement it.
  ///
  /// Called for each row, of those out of sight too, when the rows are laid out, unless the program has set
  /// ``TableView/hasVariableRowHeights`` to false. A long list is faster without it. Declare it in the class that
  /// conforms; a subclass overrides it there.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - indexPath: The row.
  /// - Returns: The height, an `Int` of 1...65,536.
  func tableView(_ tableView: TableView, heightForRowAt indexPath: IndexPath) -> TableViewRowHeight

  /// The place of a row that the user moves; where it was dropped by default.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - sourceIndexPath: The row.
  ///   - proposedDestinationIndexPath: Where it was dropped.
  /// - Returns: Where it goes; the row itself where it stays.
  func tableView(
    _ tableView: TableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath

  /// A cell comes in sight; whether it is selected is set.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - cell: The cell.
  ///   - indexPath: Its row.
  func tableView(_ tableView: TableView, willDisplay cell: TableViewCell, forRowAt indexPath: IndexPath)

  /// A cell has gone out of sight.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - cell: The cell.
  ///   - indexPath: Its row.
  func tableView(_ tableView: TableView, didEndDisplaying cell: TableViewCell, forRowAt indexPath: IndexPath)
}

extension TableViewDelegate {
  /// Agrees.
  public func tableView(_ tableView: TableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? { indexPath }
  /// Does nothing.
  public func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) {}
  /// Does nothing.
  public func tableView(_ tableView: TableView, didDeselectRowAt indexPath: IndexPath) {}
  /// Does nothing.
  public func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath) {}
  /// Not called.
  public func tableView(_ tableView: TableView, heightForRowAt indexPath: IndexPath) -> NotImplemented {
    NotImplemented()
  }
  /// Agrees.
  public func tableView(
    _ tableView: TableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath { proposedDestinationIndexPath }
  /// Does nothing.
  public func tableView(_ tableView: TableView, willDisplay cell: TableViewCell, forRowAt indexPath: IndexPath) {}
  /// Does nothing.
  public func tableView(_ tableView: TableView, didEndDisplaying cell: TableViewCell, forRowAt indexPath: IndexPath) {}
}

/// An `Int`, or `NotImplemented`: what ``TableViewDelegate/tableView(_:heightForRowAt:)`` may return.
public protocol OptionalRowHeight {}
extension Int: OptionalRowHeight {}
extension NotImplemented: OptionalRowHeight {}
