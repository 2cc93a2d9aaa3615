import FoundationEssentials
import ProsceniumLoop
import ProsceniumPlatform

/// Asking other owners of selections (ICCCM 2.4 and 2.7.2).
extension Pasteboard {
  func read(
    _ types: [String], from pasteboard: PasteboardName, _ completion: @escaping @MainActor (PasteboardItem?) -> Void
  ) {
    if let own = owned[pasteboard] {
      let item = types.lazy.compactMap { type in own.items.first { $0.type == type } }.first
      guard let item, let provide = own.provide else { return finished.append { completion(item) } }
      return finished.append {
        provide(.data(type: item.type)) { data in completion(data.map { PasteboardItem(type: item.type, data: $0) }) }
      }
    }
    beginRead(pasteboard, types) { item, _ in completion(item) }
  }

  func readTypes(of pasteboard: PasteboardName, _ completion: @escaping @MainActor ([String]) -> Void) {
    if let items = owned[pasteboard]?.items {
      let types = items.map(\.type)
      return finished.append { completion(types) }
    }
    beginRead(pasteboard, nil) { _, types in completion(types) }
  }

  private func beginRead(
    _ name: PasteboardName, _ wanted: [String]?, _ completion: @escaping @MainActor (PasteboardItem?, [String]) -> Void
  ) {
    guard !server.isLost else { return finished.append { completion(nil, []) } }
    let window = connection.makeID()
    connection.createPropertyWindow(window)
    reads[window] = SelectionRead(
      pasteboard: name, wanted: wanted, completion: completion, time: name == .drag ? dropTime : 0)
    restartTimeout(window)
    withAtoms(wanted ?? []) { [weak self] in
      guard let self else { return }
      convert(window, to: server.atoms[.targets])
    }
  }

  /// Asks the source of what has been dropped to delete it, because it has been moved (ICCCM 2.6.3.1).
  /// - Parameter completion: Called when it has answered, has refused, or has said nothing for too long.
  func askToDelete(_ completion: @escaping @MainActor () -> Void) {
    guard !server.isLost else { return finished.append(completion) }
    let window = connection.makeID()
    connection.createPropertyWindow(window)
    reads[window] = SelectionRead(
      pasteboard: .drag, wanted: [], completion: { _, _ in completion() }, time: dropTime, candidates: [])
    restartTimeout(window)
    server.intern([.delete]) { [weak self] in
      guard let self else { return }
      let target = server.atoms[.delete]
      reads[window]?.current = (type: "", target: target)
      convert(window, to: target)
    }
  }

  private func restartTimeout(_ window: UInt32) { loop.set(.pasting(window), after: Self.timeout) }

  private func convert(_ window: UInt32, to target: UInt32) {
    guard let read = reads[window] else { return }
    reads[window]?.phase = .asking
    restartTimeout(window)
    connection.convertSelection(
      selection(read.pasteboard), to: target, server.atoms[.transfer], of: window, time: read.time)
  }

  /// The owner has answered, or the server where there is none.
  func answered(_ window: UInt32, property: UInt32) {
    guard let read = reads[window], read.phase == .asking else { return }
    if property == 0 { return refused(window) }
    fetch(window)
  }

  private func fetch(_ window: UInt32) {
    reads[window]?.phase = .fetching
    restartTimeout(window)
    connection.property(window, server.atoms[.transfer], limit: UInt32(Self.largestRead / 4), deletes: true) {
      [weak self] value in
      self?.receive(value, window)
    }
  }

  /// The next piece has been written.
  func pieceWritten(_ window: UInt32) {
    if reads[window]?.phase == .waiting { fetch(window) }
  }

