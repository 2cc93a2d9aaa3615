import ProsceniumCore

/// The drags that begin in a window's views, and what is dragged over them.
@MainActor final class ViewDragAndDrop {
  /// How far the pointer moves before a drag begins, in points.
  private static let threshold = 4
  /// The longest side of what follows the pointer, in points.
  private static let largestPreview = 256

  /// The view that a session is over.
  private struct Over {
    weak var interaction: DropInteraction?
    var operation: DropOperation
  }

  private unowned let tree: ViewTree
  private var press: (view: ViewTree.Held, location: Point)?
  private var over: Over?
  private lazy var scrolling = DragScrolling(tree)
  /// The scene whose window takes drops.
  private weak var accepted: WindowScene?

  init(_ tree: ViewTree) { self.tree = tree }

  static func add(_ interaction: any Interaction, to view: View) {
    View.requireMainThread()
    interaction.view?.removeInteraction(interaction)
    view.host.interactions.append(interaction)
    interaction.didMove(to: view)
    view.tree?.dragAndDrop.entered(view)
  }

  static func remove(_ interaction: any Interaction, from view: View) {
    guard let index = view.interactions.firstIndex(where: { $0 === interaction }) else { return }
    view.host.interactions.remove(at: index)
    interaction.didMove(to: nil)
  }

  // MARK: Windows

  /// A view with its interactions is in the window.
  func entered(_ view: View) {
    guard let window = tree.window, let scene = window.windowScene, scene !== accepted,
      view.interactions.contains(where: { $0 is DropInteraction })
    else { return }
    accepted = scene
    window.acceptDrops()
  }

  /// The window belongs to another scene.
  func attached() {
    accepted = nil
    tree.root?.forEach { entered($0) }
  }

  // MARK: Dragging

  /// Follows a press.
  /// - Returns: Whether a drag has begun with the event.
  func begins(with event: Event, over view: () -> View?) -> Bool {
    switch event.kind {
    case .button(let button):
      let isPress = button.isDown && button.number == 1
      let pressed = isPress ? view() : nil
      // What is below a scroll bar is not pressed.
      press = pressed is ScrollBars ? nil : pressed.map { (ViewTree.Held(view: $0), event.points(button.location)) }
      return false
    case .motion(let motion):
      guard let (held, start) = press, motion.phase != .entered else { return false }
      let distance = event.points(motion.location) - start
      guard abs(distance.x) > Self.threshold || abs(distance.y) > Self.threshold else { return false }
      press = nil
      return held.view.map { begin($0, at: start, event.points(motion.location)) } ?? false
    case .key, .scroll, .touch, .remoteControl, .deviceMotion, .exposed, .resized: return false
    }
  }

  /// The press is over without its release.
  func cancelPress() { press = nil }

  private func begin(_ pressed: View, at start: Point, _ now: Point) -> Bool {
    guard let window = tree.window else { return false }
    for view in Array(pressed.selfAndSuperviews) {
      for case let interaction as DragInteraction in view.interactions where interaction.isEnabled {
        guard let delegate = interaction.delegate,
          case let items = delegate.dragInteraction(interaction, itemsForBeginningAt: view.convert(start, from: nil)),
          !items.isEmpty, view.tree === tree
        else { continue }
        return begin(items, interaction, delegate, in: window, now)
      }
    }
    return false
  }

  private func begin(
    _ items: [DragItem], _ interaction: DragInteraction, _ delegate: any DragInteractionDelegate, in window: Window,
    _ now: Point
  ) -> Bool {
    let icon = icon(delegate.dragInteraction(interaction, previewFor: items), interaction, window, now)
    let distance = -Pixels(of: window).pixel(Self.iconDistance)
    let session = window.beginDrag(
      items, allowsMove: delegate.dragInteraction(interaction, allowsMoveOf: items), icon: icon,
      hotSpot: Point(x: distance, y: distance)
    ) { operation in
      // Also where the view has gone meanwhile: what was moved is removed where it came from.
      interaction.delegate?.dragInteraction(interaction, didEndWith: operation, items: items)
    }
    guard let session else {
      icon?.dismiss()
      return false
    }
    tree.cancelInput()
    delegate.dragInteraction(interaction, sessionDidBegin: session)
    return true
  }

  /// How far from the pointer the icon is, in points: what is below the pointer has to be found.
  private static let iconDistance = 8

  private func icon(_ given: View?, _ interaction: DragInteraction, _ window: Window, _ now: Point) -> PopUpWindow? {
    let preview = given ?? interaction.view.flatMap { DragPicture(of: $0, in: tree) }
    guard let preview else { return nil }
    let own = preview.frame.size
    let size = own.width > 0 && own.height > 0 ? own : preview.sizeThatFits(Size(width: 256, height: 256))
    let icon = PopUpWindow(above: window, kind: .drag)
    icon.rootView = preview
    let corner = window.frame.origin + now
    let isPresented = icon.present(
      at: Rect(
        x: corner.x + Self.iconDistance, y: corner.y + Self.iconDistance,
        width: min(max(size.width, 1), Self.largestPreview),
        height: min(max(size.height, 1), Self.largestPreview)))
    return isPresented ? icon : nil
  }

