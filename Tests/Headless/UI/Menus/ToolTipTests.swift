import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  @MainActor @Suite("Tooltips") struct ToolTipTests {
    private func makeStage() throws -> (UIStage, Button) {
      let button = Button("Send")
      button.toolTip = "Sends the letter"
      let stage = try UIStage { window in window.rootView = StackView(.vertical, margin: 10, [button, Spacer()]) }
      stage.settle()
      return (stage, button)
    }

    private func toolTips(_ stage: UIStage) -> [PopUpWindow] {
      (stage.program.application.conductor?.feature(PopUps.self)?.presented ?? []).filter { $0.kind == .toolTip }
    }

    @Test("A tooltip is shown below the pointer that rests, and stays while it moves over the view")
    func shown() throws {
      let (stage, _) = try makeStage()
      stage.send(.move(30, 20))
      stage.program.advance(by: 400)
      stage.send(.move(32, 20))
      stage.program.advance(by: 400)
      #expect(toolTips(stage).isEmpty, "the pointer has not rested")
      stage.program.advance(by: 500)
      let tip = try #require(toolTips(stage).first)
      #expect(tip.title == "Sends the letter" && tip.frame.origin == Point(x: 132, y: 140))
      stage.send(.move(40, 22))
      #expect(toolTips(stage) == [tip])
      stage.send(.move(200, 200))
      #expect(toolTips(stage).isEmpty)
      // Nothing runs any more.
      let count = stage.program.platform.commands.count
      stage.program.advance(by: 5000)
      #expect(stage.program.platform.commands.count == count && toolTips(stage).isEmpty)
    }

    enum Change: CaseIterable { case removed, superviewRemoved, hidden, superviewHidden, noText, otherText }

    @Test("A tooltip goes with its view, and with its text", arguments: Change.allCases)
    func gone(change: Change) throws {
      let (stage, button) = try makeStage()
      let box = StackView(.vertical, [button])
      stage.window.rootView?.insertSubview(box, at: 0)
      stage.settle()
      stage.send(.move(30, 20))
      stage.program.advance(by: 1000)
      #expect(toolTips(stage).count == 1)
      switch change {
      case .removed: button.removeFromSuperview()
      case .superviewRemoved: box.removeFromSuperview()
      case .hidden: button.isHidden = true
      case .superviewHidden: box.isHidden = true
      case .noText: button.toolTip = nil
      case .otherText: button.toolTip = "Other"
      }
      #expect(toolTips(stage).isEmpty)
      stage.program.advance(by: 3000)
      #expect(toolTips(stage).isEmpty)
    }

    enum End: CaseIterable { case key, press, wheel, exit, resign }

    @Test("What ends a tooltip, and the wait for one", arguments: End.allCases, [true, false])
    func ends(end: End, isShown: Bool) throws {
      let (stage, button) = try makeStage()
      stage.send(.move(30, 20))
      stage.program.advance(by: isShown ? 1000 : 300)
      #expect(toolTips(stage).count == (isShown ? 1 : 0))
      switch end {
      case .key: stage.press([KeySymbol.left])
      case .press: stage.send(.press(30, 20))
      case .wheel: stage.send(.scroll(Scroll(deltaX: 0, deltaY: 1, isPrecise: false, location: Point(x: 30, y: 20))))
      case .exit: stage.send(.exit())
      case .resign: stage.program.platform.focus(nil)
      }
      stage.program.advance(by: 3000)
      #expect(toolTips(stage).isEmpty)
      #expect(button.isTracking == (end == .press))
    }

    @Test("A control that is disabled has its tooltip, but nothing else of the pointer")
    func disabled() throws {
      let (stage, button) = try makeStage()
      button.isEnabled = false
      stage.send(.move(30, 20))
      stage.program.advance(by: 1000)
      #expect(toolTips(stage).map(\.title) == ["Sends the letter"] && !button.isHovered)
      stage.send(.move(32, 20))
      #expect(toolTips(stage).count == 1)
      stage.send(.press(32, 20), .release(32, 20), .move(200, 200))
      stage.program.advance(by: 1000)
      #expect(toolTips(stage).isEmpty && !button.isTracking)
      button.isHidden = true
      stage.send(.move(30, 20))
      stage.program.advance(by: 1000)
      #expect(toolTips(stage).isEmpty)
    }

    @Test("A view within another one has that one's tooltip, and an empty one is none")
    func inherited() throws {
      let (inner, outer) = (View(frame: Rect(x: 0, y: 0, width: 50, height: 50)), View())
      outer.addSubview(inner)
      let stage = try UIStage { window in window.rootView = outer }
      outer.toolTip = ""
      stage.send(.move(10, 10))
      stage.program.advance(by: 1500)
      #expect(toolTips(stage).isEmpty)
      outer.toolTip = String(repeating: "long ", count: 10_000)
      stage.send(.move(11, 10))
      stage.program.advance(by: 1500)
      #expect(try #require(toolTips(stage).first).frame.size.width <= 420)
      outer.toolTip = nil
      stage.send(.move(12, 10))
      #expect(toolTips(stage).isEmpty)
    }
  }
}
