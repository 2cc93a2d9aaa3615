public import ProsceniumCore

/// A stack of controllers of which the topmost one is shown, below a bar with its title and a button that leads back.
///
/// The button, and Alt and the left arrow, go back. A page that is shown again gives the keys to the view that had them
/// there, and one that is pushed to its first view, unless the program has chosen another one. What is pushed is
/// restored with the scene by the controllers' ``ViewController/restorationIdentifier``; see
/// ``ViewController/restorationState``.
open class NavigationController: ViewController {
  /// The controllers, the root first.
  public final private(set) var viewControllers: [ViewController] = []
  /// Whether the bar is hidden; false at first.
  ///
  /// Keys go back all the same.
  public final var isNavigationBarHidden = false { didSet { place() } }
  private let bar = NavigationBar()
  private let content = View()
  private var transition: ContainerTransition?
  private let changes = ContainerChanges()

  /// Creates a stack.
  /// - Parameter rootViewController: The controller that is never popped.
  public init(rootViewController: ViewController) {
    super.init()
    content.clipsToBounds = true
    bar.back.addAction(for: .primaryActionTriggered) { [weak self] in self?.popViewController() }
    pushViewController(rootViewController, animated: false)
  }

  /// The controller that is shown.
  public final var topViewController: ViewController? { viewControllers.last }

  /// Pushes a controller, and shows it.
  /// - Parameters:
  ///   - viewController: The controller; not one that is in the stack.
  ///   - animated: Whether its view slides in.
  public func pushViewController(_ viewController: ViewController, animated: Bool = true) {
    Responder.requireMainThread()
    // What this calls may push and pop.
    transition?.finish()
    guard !contains(viewController) else {
      return Application.report(
        "\(type(of: viewController)) is not pushed: it is in the stack already. "
          + "Pop to it, with popToViewController(_:animated:)."
      )
    }
    addChild(viewController)
    guard viewController.parent === self else { return }
    viewController.appearance.isShownByParent = true
    viewController.appearance.arrival = .added
    let old = topViewController
    viewControllers.append(viewController)
    show(viewController, insteadOf: old, popping: [], animated)
  }

  /// Pops the topmost controller, if there is another one.
  /// - Parameter animated: Whether its view slides out.
  /// - Returns: The controller; nil where there is only the root.
  @discardableResult
  public func popViewController(animated: Bool = true) -> ViewController? {
    guard viewControllers.count > 1 else { return nil }
    return pop(to: viewControllers[viewControllers.count - 2], animated).last
  }

  /// Pops all controllers but the root.
  /// - Parameter animated: Whether the view of the topmost one slides out.
  /// - Returns: Those controllers, from the bottom.
  @discardableResult
  public func popToRootViewController(animated: Bool = true) -> [ViewController] {
    viewControllers.first.map { pop(to: $0, animated) } ?? []
  }

  /// Pops all controllers above one.
  /// - Parameters:
  ///   - viewController: The controller; nothing happens where it is not in the stack.
  ///   - animated: Whether the view of the topmost one slides out.
  /// - Returns: Those controllers, from the bottom.
  @discardableResult
  public func popToViewController(_ viewController: ViewController, animated: Bool = true) -> [ViewController] {
    pop(to: viewController, animated)
  }

  private func pop(to target: ViewController, _ animated: Bool) -> [ViewController] {
    // What this calls may push and pop.
    transition?.finish()
    guard let index = viewControllers.firstIndex(where: { $0 === target }), let old = topViewController,
      old !== target
    else { return [] }
    let popped = Array(viewControllers[(index + 1)...])
    viewControllers.removeSubrange((index + 1)...)
    show(target, insteadOf: old, popping: popped, animated)
    return popped
  }

  private func contains(_ controller: ViewController) -> Bool { viewControllers.contains { $0 === controller } }

  // MARK: The view

  open override func loadView() {
    let view = ContainerView { [weak self] in self?.place() }
    view.addSubview(content)
    view.addSubview(bar)
    self.view = view
  }

  open override func viewDidLoad() {
    super.viewDidLoad()
    guard let top = topViewController else { return }
    let present = viewControllers
    changes.make { [self] in
      content.addSubview(PageView(top.view))
      for controller in present { controller.didMove(toParent: self) }
    }
    updateBar()
  }

