import CXCB
import FoundationEssentials
import ProsceniumLoop
import ProsceniumPlatform

/// Handing what was copied to other clients (ICCCM 2.2, 2.6 and 2.7.2).
extension X11Platform {
  func selectionRequested(_ request: SelectionRequest) {
    guard let connection else { return }
    guard request.owner == leader, let name = pasteboardName(request.selection),
      let owned = clipboard.owned[name],
      // What is older than our claim was meant for the owner before us.
      request.time == 0 || owned.time == 0 || Int32(bitPattern: request.time &- owned.time) >= 0,
      !isListenedTo(request.requestor)
    else { return connection.answer(request, property: 0) }
    if request.target == atoms[.multiple] { return answerMultiple(request, owned) }
    // "Obsolete clients" leave the property out (ICCCM 2.2).
    let property = request.property == 0 ? request.target : request.property
    let isDone = serve(owned, request.target, .init(requestor: request.requestor, property: property))
    connection.answer(request, property: isDone ? property : 0)
  }

  /// Windows whose events we have selected: nobody asks honestly in their name, and to listen to them as to a
  /// requestor would undo it.
  private func isListenedTo(_ window: UInt32) -> Bool {
    windows[window] != nil || owners[window] != nil || clipboard.reads[window] != nil || window == leader
      || window == connection?.screen.root
  }

  /// Several targets at once, named by pairs of target and property; the target of each that fails becomes None.
  private func answerMultiple(_ request: SelectionRequest, _ owned: PasteboardState.Owned) {
    guard let connection, request.property != 0 else { return connection?.answer(request, property: 0) ?? () }
    connection.takeProperty(request.requestor, request.property, delete: false, limit: 4096) { [weak self] value in
      guard let self, let connection = self.connection else { return }
      guard var pairs = value?.words, !pairs.isEmpty, pairs.count % 2 == 0, pairs.count <= 128 else {
        return connection.answer(request, property: 0)
      }
      for index in stride(from: 0, to: pairs.count, by: 2) {
        let place = PasteboardState.Place(requestor: request.requestor, property: pairs[index + 1])
        if place.property == 0 || place.property == request.property || !serve(owned, pairs[index], place) {
          pairs[index] = 0
        }
      }
      connection.write(pairs, type: atoms[.atomPair], to: request.requestor, request.property)
      connection.answer(request, property: request.property)
    }
  }

  /// Writes one form of the data; whether there is such a form.
  private func serve(_ owned: PasteboardState.Owned, _ target: UInt32, _ place: PasteboardState.Place) -> Bool {
    guard let connection, target != 0 else { return false }
    switch target {
    case atoms[.targets]:
      let own = [atoms[.targets], atoms[.multiple], atoms[.timestamp]]
      let forms = owned.items.flatMap { item in
        (item.type == PasteboardItem.textType ? SelectionText.offered : [item.type])
          .compactMap { clipboard.atoms[$0] }
      }
      connection.write(own + forms, type: PredefinedAtom.atom, to: place.requestor, place.property)
      return true
    case atoms[.timestamp]:
      connection.write([owned.time], type: PredefinedAtom.integer, to: place.requestor, place.property)
      return true
    case _: break
    }
    guard let name = clipboard.names[target] else { return false }
    if let item = owned.items.first(where: { $0.type == name }) {
      return put(item.data, type: target, place)
    }
    guard SelectionText.offered.contains(name),
      let text = owned.items.first(where: { $0.type == PasteboardItem.textType })?.data
    else { return false }
    if name == "STRING" {
      guard let latin1 = SelectionText.latin1(text) else { return false }
      return put(latin1, type: target, place)
    }
    // `TEXT`: in the encoding that we like best, named by the type (ICCCM 2.6.2).
    return put(text, type: name == "TEXT" ? atoms[.utf8String] : target, place)
  }

  private func put(_ data: Data, type: UInt32, _ place: PasteboardState.Place) -> Bool {
    guard let connection else { return false }
    guard data.count > connection.largestPiece else {
      connection.write(data, type: type, to: place.requestor, place.property)
      return true
    }
    guard clipboard.deliveries.count < PasteboardState.mostDeliveries else { return false }
    // Its end, and each time that it has taken a piece.
    connection.changeAttributes(
      place.requestor,
      .init(eventMask: XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | Connection.propertyChangeMask), .ignore)
    clipboard.deliveries[place] = .init(data: data, type: type)
    setTimer(.delivery(place), PasteboardState.patience)
    connection.write(
      [UInt32(clamping: data.count)], type: atoms[.incremental], to: place.requestor, place.property)
    return true
  }

  /// The requestor has taken a piece: the next one, and at the end one of no length.
  func pieceTaken(_ place: PasteboardState.Place) {
    guard let delivery = clipboard.deliveries[place], let connection else { return }
    let start = delivery.data.startIndex + delivery.offset
    let end = min(delivery.data.endIndex, start + connection.largestPiece)
    connection.write(delivery.data[start..<end], type: delivery.type, to: place.requestor, place.property)
    guard start < end else { return finishDelivery(place) }
    clipboard.deliveries[place]?.offset += end - start
    setTimer(.delivery(place), PasteboardState.patience)
  }

  /// Done, or given up.
  func finishDelivery(_ place: PasteboardState.Place) {
    guard clipboard.deliveries.removeValue(forKey: place) != nil else { return }
    loop.cancel(.delivery(place))
    guard !clipboard.deliveries.keys.contains(where: { $0.requestor == place.requestor }) else { return }
    connection?.changeAttributes(place.requestor, .init(eventMask: 0), .ignore)
  }

  /// A requestor's window is gone.
  func requestorDied(_ window: UInt32) {
    for place in clipboard.deliveries.keys where place.requestor == window {
      clipboard.deliveries[place] = nil
      loop.cancel(.delivery(place))
    }
  }
}

extension Connection {
  static var propertyChangeMask: UInt32 { XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue }
}
