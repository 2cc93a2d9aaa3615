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

  /// The longest name of a type, in bytes: to compare texts takes a time that grows with the square of the number of
  /// their marks, and names with no parameters are shorter (RFC 6838, 4.2).
  static let longestType = 255

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
  /// When the user dropped what is read from ``PasteboardName/drag``.
  var dropTime: UInt32 = 0

  /// Becomes the owner of a pasteboard; with no items, stops being it.
  func write(_ items: [PasteboardItem], to pasteboard: PasteboardName) {
    own(OwnedSelection(items: items, number: 0), as: pasteboard) {}
  }

  /// Becomes the owner of what is dragged, whose data is made when somebody asks for it.
  /// - Parameters:
  ///   - offer: What is dragged.
  ///   - used: Called when another client asks for data, and when it has read a part.
  ///   - claimed: Called once the program is the owner, and the atoms of the types are known.
  func own(_ offer: DragOffer, used: @escaping @MainActor () -> Void, claimed: @escaping @MainActor () -> Void) {
    let items = offer.types.map { PasteboardItem(type: $0, data: Data()) }
    own(OwnedSelection(items: items, number: 0, provide: offer.provide, used: used), as: .drag, claimed)
  }

  private func own(
    _ selection: OwnedSelection, as pasteboard: PasteboardName, _ claimed: @escaping @MainActor () -> Void
  ) {
    let items = selection.items
    number += 1
    let number = number
    let before = owned.removeValue(forKey: pasteboard)
    // A drag may offer nothing but a promised file.
    guard !items.isEmpty || selection.provide != nil else {
      // With the time of the program's own claim: a later owner stays.
      if let before, before.time != 0, !server.isLost {
        connection.setSelectionOwner(0, self.selection(pasteboard), time: before.time)
      }
      return
    }
    owned[pasteboard] = selection
    owned[pasteboard]?.number = number
    guard !server.isLost else { return }
    withAtoms(items.map(\.type)) { [weak self] in
      guard let self else { return }
      // An older time would be refused if another client has copied since (ICCCM 2.1).
      server.time.ask(server) { [weak self] time in
        self?.claim(pasteboard, number, time)
        claimed()
      }
    }
  }

  private func claim(_ name: PasteboardName, _ number: Int, _ time: UInt32) {
    guard !server.isLost, owned[name]?.number == number else { return }
    owned[name]?.time = time
    owned[name]?.since = MonotonicClock.seconds
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
    guard let name = pasteboard(selection), let own = owned[name], own.time != 0,
      !own.isLater(than: time, now: MonotonicClock.seconds)
    else { return }
    owned[name] = nil
  }

  // MARK: Names

  func selection(_ name: PasteboardName) -> UInt32 {
    switch name {
    case .general: server.atoms[.clipboard]
    case .primary: PredefinedAtom.primary
    case .drag: server.atoms[.xdndSelection]
    }
  }

  func pasteboard(_ selection: UInt32) -> PasteboardName? {
    PasteboardName.allCases.first { self.selection($0) == selection && selection != 0 }
  }

  /// The targets by which types are offered.
  func targets(offering types: [String]) -> [UInt32] {
    types.flatMap { ($0 == PasteboardItem.textType ? SelectionText.offered : [$0]).compactMap { atoms[$0] } }
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

  private func record(_ name: String, _ atom: UInt32) {
    guard atom != 0 else { return }
    atoms[name] = atom
    names[atom] = name
  }

  // MARK: The end of a batch, and of the connection

  /// Whether answers wait to be called.
  var hasFinished: Bool { !finished.isEmpty }

  /// Calls the answers that have come.
  func callFinished() {
    for handler in exchange(&finished, with: []) { handler() }
  }

  /// The connection is lost: only items of the program itself can still be read.
  func abandon() {
    deliveries = [:]
    for window in reads.keys.sorted() { finishRead(window, nil) }
  }
}

/// The names of plain text among the targets of a selection (ICCCM 2.6.2, and MIME types as all toolkits have them).
enum SelectionText {
  /// The targets that are asked for, the best first.
  ///
  /// Not `TEXT`: the owner would choose the encoding, and old ones choose `COMPOUND_TEXT`, which nothing here reads.
  static let wanted = ["UTF8_STRING", PasteboardItem.textType, "STRING", "text/plain"]

