import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The program's own drag: the grab of the pointer, the window below it, and the messages to that.
///
/// The window that holds the pointer is the drag's own, so that no other window's end can lose it. The source of the
/// protocol is the client leader, which lives as long as the connection.
@MainActor final class DragSource: X11Component {
  /// How long a target may take: to answer after the button is up, and between two reads of the data.
  var timeout = Duration.seconds(5)
  /// No toolkit nests windows deeper.
  private static let deepest = 32

  private struct Drag {
    var offer: DragOffer
    /// Holds the pointer.
    var holder: UInt32
    /// Whether the server has said that it does.
    var isHeld = false
    var point = Point(x: 0, y: 0)
    var modifiers: ModifierFlags = []
    var time: UInt32 = 0
    /// Where the button has gone up before the pointer was held.
    var earlyRelease: Point?
    /// Whether the button is up.
    var isReleased = false
    /// Whether the window below the pointer is being looked for, and the pointer has moved since.
    var isSearching = false
    var isStale = false
    /// What the drag follows.
    var followed: [UInt32] = []
  }

  private var drag: Drag?
  private(set) var machine = DragSourceMachine()
  /// The number of the drag: answers to an older one are dropped.
  private var number = 0

  /// Whether a drag is under way.
  var isDragging: Bool { drag != nil }

  /// Whether what is dragged may be moved.
  var allowsMove: Bool { drag?.offer.allowsMove == true }

  // MARK: The program

  func begin(_ offer: DragOffer, from window: UInt32) {
    guard drag == nil, windows[window] != nil else { return batch.append(.drag(.ended(.cancelled))) }
    number += 1
    let number = number
    drag = Drag(offer: offer, holder: connection.makeID(), time: server.time.latest)
    if let holder = drag?.holder {
      connection.createPropertyWindow(
        holder, WindowAttributes(isOverrideRedirect: true, eventMask: XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue))
      connection.mapWindow(holder)
    }
    perform(machine.reduce(.begin))
    server.intern(AtomName.forDrags) { [weak self] in
      guard let self, self.number == number, drag != nil else { return }
      parts.pasteboard.own(offer, used: { [weak self] in self?.dataUsed() }) { [weak self] in
        guard let self, self.number == number, drag != nil else { return }
        // Targets ask with the time of the drop, which is not to be before that of the claim.
        drag?.time = server.time.latest
        describe(offer)
        hold(number)
      }
    }
  }

  func cancel() { handle(.cancelled) }

  /// Writes what is too much for the messages.
  private func describe(_ offer: DragOffer) {
    connection.changeProperty(server.leader, server.atoms[.xdndTypeList], type: PredefinedAtom.atom, targets(of: offer))
    // Targets refuse a name of another type (XDS, step 1).
    if let name = offer.fileName, let type = parts.pasteboard.atoms["text/plain"] {
      connection.changeProperty(server.leader, server.atoms[.xdndDirectSave], type: type, Array(name.utf8))
    }
  }

  private func targets(of offer: DragOffer) -> [UInt32] {
    parts.pasteboard.targets(offering: offer.types) + (offer.fileName == nil ? [] : [server.atoms[.xdndDirectSave]])
  }

  // MARK: The pointer

  private func hold(_ number: Int) {
    guard let holder = drag?.holder else { return }
    if let place = drag?.earlyRelease { return drop(at: place) }
    // As for menus: the press holds the pointer by XInput 2.
    connection.releasePointer()
    connection.grabPointer(holder, takesAll: true) { [weak self] isHeld in
      guard let self, self.number == number, drag != nil else { return }
      guard isHeld else { return handle(.cancelled) }
      drag?.isHeld = true
    }
    // The button may be up already.
    findPointer { [weak self] found in
      guard let self, self.number == number, let drag, drag.isHeld, !drag.isReleased, let found else { return }
      // The pointer may have gone on since.
      if let place = drag.earlyRelease { return drop(at: place) }
      moved(to: found.place)
      if !found.isDown { release() }
    }
  }

