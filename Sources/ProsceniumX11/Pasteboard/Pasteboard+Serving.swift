import FoundationEssentials
import ProsceniumLoop
import ProsceniumPlatform

/// The answers to other clients' requests for the program's items (ICCCM 2.2, 2.6 and 2.7.2).
extension Pasteboard {
  func answer(_ request: SelectionRequest) {
    guard request.owner == server.leader, let name = pasteboard(request.selection), let own = owned[name],
      // An older request was meant for the owner before.
      request.time == 0 || own.time == 0 || !own.isLater(than: request.time, now: MonotonicClock.seconds),
      !isFollowed(request.requestor)
    else { return connection.answer(request, property: 0) }
    if request.target == server.atoms[.multiple] { return answerMultiple(request, own) }
    // "Obsolete clients" leave the property out (ICCCM 2.2).
    let property = request.property == 0 ? request.target : request.property
    serve(own, request.target, TransferPlace(requestor: request.requestor, property: property)) {
      [weak self] isServed in
      guard let self, !server.isLost else { return }
      connection.answer(request, property: isServed ? property : 0)
    }
  }

  /// Whether an answer in pieces is on its way to a window.
  func isDelivering(to window: UInt32) -> Bool { deliveries.keys.contains { $0.requestor == window } }

  /// Whether a window's events are selected for other reasons: no honest request has it as a requestor, and to select
  /// the events of a requestor would undo that.
  private func isFollowed(_ window: UInt32) -> Bool {
    !windows.isForeign(window) || reads[window] != nil || window == server.leader || window == server.root
  }

  /// Answers for several targets at once, named by pairs of target and property; the target of each that fails becomes
  /// None.
  private func answerMultiple(_ request: SelectionRequest, _ own: OwnedSelection) {
    guard request.property != 0 else { return connection.answer(request, property: 0) }
    connection.property(request.requestor, request.property, limit: 1024) { [weak self] value in
      guard let self else { return }
      guard let value, value.isWhole, case let pairs = value.words, !pairs.isEmpty, pairs.count % 2 == 0,
        pairs.count <= 128
      else {
        return connection.answer(request, property: 0)
      }
      answer(pairs, at: 0, of: request, own)
    }
  }

  /// Answers the pairs of several targets, one after the other.
  private func answer(_ pairs: [UInt32], at index: Int, of request: SelectionRequest, _ own: OwnedSelection) {
    guard index < pairs.count else {
      connection.changeProperty(request.requestor, request.property, type: server.atoms[.atomPair], pairs, .ignore)
      return connection.answer(request, property: request.property)
    }
    let next: @MainActor (Bool) -> Void = { [weak self] isServed in
      guard let self, !server.isLost else { return }
      var pairs = pairs
      if !isServed { pairs[index] = 0 }
      answer(pairs, at: index + 2, of: request, own)
    }
    let place = TransferPlace(requestor: request.requestor, property: pairs[index + 1])
    if place.property == 0 || place.property == request.property { return next(false) }
    serve(own, pairs[index], place, next)
  }