  // MARK: Dropping

  func moved(_ session: DropSession) -> DropOperation {
    let view = tree.root?.convert(fromSuperview: session.pointsInWindow).flatMap { tree.root?.hitTest($0) }
    scrolling.follow(session, over: view)
    let interaction = receiver(of: session, from: view)
    if interaction !== over?.interaction {
      exited(session, keepsScrolling: true)
      guard let interaction else { return .forbidden }
      over = Over(interaction: interaction, operation: .cancel)
      interaction.delegate?.dropInteraction(interaction, sessionDidEnter: session)
    }
    guard let interaction, let delegate = interaction.delegate else { return .forbidden }
    let operation = delegate.dropInteraction(interaction, sessionDidUpdate: session).operation
    over?.operation = operation
    return operation
  }

  private func receiver(of session: DropSession, from view: View?) -> DropInteraction? {
    for one in view?.selfAndSuperviews.map({ $0 }) ?? [] {
      for case let interaction as DropInteraction in one.interactions {
        if interaction === over?.interaction { return interaction }
        if interaction.delegate?.dropInteraction(interaction, canHandle: session) == true { return interaction }
      }
    }
    return nil
  }

  func exited(_ session: DropSession, keepsScrolling: Bool = false) {
    if !keepsScrolling { scrolling.end() }
    guard let interaction = over.take()?.interaction else { return }
    interaction.delegate?.dropInteraction(interaction, sessionDidExit: session)
  }

  func perform(_ session: DropSession) async -> DropOperation {
    scrolling.end()
    guard let over = over.take(), let interaction = over.interaction, let delegate = interaction.delegate,
      interaction.view?.tree === tree
    else { return .cancel }
    return await delegate.dropInteraction(interaction, performDrop: session) ? over.operation : .cancel
  }
}

extension ViewTree: DropReceiver {
  func dropMoved(_ session: DropSession) -> DropOperation { dragAndDrop.moved(session) }
  func dropExited(_ session: DropSession) { dragAndDrop.exited(session) }
  func performDrop(_ session: DropSession) async -> DropOperation { await dragAndDrop.perform(session) }
}

/// A picture of the view that is dragged, of its upper left part where it is large.
private final class DragPicture: View {
  private let image: Image

  init?(of view: View, in tree: ViewTree) {
    guard let image = tree.picture(of: view, atMost: 256) else { return nil }
    self.image = image
    super.init()
    let scale = Pixels(of: tree.window).scale
    preferredSize = Size(
      width: Int((Double(image.size.width) / scale).rounded(.up)),
      height: Int((Double(image.size.height) / scale).rounded(.up)))
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    context.fill(bounds, with: theme.background)
    context.draw(image, in: bounds)
  }
}

/// A view that scrolls while something is dragged near its edge.
@MainActor protocol DragScrollable: View {
  /// Scrolls by points.
  /// - Returns: Whether that was possible.
  func scrollForDrag(by distance: Point) -> Bool
}

extension ScrollView: DragScrollable {
  func scrollForDrag(by distance: Point) -> Bool {
    let before = contentOffset
    contentOffset = before + distance
    return contentOffset != before
  }
}

extension TextView: DragScrollable {
  func scrollForDrag(by distance: Point) -> Bool { distance.y != 0 && scroll(by: distance.y) }
}

/// Scrolls views while something is dragged near their edges, with each frame.
@MainActor final class DragScrolling {
  /// How near the pointer is to an edge, in points.
  private static let margin = 24

  private unowned let tree: ViewTree
  private var link: FrameLink?
  private weak var session: DropSession?
  private var views: [ViewTree.Held] = []

  init(_ tree: ViewTree) { self.tree = tree }

  /// What is dragged has moved.
  func follow(_ session: DropSession, over view: View?) {
    self.session = session
    views = (view?.selfAndSuperviews.filter { $0 is any DragScrollable } ?? []).map { ViewTree.Held(view: $0) }
    let isNear = views.contains { held in
      held.view.map { Self.step(at: session.location(in: $0), in: $0.bounds) != .zero } ?? false
    }
    guard isNear, let window = tree.window else { return end() }
    if link == nil { link = FrameLink(window: window) { [weak self] _ in self?.scroll() } }
  }

  func end() {
    link?.invalidate()
    (link, views) = (nil, [])
  }

  private func scroll() {
    guard let session else { return end() }
    for held in views {
      guard let view = held.view as? any DragScrollable else { continue }
      let step = Self.step(at: session.location(in: view), in: view.bounds)
      // At the end of the content the surrounding view scrolls.
      if step != .zero, view.scrollForDrag(by: step) { return session.setNeedsUpdate() }
    }
  }

  /// How far a frame scrolls: the further, the nearer the pointer is to an edge.
  static func step(at point: Point, in bounds: Rect) -> Point {
    func step(_ place: Int, _ length: Int) -> Int {
      let margin = min(margin, length / 4)
      if place < margin { return -min(margin, margin - place + 3) / 4 }
      return place >= length - margin ? min(margin, place - (length - margin) + 4) / 4 : 0
    }
    let place = point - bounds.origin
    return Point(x: step(place.x, bounds.size.width), y: step(place.y, bounds.size.height))
  }
}
