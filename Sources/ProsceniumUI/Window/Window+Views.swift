public import ProsceniumCore

/// Views in a window.
extension Window {
  /// The view that fills the window; that of the root view controller if there is one.
  ///
  /// Setting it replaces a ``rootViewController``.
  public var rootView: View? {
    get { ViewTree.existing(self)?.root }
    set {
      let tree = tree(isNeeded: newValue != nil)
      if tree?.controller != nil { tree?.setController(nil) }
      // One that its callbacks have set stays.
      if tree?.controller == nil { tree?.setRoot(newValue) }
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
