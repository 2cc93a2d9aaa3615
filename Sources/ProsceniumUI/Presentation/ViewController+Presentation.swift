import ProsceniumCore

extension ViewController {
  /// The controller that is presented above this one, or above the controller of which it is a child; nil for none, and
  /// for an ``AlertController``.
  public final var presentedViewController: ViewController? { root.presentation?.presented }

  /// The controller above which this one, or the controller of which it is a child, is presented; nil for none.
  public final var presentingViewController: ViewController? { root.presenter }

  /// Shows a controller above the window of this one.
  ///
  /// Its ``modalPresentationStyle`` says how. The other windows of the scene get no input while a sheet is shown, and
  /// Tab stays within it. Escape and the window's close button dismiss it, unless it ``isModalInPresentation``. A
  /// presentation changes no state of the scene, and is restored with it where the presented controller has a
  /// ``restorationIdentifier``.
  ///
  /// Where the controller is in no window of a scene, or presents another one already, nothing is shown, and an error
  /// is reported. An ``AlertController`` is shown as by ``present(_:)``.
  /// - Parameters:
  ///   - controller: The controller; in no window, and without a parent.
  ///   - animated: Whether one that fills the window slides in. A sheet appears as the desktop shows dialogs.
  ///   - completion: Called after its ``viewDidAppear()``; not where it is not shown.
  public final func present(_ controller: ViewController, animated: Bool = true, completion: (() -> Void)? = nil) {
    View.requireMainThread()
    if let alert = controller as? AlertController { return alert.present(above: window, completion) }
    let root = root
    root.leaving?.finish()
    guard root.presentation == nil, root !== controller else {
      return Application.report(
        "\(type(of: controller)) is not presented: \(type(of: root)) presents another one. Present it above that.")
    }
    guard controller.parent == nil, controller.presenter == nil, controller.tree == nil else {
      return Application.report(
        "\(type(of: controller)) is not presented: it is shown elsewhere, or has a parent. "
          + "Dismiss it, or take it out, before."
      )
    }
    guard let presentation = root.makePresentation(of: controller) else { return }
    root.presentation = presentation
    controller.presenter = root
    controller.appearance.arrival = .presented
    controller.appearance.completion = completion
    presentation.show(animated: animated)
    root.invalidateRestorableState()
  }

  private func makePresentation(of controller: ViewController) -> Presentation? {
    if let window, window.windowScene != nil {
      guard controller.modalPresentationStyle == .fullScreen else {
        return SheetPresentation(controller, above: self, in: window)
      }
      if let tree = ViewTree.existing(window), tree.controller?.front === self {
        return CoverPresentation(controller, above: self, in: tree)
      }
    }
    Application.report(
      "\(type(of: controller)) is not presented: \(type(of: self)) is not shown in a window of a scene. "
        + "Present it from viewDidAppear() on."
    )
    return nil
  }

  /// Hides the controller that is presented above this one, with all that are above it; else this one, if it is
  /// presented.
  ///
  /// An ``AlertController`` is hidden by its own ``AlertController/dismiss()``, or by this function of it, and not by
  /// that of the controller above which it is shown.
  /// - Parameters:
  ///   - animated: Whether one that fills the window slides out.
  ///   - completion: Called after its ``viewDidDisappear()``; at once where there is nothing to hide.
  public final func dismiss(animated: Bool = true, completion: (() -> Void)? = nil) {
    View.requireMainThread()
    let root = root
    if root.presentation == nil, let presenter = root.presenter {
      return presenter.endPresentation(animated: animated, completion)
    }
    if root.presentation == nil, let alert = root as? AlertController { alert.dismiss() }
    root.endPresentation(animated: animated, completion)
  }

  // MARK: The framework's side

  /// The outermost parent, else the controller itself.
  private var root: ViewController { sequence(first: self) { $0.parent }.reduce(self) { $1 } }

  /// The controller that the window shows in place of this one.
  final var front: ViewController {
    if let cover = presentation as? CoverPresentation { cover.presented.front } else { self }
  }

  /// Ends the presentation above the controller.
  final func endPresentation(animated: Bool, _ completion: (() -> Void)? = nil) {
    guard let presentation else {
      completion?()
      return
    }
    presentation.presented.endPresentation(animated: false)
    // Before it is shown, its chain leads to the window by this presentation alone.
    let window = presentation.nextBeforeShown?.windowInChain
    if let first = window?.firstResponder as? View, first.window == nil { first.resignFirstResponder() }
    // What that calls may have ended this one.
    guard self.presentation === presentation else {
      completion?()
      return
    }
    self.presentation = nil
    leaving = presentation
    presentation.presented.presenter = nil
    presentation.presented.appearance.depart(.dismissed)
    presentation.end(animated: animated, completion)
    invalidateRestorableState()
  }

  /// The user wants to dismiss the controller; whether it is presented.
  final func dismissByUser() -> Bool {
    guard let presenter else { return false }
    if !isModalInPresentation { presenter.endPresentation(animated: true) }
    return true
  }

  /// The controller that is asked first for controllers that are restored, and gets the keys where nothing else does.
  final var innermost: ViewController { shownChildren.last?.innermost ?? self }

  /// The presented controller, as property-list values.
  var presentationState: [String: any Sendable] {
    guard let presented = presentation?.presented, let name = presented.restorationIdentifier else { return [:] }
    return ["presented": name, "presentedState": presented.restorationState]
  }

  func restorePresentation(_ state: [String: any Sendable]) {
    guard let name = state["presented"] as? String, presentation == nil,
      let controller = innermost.viewController(withRestorationIdentifier: name)
    else { return }
    controller.restorationIdentifier = controller.restorationIdentifier ?? name
    present(controller, animated: false)
    controller.restorationState = state["presentedState"] as? [String: any Sendable] ?? [:]
  }
}
