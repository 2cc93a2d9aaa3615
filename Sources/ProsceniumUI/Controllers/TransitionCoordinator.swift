/// Calls functions around a change of the size of a window; see ``ViewController/viewWillTransition(to:with:)``.
@preconcurrency @MainActor public final class TransitionCoordinator {
  private var alongside: [@MainActor () -> Void] = []
  private var completions: [@MainActor () -> Void] = []

  init() {}

  /// Adds functions to call on the main thread.
  ///
  /// A window is resized at once, as its user drags it: nothing takes time between the two.
  /// - Parameters:
  ///   - animation: Called when the view has its new size, and its subviews have not been laid out yet.
  ///   - completion: Called after the layout.
  public func animate(
    alongsideTransition animation: (@MainActor () -> Void)?, completion: (@MainActor () -> Void)? = nil
  ) {
    if let animation { alongside.append(animation) }
    if let completion { completions.append(completion) }
  }

  /// Changes the size, and calls the functions.
  func run(_ change: () -> Void, layout: () -> Void) {
    change()
    for function in alongside { function() }
    layout()
    for function in completions { function() }
  }
}
