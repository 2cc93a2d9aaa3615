import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  /// What keys reach in a list: the controls in it, the menus of its items, and items beside those that have gone.
  @MainActor @Suite("Lists by keys") struct ListReachTests {
    private func path(_ row: Int) -> IndexPath { IndexPath(row: row, section: 0) }

    @Test("Tab goes through the controls of a list from above, whenever their cells were made")
    func tabs() throws {
      let list = try ListStage(Numbers(Array(0..<100)))
      // Back to cells that are used again.
      for row in [50, 53, 49] {
        list.table.scrollToRow(at: path(row), at: .top)
        list.stage.settle()
      }
      let buttons = list.table.visibleCells.map { cell in
        let button = Button("")
        button.frame = Rect(x: 100, y: 0, width: 60, height: 20)
        cell.addSubview(button)
        return button
      }
      #expect(list.shown == Array(49..<59) && list.table.becomeFirstResponder())
      for (row, button) in buttons.enumerated() {
        list.stage.press([KeySymbol.tab])
        #expect(button.isFirstResponder, "\(row)")
      }
      list.stage.press([KeySymbol.tab])
      #expect(list.table.isFirstResponder)
      list.stage.press([KeySymbol.tab], with: .shift)
      #expect(buttons.last?.isFirstResponder == true)
    }
  }
}
