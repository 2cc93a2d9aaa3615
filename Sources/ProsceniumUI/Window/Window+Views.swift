public import ProsceniumCore

/// Views in a window.
extension Window {
  /// The view that fills the window; that of the root view controller if there is one.
  ///
  /// Setting it replaces a ``rootViewController``.
  public var rootView: View? {
    get { ViewTree.existing(self)?.root }
    set {
      guard newValue != nil || content is ViewTree else { return }
      let tree = ViewTree.of(self)
      if tree.controller != nil { tree.setController(nil) }
      tree.setRoot(newValue)
    }
  }

  /// The controller whose view fills the window.
  public var rootViewController: ViewController? {
    get { ViewTree.existing(self)?.controller }
    set {
      guard newValue != nil || content is ViewTree else { return }
      ViewTree.of(self).setController(newValue)
    }
  }

  /// The appearance of this window; ``InterfaceStyle/preferred`` where nil.
  public var overrideAppearance: InterfaceStyle? {
    get { ViewTree.existing(self)?.overrideAppearance }
    set {
      guard newValue != nil || content is ViewTree else { return }
      ViewTree.of(self).overrideAppearance = newValue
    }
  }
}
