import ProsceniumCore

/// Whether a view gets input: from the pointer, by keys, or from an assistive program.
@MainActor struct ViewInput {
  private let view: View

  init(_ view: View) { self.view = view }

  private var isSeen: Bool { !view.isHidden && view.alpha > 0.01 }

  /// Whether the view gets input, and lets those in it get it, as far as that is its own matter.
  var takesInput: Bool { view.isUserInteractionEnabled && isSeen && (view as? Control)?.isEnabled != false }

  /// Whether the view takes input, and so does all that it is in.
  ///
  /// A view that nobody uses, such as a label, takes none by itself: what it is in decides.
  var canBeUsed: Bool {
    let isPassive =
      view is Label || view is ImageView || view is ProgressView || view is ActivityIndicator || view is ListCell
    guard takesInput || (isPassive && isSeen) else { return false }
    return view.selfAndSuperviews.dropFirst().allSatisfy { ViewInput($0).takesInput }
  }

  /// Follows a change of `View.isUserInteractionEnabled`.
  func interactionChanged(from old: Bool) {
    View.requireMainThread()
    // Nearly all views that get no input are made so before they are shown.
    guard old != view.isUserInteractionEnabled, view.window != nil else { return }
    if !view.isUserInteractionEnabled { giveUpFirstResponder() }
    view.tellAssistivePrograms()
  }

  /// Makes the view and its subviews resign the first responder, because they are removed or hidden.
  func giveUpFirstResponder() {
    guard let first = view.window?.firstResponder as? View, first.isDescendant(of: view) else { return }
    first.resignFirstResponder()
  }

  /// Tells the view if it became the first responder, or resigned, since it was told last.
  func tellOfFirstResponder() {
    let place = view.isFirstResponder ? view.windowInChain : nil
    guard exchange(&view.host.firstResponderWindow, with: place) !== place else { return }
    view.tree?.focus.note(view, isFirst: place != nil)
    view.firstResponderDidChange()
    // A list keeps a cell that is out of sight as long as the keys go to what is in it.
    for case let cell as ListCell in view.selfAndSuperviews { cell.superview?.setNeedsLayout() }
  }
}
