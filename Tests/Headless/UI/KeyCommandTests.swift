import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Key commands of what is around a text.
  @MainActor @Suite("Key commands around a text") struct KeyCommandTests {
    /// A page with commands.
    private final class Page: ViewController {
      var keys: [KeyCommand] = []
      var senders: [AnyObject?] = []
      override var keyCommands: [KeyCommand] { keys }
      func choose(_ sender: AnyObject?) { senders.append(sender) }
    }

    private let page = Page()

    private func stage(_ views: View...) throws -> UIStage {
      let stage = try UIStage { [page] window in
        page.view = StackView(.vertical, spacing: 4, views)
        window.rootViewController = page
      }
      stage.settle()
      views.first?.becomeFirstResponder()
      return stage
    }

    @Test("The sender of a command's action is the command")
    func sender() throws {
      let field = TextField()
      let stage = try stage(field)
      let keys = (1...3).map { KeyCommand(input: "\($0)", action: Action(Page.choose)) }
      page.keys = keys
      stage.press([0x32, 0x31], with: .control)
      #expect(page.senders.count == 2 && page.senders[0] === keys[1] && page.senders[1] === keys[0])
    }
  }
}