  private func show(
    _ new: ViewController, insteadOf old: ViewController?, popping popped: [ViewController], _ animated: Bool
  ) {
    guard isViewLoaded else {
      for controller in popped { controller.willMove(toParent: nil) }
      return remove(popped)
    }
    changes.make { [self] in change(to: new, from: old, popping: popped, isPush: popped.isEmpty, animated) }
  }

  // What is popped is no longer in the stack when it is removed.
  override func childRemoved(_ child: ViewController) {
    guard let index = viewControllers.firstIndex(where: { $0 === child }) else { return }
    let wasShown = child === topViewController
    viewControllers.remove(at: index)
    guard isViewLoaded else { return }
    updateBar()
    guard wasShown else { return }
    let new = topViewController
    changes.make { [self] in
      transition?.finish()
      endRemoved(child)
      // That of the child alone, which the view may have left already.
      for page in content.subviews { page.removeFromSuperview() }
      if let new { change(to: new, from: nil, popping: [], isPush: false, false) }
    }
  }

  private func remove(_ popped: [ViewController]) {
    // One that was pushed again meanwhile stays, there or elsewhere.
    for controller in popped where !contains(controller) && controller.parent === self { controller.removeFromParent() }
  }

  private func change(
    to new: ViewController, from old: ViewController?, popping popped: [ViewController], isPush: Bool, _ animated: Bool
  ) {
    transition?.finish()
    let keys = PageKeysTransfer(in: view, from: old)
    for controller in popped {
      controller.willMove(toParent: nil)
      controller.appearance.depart(.removed)
    }
    if !isPush { new.appearance.arrival = nil }
    _ = new.view
    // The view may be another container's by now.
    let oldPage = (old?.view.superview as? PageView).flatMap { $0.superview === content ? $0 : nil }
    let transition = ContainerTransition(
      from: old, to: new, size: content.bounds.size, isInSight: isInSight
    ) { [self] in
      oldPage?.removeFromSuperview()
      if let oldPage, let old, old.view.superview === oldPage { old.view.removeFromSuperview() }
      if isPush, new.parent === self { new.didMove(toParent: self) }
      remove(popped)
    }
    self.transition = transition
    // Until now its responder chain has led by this controller to the window.
    let page = PageView(new.view)
    content.insertSubview(page, at: isPush ? content.subviews.count : 0)
    place()
    page.layoutIfNeeded()
    updateBar()
    invalidateRestorableState()
    if let oldPage { page.tree?.giveInput(of: oldPage, to: page) }
    keys.end(in: new)
    let width = Double(content.bounds.size.width)
    let (upper, lower) = isPush ? (page, oldPage) : (oldPage, page)
    let (aside, beneath) = (Transform(translationX: width, y: 0), Transform(translationX: -width / 4, y: 0))
    guard animated, isInSight else { return transition.start(nil) }
    if isPush { upper?.transform = aside } else { lower?.transform = beneath }
    transition.start {
      if isPush { upper?.transform = .identity } else { upper?.transform = aside }
      lower?.transform = isPush ? beneath : .identity
    }
  }

  private func place() {
    guard isViewLoaded else { return }
    let size = view.bounds.size
    let height = isNavigationBarHidden ? 0 : min(NavigationBar.height, size.height)
    bar.isHidden = isNavigationBarHidden
    bar.frame = Rect(x: 0, y: 0, width: size.width, height: height)
    content.frame = Rect(x: 0, y: height, width: size.width, height: size.height - height)
    for view in content.subviews { view.frame = content.bounds }
  }

  private func updateBar() {
    bar.show(topViewController?.title ?? "", back: viewControllers.dropLast().last.map { $0.title ?? "Back" })
  }

  override func childTitleChanged() { updateBar() }

  // The topmost one is the last, which gets the keys.
  override var shownChildren: [ViewController] { super.shownChildren + (topViewController.map { [$0] } ?? []) }

  override func placeChildren() {
    place()
    topViewController?.view.frame = content.bounds
  }

  override func willDisappear() {
    transition?.finish()
    super.willDisappear()
  }

