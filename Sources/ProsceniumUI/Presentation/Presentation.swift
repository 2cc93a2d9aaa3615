import ProsceniumCore

/// A controller that is shown above another one.
@MainActor class Presentation {
  let presented: ViewController
  let presenter: ViewController

  init(_ presented: ViewController, above presenter: ViewController) {
    self.presented = presented
    self.presenter = presenter
  }

  /// Whether no callback has ended it.
  final var isWanted: Bool { presenter.presentation === self }

  /// Shows the presented controller.
  func show(animated: Bool) {}

  /// Hides it; the completion is called after it has disappeared.
  func end(animated: Bool, _ completion: (() -> Void)?) {}

  /// Ends at once what is on its way.
  func finish() {}

  /// Where the chain of the presented controller leads before that is shown.
  var nextBeforeShown: Responder? { nil }

  /// Whether the window that it has of its own is gone, so that it ends.
  var isWindowGone: Bool { false }

  /// The window of the presented controller was hidden.
  func windowWasHidden() {}

  /// The title of the presented controller has changed.
  func titleChanged() {}

  /// The size that the presented controller wishes for has changed.
  func preferredSizeChanged() {}

  /// The views of the window of the presented controller are about to be laid out.
  func windowWillLayOut() {}
}

/// A controller in a window of its own.
final class SheetPresentation: Presentation {
  private weak var parent: Window?
  /// Made before the view is loaded: what becomes the first responder by then is that of this window.
  private var window: Window?
  /// Nil until it is shown.
  private var modal: ModalWindow?
  private let isPage: Bool
  private var isOver = false

  init(_ presented: ViewController, above presenter: ViewController, in parent: Window) {
    self.parent = parent
    isPage = presented.modalPresentationStyle == .pageSheet
    super.init(presented, above: presenter)
  }

  private static func pageSize(above parent: Window) -> Size {
    let size = parent.contentSize
    return Size(width: max(Int(size.width) - 80, 240), height: max(Int(size.height) - 60, 160))
  }

  private static func formSize(of controller: ViewController) -> Size {
    if let size = controller.preferredContentSize { return size }
    let wish = controller.view.sizeThatFits(Size(width: 420, height: 4000))
    return Size(width: min(max(wish.width, 240), 4000), height: min(max(wish.height, 80), 4000))
  }

  override func show(animated: Bool) {
    window = parent?.windowScene.map { Window(windowScene: $0) }
    // When it is loaded, the view may give the title, and the program may dismiss it.
    _ = presented.view
    guard isWanted else { return }
    guard let parent, let window,
      let modal = ModalWindow(
        window, above: parent, size: isPage ? Self.pageSize(above: parent) : Self.formSize(of: presented),
        isResizable: isPage)
    else {
      Application.report(
        "\(type(of: presented)) is not presented: as its view was loaded, its window has left the scene. "
          + "Present it above a window of a connected scene.")
      return presenter.endPresentation(animated: false)
    }
    // The program was asked for its size, too.
    guard isWanted else { return modal.close() }
    self.modal = modal
    modal.window.title = presented.title
    modal.window.overrideAppearance = parent.overrideAppearance
    modal.show(presented) {
      let tree = ViewTree.existing(modal.window)
      if modal.window.firstResponder == nil { tree?.moveFirstResponder(backwards: false) }
    }
  }

  override func end(animated: Bool, _ completion: (() -> Void)?) {
    isOver = true
    modal?.close()
    window?.windowScene = nil
    completion?()
  }

  override var nextBeforeShown: Responder? { window }

  override func titleChanged() { modal?.window.title = presented.title }

  // Only its scene takes away what the user may not dismiss.
  override var isWindowGone: Bool {
    guard !isOver, let modal, modal.isGone else { return false }
    return !presented.isModalInPresentation || modal.window.windowScene == nil
  }

  override func preferredSizeChanged() {
    if !isPage, !isOver { modal?.resize(to: Self.formSize(of: presented)) }
  }

