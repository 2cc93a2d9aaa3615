import FoundationEssentials
public import ProsceniumCore

/// An answer to an alert.
@preconcurrency @MainActor public final class AlertAction {
  /// The kind of an answer.
  public enum Style: Hashable, Sendable {
    /// One of several equal answers.
    case `default`
    /// Nothing changes; also chosen by closing the alert.
    case cancel
    /// The answer causes something that cannot be undone.
    case destructive
  }
  /// The title of its button.
  public var title: String { content.text }
  let content: MarkedText
  /// The kind of the answer.
  public let style: Style
  let handler: (@MainActor () -> Void)?

  /// Creates an answer.
  /// - Parameters:
  ///   - title: The title of the button.
  ///   - style: The kind of the answer.
  ///   - handler: Called after the alert is hidden, if this answer was chosen.
  public convenience init(_ title: String, style: Style = .default, handler: (@MainActor () -> Void)? = nil) {
    self.init(MarkedText(plain: title), style, handler)
  }

  /// Creates an answer with a mnemonic, as of ``Button/titleWithMnemonic``.
  /// - Parameters:
  ///   - titleWithMnemonic: The title of the button, with an underscore before the mnemonic.
  ///   - style: The kind of the answer.
  ///   - handler: Called after the alert is hidden, if this answer was chosen.
  public convenience init(
    titleWithMnemonic: String, style: Style = .default, handler: (@MainActor () -> Void)? = nil
  ) { self.init(MarkedText(titleWithMnemonic), style, handler) }

  private init(_ content: MarkedText, _ style: Style, _ handler: (@MainActor () -> Void)?) {
    self.content = content
    self.style = style
    self.handler = handler
  }
}

/// A question to the user in a transient window of its scene.
///
/// The title of the window is the name of the program; assistive programs call it by the title of the alert.
///
/// While it is shown the other windows of the scene get no input. The state of the scene does not change, and the alert
/// stays while the scene is in the background. Escape and the window's close button choose the cancel action. So does
/// the end of the scene: an alert with a cancel action is answered exactly once each time that it is presented, unless
/// the program dismisses it. One without is only hidden. It can be presented again after that.
open class AlertController: ViewController {
  /// The title of the alert.
  public let alertTitle: String
  /// The explanation below the title.
  public let message: String
  /// The answers, in the order in which they were added.
  public private(set) var actions: [AlertAction] = []
  private var alertWindow: ModalWindow?
  private var buttons: [Button] = []
  private let (heading, text) = (Label(), Label())
  private let answers = StackView(.horizontal, spacing: 8)

  /// Creates an alert without answers.
  /// - Parameters:
  ///   - title: The title.
  ///   - message: The explanation below the title.
  public init(title: String, message: String = "") {
    alertTitle = title
    self.message = message
    super.init()
  }

  /// Adds an answer.
  /// - Parameter action: The answer.
  public func addAction(_ action: AlertAction) {
    Responder.requireMainThread()
    actions.append(action)
    if isViewLoaded { addButton(for: action) }
  }

  private func addButton(for action: AlertAction) {
    let style: Button.Style = action.style == .destructive ? .destructive : action.style == .cancel ? .plain : .filled
    let button = Button(action.title, style: style) { [weak self] in self?.end(action) }
    button.caption.content = action.content
    buttons.append(button)
    answers.addSubview(button)
  }

  /// Whether the alert is shown.
  public var isPresented: Bool { alertWindow != nil }

  /// Shows the alert above a window.
  /// - Parameter parent: The window. If it belongs to no scene, the alert is not shown, and an error is reported.
  public func present(above parent: Window?) { present(above: parent, nil) }

  /// Shows the alert; the completion is called once it has appeared.
  func present(above parent: Window?, _ completion: (() -> Void)?) {
    guard alertWindow == nil else { return }
    view.overrideAppearance = parent?.overrideAppearance
    let room = parent.map(ModalWindow.room) ?? Size(width: 420, height: 1 << 16)
    if view.sizeThatFits(room).width > room.width {
      answers.axis = .vertical
      answers.subviews.first?.isHidden = true
    }
    let wish = view.sizeThatFits(Size(width: min(420, room.width), height: 1 << 16))
    let size = Size(width: max(wish.width, 260), height: wish.height)
    if size.height > room.height { scrollText(in: room) }
    guard let parent, let modal = ModalWindow(above: parent, size: size, isResizable: false) else {
      return Application.report(
        "The alert \"\(alertTitle)\" is dropped: its window is in no scene. "
          + "Show it above a window of a connected scene."
      )
    }
    // The heading of the content is not said twice.
    modal.window.title = ProcessInfo.processInfo.processName
    alertWindow = modal
    (appearance.arrival, appearance.completion) = (.presented, completion)
    modal.show(self, focusFirstAnswer)
  }

  /// Hides the alert without an answer.
  public func dismiss() { end(nil) }

  /// Chooses the cancel answer; without one, hides the alert.
  /// - Parameter sender: The sender of the action.
  public func cancel(_ sender: AnyObject?) { end(actions.first { $0.style == .cancel }) }

  open override var keyCommands: [KeyCommand] {
    [KeyCommand(symbol: KeySymbol.escape, action: Action(AlertController.cancel))]
  }

  open override func loadView() {
    (heading.text, heading.font) = (alertTitle, Font(size: 15, weight: .semibold))
    text.text = message
    for label in [heading, text] { label.numberOfLines = 0 }
    text.isHidden = message.isEmpty
    answers.addSubview(Spacer())
    for action in actions { addButton(for: action) }
    view = StackView(.vertical, spacing: 12, margin: 20, [heading, text, Spacer(), answers])
  }

  /// Leaves the buttons in sight where the text is higher than the screen.
  private func scrollText(in room: Size) {
    guard let content = text.superview, content === view else { return }
    let isTitleHigh = heading.sizeThatFits(Size(width: min(380, room.width), height: 1 << 16)).height > room.height / 3
    let parts = isTitleHigh ? [heading, text] : [text]
    for part in parts { part.removeFromSuperview() }
    content.insertSubview(AlertMessage(StackView(.vertical, spacing: 12, parts)), at: isTitleHigh ? 0 : 1)
    content.subviews.first { $0 is Spacer }?.isHidden = true
  }

  /// Return chooses the safest answer: the first default one, else the cancel answer, else the first.
  private func focusFirstAnswer() {
    let index = actions.firstIndex { $0.style == .default } ?? actions.firstIndex { $0.style == .cancel } ?? 0
    if buttons.indices.contains(index) { buttons[index].becomeFirstResponder() }
  }

  override var nameOfWindow: String? { alertTitle }

  override var isWindowGone: Bool { alertWindow?.isGone == true }

  override func windowWillLayOut() {
    if let modal = alertWindow, modal.fit() { scrollText(in: modal.window.frame.size) }
  }

  override func windowWasHidden() { if isWindowGone { cancel(nil) } }

  private func end(_ action: AlertAction?) {
    guard let modal = alertWindow.take() else { return }
    appearance.depart(.dismissed)
    modal.close()
    action?.handler?()
  }
}