  open override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
    let height = isNavigationBarHidden ? 0 : min(NavigationBar.height, size.height)
    for child in shownChildren where child !== topViewController {
      child.viewWillTransition(to: size, with: coordinator)
    }
    topViewController?.viewWillTransition(
      to: Size(width: size.width, height: size.height - height), with: coordinator)
  }

  // MARK: Keys

  open override var keyCommands: [KeyCommand] {
    guard viewControllers.count > 1 else { return [] }
    return [KeyCommand(symbol: KeySymbol.left, modifiers: .alternate, action: Action(NavigationController.goBack))]
  }

  /// Pops the topmost controller: the action of the keys that go back.
  /// - Parameter sender: The sender of the action.
  public func goBack(_ sender: AnyObject?) { popViewController() }

  // MARK: Restoration

  open override var restorationState: [String: any Sendable] {
    get {
      var state = super.restorationState
      state["root"] = viewControllers.first?.restorationState ?? [:]
      // What is above one that cannot be made again cannot be reached either.
      let named = viewControllers.dropFirst().prefix { $0.restorationIdentifier != nil }
      state["stack"] = named.map { controller -> [String: any Sendable] in
        ["name": controller.restorationIdentifier ?? "", "state": controller.restorationState]
      }
      return state
    }
    set {
      popToRootViewController(animated: false)
      viewControllers.first?.restorationState = newValue["root"] as? [String: any Sendable] ?? [:]
      for entry in newValue.states("stack") {
        guard let name = entry["name"] as? String,
          let controller = topViewController?.viewController(withRestorationIdentifier: name)
        else { break }
        controller.restorationIdentifier = controller.restorationIdentifier ?? name
        pushViewController(controller, animated: false)
        controller.restorationState = entry["state"] as? [String: any Sendable] ?? [:]
      }
      super.restorationState = newValue
    }
  }
}

extension [String: any Sendable] {
  /// The states of an array, whether it is as it was set or as the store has decoded it.
  func states(_ key: String) -> [[String: any Sendable]] {
    if let states = self[key] as? [[String: any Sendable]] { return states }
    return (self[key] as? [any Sendable])?.map { $0 as? [String: any Sendable] ?? [:] } ?? []
  }
}

/// A view that places its subviews by a function.
final class ContainerView: View {
  private let place: () -> Void

  init(_ place: @escaping () -> Void) {
    self.place = place
    super.init()
    isStretching = true
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    place()
  }
}

/// A view on the background of windows, so that what is behind it does not shine through on its way.
final class PageView: View {
  init(_ content: View) {
    super.init()
    addSubview(content)
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    for view in subviews { view.frame = bounds }
  }

  override func draw(_ rect: Rect, in context: DrawingContext) { context.fill(bounds, with: theme.background) }
}

/// The bar of a navigation controller.
final class NavigationBar: View {
  static let height = 44
  let back = Button()
  private let label = Label("", font: Font(size: 15, weight: .semibold))

  override init() {
    super.init()
    for view in [back, label] { addSubview(view) }
  }

  func show(_ title: String, back: String?) {
    label.text = title
    self.back.isHidden = back == nil
    self.back.title = back.map { "\u{2039} " + $0 } ?? ""
    setNeedsLayout()
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    let size = bounds.size
    let wish = back.isHidden ? 0 : min(back.intrinsicContentSize.width, size.width / 3)
    back.frame = Rect(x: 8, y: 7, width: wish, height: 30)
    // In the middle of the bar, and beside the button where there is no room.
    let free = Rect(x: wish + 16, y: 0, width: max(0, size.width - wish - 24), height: size.height)
    let text = label.intrinsicContentSize
    let width = min(text.width, free.size.width)
    let left = max(free.origin.x, min((size.width - width) / 2, free.origin.x + free.size.width - width))
    label.frame = Rect(x: left, y: (size.height - text.height) / 2, width: width, height: text.height)
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    let (theme, bounds) = (theme, bounds)
    context.fill(bounds, with: theme.background)
    context.fill(Rect(x: 0, y: bounds.size.height - 1, width: bounds.size.width, height: 1), with: theme.separator)
  }
}
