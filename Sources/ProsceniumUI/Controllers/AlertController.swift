public import ProsceniumCore
import ProsceniumLoop

/// Something that can be answered to an alert.
@preconcurrency @MainActor public final class AlertAction {
  /// What an answer is.
  public enum Style: Hashable, Sendable {
    /// One of several.
    case `default`
    /// Nothing happens; also what closing the alert means.
    case cancel
    /// Something that cannot be undone.
    case destructive
  }
  /// What is on its button.
  public let title: String
  /// What it is.
  public let style: Style
  let handler: (@MainActor () -> Void)?

  /// An answer.
  /// - Parameters:
  ///   - title: What is on its button.
  ///   - style: What it is.
  ///   - handler: Called once, when the alert has gone, if it was the answer.
  public init(_ title: String, style: Style = .default, handler: (@MainActor () -> Void)? = nil) {
    self.title = title
    self.style = style
    self.handler = handler
  }
}

/// A question in a transient window of its scene.
///
/// The scene's other windows hear no input while it is shown; the scene's state stays as it is, and the alert stays while
/// the scene is in the background. Escape and the window's close button choose the cancel action. So does the end of the
/// scene: every alert that was presented is answered exactly once.
open class AlertController: ViewController {
  /// What it is about, in a few words.
  public let alertTitle: String
  /// The same at length.
  public let message: String
  /// The possible answers, in order of their addition.
  public private(set) var actions: [AlertAction] = []
  private var alertWindow: Window?
  private var isOver = false
  private var buttons: [Button] = []
  private weak var alertScene: WindowScene?

  /// A question without answers.
  public init(title: String, message: String = "") {
    alertTitle = title
    self.message = message
    super.init()
  }

  /// Adds a possible answer.
  public func addAction(_ action: AlertAction) { actions.append(action) }

  /// Whether the alert is shown.
  public var isPresented: Bool { alertWindow != nil }

  /// Shows the alert above a window.
  /// - Parameter parent: The window; dropped, with a message, where it is in no scene.
  public func present(above parent: Window?) {
    guard alertWindow == nil, !isOver else { return }
    guard let parent, let scene = parent.windowScene, parent.id != nil else {
      return StandardError.write("Proscenium: the alert \"\(alertTitle)\" is dropped: its window is in no scene.")
    }
    let window = Window(windowScene: scene)
    window.title = alertTitle
    let scale = max(parent.scale, 0.1)
    view.overrideAppearance = parent.overrideAppearance
    let wish = view.sizeThatFits(Size(width: 420, height: 4000))
    let (width, height) = (Int(Double(max(wish.width, 260)) * scale), Int(Double(wish.height) * scale))
    let outer = parent.frame
    window.minimumSize = Size(width: width, height: height)
    window.maximumSize = window.minimumSize
    window.frame = Rect(
      x: outer.origin.x + (outer.size.width - width) / 2, y: outer.origin.y + (outer.size.height - height) / 2,
      width: width, height: height)
    alertWindow = window
    alertScene = scene
    scene.modalWindows.append(window)
    // What is pressed below comes to no good end any more.
    for other in scene.windows where other !== window { ViewTree.existing(other)?.cancelInput() }
    window.rootViewController = self
    focusFirstAnswer()
    window.makeKeyAndVisible()
  }

  /// Takes the alert away without an answer.
  public func dismiss() { end(nil) }

  /// Chooses the cancel action, or none where there is none.
  public func cancel(_ sender: AnyObject?) { end(actions.first { $0.style == .cancel }) }

  open override var keyCommands: [KeyCommand] {
    [KeyCommand(symbol: KeySymbol.escape, action: Action(AlertController.cancel))]
  }

  open override func loadView() {
    let heading = Label(alertTitle, font: Font(size: 15, weight: .semibold))
    let text = Label(message)
    for label in [heading, text] { label.numberOfLines = 0 }
    text.isHidden = message.isEmpty
    buttons = actions.map { action in
      let style: Button.Style = action.style == .destructive ? .destructive : action.style == .cancel ? .plain : .filled
      return Button(action.title, style: style) { [weak self] in self?.end(action) }
    }
    let row = StackView(.horizontal, spacing: 8, [Spacer()] + buttons)
    view = StackView(.vertical, spacing: 12, margin: 20, [heading, text, Spacer(), row])
  }

  /// Return chooses what does the least harm: the first answer that can be undone, else the first one.
  private func focusFirstAnswer() {
    let harmless = actions.firstIndex { $0.style == .default } ?? actions.firstIndex { $0.style == .cancel }
    let index = harmless ?? 0
    if buttons.indices.contains(index) { buttons[index].becomeFirstResponder() }
  }

  override func windowWasHidden() {
    guard let window = alertWindow else { return }
    // Hidden together with its scene, by a close that does not discard it: it comes back with the scene.
    if window.id != nil, !window.isHidden || alertScene?.windows.first?.isHidden == true { return }
    cancel(nil)
  }

  private func end(_ action: AlertAction?) {
    guard let window = alertWindow, !isOver else { return }
    isOver = true
    alertWindow = nil
    alertScene?.modalWindows.removeAll { $0 === window }
    window.isHidden = true
    window.windowScene = nil
    window.rootViewController = nil
    action?.handler?()
  }
}