  private func drop(at place: Point) {
    moved(to: place)
    release()
  }

  /// A pointer has moved, or a button of it has gone down or up.
  func observe(_ event: DeviceEvent) {
    if case .button(isDown: false) = event.kind { observeRelease(event.input) }
  }

  /// Until the server has given the pointer to the drag, which takes answers, the button goes up in the window in which
  /// it went down.
  private func observeRelease(_ input: XInput) {
    guard let drag, !drag.isHeld, !drag.isReleased, drag.earlyRelease == nil else { return }
    guard input.detail == 1, !input.isSynthetic, windows[input.window] != nil else { return }
    self.drag?.earlyRelease = input.rootLocation
    self.drag?.modifiers = input.modifiers
  }

  /// The pointer has moved.
  /// - Returns: Whether it is the drag's.
  func moved(_ input: XInput) -> Bool {
    guard let drag, drag.holder == input.window else { return false }
    observe(input)
    if !drag.isReleased { moved(to: point(of: input)) }
    return true
  }

  /// A button has gone down or up.
  /// - Returns: Whether it is the drag's.
  func buttonChanged(_ input: XInput, isDown: Bool) -> Bool {
    guard let drag else { return false }
    guard drag.holder == input.window else {
      if !isDown { observeRelease(input) }
      return false
    }
    observe(input)
    if !isDown { parts.input.pointer.forget(input.detail) }
    if !isDown, input.detail == 1, !drag.isReleased {
      moved(to: point(of: input))
      release()
    }
    return true
  }

  private func observe(_ input: XInput) {
    guard !input.isSynthetic else { return }
    server.time.observe(input.time)
    drag?.time = input.time
    drag?.modifiers = input.modifiers
  }

  /// The holder is a pixel above and to the left of the desktop.
  private func point(of input: XInput) -> Point { Point(x: input.location.x - 1, y: input.location.y - 1) }

  private func moved(to point: Point) {
    guard let offer = drag?.offer else { return }
    drag?.point = point
    if let icon = offer.icon.flatMap({ windows[$0.rawValue] }) {
      let size = icon.description.size
      connection.configure(
        icon.id,
        Rect(x: point.x - offer.hotSpot.x, y: point.y - offer.hotSpot.y, width: size.width, height: size.height))
    }
    search()
  }

  private func release() {
    drag?.isReleased = true
    letGo()
    batch.append(.drag(.released))
    if drag?.isSearching == false { handle(.released(drag?.point ?? Point(x: 0, y: 0))) }
  }

  private func letGo() {
    if drag?.isHeld == true { connection.releasePointer() }
    drag?.isHeld = false
  }

  /// Somebody has hidden the holder, and so taken the pointer.
  func windowUnmapped(_ window: UInt32) { if drag?.holder == window, drag?.isReleased == false { handle(.cancelled) } }

  // MARK: The window below the pointer

  private func search() {
    guard let drag else { return }
    guard !drag.isSearching else {
      self.drag?.isStale = true
      return
    }
    self.drag?.isSearching = true
    self.drag?.isStale = false
    let (point, number) = (drag.point, number)
    find(in: server.root, at: point, depth: 0) { [weak self] target in
      guard let self, self.number == number, self.drag != nil else { return }
      self.drag?.isSearching = false
      handle(.moved(point, target))
      guard let drag = self.drag else { return }
      if drag.isStale { search() } else if drag.isReleased { handle(.released(drag.point)) }
    }
  }

  /// Finds the outermost window at a point that takes drops: one question for each level.
  private func find(
    in window: UInt32, at point: Point, depth: Int, _ handler: @escaping @MainActor (DragTarget?) -> Void
  ) {
    findChild(of: window, at: point) { [weak self] child in
      guard let self, let child, depth < Self.deepest else { return handler(nil) }
      // A file manager that draws on the root window stands for it (XDND, "Dropping on the root window").
      guard child != 0 else { return window == server.root ? look(at: window, handler) : handler(nil) }
      look(at: child) { [weak self] target in
        if let target { return handler(target) }
        self?.find(in: child, at: point, depth: depth + 1, handler)
      }
    }
  }

