import ProsceniumCore

/// Switches of which at most one is on at a time: radio buttons.
///
/// The arrow keys turn the next or the previous one on, and Tab goes to the one that is on. A switch that is turned on
/// by the user sends its events, the one that is turned off by that sends none.
///
/// ```swift
/// let sizes = ["Small", "Medium", "Large"].map { Switch($0, style: .radio) }
/// let group = SwitchGroup(sizes)
/// sizes[1].isOn = true
/// ```
///
/// Each switch holds its group (``Switch/group``), and the group none of them.
@preconcurrency @MainActor public final class SwitchGroup {
  private struct Member { weak var view: Switch? }
  private var members: [Member] = []

  /// Makes a group.
  /// - Parameter switches: Its switches, in the order of the arrow keys; others join it by ``Switch/group``.
  public init(_ switches: [Switch] = []) { for view in switches { view.group = self } }

  /// The switches of the group, in the order in which they joined it.
  public var switches: [Switch] { members.compactMap(\.view) }

  /// The switch that is on; nil for none.
  public var selected: Switch? { switches.first(where: \.isOn) }

  func add(_ view: Switch) {
    members.removeAll { $0.view == nil }
    members.append(Member(view: view))
    if view.isOn { turnOff(allBut: view) }
  }

  func remove(_ view: Switch) { members.removeAll { $0.view === view } }

  func turnOff(allBut view: Switch) { for other in switches where other !== view { other.isOn = false } }

  /// Those that the keyboard reaches in the window of a switch.
  private func reachable(from view: Switch) -> [Switch] {
    switches.filter { $0.window === view.window && ViewInput($0).canBeUsed }
  }

  /// Whether Tab goes to a switch: to the one that is on, or else to the first.
  func isTabStop(_ view: Switch) -> Bool {
    let reachable = reachable(from: view)
    return reachable.first(where: \.isOn) ?? reachable.first === view
  }

  /// Turns the next or the previous switch on for an arrow key.
  /// - Returns: Whether it was one; nil for other events.
  func movedByKey(_ event: Event, from view: Switch) -> Bool? {
    guard let (key, symbol) = view.plainKey(event) else { return nil }
    let step: Int
    switch symbol {
    case KeySymbol.left, KeySymbol.up: step = -1
    case KeySymbol.right, KeySymbol.down: step = 1
    default: return nil
    }
    let reachable = reachable(from: view)
    guard key.isDown, let place = reachable.firstIndex(where: { $0 === view }) else { return view.isEnabled }
    let next = reachable[(place + step + reachable.count) % reachable.count]
    if next !== view, next.becomeFirstResponder() { next.primaryAction(event) }
    return true
  }
}
