import FoundationEssentials
package import ProsceniumPlatform

/// Selections (ICCCM 2): becoming and being their owner.
extension X11Platform {
  package func write(_ items: [PasteboardItem], to pasteboard: PasteboardName) {
    clipboard.generation += 1
    let generation = clipboard.generation
    let before = clipboard.owned.removeValue(forKey: pasteboard)
    guard !items.isEmpty else {
      // With the time of our own claim: whoever came after us stays.
      if let before, before.time != 0, !isLost {
        connection?.setSelectionOwner(0, selection(pasteboard), time: before.time)
      }
      return
    }
    clipboard.owned[pasteboard] = .init(items: items, generation: generation)
    guard !isLost else { return }
    withAtoms(items.map(\.type)) { [weak self] in
      self?.withServerTime { [weak self] time in self?.claim(pasteboard, generation, time) }
    }
  }

  /// The server's time now: an older one would be refused if somebody else has copied since (ICCCM 2.1).
  private func withServerTime(_ body: @escaping @MainActor (UInt32) -> Void) {
    guard !isLost, let connection else { return }
    timeWaiters.append(body)
    guard timeWaiters.count == 1 else { return }
    connection.changeProperty(
      leader, atoms[.netWMUserTime], type: PredefinedAtom.cardinal, [], mode: .append)
  }

  private func claim(_ name: PasteboardName, _ generation: Int, _ time: UInt32) {
    guard !isLost, let connection, clipboard.owned[name]?.generation == generation else { return }
    clipboard.owned[name]?.time = time
    connection.setSelectionOwner(leader, selection(name), time: time)
    // "Clients should check" (ICCCM 2.1): somebody may have been quicker.
    connection.selectionOwner(selection(name)) { [weak self] owner in
      guard let self, let owner, owner != leader, clipboard.owned[name]?.generation == generation else { return }
      clipboard.owned[name] = nil
    }
  }

  /// Somebody else has copied something.
  func selectionCleared(_ selection: UInt32, time: UInt32) {
    noteTime(time)
    guard let name = pasteboardName(selection), let owned = clipboard.owned[name], owned.time != 0,
      Int32(bitPattern: time &- owned.time) >= 0
    else { return }
    clipboard.owned[name] = nil
  }

  // MARK: Names

  func selection(_ name: PasteboardName) -> UInt32 {
    switch name {
    case .general: atoms[.clipboard]
    case .primary: PredefinedAtom.primary
    }
  }

  func pasteboardName(_ selection: UInt32) -> PasteboardName? {
    PasteboardName.allCases.first { self.selection($0) == selection && selection != 0 }
  }

  /// Runs when the atoms of all these types, and those of selections as such, are known.
  func withAtoms(_ types: [String], _ body: @escaping @MainActor () -> Void) {
    guard !isLost, let connection else { return }
    let unknown = Set(types.flatMap(SelectionText.targets)).union(SelectionText.offered)
      .filter { clipboard.atoms[$0] == nil }
    guard !unknown.isEmpty || AtomName.forSelections.contains(where: { atoms[$0] == 0 }) else { return body() }
    intern(AtomName.forSelections)
    for name in unknown.sorted() {
      connection.internAtom(name) { [weak self] atom in self?.remember(name, atom) }
    }
    // The answer to this comes after all the others.
    connection.internAtom(AtomName.incremental.rawValue) { _ in body() }
  }

  func remember(_ name: String, _ atom: UInt32) {
    guard atom != 0 else { return }
    clipboard.atoms[name] = atom
    clipboard.names[atom] = name
  }

  // MARK: The end of things

  /// Hands out the answers that have come.
  func answerPasteboard() {
    guard !clipboard.finished.isEmpty else { return }
    let finished = clipboard.finished
    clipboard.finished = []
    finished.forEach { $0() }
  }

  /// The server is gone: nothing is answered any more, but what we have ourselves.
  func abandonTransfers() {
    clipboard.deliveries = [:]
    for window in clipboard.reads.keys.sorted() { finishRead(window, nil) }
  }
}