  private func look(at window: UInt32, _ handler: @escaping @MainActor (DragTarget?) -> Void) {
    var aware: PropertyValue?
    connection.property(window, server.atoms[.xdndAware], limit: 1) { aware = $0 }
    connection.property(window, server.atoms[.xdndProxy], limit: 1) { [weak self] proxy in
      guard let self else { return }
      // What an adopted window is given is timed as that of other programs: its toolkit may never say that it is done.
      let isOwn = windows[window]?.isGuest == false
      let target = Self.version(aware).map { DragTarget(window: window, receiver: window, version: $0, isOwn: isOwn) }
      guard let proxy = proxy?.first(ofType: PredefinedAtom.window), proxy != 0, proxy != window else {
        return handler(target)
      }
      check(proxy, of: window) { handler($0 ?? target) }
    }
  }

  /// A proxy names itself, so that one that has been left behind by a dead client does not count (XDND, "XdndProxy").
  private func check(_ proxy: UInt32, of window: UInt32, _ handler: @escaping @MainActor (DragTarget?) -> Void) {
    var aware: PropertyValue?
    connection.property(proxy, server.atoms[.xdndAware], limit: 1) { aware = $0 }
    connection.property(proxy, server.atoms[.xdndProxy], limit: 1) { value in
      guard value?.first(ofType: PredefinedAtom.window) == proxy, let version = Self.version(aware) else {
        return handler(nil)
      }
      handler(DragTarget(window: window, receiver: proxy, version: version))
    }
  }

  private static func version(_ aware: PropertyValue?) -> UInt32? {
    guard let version = aware?.first(ofType: PredefinedAtom.atom), version >= DragAndDrop.versions.lowerBound else {
      return nil
    }
    return min(version, DragAndDrop.versions.upperBound)
  }

  /// Asks where the pointer is on the desktop, and whether its first button is down.
  private func findPointer(_ handler: @escaping ((place: Point, isDown: Bool)?) -> Void) {
    connection.whenReplied(xcb_query_pointer(connection.raw, server.root).sequence) { reply in
      let found = reply?.read(xcb_query_pointer_reply_t.self)
      handler(
        found.map {
          (Point(x: Int($0.root_x), y: Int($0.root_y)), UInt32($0.mask) & XCB_BUTTON_MASK_1.rawValue != 0)
        })
    }
  }

  /// The window within another one at a point of the desktop; 0 for none, nil where it is gone.
  private func findChild(of window: UInt32, at point: Point, _ handler: @escaping (UInt32?) -> Void) {
    let question = xcb_translate_coordinates(
      connection.raw, server.root, window, Int16(clamping: point.x), Int16(clamping: point.y))
    connection.whenReplied(question.sequence) { handler($0?.read(xcb_translate_coordinates_reply_t.self)?.child) }
  }

  // MARK: The target

  /// A message to the source has come.
  func handle(_ name: AtomName, _ words: [UInt32]) {
    guard let drag else { return }
    let isAccepted = words[1] & 1 != 0
    let isMove = drag.offer.allowsMove && words[name == .xdndStatus ? 4 : 2] == server.atoms[.xdndActionMove]
    let taken: DropOperation = isMove ? .move : .copy
    if name == .xdndStatus { return handle(.status(words[0], isAccepted ? taken : .forbidden)) }
    // Before version 5 the message said nothing but that it is over.
    let isOld = if case .dropped(let target) = machine.phase { target.version < 5 } else { false }
    handle(.finished(words[0], isOld ? .copy : isAccepted ? taken : .cancel))
  }

  /// Somebody reads what is dragged: the target is alive.
  private func dataUsed() {
    if case .dropped(let target) = machine.phase, !target.isOwn { loop.set(.dragging, after: timeout) }
  }

