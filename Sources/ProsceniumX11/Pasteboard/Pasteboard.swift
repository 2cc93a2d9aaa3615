import FoundationEssentials
import ProsceniumLoop
import ProsceniumPlatform

/// The pasteboards: selections (ICCCM 2).
///
/// This file has the ownership; Pasteboard+Reading.swift asks other owners, Pasteboard+Serving.swift answers other
/// clients.
@MainActor final class Pasteboard: X11Component {
  /// How long a transfer may stand still.
  static let timeout = Duration.seconds(5)
  /// More than this is not read: an owner that never stops would use up all memory.
  static let largestRead = 1 << 29
  /// More transfers at once to other clients are refused.
  static let mostDeliveries = 256

  /// The pasteboards that the program owns.
  var owned: [PasteboardName: OwnedSelection] = [:]
  /// The questions to other owners, by the windows that they are asked from.
  var reads: [UInt32: SelectionRead] = [:]
  /// The answers in pieces to other clients.
  var deliveries: [TransferPlace: SelectionDelivery] = [:]
  /// Answers to reads, which are called when the batch ends, so that none comes from within a call.
  var finished: [@MainActor () -> Void] = []
  /// Atoms of targets by their names, and back: programs have MIME types of their own.
  private(set) var atoms: [String: UInt32] = [:]
  private(set) var names: [UInt32: String] = [:]
  private var number = 0

  /// Becomes the owner of a pasteboard; with no items, stops being it.
  func write(_ items: [PasteboardItem], to pasteboard: PasteboardName) {
    number += 1
    let number = number
    let before = owned.removeValue(forKey: pasteboard)
    guard !items.isEmpty else {
      // With the time of the program's own claim: a later owner stays.
      if let before, before.time != 0, !server.isLost {
        connection.setSelectionOwner(0, selection(pasteboard), time: before.time)
      }
      return
    }
    owned[pasteboard] = OwnedSelection(items: items, number: number)
    guard !server.isLost else { return }
    withAtoms(items.map(\.type)) { [weak self] in
      guard let self else { return }
      // An older time would be refused if another client has copied since (ICCCM 2.1).
      server.time.ask(server) { [weak self] time in self?.claim(pasteboard, number, time) }
    }
  }

  private func claim(_ name: PasteboardName, _ number: Int, _ time: UInt32) {
    guard !server.isLost, owned[name]?.number == number else { return }
    owned[name]?.time = time
    connection.setSelectionOwner(server.leader, selection(name), time: time)
    // "Clients should check" (ICCCM 2.1): another client may have been quicker.
    connection.selectionOwner(selection(name)) { [weak self] owner in
      guard let self, let owner, owner != server.leader, owned[name]?.number == number else { return }
      owned[name] = nil
    }
  }

  /// Another client has become the owner of a selection.
  func ownerChanged(_ selection: UInt32, time: UInt32) {
    server.time.observe(time)
    guard let name = pasteboard(selection), let own = owned[name], own.time != 0, !own.time.isLater(than: time)
    else { return }
    owned[name] = nil
  }

  // MARK: Names

  func selection(_ name: PasteboardName) -> UInt32 {
    switch name {
    case .general: server.atoms[.clipboard]
    case .primary: PredefinedAtom.primary
    }
  }

  func pasteboard(_ selection: UInt32) -> PasteboardName? {
    PasteboardName.allCases.first { self.selection($0) == selection && selection != 0 }
  }

  /// Calls back when the atoms of all these types, and those of selections as such, are known.
  func withAtoms(_ types: [String], _ handler: @escaping @MainActor () -> Void) {
    guard !server.isLost else { return }
    let unknown = Set(types.flatMap(SelectionText.targets)).union(SelectionText.offered).filter { atoms[$0] == nil }
    guard !unknown.isEmpty || AtomName.forSelections.contains(where: { server.atoms[$0] == 0 }) else {
      return handler()
    }
    for name in unknown.sorted() { connection.internAtom(name) { [weak self] atom in self?.record(name, atom) } }
    server.intern(AtomName.forSelections, handler)
  }

  func record(_ name: String, _ atom: UInt32) {
    guard atom != 0 else { return }
    atoms[name] = atom
    names[atom] = name
  }

  // MARK: The end of a batch, and of the connection

  /// Whether answers wait to be called.
  var hasFinished: Bool { !finished.isEmpty }

  /// Calls the answers that have come.
  func callFinished() {
    guard hasFinished else { return }
    let handlers = finished
    finished = []
    handlers.forEach { $0() }
  }

  /// The connection is lost: only items of the program itself can still be read.
  func abandon() {
    deliveries = [:]
    for window in reads.keys.sorted() { finishRead(window, nil) }
  }
}