  private func receive(_ value: PropertyValue?, _ window: UInt32) {
    guard var read = reads[window] else { return }
    guard let value, value.isWhole else { return read.isIncremental ? finishRead(window, nil) : refused(window) }
    if read.isIncremental {
      if value.data.isEmpty { return arrived(read.value, read, window) }
      guard read.value.data.count + value.data.count <= Self.largestRead else {
        batch.append(
          .error(
            "What is on the pasteboard is larger than \(Self.largestRead) bytes, and is not read. Copy less of it."))
        return finishRead(window, nil)
      }
      if read.value.data.isEmpty { (read.value.type, read.value.format) = (value.type, value.format) }
      // Removed while the array grows, so that it is not copied.
      reads[window] = nil
      read.value.data += value.data
      read.phase = .waiting
      reads[window] = read
    } else if value.type == server.atoms[.incremental] {
      read.isIncremental = true
      read.value.data = []
      read.phase = .waiting
      reads[window] = read
    } else {
      arrived(value, read, window)
    }
  }

  /// A whole answer has come.
  private func arrived(_ value: PropertyValue, _ read: SelectionRead, _ window: UInt32) {
    reads[window]?.isIncremental = false
    reads[window]?.value.data = []
    guard let current = read.current else { return offered(value.words, window) }
    guard value.format == 8 || value.data.isEmpty else { return refused(window) }
    var bytes = value.bytes
    if current.type == PasteboardItem.textType {
      if value.type == atoms["COMPOUND_TEXT"] { return refused(window) }
      let isLatin1 = value.type == PredefinedAtom.string
      if isLatin1 || names[current.target] == "text/plain" { bytes = SelectionText.utf8(bytes, isLatin1: isLatin1) }
    }
    finishRead(window, PasteboardItem(type: current.type, data: Data(bytes)))
  }

  /// Handles the owner's list of targets; nil where it sends none.
  private func offered(_ targets: [UInt32]?, _ window: UInt32) {
    guard let read = reads[window] else { return }
    guard let wanted = read.wanted else {
      reads[window]?.phase = .fetching
      return types(of: targets ?? []) { [weak self] in self?.finishRead(window, nil, types: $0) }
    }
    var candidates = wanted.flatMap { type in
      SelectionText.targets(of: type).compactMap { name in atoms[name].map { (type: type, target: $0) } }
    }
    if let targets {
      let known = Set(targets)
      candidates.removeAll { !known.contains($0.target) }
    }
    reads[window]?.candidates = candidates
    convertNext(window)
  }

  private func refused(_ window: UInt32) {
    guard let read = reads[window] else { return }
    // An owner from before `TARGETS` may still have the data.
    if read.candidates == nil { offered(nil, window) } else { convertNext(window) }
  }

  private func convertNext(_ window: UInt32) {
    guard var candidates = reads[window]?.candidates, !candidates.isEmpty else { return finishRead(window, nil) }
    let next = candidates.removeFirst()
    reads[window]?.candidates = candidates
    reads[window]?.current = next
    convert(window, to: next.target)
  }

  /// Finds the MIME types that targets stand for, of at most 512 of them.
  ///
  /// The names are not kept: other programs can make up as many as they like.
  func types(of targets: [UInt32], _ handler: @escaping @MainActor ([String]) -> Void) {
    let targets = targets.prefix(512)
    let unknown = targets.filter { names[$0] == nil && server.atoms.name(of: $0) == nil && $0 != 0 }
    guard !unknown.isEmpty else { return handler(types(of: targets, [:])) }
    var found: [UInt32: String] = [:]
    for target in unknown {
      connection.atomName(target) { name in
        if let name, name.utf8.count <= Self.longestType { found[target] = name }
      }
    }
    connection.whenDone { [weak self] in if let self { handler(types(of: targets, found)) } }
  }

  private func types(of targets: ArraySlice<UInt32>, _ found: [UInt32: String]) -> [String] {
    var known: Set<String> = []
    return targets.compactMap { (names[$0] ?? found[$0]).flatMap(SelectionText.type) }
      .filter { known.insert($0).inserted }
  }

  /// Finishes a read: its window is destroyed, and with it whatever an owner may still write.
  func finishRead(_ window: UInt32, _ item: PasteboardItem?, types: [String] = []) {
    guard let read = reads.removeValue(forKey: window) else { return }
    loop.cancel(.pasting(window))
    if !server.isLost { connection.destroyWindow(window) }
    finished.append { read.completion(item, types) }
  }
}