  func timedOut() { handle(.timedOut) }

  func windowDestroyed(_ window: UInt32) {
    guard let drag else { return }
    if drag.holder == window, !drag.isReleased { return handle(.cancelled) }
    handle(.targetGone(window))
  }

  /// The connection is lost.
  func abandon() {
    if drag == nil { return }
    loop.cancel(.dragging)
    drag = nil
    machine = DragSourceMachine()
    batch.append(.drag(.ended(.cancelled)))
  }

  private func handle(_ input: DragSourceMachine.Input) {
    guard drag != nil else { return }
    perform(machine.reduce(input))
  }

  private func perform(_ effects: [DragSourceMachine.Effect]) { for effect in effects { perform(effect) } }

  private func perform(_ effect: DragSourceMachine.Effect) {
    guard let drag else { return }
    switch effect {
    case .enter(let target):
      follow(target.window)
      if target.receiver != target.window { follow(target.receiver) }
      let types = targets(of: drag.offer)
      let first = (types + [0, 0, 0]).prefix(3)
      send(.xdndEnter, to: target, [target.version << 24 | (types.count > 3 ? 1 : 0)] + first)
    case .position(let target, let point):
      let place = UInt32(UInt16(clamping: point.x)) << 16 | UInt32(UInt16(clamping: point.y))
      send(.xdndPosition, to: target, [0, place, drag.time, server.atoms.action(of: suggestion(to: target, drag))])
    case .leave(let target):
      unfollow()
      send(.xdndLeave, to: target, [])
    case .drop(let target): send(.xdndDrop, to: target, [0, drag.time])
    case .startTimeout:
      // What the program itself has been given is timed by the framework.
      if case .dropped(let target) = machine.phase, target.isOwn { return loop.cancel(.dragging) }
      loop.set(.dragging, after: timeout)
    case .stopTimeout: loop.cancel(.dragging)
    case .show(let operation): if !drag.isReleased { parts.input.cursors.set(operation.cursor, for: drag.holder) }
    case .end(let end): finish(end)
    }
  }

  /// Control copies, Shift moves; without them items are moved within the program, and copied to others.
  private func suggestion(to target: DragTarget, _ drag: Drag) -> DropOperation {
    guard drag.offer.allowsMove, !drag.modifiers.contains(.control) else { return .copy }
    return target.isOwn || drag.modifiers.contains(.shift) ? .move : .copy
  }

  private func send(_ name: AtomName, to target: DragTarget, _ words: [UInt32]) {
    let words = ([server.leader] + words + [0, 0, 0, 0]).prefix(5)
    connection.sendMessage(server.atoms[name], about: target.window, Array(words), to: target.receiver, mask: 0)
  }

  private func follow(_ window: UInt32) {
    drag?.followed.append(window)
    let number = number
    parts.dragAndDrop.follow(window) { [weak self] in
      if let self, self.number == number { handle(.targetGone(window)) }
    }
  }

  private func unfollow() {
    for window in drag?.followed ?? [] { parts.dragAndDrop.unfollow(window) }
    drag?.followed = []
  }

  private func finish(_ end: DragEnd) {
    letGo()
    unfollow()
    parts.input.cursors.remove(drag?.holder ?? 0)
    connection.destroyWindow(drag?.holder ?? 0)
    drag = nil
    parts.pasteboard.write([], to: .drag)
    connection.deleteProperty(server.leader, server.atoms[.xdndDirectSave])
    batch.append(.drag(.ended(end)))
  }
}

extension DropOperation {
  /// What the pointer shows over a target with this answer.
  fileprivate var cursor: Cursor {
    switch self {
    case .copy: Cursor(rawValue: "dnd-copy")
    case .move: Cursor(rawValue: "dnd-move")
    case .cancel: Cursor(rawValue: "grabbing")
    case .forbidden: .notAllowed
    }
  }
}
