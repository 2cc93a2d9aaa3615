public import ProsceniumCore

/// Controllers of which one is shown, chosen by tabs with their titles above it.
///
/// Control and Page Down or Page Up go to the next and the previous one. Each gets the keys back where it had them; see
/// ``NavigationController``. Which one is shown is restored with the scene; see ``ViewController/restorationState``.
open class TabBarController: ViewController {
  /// The controllers, in the order of their tabs.
  public final private(set) var viewControllers: [ViewController] = []
  /// Called after the user has chosen another controller.
  public final var selectionHandler: (@MainActor (ViewController) -> Void)? { didSet { Responder.requireMainThread() } }
  private let tabs = SegmentedControl()
  private let content = View()
  private static let barHeight = 44
  private var shownIndex = 0
  private let changes = ContainerChanges()

  /// Creates tabs.
  /// - Parameter viewControllers: The controllers, in the order of their tabs; the first one is shown.
  public init(_ viewControllers: [ViewController]) {
    super.init()
    content.clipsToBounds = true
    tabs.showsTabs = true
    tabs.accessibilityLabel = "Pages"
    for controller in viewControllers { addChild(controller) }
    self.viewControllers = viewControllers.filter { $0.parent === self }
    for controller in self.viewControllers { controller.appearance.isShownByParent = true }
    tabs.addAction(for: .valueChanged) { [weak self] in
      guard let self else { return }
      select(tabs.selectedSegmentIndex)
    }
    updateTitles()
  }

  /// The number of the controller that is shown; another one is shown when it is set.
  ///
  /// A number of none changes nothing.
  public final var selectedIndex: Int {
    get { shownIndex }
    set { show(newValue) }
  }

  /// The controller that is shown; nil without any.
  public final var selectedViewController: ViewController? {
    viewControllers.indices.contains(shownIndex) ? viewControllers[shownIndex] : nil
  }

  private func show(_ index: Int) {
    guard index != shownIndex, viewControllers.indices.contains(index) else { return }
    let old = selectedViewController
    shownIndex = index
    tabs.selectedSegmentIndex = index
    if let new = selectedViewController { change(to: new, from: old) }
  }

  private func change(to new: ViewController, from old: ViewController?) {
    guard isViewLoaded else { return }
    changes.make { [self] in
      let keys = PageKeysTransfer(in: view, from: old)
      let transition = ContainerTransition(
        from: old, to: new, size: content.bounds.size, isInSight: isInSight
      ) { old?.view.removeFromSuperview() }
      add(new)
      transition.start(nil)
      keys.end(in: new)
      invalidateRestorableState()
    }
  }

  override func childRemoved(_ child: ViewController) {
    guard let index = viewControllers.firstIndex(where: { $0 === child }) else { return }
    let wasShown = index == shownIndex
    viewControllers.remove(at: index)
    // The one behind it takes its place; that of the last one is taken by the one before.
    if shownIndex > 0, index < shownIndex || shownIndex == viewControllers.count { shownIndex -= 1 }
    updateTitles()
    guard wasShown, isViewLoaded else { return }
    changes.make { [self] in
      if child.view.superview === content { child.view.removeFromSuperview() }
      endRemoved(child)
    }
    if let new = selectedViewController { change(to: new, from: nil) }
  }

  private func add(_ controller: ViewController) {
    content.addSubview(controller.view)
    place()
  }

  private func select(_ index: Int?) {
    guard let index, index != shownIndex else { return }
    show(index)
    if let selectedViewController { selectionHandler?(selectedViewController) }
  }

  open override func loadView() {
    let view = ContainerView { [weak self] in self?.place() }
    view.addSubview(tabs)
    view.addSubview(content)
    self.view = view
  }

  open override func viewDidLoad() {
    super.viewDidLoad()
    changes.make { [self] in
      selectedViewController.map(add)
      for controller in viewControllers { controller.didMove(toParent: self) }
    }
  }

  private func place() {
    guard isViewLoaded else { return }
    let (size, wish) = (view.bounds.size, tabs.intrinsicContentSize)
    let width = min(wish.width, max(0, size.width - 16))
    tabs.frame = Rect(
      x: (size.width - width) / 2, y: (Self.barHeight - wish.height) / 2, width: width, height: wish.height)
    content.frame = Rect(x: 0, y: Self.barHeight, width: size.width, height: max(0, size.height - Self.barHeight))
    for view in content.subviews { view.frame = content.bounds }
  }

  private func updateTitles() {
    tabs.removeAllSegments()
    for (index, controller) in viewControllers.enumerated() {
      tabs.insertSegment(withTitle: controller.title ?? "", at: index)
    }
    if !viewControllers.isEmpty { tabs.selectedSegmentIndex = shownIndex }
  }

  override func childTitleChanged() { updateTitles() }

  // The chosen one is the last, which gets the keys.
  override var shownChildren: [ViewController] { super.shownChildren + (selectedViewController.map { [$0] } ?? []) }

  override func placeChildren() { place() }

  open override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
    for child in shownChildren where child !== selectedViewController {
      child.viewWillTransition(to: size, with: coordinator)
    }
    selectedViewController?.viewWillTransition(
      to: Size(width: size.width, height: max(0, size.height - Self.barHeight)), with: coordinator)
  }

  // MARK: Keys

  open override var keyCommands: [KeyCommand] {
    [
      KeyCommand(symbol: KeySymbol.pageDown, modifiers: .control, action: Action(TabBarController.selectNextTab)),
      KeyCommand(symbol: KeySymbol.pageUp, modifiers: .control, action: Action(TabBarController.selectPreviousTab)),
    ]
  }

  /// Shows the next controller, after the last one the first.
  /// - Parameter sender: The sender of the action.
  public func selectNextTab(_ sender: AnyObject?) { step(1) }

  /// Shows the previous controller, before the first one the last.
  /// - Parameter sender: The sender of the action.
  public func selectPreviousTab(_ sender: AnyObject?) { step(-1) }

  private func step(_ distance: Int) {
    let count = viewControllers.count
    if count > 0 { select((shownIndex + distance + count) % count) }
  }

  // MARK: Restoration

  open override var restorationState: [String: any Sendable] {
    get {
      var state = super.restorationState
      state["selected"] = shownIndex
      state["tabs"] = viewControllers.map(\.restorationState)
      return state
    }
    set {
      for (controller, state) in zip(viewControllers, newValue.states("tabs")) { controller.restorationState = state }
      show(newValue["selected"] as? Int ?? 0)
      super.restorationState = newValue
    }
  }
}
