import ProsceniumCore
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumPlatform

/// What assistive programs are answered that ask something of an element.
@Suite("Answers to assistive programs") struct AccessibleAnswerTests {
  private static let window = AccessibilityID(rawValue: 1)
  private static let button = AccessibilityID(rawValue: 2)

  /// Calls a method of a button in a window.
  private func answer(
    _ interface: String, _ method: String, _ values: [BusValue], windowIs states: AccessibilityStates
  ) -> AccessibleAnswer {
    var tree = AccessibilityTree()
    let place = Rect(x: 0, y: 0, width: 10, height: 10)
    var window = AccessibilityProperties(role: .window)
    window.states = states
    var button = AccessibilityProperties(role: .button, label: "Add row")
    button.actions = ["press"]
    button.states.formUnion([.showing, .focusable])
    tree.windows = [Self.window]
    tree.nodes[Self.window] = .init(window, frame: place, corner: place.origin, parent: .application)
    tree.nodes[Self.window]?.children = [Self.button]
    tree.nodes[Self.button] = .init(button, frame: place, corner: place.origin, parent: Self.window)
    let answers = AccessibleAnswers(tree: tree, busName: ":1.1", programName: "Rows")
    let member = BusMember(path: ATSPI.path(Self.button), interface: ATSPI.prefix + interface, name: method)
    return answers.answer(member, values)
  }

  @Test("What is asked of a window that the user could use is done; in the background and beneath an alert it is not")
  func windows() {
    for (states, isDone) in [
      (AccessibilityStates([.enabled, .showing]), true), ([.enabled], false), ([.showing], false),
    ] {
      let calls: [(AccessibleAnswer, AccessibilityRequest)] = [
        (answer("Action", "DoAction", [.int32(0)], windowIs: states), .action(0)),
        (answer("Component", "GrabFocus", [], windowIs: states), .focus),
        (answer("Component", "ScrollTo", [.uint32(0)], windowIs: states), .scrollToVisible),
      ]
      for (answer, request) in calls {
        #expect(answer == (isDone ? .request(Self.button, request, [.bool(true)]) : .values([.bool(false)])))
      }
    }
  }
}
