import ProsceniumCore

/// Which view of a page gets the keys when its container shows it.
struct PageKeys {
  /// The view that had them when the page was left.
  fileprivate weak var kept: View?
  /// Whether the first view gets them once the page has appeared, where nothing has them by then.
  fileprivate var areWanted = false
}

/// The keys on their way from one page of a container to the next one.
@MainActor struct PageKeysTransfer {
  private let container: View
  /// Whether they were in the container, or on their way to the page that it leaves.
  private let wereHere: Bool

  /// Begins before anything is told of the change.
  /// - Parameters:
  ///   - container: The view of the container.
  ///   - old: The controller of the page that is left; it keeps the view that has the keys.
  init(in container: View, from old: ViewController?) {
    self.container = container
    let first = container.window?.firstResponder as? View
    wereHere = first?.isDescendant(of: container) == true || old?.appearance.keys.areWanted == true
    guard let old else { return }
    let isInPage = old.loadedView.map { first?.isDescendant(of: $0) == true } ?? false
    old.appearance.keys = PageKeys(kept: isInPage ? first : nil)
  }

  /// Gives the keys to the view of the new page that had them before, unless the program has chosen one; the first view
  /// of a page without it gets them later.
  ///
  /// At once, so that an input method goes from one text to the other. A page that has not been left yet waits until it
  /// has appeared: the program may choose a view in `viewDidAppear()`.
  /// - Parameter new: The controller of the page, which is in its place, with the old page out of use.
  func end(in new: ViewController) {
    let kept = new.appearance.keys.kept
    new.appearance.keys = PageKeys()
    guard let window = container.window, window.firstResponder == nil else { return }
    if let kept, kept.isDescendant(of: new.view), ViewInput(kept).canBeUsed, kept.becomeFirstResponder() { return }
    if window.firstResponder == nil { new.appearance.keys.areWanted = wereHere }
  }
}

extension ViewController {
  /// Gives the keys to the first view of a page that has appeared, where they are wanted and nothing has them.
  final func takeWantedKeys() {
    guard appearance.keys.areWanted, appearance.phase == .appeared else { return }
    appearance.keys.areWanted = false
    guard let tree = loadedView?.tree, let view = loadedView, tree.window?.firstResponder == nil else { return }
    TabOrder(tree)?.enter(view)
  }
}
