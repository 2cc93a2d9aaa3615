import ProsceniumPlatform

/// The assistive programs of the machine in memory.
@MainActor final class HeadlessAccessibility: AccessibilityService {
  private unowned let machine: HeadlessMachine
  /// Whether one of them is there; that outlasts processes.
  var isThere = false
  /// What the process shows.
  private(set) var tree = AccessibilityTree()
  /// How often it has shown something else.
  private(set) var publications = 0
  private(set) var announcements: [String] = []
  /// What one that listens to keys answers, which outlasts processes too; nil where none listens.
  ///
  /// Whether a key is a command to it; nil where it hangs.
  var listener: (@MainActor (Key) -> Bool?)?

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// Another process begins, which shows nothing.
  func forgetProcess() { (tree, publications, announcements) = (AccessibilityTree(), 0, []) }

  func publish(_ tree: AccessibilityTree) {
    self.tree = tree
    publications += 1
  }

  func announce(_ text: String) { announcements.append(text) }

  var hearsKeys: Bool { isThere && listener != nil }

  func tell(_ key: Key, time: UInt32, number: Int) {
    guard let isHandled = listener.map({ $0(key) }) ?? false else { return }
    machine.postLater(.accessibility(.answer(number, isHandled: isHandled)))
  }
}