  override func windowWillLayOut() {
    guard !isPage, !isOver, let modal else { return }
    modal.fit()
    // What the view wishes for has not changed where it needs no layout.
    guard presented.preferredContentSize == nil, presented.view.layoutState.isNeeded else { return }
    let (old, new) = (modal.wish, Self.formSize(of: presented))
    modal.resize(to: Size(width: max(old.width, new.width), height: max(old.height, new.height)))
  }

  override func windowWasHidden() {
    if isWindowGone { return presenter.endPresentation(animated: false) }
    if !isOver, let modal, modal.isGone { modal.window.isHidden = false }
  }
}

/// The root view of a window with a controller in place of its content.
private final class CoverView: View {
  override func layoutSubviews() {
    super.layoutSubviews()
    for view in subviews { view.frame = bounds }
  }
}

/// A controller in place of the whole content of a window.
final class CoverPresentation: Presentation {
  private let tree: ViewTree
  private let covered: View
  private let cover = CoverView()
  private lazy var page = PageView(presented.view)
  private var transition: ContainerTransition?
  /// The first responder beneath.
  private weak var firstResponder: View?

  init(_ presented: ViewController, above presenter: ViewController, in tree: ViewTree) {
    self.tree = tree
    covered = tree.root ?? presenter.view
    firstResponder = tree.window?.firstResponder as? View
    super.init(presented, above: presenter)
  }

  private var below: Transform { Transform(translationX: 0, y: Double(cover.bounds.size.height)) }

  override func show(animated: Bool) {
    _ = presented.view
    guard isWanted else { return }
    let isSeen = tree.isVisible && presenter.isInSight
    let transition = ContainerTransition(
      from: presenter, to: presented, size: covered.frame.size, isInSight: isSeen
    ) { [covered] in
      covered.removeFromSuperview()
    }
    guard isWanted else {
      // What had begun when a callback ended it.
      presented.disappear()
      if isSeen, tree.controller?.front === presenter { presenter.willAppear() }
      return
    }
    self.transition = transition
    tree.setRoot(cover)
    // A field that was left may have had it ended.
    guard isWanted else {
      if tree.root === cover { tree.setRoot(covered) }
      return
    }
    cover.addSubview(page)
    let first = tree.window?.firstResponder as? View
    if first?.isDescendant(of: page) != true { tree.moveFirstResponder(backwards: false) }
    cover.insertSubview(covered, at: 0)
    cover.layoutIfNeeded()
    guard animated, isSeen else { return transition.start(nil) }
    page.transform = below
    transition.start { [page] in page.transform = .identity }
  }

  override func end(animated: Bool, _ completion: (() -> Void)?) {
    finish()
    let isSeen = tree.isVisible && presented.isInSight
    // The window may have got another size meanwhile.
    let size = tree.root?.frame.size ?? covered.frame.size
    let transition = ContainerTransition(
      from: presented, to: presenter, size: size, isInSight: isSeen
    ) { [self] in
      // What has got the keys meanwhile loses them as the view moves.
      if let first = tree.window?.firstResponder as? View, first.isDescendant(of: covered) { firstResponder = first }
      page.removeFromSuperview()
      presented.view.removeFromSuperview()
      if tree.root === cover { tree.setRoot(covered) }
      // Nothing begins in a window that has gone.
      if let firstResponder, let window = tree.window, window.windowScene != nil, firstResponder.window === window,
        ViewInput(firstResponder).canBeUsed
      {
        firstResponder.becomeFirstResponder()
      }
      self.transition = nil
    }
    self.transition = transition
    transition.completed = completion
    // It has not come into the window where it ends before it is shown.
    if tree.root !== covered { cover.insertSubview(covered, at: 0) }
    cover.layoutIfNeeded()
    tree.giveInput(of: page, to: covered)
    let below = below
    let moves = animated && isSeen && tree.root === cover
    transition.start(moves ? { [page] in page.transform = below } : nil)
  }

  override func finish() { transition?.finish() }

  override var nextBeforeShown: Responder? { presenter }
}
