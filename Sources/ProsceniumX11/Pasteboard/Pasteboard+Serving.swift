import CXCB
import FoundationEssentials
import ProsceniumLoop
import ProsceniumPlatform

/// The answers to other clients' requests for the program's items (ICCCM 2.2, 2.6 and 2.7.2).
extension Pasteboard {
  func answer(_ request: SelectionRequest) {
    guard request.owner == server.leader, let name = pasteboard(request.selection), let own = owned[name],
      // An older request was meant for the owner before.
      request.time == 0 || own.time == 0 || !own.time.isLater(than: request.time), !isFollowed(request.requestor)
    else { return connection.answer(request, property: 0) }
    if request.target == server.atoms[.multiple] { return answerMultiple(request, own) }
    // "Obsolete clients" leave the property out (ICCCM 2.2).
    let property = request.property == 0 ? request.target : request.property
    let isServed = serve(own, request.target, TransferPlace(requestor: request.requestor, property: property))
    connection.answer(request, property: isServed ? property : 0)
  }

  /// Whether a window's events are selected for other reasons: no honest request has it as a requestor, and to select
  /// the events of a requestor would undo that.
  private func isFollowed(_ window: UInt32) -> Bool {
    windows.isFollowing(window) || reads[window] != nil || window == server.leader || window == server.root
  }

  /// Answers for several targets at once, named by pairs of target and property; the target of each that fails becomes
  /// None.
  private func answerMultiple(_ request: SelectionRequest, _ own: OwnedSelection) {
    guard request.property != 0 else { return connection.answer(request, property: 0) }
    connection.property(request.requestor, request.property, limit: 1024) { [weak self] value in
      guard let self else { return }
      guard let value, value.isWhole, case var pairs = value.words, !pairs.isEmpty, pairs.count % 2 == 0,
        pairs.count <= 128
      else {
        return connection.answer(request, property: 0)
      }
      for index in stride(from: 0, to: pairs.count, by: 2) {
        let place = TransferPlace(requestor: request.requestor, property: pairs[index + 1])
        if place.property == 0 || place.property == request.property || !serve(own, pairs[index], place) {
          pairs[index] = 0
        }
      }
      connection.changeProperty(request.requestor, request.property, type: server.atoms[.atomPair], pairs, .ignore)
      connection.answer(request, property: request.property)
    }
  }

  /// Writes one form of the data.
  /// - Returns: Whether there is such a form.
  private func serve(_ own: OwnedSelection, _ target: UInt32, _ place: TransferPlace) -> Bool {
    guard target != 0 else { return false }
    switch target {
    case server.atoms[.targets]:
      let targets = [server.atoms[.targets], server.atoms[.multiple], server.atoms[.timestamp]]
      let forms = own.items.flatMap { item in
        (item.type == PasteboardItem.textType ? SelectionText.offered : [item.type]).compactMap { atoms[$0] }
      }
      connection.changeProperty(place.requestor, place.property, type: PredefinedAtom.atom, targets + forms, .ignore)
      return true
    case server.atoms[.timestamp]:
      connection.changeProperty(place.requestor, place.property, type: PredefinedAtom.integer, [own.time], .ignore)
      return true
    case _: break
    }
    guard let name = names[target] else { return false }
    if let item = own.items.first(where: { $0.type == name }) { return deliver(item.data, type: target, place) }
    guard SelectionText.offered.contains(name),
      let text = own.items.first(where: { $0.type == PasteboardItem.textType })?.data
    else { return false }
    if name == "STRING" {
      guard let latin1 = SelectionText.latin1(text) else { return false }
      return deliver(latin1, type: target, place)
    }
    // `TEXT`: in the encoding that the owner chooses, named by the type (ICCCM 2.6.2).
    return deliver(text, type: name == "TEXT" ? server.atoms[.utf8String] : target, place)
  }

  private func deliver(_ data: Data, type: UInt32, _ place: TransferPlace) -> Bool {
    guard data.count > connection.largestPiece else {
      connection.write(data, type: type, to: place.requestor, place.property)
      return true
    }
    guard deliveries.count < Self.mostDeliveries else { return false }
    // Its end, and each piece that it has read.
    connection.changeAttributes(
      place.requestor,
      .init(eventMask: XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue), .ignore)
    deliveries[place] = SelectionDelivery(data: data, type: type)
    loop.set(.delivery(place), after: Self.timeout)
    connection.changeProperty(
      place.requestor, place.property, type: server.atoms[.incremental], [UInt32(clamping: data.count)], .ignore)
    return true
  }

  /// The requestor has read a piece: the next one follows, and at the end one of no length.
  func pieceRead(_ place: TransferPlace) {
    guard let delivery = deliveries[place] else { return }
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
    guard !deliveries.keys.contains(where: { $0.requestor == place.requestor }) else { return }
    connection.changeAttributes(place.requestor, .init(eventMask: 0), .ignore)
  }

  /// A requestor's window is gone.
  func requestorDestroyed(_ window: UInt32) {
    for place in deliveries.keys where place.requestor == window {
      deliveries[place] = nil
      loop.cancel(.delivery(place))
    }
  }
}
