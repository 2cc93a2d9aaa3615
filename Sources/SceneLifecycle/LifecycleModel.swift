/// Which of UIKit's two life-cycle models is in force.
public enum LifecycleModel: Hashable, Sendable, CaseIterable {
  /// Every scene has a delegate of its own; the application delegate receives launch and termination callbacks.
  case sceneBased
  /// One implicit scene without a delegate; the application delegate receives all callbacks.
  case appBased
}
