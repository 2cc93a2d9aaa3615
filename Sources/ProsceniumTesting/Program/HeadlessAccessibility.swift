import ProsceniumPlatform

/// The assistive programs of the machine in memory.
@MainActor final class HeadlessAccessibility: AccessibilityService {
  /// Whether one of them is there; that outlasts processes.
  var isThere = false
  /// What the process shows.
  private(set) var tree = AccessibilityTree()
  /// How often it has shown something else.
  private(set) var publications = 0
  private(set) var announcements: [String] = []

  /// Another process begins, which shows nothing.
  func forgetProcess() { (tree, publications, announcements) = (AccessibilityTree(), 0, []) }

  func publish(_ tree: AccessibilityTree) {
    self.tree = tree
    publications += 1
  }

  func announce(_ text: String) { announcements.append(text) }
}
