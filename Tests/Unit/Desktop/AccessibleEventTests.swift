import ProsceniumCore
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumPlatform

/// What assistive programs are told of changes, and in which order: a screen reader reads nothing twice.
@Suite("Events of elements") struct AccessibleEventTests {
  private static let window = AccessibilityID(rawValue: 1)
  private static let first = AccessibilityID(rawValue: 2)
  private static let second = AccessibilityID(rawValue: 3)

  /// A window with two elements.
  private func tree(_ first: AccessibilityProperties, _ second: AccessibilityProperties) -> AccessibilityTree {
    var tree = AccessibilityTree()
    let place = Rect(x: 0, y: 0, width: 10, height: 10)
    func add(_ id: AccessibilityID, _ properties: AccessibilityProperties, in parent: AccessibilityID) {
      tree.nodes[id] = .init(properties, frame: place, corner: place.origin, parent: parent)
      if parent == .application { tree.windows.append(id) } else { tree.nodes[parent]?.children.append(id) }
    }
    add(Self.window, AccessibilityProperties(role: .window), in: .application)
    add(Self.first, first, in: Self.window)
    add(Self.second, second, in: Self.window)
    return tree
  }

  private func field(_ text: String, _ selection: Range<Int>, focused: Bool = true) -> AccessibilityProperties {
    var properties = AccessibilityProperties(role: .textField)
    properties.text = AccessibilityText(text, selection: selection)
    if focused { properties.states.insert(.focused) }
    return properties
  }

  /// The events, each with its element, its numbers and its text.
  private func told(_ old: AccessibilityTree, _ new: AccessibilityTree) -> [String] {
    AccessibleEvent.changes(from: old, to: new) { _ in .int32(0) }.map { event in
      let text = event.value.text.map { " \($0)" } ?? ""
      return "\(event.id.rawValue) \(event.name) \(event.detail) \(event.numbers.0) \(event.numbers.1)\(text)"
    }
  }

  @Test("A switch that is turned on is checked, and not pressed too")
  func toggle() {
    var (off, on) = (AccessibilityProperties(role: .toggleButton), AccessibilityProperties(role: .toggleButton))
    off.states.insert(.checkable)
    on.states.formUnion([.checkable, .checked])
    #expect(told(tree(off, off), tree(on, off)) == ["2 StateChanged checked 1 0"])
  }

  @Test("The caret and the selection of a text that gets the keys move after it has them")
  func order() {
    let old = tree(field("one", 0..<0, focused: false), field("two", 0..<0))
    let new = tree(field("one", 0..<3), field("two", 0..<0, focused: false))
    #expect(
      told(old, new) == [
        "3 StateChanged focused 0 0", "2 StateChanged focused 1 0", "2 TextCaretMoved  3 0",
        "2 TextSelectionChanged  0 0",
      ])
  }

  @Test("Of a text that loses the keys it is not told that nothing is selected any more")
  func loss() {
    let old = tree(field("one", 0..<3), field("two", 0..<0, focused: false))
    let new = tree(field("one", 3..<3, focused: false), field("two", 0..<0))
    #expect(told(old, new) == ["2 StateChanged focused 0 0", "3 StateChanged focused 1 0"])
  }

  @Test("What a completion adds is told apart from what was typed")
  func completion() {
    let rest = field("two", 0..<0, focused: false)
    #expect(
      told(tree(field("", 0..<0), rest), tree(field("Argentina", 1..<9), rest)) == [
        "2 TextChanged insert 0 1 A", "2 TextChanged insert 1 8 rgentina", "2 TextCaretMoved  9 0",
        "2 TextSelectionChanged  0 0",
      ])
    // Both end with the same letter.
    #expect(
      told(tree(field("Argentina", 1..<9), rest), tree(field("Australia", 2..<9), rest)) == [
        "2 TextChanged delete 1 8 rgentina", "2 TextChanged insert 1 1 u", "2 TextChanged insert 2 7 stralia",
        "2 TextSelectionChanged  0 0",
      ])
  }

  @Test("The value of a button is read with its description, for nothing else reads it")
  func values() {
    var (old, new) = (AccessibilityProperties(role: .button), AccessibilityProperties(role: .button))
    (old.value, new.value, new.hint) = ("#000000", "#FFFFFF", "The ink")
    old.hint = new.hint
    let rest = AccessibilityProperties(role: .group)
    #expect(
      told(tree(old, rest), tree(new, rest)).first == "2 PropertyChange accessible-description 0 0 #FFFFFF, The ink")
  }
}
