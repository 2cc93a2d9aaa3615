import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What is laid out again, and what is not.
  @MainActor @Suite("Measuring text") struct MeasuringTests {
    @Test("One label's new text lays out no other label of its stack")
    func neighbours() throws {
      let labels = (0..<4).map { Label("label \($0)") }
      let stage = try UIStage { $0.rootView = StackView(.vertical, labels) }
      stage.settle()
      let before = labels.map(\.caption.layout.serial)
      let width = labels[0].intrinsicContentSize.width
      labels[0].text = "a longer text"
      stage.settle()
      #expect(labels[0].caption.layout.serial != before[0] && labels[0].intrinsicContentSize.width > width)
      #expect(labels.dropFirst().map(\.caption.layout.serial) == Array(before.dropFirst()))
      // Its own size is the font's, too.
      labels[1].font = .heading
      #expect(labels[1].intrinsicContentSize.height > labels[2].intrinsicContentSize.height)
    }
  }
}
