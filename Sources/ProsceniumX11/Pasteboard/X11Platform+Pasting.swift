import FoundationEssentials
import ProsceniumLoop
package import ProsceniumPlatform

/// Asking other owners of selections (ICCCM 2.4 and 2.7.2).
extension X11Platform {
  package func read(
    _ types: [String], from pasteboard: PasteboardName, _ completion: @escaping @MainActor (PasteboardItem?) -> Void
  ) {
    if let items = clipboard.owned[pasteboard]?.items {
      let item = types.lazy.compactMap { type in items.first { $0.type == type } }.first
      return clipboard.finished.append { completion(item) }
    }
    startRead(pasteboard, .item(types, completion), types)
  }

  package func readTypes(of pasteboard: PasteboardName, _ completion: @escaping @MainActor ([String]) -> Void) {
    if let items = clipboard.owned[pasteboard]?.items {
      let types = items.map(\.type)
      return clipboard.finished.append { completion(types) }
    }
    startRead(pasteboard, .types(completion), [])
  }

  private func startRead(_ name: PasteboardName, _ goal: PasteboardState.Read.Goal, _ types: [String]) {
    guard !isLost, let connection else { return hand(nil, to: goal) }
    let window = connection.makeID()
    connection.createWindow(
      window, x: -1, y: -1, width: 1, height: 1,
      attributes: .init(eventMask: Connection.propertyChangeMask), isInputOnly: true)
    clipboard.reads[window] = .init(name: name, goal: goal)
    keepWaiting(window)
    withAtoms(types) { [weak self] in
      guard let self else { return }
      convert(window, to: atoms[.targets])
    }
  }

  private func keepWaiting(_ window: UInt32) { setTimer(.pasting(window), PasteboardState.patience) }

  private func convert(_ window: UInt32, to target: UInt32) {
    guard let name = clipboard.reads[window]?.name, let connection else { return }
    clipboard.reads[window]?.phase = .asking
    keepWaiting(window)
    connection.convertSelection(selection(name), to: target, atoms[.transfer], of: window)
  }

  /// The owner has answered, or the server for one that there is not.
  func selectionNotified(_ window: UInt32, property: UInt32) {
    guard let read = clipboard.reads[window], read.phase == .asking else { return }
    if property == 0 { return refused(window) }
    fetch(window)
  }

  private func fetch(_ window: UInt32) {
    clipboard.reads[window]?.phase = .fetching
    keepWaiting(window)
    connection?.takeProperty(window, atoms[.transfer], limit: PasteboardState.largest) { [weak self] value in
      self?.received(value, window)
    }
  }

  /// The next piece is there.
  func piecePut(_ window: UInt32) {
    if clipboard.reads[window]?.phase == .waiting { fetch(window) }
  }

  private func received(_ value: Connection.RawProperty?, _ window: UInt32) {
    guard var read = clipboard.reads[window] else { return }
    guard let value else { return read.isIncremental ? finishRead(window, nil) : refused(window) }
    if read.isIncremental {
      if value.bytes.isEmpty { return arrived(read, window) }
      guard read.bytes.count + value.bytes.count <= PasteboardState.largest else {
        batch.append(.error("what is on the pasteboard is larger than \(PasteboardState.largest) bytes; not read."))
        return finishRead(window, nil)
      }
      if read.bytes.isEmpty { (read.type, read.format) = (value.type, value.format) }
      // No second owner while it grows.
      clipboard.reads[window] = nil
      read.bytes += value.bytes
      read.phase = .waiting
      clipboard.reads[window] = read
    } else if value.type == atoms[.incremental] {
      read.isIncremental = true
      read.bytes = []
      read.phase = .waiting
      clipboard.reads[window] = read
    } else {
      (read.bytes, read.type, read.format) = (value.bytes, value.type, value.format)
      arrived(read, window)
    }
  }

  /// A whole answer.
  private func arrived(_ read: PasteboardState.Read, _ window: UInt32) {
    let value = Connection.RawProperty(type: read.type, format: read.format, bytes: read.bytes)
    clipboard.reads[window]?.isIncremental = false
    clipboard.reads[window]?.bytes = []
    guard let current = read.current else { return offered(value.words, window) }
    guard value.format == 8 || value.bytes.isEmpty else { return refused(window) }
    var bytes = value.bytes
    if current.type == PasteboardItem.textType {
      if value.type == clipboard.atoms["COMPOUND_TEXT"] { return refused(window) }
      let isLatin1 = value.type == PredefinedAtom.string
      if isLatin1 || current.target == "text/plain" { bytes = SelectionText.utf8(bytes, isLatin1: isLatin1) }
    }
    finishRead(window, PasteboardItem(type: current.type, data: Data(bytes)))
  }

  /// The targets that the owner has; nil where it does not say.
  private func offered(_ targets: [UInt32]?, _ window: UInt32) {
    guard let read = clipboard.reads[window] else { return }
    switch read.goal {
    case .item(let types, _):
      var candidates = types.flatMap { type in
        SelectionText.targets(of: type).compactMap { target in
          clipboard.atoms[target].map { PasteboardState.Read.Candidate(type: type, target: target, atom: $0) }
        }
      }
      if let targets {
        let known = Set(targets)
        candidates.removeAll { !known.contains($0.atom) }
      }
      clipboard.reads[window]?.candidates = candidates
      nextCandidate(window)
    case .types: nameTypes(Array((targets ?? []).prefix(512)), window)
    }
  }

  private func refused(_ window: UInt32) {
    guard let read = clipboard.reads[window] else { return }
    // An owner from before `TARGETS` may still have what we want.
    read.candidates == nil ? offered(nil, window) : nextCandidate(window)
  }

  private func nextCandidate(_ window: UInt32) {
    guard var candidates = clipboard.reads[window]?.candidates, !candidates.isEmpty else {
      return finishRead(window, nil)
    }
    let next = candidates.removeFirst()
    clipboard.reads[window]?.candidates = candidates
    clipboard.reads[window]?.current = next
    convert(window, to: next.atom)
  }

  private func nameTypes(_ targets: [UInt32], _ window: UInt32) {
    let unknown = targets.filter { clipboard.names[$0] == nil && atoms.name(of: $0) == nil && $0 != 0 }
    var left = unknown.count
    let finish: @MainActor () -> Void = { [weak self] in
      guard let self else { return }
      var types: [String] = []
      for target in targets {
        guard let type = clipboard.names[target].flatMap(SelectionText.type), !types.contains(type) else { continue }
        types.append(type)
      }
      finishRead(window, nil, types: types)
    }
    guard left > 0, let connection else { return finish() }
    clipboard.reads[window]?.phase = .fetching
    for target in unknown {
      connection.atomName(target) { [weak self] name in
        if let name { self?.remember(name, target) }
        left -= 1
        if left == 0 { finish() }
      }
    }
  }

  /// The answer, or none: the window goes, and with it whatever an owner may still write.
  func finishRead(_ window: UInt32, _ item: PasteboardItem?, types: [String] = []) {
    guard let read = clipboard.reads.removeValue(forKey: window) else { return }
    loop.cancel(.pasting(window))
    if !isLost { connection?.destroyWindow(window) }
    hand(item, to: read.goal, types: types)
  }

  private func hand(_ item: PasteboardItem?, to goal: PasteboardState.Read.Goal, types: [String] = []) {
    switch goal {
    case .item(_, let completion): clipboard.finished.append { completion(item) }
    case .types(let completion): clipboard.finished.append { completion(types) }
    }
  }
}