  /// The targets that are offered.
  static let offered = wanted + ["TEXT"]

  /// The targets that stand for a MIME type.
  static func targets(of type: String) -> [String] { type == PasteboardItem.textType ? wanted : [type] }

  /// The MIME type that a target stands for; nil for a target that is no form of the data (`TARGETS`, `DELETE`).
  static func type(of target: String) -> String? {
    if offered.contains(target) { return PasteboardItem.textType }
    return target.contains("/") ? target : nil
  }

  /// UTF-8 of a text whose owner gives no encoding, or gives it by the type `STRING` (ISO Latin-1, ICCCM 2.7.1).
  static func utf8(_ bytes: [UInt8], isLatin1: Bool) -> [UInt8] {
    if !isLatin1, String(validating: bytes, as: UTF8.self) != nil { return bytes }
    return Array(String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) })).utf8)
  }

  /// The text as ISO Latin-1; nil where it has other characters: no answer is better than a wrong one.
  static func latin1(_ data: Data) -> Data? {
    guard !data.contains(where: { $0 > 0xC3 }) else { return nil }
    return Hints.latin1(String(decoding: data, as: UTF8.self)).map { Data($0) }
  }
}

/// A question to another owner, named by the window that it is asked from.
///
/// Each has a window of its own, so that a late answer to one is not mistaken for another's.
struct SelectionRead {
  enum Phase {
    /// Waits for the SelectionNotify.
    case asking
    /// Waits for the property's value.
    case fetching
    /// Waits for the next piece to be written (ICCCM 2.7.2).
    case waiting
  }
  var pasteboard: PasteboardName
  /// The types that are wanted, the best first; nil where the question is which there are.
  var wanted: [String]?
  /// Called with the item, or with the types.
  var completion: @MainActor (PasteboardItem?, [String]) -> Void
  /// The time of the request: 0 for now, that of the drop for what is dropped (XDND).
  var time: UInt32 = 0
  var phase = Phase.asking
  /// The targets to ask for after the present one; nil while that is `TARGETS`.
  var candidates: [(type: String, target: UInt32)]?
  var current: (type: String, target: UInt32)?
  var isIncremental = false
  /// The pieces that have come, of an answer in pieces.
  var value = PropertyValue(type: 0, bytes: [])
}

/// A large answer on its way to another client, piece by piece (ICCCM 2.7.2).
struct SelectionDelivery {
  var data: Data
  var type: UInt32
  /// Called when a part has been read.
  var used: (@MainActor () -> Void)?
  var offset = 0
}

/// The data of a pasteboard that the program owns.
struct OwnedSelection {
  var items: [PasteboardItem]
  /// When the program became the owner; 0 until the server has reported its time.
  var time: UInt32 = 0
  /// The same by the clock of this machine, in seconds.
  var since = 0.0
  /// The number of the claim; answers to older ones are dropped.
  var number: Int
  /// Makes the data of an item when it is asked for; nil where the items have theirs.
  var provide: (@MainActor (DragRequest, @escaping @MainActor (Data?) -> Void) -> Void)?
  /// Called when another client asks for data, and when it has read a part.
  var used: (@MainActor () -> Void)?

  /// Whether the program became the owner after a time of the server, in seconds of this machine.
  ///
  /// Asked for what was on its way then. After half a turn of the server's clock, 24.8 days, its present time would
  /// count as an earlier one.
  func isLater(than time: UInt32, now: Double) -> Bool { self.time.isLater(than: time) && now - since < 86_400 }
}

/// Another client's request for the program's items (X protocol, SelectionRequest; ICCCM 2.2).
struct SelectionRequest: Hashable, Sendable {
  var time: UInt32
  var owner: UInt32
  var requestor: UInt32
  var selection: UInt32
  var target: UInt32
  /// The property for the answer; 0 from clients older than the ICCCM, which mean the target's name.
  var property: UInt32
}

/// The property of another client's window that an answer is written to.
package struct TransferPlace: Hashable {
  var requestor: UInt32
  var property: UInt32
}
