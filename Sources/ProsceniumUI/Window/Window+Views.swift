public import ProsceniumCore

/// Views in a window.
extension Window {
  /// The view that fills the window; the root view controller's where there is one.
  ///
  /// Setting it takes the place of a ``rootViewController``.
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

  /// Dark on light or the other way round in this window; `InterfaceStyle.preferred` where nil.
  public var overrideAppearance: InterfaceStyle? {
    get { ViewTree.existing(self)?.overrideAppearance }
    set {
      guard newValue != nil || content is ViewTree else { return }
      ViewTree.of(self).overrideAppearance = newValue
    }
  }
}
