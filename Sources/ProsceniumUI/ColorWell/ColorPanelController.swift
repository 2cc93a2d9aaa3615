import ProsceniumCore

/// The panel in which the user chooses the colour of a well.
final class ColorPanelController: ViewController {
  /// The room that the panel may take.
  private static let most = Size(width: 420, height: 4000)

  let swatches = SwatchGrid()
  let code = TextField()
  let sample = ColorWell()
  let accept = Button("Choose", style: .filled)
  private let message = Label()
  private var modal: ModalWindow?
  /// Nil once the panel has ended.
  private var completion: ((Color) -> Void)?
  /// Waits for the colour of a pixel.
  private var picking: Task<Void, Never>?

  /// Makes a panel.
  /// - Parameters:
  ///   - color: The colour that it begins with.
  ///   - completion: Called with the colour that the user chooses.
  init(_ color: Color?, _ completion: @escaping (Color) -> Void) {
    self.completion = completion
    super.init()
    show(color)
    code.text = color.map(ColorCode.text) ?? ""
  }

  /// Shows the panel.
  /// - Returns: Whether it can be shown: the window belongs to a scene.
  func show(above parent: Window) -> Bool {
    guard let modal = ModalWindow(above: parent, size: view.sizeThatFits(Self.most), isResizable: false)
    else { return false }
    self.modal = modal
    modal.window.title = title
    modal.window.overrideAppearance = parent.overrideAppearance
    modal.show(self) { _ = swatches.becomeFirstResponder() }
    return true
  }

  var hasEnded: Bool { completion == nil }

  func end(_ color: Color? = nil) {
    guard let completion = completion.take() else { return }
    picking?.cancel()
    modal?.close()
    modal = nil
    if let color { completion(color) }
  }

  override func windowWillLayOut() { modal?.fit() }

  override func windowWasHidden() {
    if modal?.isGone == true { end() }
  }

  /// Not restored: what it is for is the well's.
  override var restorationState: [String: any Sendable] {
    get { [:] }
    set {}
  }

  // MARK: Views

  override func loadView() {
    swatches.accessibilityLabel = "Colors"
    swatches.addAction(for: .valueChanged) { [weak self] in self?.swatchChosen() }
    swatches.addAction(for: .primaryActionTriggered) { [weak self] in self?.finish() }
    code.isStretching = true
    code.addAction(for: .editingChanged) { [weak self] in self?.codeChanged() }
    code.addAction(for: .primaryActionTriggered) { [weak self] in self?.finish() }
    sample.isUserInteractionEnabled = false
    sample.isAccessibilityElement = false
    let name = Label()
    name.textWithMnemonic = "C_ode:"
    name.mnemonicTarget = code
    message.isSecondary = true
    message.isHidden = true
    let cancel = Button("Cancel") { [weak self] in self?.end() }
    accept.addAction(for: .primaryActionTriggered) { [weak self] in self?.finish() }
    view = StackView(
      .vertical, spacing: 10, margin: 16,
      [
        swatches, StackView(.horizontal, [name, code, sample]),
        StackView(.horizontal, pickButtons + [Spacer(), cancel, accept]), message,
      ])
  }

  private var pickButtons: [View] {
    #if WITHOUT_Dialogs
      return []
    #else
      let pick = Button()
      pick.titleWithMnemonic = "_Pick"
      pick.toolTip = "Picks the colour of a pixel of the screen"
      pick.addAction(for: .primaryActionTriggered) { [weak self] in self?.pick() }
      return [pick]
    #endif
  }

  override var keyCommands: [KeyCommand] {
    [KeyCommand(symbol: KeySymbol.escape, action: Action(ColorPanelController.cancel))]
  }

  func cancel(_ sender: AnyObject?) { end() }

  // MARK: Choosing

  private func show(_ color: Color?) {
    sample.selectedColor = color
    swatches.selectedIndex = color.flatMap { Swatches.colors.firstIndex(of: $0.withAlphaComponent(1)) }
    accept.isEnabled = color != nil
  }

  private func swatchChosen() {
    show(swatches.selectedColor)
    code.text = swatches.selectedColor.map(ColorCode.text) ?? ""
  }

  private func codeChanged() { show(ColorCode.color(code.text)) }

  private func finish() {
    if let color = sample.selectedColor { end(color) }
  }

  #if !WITHOUT_Dialogs
    private func pick() {
      guard picking == nil, let scene = modal?.window.windowScene else { return }
      picking = Task { [weak self] in
        let result: Result<Color?, any Error>
        do { result = .success(try await scene.pickColor()) } catch { result = .failure(error) }
        self?.picked(result)
      }
    }

    private func picked(_ result: Result<Color?, any Error>) {
      picking = nil
      switch result {
      case .success(let color?):
        show(color)
        code.text = ColorCode.text(color)
      case .success(nil), .failure(is CancellationError): break
      case .failure: say("This desktop picks no colors.")
      }
    }

    private func say(_ text: String) {
      message.text = text
      message.isHidden = false
      modal?.resize(to: view.sizeThatFits(Self.most))
    }
  #endif
}
