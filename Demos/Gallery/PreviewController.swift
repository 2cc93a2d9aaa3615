import Proscenium
import ProsceniumUI

/// The picture that is selected, larger, with what the user has written below it.
@MainActor final class PreviewController: ViewController {
  private let picture = ArtworkView()
  private let name = Label("Select a picture", font: .heading)
  private let caption = Label()
  private let open = Button("")
  private let write = Button("")
  /// What the user has written below the pictures, by their identifiers.
  private var captions: [String: String] = [:]
  var artwork: Artwork? { didSet { if oldValue != artwork, isViewLoaded { update() } } }

  override func viewDidLoad() {
    for label in [name, caption] { label.alignment = .center }
    caption.numberOfLines = 3
    picture.isStretching = true
    open.titleWithMnemonic = "_Open"
    open.toolTip = "Shows the picture in a window of its own, or the window that it has already"
    open.addAction(for: .primaryActionTriggered) { [weak self] in
      if let artwork = self?.artwork { PictureScene.open(artwork) }
    }
    write.titleWithMnemonic = "_Caption…"
    write.addAction(for: .primaryActionTriggered) { [weak self] in self?.askForCaption() }
    view = StackView(.vertical, spacing: 8, margin: 16, [picture, name, caption, open, write])
    update()
  }

  private func update() {
    picture.show(artwork)
    name.text = artwork?.name ?? "Select a picture"
    caption.text = artwork.flatMap { captions[$0.identifier] } ?? ""
    caption.isHidden = caption.text.isEmpty
    for button in [open, write] { button.isEnabled = artwork != nil }
  }

  override func viewWillAppear() { picture.draw() }

  // In the background, or while another page is shown.
  override func viewDidDisappear() { picture.free() }

  /// Shows the sheet for what is written below the picture.
  func askForCaption() {
    guard let artwork, presentedViewController == nil else { return }
    let sheet = makeSheet()
    sheet.text = captions[artwork.identifier] ?? ""
    present(sheet)
  }

  private func makeSheet() -> CaptionController {
    CaptionController { [weak self] text in
      guard let self, let artwork else { return }
      captions[artwork.identifier] = text.isEmpty ? nil : text
      update()
    }
  }

  // MARK: Restoration

  /// The sheet that was open when the program ended.
  override func viewController(withRestorationIdentifier identifier: String) -> ViewController? {
    identifier == CaptionController.identifier
      ? makeSheet() : super.viewController(withRestorationIdentifier: identifier)
  }

  override var restorationState: [String: any Sendable] {
    get { super.restorationState.merging(["picture": artwork?.identifier ?? "", "captions": captions]) { $1 } }
    set {
      captions = newValue["captions"] as? [String: String] ?? [:]
      artwork = (newValue["picture"] as? String).flatMap(Artwork.init)
      if isViewLoaded { update() }
      super.restorationState = newValue
    }
  }
}

/// A sheet with a text, which is there again after the end of the program.
@MainActor final class CaptionController: ViewController {
  static let identifier = "caption"
  private let field = TextField("", placeholder: "What do you see?")
  private let accept: (String) -> Void

  /// - Parameter accept: Called with the text, unless the sheet is cancelled.
  init(_ accept: @escaping (String) -> Void) {
    self.accept = accept
    super.init()
    title = "Caption"
    restorationIdentifier = Self.identifier
  }

  var text: String {
    get { field.text }
    set { field.text = newValue }
  }

  override func viewDidLoad() {
    let label = Label()
    label.textWithMnemonic = "_Caption:"
    label.mnemonicTarget = field
    let cancel = Button("Cancel") { [weak self] in self?.dismiss() }
    let done = Button("Done", style: .filled) { [weak self] in self?.finish() }
    field.addAction(for: .primaryActionTriggered) { [weak self] in self?.finish() }
    view = StackView(
      .vertical, spacing: 12, margin: 16, [label, field, StackView(.horizontal, [Spacer(), cancel, done])])
    preferredContentSize = Size(width: 320, height: 132)
  }

  override func viewDidAppear() { field.becomeFirstResponder() }

  private func finish() {
    accept(field.text)
    dismiss()
  }

  override var restorationState: [String: any Sendable] {
    get { super.restorationState.merging(["text": field.text, "selection": field.restorationState]) { $1 } }
    set {
      field.text = newValue["text"] as? String ?? ""
      field.restorationState = newValue["selection"] as? [String: Int] ?? [:]
      super.restorationState = newValue
    }
  }
}
