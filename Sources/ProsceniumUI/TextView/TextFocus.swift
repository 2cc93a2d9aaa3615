import FoundationEssentials
import ProsceniumCore

/// Whether a text gets the keys that the user types: its view is the first responder of the key window of an active
/// scene.
@MainActor final class TextFocus {
  private unowned let view: View
  private let changed: @MainActor () -> Void
  private var observers: [NotificationCenter.ObservationToken] = []
  /// Whether the scene is about to resign active; it counts as active until the callbacks have returned.
  private(set) var isResigning = false

  /// - Parameters:
  ///   - view: The view of the text, which owns this.
  ///   - changed: Called when the focus may have come or gone.
  init(of view: View, changed: @escaping @MainActor () -> Void) {
    self.view = view
    self.changed = changed
  }

  var isOn: Bool {
    guard view.isFirstResponder, !isResigning, let window = view.window, window.isKeyWindow else { return false }
    return window.windowScene?.activationState == .foregroundActive
  }

  /// Observes the window and the scene in which the view is now.
  func observe() {
    observers = []
    if let window = view.window, let scene = window.windowScene {
      let center = NotificationCenter.default
      observers = [
        center.addObserver(of: window, for: .didBecomeKey) { [weak self] _ in self?.update() },
        center.addObserver(of: window, for: .didResignKey) { [weak self] _ in self?.update() },
        center.addObserver(of: scene, for: .didActivate) { [weak self] _ in self?.update() },
        center.addObserver(of: scene, for: .willDeactivate) { [weak self] _ in self?.update(isResigning: true) },
      ]
    }
    update()
  }

  /// Calls the owner after the first responder, the window or the scene changed.
  func update(isResigning: Bool = false) {
    self.isResigning = isResigning
    changed()
  }
}