  /// Writes one form of the data.
  /// - Parameters:
  ///   - own: The data.
  ///   - target: The form.
  ///   - place: Where it is written.
  ///   - handler: Called, at once where the data is there, with whether there is such a form.
  private func serve(
    _ own: OwnedSelection, _ target: UInt32, _ place: TransferPlace, _ handler: @escaping @MainActor (Bool) -> Void
  ) {
    guard target != 0 else { return handler(false) }
    own.used?()
    switch target {
    case server.atoms[.targets]:
      let targets = [server.atoms[.targets], server.atoms[.multiple], server.atoms[.timestamp]]
      connection.changeProperty(
        place.requestor, place.property, type: PredefinedAtom.atom,
        targets + self.targets(offering: own.items.map(\.type)),
        .ignore)
      return handler(true)
    case server.atoms[.timestamp]:
      connection.changeProperty(place.requestor, place.property, type: PredefinedAtom.integer, [own.time], .ignore)
      return handler(true)
    case server.atoms[.xdndDirectSave]: return save(own, place, handler)
    case server.atoms[.delete]:
      // The program deletes when the drag has ended; the answer says that it will (ICCCM 2.6.3.1).
      guard own.provide != nil, parts.dragAndDrop.source.allowsMove else { return handler(false) }
      connection.changeProperty(place.requestor, place.property, type: server.atoms[.null], [] as [UInt32], .ignore)
      return handler(true)
    case _: break
    }
    guard let name = names[target] else { return handler(false) }
    let isText = SelectionText.offered.contains(name)
    let item =
      own.items.first { $0.type == name }
      ?? (isText ? own.items.first { $0.type == PasteboardItem.textType } : nil)
    guard let item else { return handler(false) }
    let deliver: @MainActor (Data?) -> Void = { [weak self] data in
      guard let self, let data, !self.server.isLost else { return handler(false) }
      if item.type == name { return handler(self.deliver(data, type: target, place, own)) }
      if name == "STRING" {
        return handler(SelectionText.latin1(data).map { self.deliver($0, type: target, place, own) } ?? false)
      }
      // `TEXT`: in the encoding that the owner chooses, named by the type (ICCCM 2.6.2).
      handler(self.deliver(data, type: name == "TEXT" ? self.server.atoms[.utf8String] : target, place, own))
    }
    if let provide = own.provide { provide(.data(type: item.type), deliver) } else { deliver(item.data) }
  }

  /// The target has chosen the place of the promised file, and written it where its name was (XDS): the answer is
  /// whether the file is there.
  private func save(_ own: OwnedSelection, _ place: TransferPlace, _ handler: @escaping @MainActor (Bool) -> Void) {
    guard let provide = own.provide else { return handler(false) }
    connection.property(server.leader, server.atoms[.xdndDirectSave], limit: 4096) { value in
      guard let url = value?.text, value?.isWhole == true else { return handler(false) }
      provide(.save(url: url)) { [weak self] data in
        guard let self, !self.server.isLost else { return handler(false) }
        // "E": the target need not try by itself.
        self.connection.write(
          Data((data == nil ? "E" : "S").utf8), type: PredefinedAtom.string, to: place.requestor, place.property)
        handler(true)
      }
    }
  }

  private func deliver(_ data: Data, type: UInt32, _ place: TransferPlace, _ own: OwnedSelection) -> Bool {
    guard data.count > connection.largestPiece else {
      connection.write(data, type: type, to: place.requestor, place.property)
      return true
    }
    guard deliveries.count < Self.mostDeliveries else { return false }
    deliveries[place] = SelectionDelivery(data: data, type: type, used: own.used)
    parts.dragAndDrop.selectEvents(of: place.requestor)
    loop.set(.delivery(place), after: Self.timeout)
    connection.changeProperty(
      place.requestor, place.property, type: server.atoms[.incremental], [UInt32(clamping: data.count)], .ignore)
    return true
  }

  /// The requestor has read a piece: the next one follows, and at the end one of no length.
  func pieceRead(_ place: TransferPlace) {
    guard let delivery = deliveries[place] else { return }
    delivery.used?()
    let start = delivery.data.startIndex + delivery.offset
    let end = min(delivery.data.endIndex, start + connection.largestPiece)
    connection.write(delivery.data[start..<end], type: delivery.type, to: place.requestor, place.property)
    guard start < end else { return finishDelivery(place) }
    deliveries[place]?.offset += end - start
    loop.set(.delivery(place), after: Self.timeout)
  }

  /// A delivery is done, or its time is over.
  func finishDelivery(_ place: TransferPlace) {
    guard deliveries.removeValue(forKey: place) != nil else { return }
    loop.cancel(.delivery(place))
    if !isDelivering(to: place.requestor) { parts.dragAndDrop.selectEvents(of: place.requestor) }
  }

  /// A requestor's window is gone.
  func requestorDestroyed(_ window: UInt32) {
    for place in deliveries.keys where place.requestor == window {
      deliveries[place] = nil
      loop.cancel(.delivery(place))
    }
  }
}
