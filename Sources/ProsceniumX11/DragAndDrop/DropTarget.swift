import ProsceniumPlatform

/// What is dragged over our windows: messages of its source, and the program's answers.
@MainActor final class DropTarget: X11Component {
  private(set) var machine = DropTargetMachine()
  /// The types of the visits, by their numbers, and when each was dropped.
  private var types: [Int: [String]] = [:]
  /// The atoms of the types of the visit that has begun last; nil where they are in a property of the source.
  private var announced: [UInt32]?

  /// Lets sources see that a window takes drops.
  func accept(_ window: TopLevel) {
    let id = window.id
    server.intern(AtomName.forDrops) { [weak self] in
      guard let self, windows[id] != nil else { return }
      connection.changeProperty(
        id, server.atoms[.xdndAware], type: PredefinedAtom.atom, [DragAndDrop.versions.upperBound])
    }
  }

  /// A message has come to one of our windows.
  func handle(_ name: AtomName, _ words: [UInt32], _ window: UInt32) {
    let source = words[0]
    switch name {
    case .xdndEnter:
      let version = words[1] >> 24
      guard version >= DragAndDrop.versions.lowerBound, isSource(source) else { return }
      announced = words[1] & 1 == 0 ? words[2...4].filter { $0 != 0 } : nil
      handle(
        .entered(source: source, target: window, version: min(version, DragAndDrop.versions.upperBound)))
    case .xdndPosition:
      let (x, y) = (Int(words[2] >> 16), Int(words[2] & 0xFFFF))
      let position = DropTargetMachine.Position(
        point: Point(x: x, y: y), allowsMove: words[4] != 0 && words[4] == server.atoms[.xdndActionMove])
      handle(.position(source: source, target: window, position))
    case .xdndLeave: handle(.left(source: source, target: window))
    case .xdndDrop:
      // Of an earlier drop something may still be read.
      if machine.visit?.source == source { parts.pasteboard.dropTime = words[2] }
      handle(.dropped(source: source, target: window))
    case _: break
    }
  }

  /// Whether a window may be a source: one of ours is none but for the program's own drag.
  private func isSource(_ window: UInt32) -> Bool {
    if window == server.leader { return parts.dragAndDrop.source.isDragging }
    return window != 0 && window != server.root && windows.isForeign(window)
  }

  func windowDestroyed(_ window: UInt32) {
    handle(.sourceGone(window))
    handle(.targetGone(window))
  }

  func handle(_ input: DropTargetMachine.Input) { for effect in machine.reduce(input) { perform(effect) } }

  private func perform(_ effect: DropTargetMachine.Effect) {
    switch effect {
    case .begin(let visit): begin(visit)
    case .move(let visit, let position):
      guard let window = windows[visit.target] else { return }
      let corner = window.geometry(root).frame.origin
      let place = Point(x: position.point.x - corner.x, y: position.point.y - corner.y)
      let offer = DropOffer(
        types: types[visit.number] ?? [], isOwn: visit.source == server.leader, allowsMove: position.allowsMove)
      batch.append(.drop(window.windowID, .moved(DropID(rawValue: visit.number), place, offer)))
    // Also of a window that is gone: its receiver may live on.
    case .exit(let visit):
      batch.append(.drop(WindowID(rawValue: visit.target), .exited(DropID(rawValue: visit.number))))
    case .drop(let visit):
      batch.append(.drop(WindowID(rawValue: visit.target), .dropped(DropID(rawValue: visit.number))))
    case .status(let visit, let operation):
      // Positions are wanted wherever the pointer moves: no rectangle.
      let flags: UInt32 = operation.takes ? 3 : 2
      send(.xdndStatus, visit, [flags, 0, 0, server.atoms.action(of: operation)])
    case .finish(let visit, let operation):
      // "DELETE should be sent before XdndFinished" (XDND, "Actions"): some delete what is moved for that alone.
      // Since a later visit the selection, and the time of the drop, are another source's, which would delete its own.
      guard operation == .move, visit.source != server.leader, visit.number == machine.last,
        parts.pasteboard.owned[.drag] == nil
      else { return finish(visit, operation) }
      parts.pasteboard.askToDelete { [weak self] in self?.finish(visit, operation) }
    case .end(let visit):
      types[visit.number] = nil
      parts.dragAndDrop.unfollow(visit.source)
    }
  }

  private func finish(_ visit: DropTargetMachine.Visit, _ operation: DropOperation) {
    let action = server.atoms.action(of: operation)
    send(.xdndFinished, visit, visit.version >= 5 ? [operation.takes ? 1 : 0, action] : [])
  }

  private func begin(_ visit: DropTargetMachine.Visit) {
    let source = visit.source
    parts.dragAndDrop.follow(source) { [weak self] in self?.handle(.sourceGone(source)) }
    if let announced { return name(announced, visit) }
    connection.property(source, server.atoms[.xdndTypeList], limit: 1024) { [weak self] value in
      self?.name(value?.words(ofType: PredefinedAtom.atom) ?? [], visit)
    }
  }

  private func name(_ atoms: [UInt32], _ visit: DropTargetMachine.Visit) {
    // The atoms of text are known by then.
    parts.pasteboard.withAtoms([]) { [weak self] in
      self?.parts.pasteboard.types(of: atoms) { [weak self] types in
        guard let self, machine.visit?.number == visit.number else { return }
        self.types[visit.number] = types
        handle(.named(visit.number))
      }
    }
  }

  private func send(_ name: AtomName, _ visit: DropTargetMachine.Visit, _ words: [UInt32]) {
    let words = ([visit.target] + words + [0, 0, 0, 0]).prefix(5)
    connection.sendMessage(server.atoms[name], about: visit.source, Array(words), to: visit.source, mask: 0)
  }
}
