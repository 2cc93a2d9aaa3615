import FoundationEssentials
package import ProsceniumPlatform

/// What the user drags on a desk: the program's items, or another program's.
package struct HeadlessDrags {
  /// The windows that take drops.
  package internal(set) var accepting: Set<WindowID> = []
  /// What the program drags; nil for another program's items, or none.
  package internal(set) var offer: DragOffer?
  /// What another program drags.
  var items: [PasteboardItem] = []
  var allowsMove = false
  package internal(set) var isDragging = false
  /// The window that it is over.
  var over: (window: WindowID, id: DropID)?
  /// Where it is on the desktop.
  var point = Point(x: 0, y: 0)
  /// The program's last answer.
  package internal(set) var answer = DropOperation.cancel
  /// What was dropped, and has not been read yet.
  var dropped: DropID?
  /// What the program has done with the last drop.
  package internal(set) var finished: DropOperation?
  private var last = 0

  mutating func makeID() -> DropID {
    last += 1
    return DropID(rawValue: last)
  }

  /// The process is dead: what it dragged is gone, and what another program drags is over none of its windows.
  mutating func forgetProcess() {
    if offer != nil { isDragging = false }
    (offer, over, dropped, accepting, answer) = (nil, nil, nil, [], .cancel)
    if !isDragging { items = [] }
  }

  /// The drag is over: what is being read of it can still be read.
  fileprivate mutating func end() {
    isDragging = false
    over = nil
    if dropped == nil { (offer, items) = (nil, []) }
  }
}

extension HeadlessPlatform {
  /// What the user drags.
  package var drags: HeadlessDrags {
    get { windowManager.pointer.drags }
    set { windowManager.pointer.drags = newValue }
  }

  package func beginDrag(_ offer: DragOffer, from window: WindowID) {
    guard !drags.isDragging, drags.dropped == nil, windows[window]?.isMapped == true else {
      return windowManager.events.append(.drag(.ended(.cancelled)))
    }
    drags.offer = offer
    drags.isDragging = true
  }

  /// Another program begins a drag.
  package func beginForeignDrag(_ items: [PasteboardItem], allowsMove: Bool) {
    guard !drags.isDragging else { return }
    drags.items = items
    drags.allowsMove = allowsMove
    drags.finished = nil
    drags.isDragging = true
  }

  /// Moves what is dragged.
  /// - Parameters:
  ///   - window: The window that it is over; nil for none that takes drops.
  ///   - point: Where, in pixels of the window, or of the desktop without one.
  package func moveDrag(over window: WindowID?, to point: Point) {
    guard drags.isDragging else { return }
    let corner = window.flatMap { windows[$0]?.frame.origin } ?? Point(x: 0, y: 0)
    drags.point = Point(x: corner.x + point.x, y: corner.y + point.y)
    let target = window.flatMap { drags.accepting.contains($0) && windows[$0]?.isMapped == true ? $0 : nil }
    if drags.over?.window != target { leaveWindow() }
    if let target {
      let id = drags.over?.id ?? drags.makeID()
      drags.over = (target, id)
      let own = drags.offer
      let offer = DropOffer(
        types: own?.types ?? drags.items.map(\.type), isOwn: own != nil,
        allowsMove: own?.allowsMove ?? drags.allowsMove)
      windowManager.events.append(.drop(target, .moved(id, point, offer)))
    }
    deliver()
  }

  private func leaveWindow() {
    drags.answer = .cancel
    if let over = drags.over.take() { windowManager.events.append(.drop(over.window, .exited(over.id))) }
  }

  /// The user lets the button go.
  /// - Parameter operation: What a target of another program does, where it is over no window of this one; nil where
  ///   nothing takes it.
  package func dropDrag(elsewhere operation: DropOperation? = nil) {
    guard drags.isDragging else { return }
    let isOwn = drags.offer != nil
    if isOwn { windowManager.events.append(.drag(.released)) }
    if let over = drags.over, drags.answer.takes {
      drags.dropped = over.id
      windowManager.events.append(.drop(over.window, .dropped(over.id)))
    } else if isOwn {
      let end: DragEnd =
        operation.map { .dropped($0) } ?? (drags.over == nil ? .nowhere(drags.point) : .dropped(drags.answer))
      leaveWindow()
      windowManager.events.append(.drag(.ended(end)))
    } else {
      leaveWindow()
    }
    drags.end()
    deliver()
  }

  /// The source gives the drag up, or dies.
  package func cancelDrag() {
    guard drags.isDragging else { return }
    cancelOwnDrag()
    deliver()
  }

  func cancelOwnDrag() {
    guard drags.isDragging else { return }
    leaveWindow()
    if drags.offer != nil { windowManager.events.append(.drag(.ended(.cancelled))) }
    drags.end()
  }

  func finishDrop(_ id: DropID, _ operation: DropOperation) {
    guard drags.dropped == id else { return }
    drags.dropped = nil
    if drags.offer != nil { windowManager.events.append(.drag(.ended(.dropped(operation)))) }
    drags.finished = operation
    if !drags.isDragging { drags.end() }
  }

  func readDrag(_ types: [String], _ completion: @escaping @MainActor (PasteboardItem?) -> Void) {
    if let offer = drags.offer {
      guard let type = types.first(where: offer.types.contains) else {
        return answerLater { completion(nil) }
      }
      return offer.provide(.data(type: type)) { data in completion(data.map { PasteboardItem(type: type, data: $0) }) }
    }
    let items = drags.items
    let item = types.lazy.compactMap { type in items.first { $0.type == type } }.first
    answerLater { completion(item) }
  }
}
