public import ProsceniumCore

/// Views in a window.
extension Window {
  /// The view that fills the window; that of the root view controller if there is one.
  ///
  /// Setting it replaces a ``rootViewController``, unless callbacks of that one's end set another view or controller.
  public var rootView: View? {
    get { ViewTree.existing(self)?.root }
    set {
      let tree = tree(isNeeded: newValue != nil)
      let old = tree?.controller
      tree?.setController(nil)
      if old == nil || tree?.root == nil { tree?.setRoot(newValue) }
    }
  }

  /// The controller whose view fills the window.
  public var rootViewController: ViewController? {
    get { ViewTree.existing(self)?.controller }
    set { tree(isNeeded: newValue != nil)?.setController(newValue) }
  }

  /// The appearance of this window; `InterfaceStyle.preferred` where nil.
  public var overrideAppearance: InterfaceStyle? {
    get { ViewTree.existing(self)?.overrideAppearance }
    set { tree(isNeeded: newValue != nil)?.overrideAppearance = newValue }
  }

  /// The window's tree, made where it is needed; nil where there is none.
  private func tree(isNeeded: Bool) -> ViewTree? { isNeeded ? ViewTree.of(self) : ViewTree.existing(self) }
}
