import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The way of messages to and from a server of input methods: through the X server, on a connection of its own (XIM
/// 1.0, section 3 "Default Preconnection Convention", and the appendix "X Transport").
///
/// Nothing here waits for an answer, but for the two round trips of the connection.
@MainActor final class XIMTransport {
  /// What has happened to the server.
  enum Event {
    /// It takes messages: the conversation begins.
    case connected
    case message([UInt8])
    /// It is gone, or another one has come.
    case disconnected
  }

  /// A message that has come: whole, or as the size of what a property has.
  private enum Arrival {
    case bytes([UInt8])
    case property(UInt32, size: Int)
  }

  private struct Atoms {
    var selection: UInt32 = 0
    var transport: UInt32 = 0
    var connect: UInt32 = 0
    var message: UInt32 = 0
    /// The properties of messages, used in turn: a server may read one late.
    var properties: [UInt32] = []
  }

  /// The server, and what has come of it.
  private struct Peer {
    /// The owner of its selection; 0 for none.
    var owner: UInt32 = 0
    /// The window of this program that its messages come to, also that of the context: another one for each server, so
    /// that nothing of the one before is taken for its own.
    var window: UInt32 = 0
    /// Its window that messages go to; 0 before it has named it.
    var acceptor: UInt32 = 0
    /// Whether it has been asked for that window.
    var isAsked = false
    var arrivals: [Arrival] = []
    /// What has been read of properties beyond a message.
    var rests: [UInt32: [UInt8]] = [:]
  }

  /// When a server that says nothing is reminded, in milliseconds since the time before.
  ///
  /// Fcitx 5 overlooks an event that libxcb reads during a request of Fcitx's own, until the next event comes.
  private static let reminders = [100, 200, 400, 800, 1600, 3200]
  /// As many as Xlib has.
  private static let propertyCount = 21
  /// What fits into a client message (XIM 1.0, "X Transport Layer").
  private static let shortest = 20
  /// The most that a message can have, in units of four: its header counts so many.
  private static let longest: UInt32 = 1 + UInt32(UInt16.max)
  /// A flood of events must not keep the loop waiting.
  private static let longestBatch = 1000
  /// More messages than any server sends until the first of them is read.
  private static let mostWaiting = 1000
  /// More properties than any server has messages in at a time.
  private static let mostRests = 100

  private let connection: Connection
  private var extensions: Extensions
  private let name: String
  private weak var host: (any SystemHost)?
  private let handle: @MainActor (Event) -> Void
  private var reading: LoopRegistration?
  private var continues = false
  private var atoms = Atoms()
  private(set) var map: KeyboardMap?
  private var peer = Peer()
  private var sent = 0
  private var reminder: DeadlineID?

  /// Connects to the display, and looks for the server.
  /// - Parameters:
  ///   - server: The server.
  ///   - host: The loop.
  ///   - handle: Called with what happens.
  /// - Throws: `PlatformError` where the display cannot be connected to.
  init(
    _ server: InputMethodServer, host: any SystemHost, _ handle: @escaping @MainActor (Event) -> Void
  ) throws(PlatformError) {
    connection = try Connection(display: server.display.isEmpty ? nil : server.display)
    extensions = Extensions(connection)
    name = server.name
    self.host = host
    self.handle = handle
    reading = LoopRegistration(connection.fileDescriptor, host: host) { [weak self] _ in self?.read() }
    begin()
    read()
  }

  var root: UInt32 { connection.screen.root }
  var window: UInt32 { peer.window }

  /// Asks for the map by which keys of the server's own have symbols; for the newest one from then on.
  func loadMap() { connection.keyboardMap { [weak self] in self?.map = KeyboardMap(core: $0) } }

  // MARK: The server

  private func begin() {
    extensions.prefetch([.fixes])
    connection.internAtom("@server=\(name)") { [weak self] in self?.atoms.selection = $0 }
    connection.internAtom("TRANSPORT") { [weak self] in self?.atoms.transport = $0 }
    connection.internAtom("_XIM_XCONNECT") { [weak self] in self?.atoms.connect = $0 }
    connection.internAtom("_XIM_PROTOCOL") { [weak self] in self?.atoms.message = $0 }
    for number in 0..<Self.propertyCount {
      connection.internAtom("_client\(number)") { [weak self] in self?.atoms.properties.append($0) }
    }
    connection.whenDone { [weak self] in self?.follow() }
  }

  private func follow() {
    extensions.load([.fixes])
    connection.decoder = EventDecoder(firstFixesEvent: extensions.firstEvent(.fixes))
    if extensions.has(.fixes) {
      connection.whenReplied(extensions.send(.fixesQueryVersion)) { _ in }
      extensions.send(.fixesSelectSelectionInput(window: root, selection: atoms.selection))
    }
    connection.selectionOwner(atoms.selection) { [weak self] in self?.ownerChanged($0 ?? 0) }
  }

  private func ownerChanged(_ new: UInt32) {
    guard new != peer.owner else { return }
    hangUp()
    peer.owner = new
    guard new != 0 else { return }
    peer.window = connection.makeID()
    connection.createPropertyWindow(peer.window, WindowAttributes(eventMask: 0))
    // Its ways of transport (XIM 1.0, section 3).
    connection.convertSelection(atoms.selection, to: atoms.transport, atoms.transport, of: peer.window)
    awaitAnswer()
  }

  /// Ends the conversation: the same owner of the selection is not asked again.
  private func hangUp() {
    let old = peer
    endReminders()
    peer = Peer()
    peer.owner = old.owner
    if old.window != 0 { connection.destroyWindow(old.window) }
    if old.acceptor != 0 { handle(.disconnected) }
  }

  private func transportsAreKnown() {
    let (owner, window) = (peer.owner, peer.window)
    connection.property(window, atoms.transport, limit: 1024, deletes: true) { [weak self] value in
      guard let self, window == peer.window, let text = value?.text, Self.names(inAddress: text).contains("X/") else {
        return
      }
      peer.isAsked = true
      // Version 0.0: short messages in events, others in properties.
      connection.sendMessage(atoms.connect, about: owner, [window, 0, 0, 0, 0] as [UInt32], to: owner, mask: 0)
      awaitAnswer()
    }
  }

  /// The transports of `@transport=X/,tcp/host:port`.
  private static func names(inAddress text: String) -> [Substring] {
    let category = "@transport="
    return text.hasPrefix(category) ? text.dropFirst(category.count).split(separator: ",") : []
  }

  // MARK: In

  private func read() {
    var count = 0
    repeat {
      while count < Self.longestBatch, let event = connection.nextEvent() {
        count += 1
        receive(event)
      }
      while connection.handleReplies() {}
      connection.flush()
      // A write may have read.
    } while count < Self.longestBatch && connection.hasQueued()
    if connection.isLost {
      reading = nil
      hangUp()
    } else if count >= Self.longestBatch {
      readLater()
    }
  }

  /// Reads what libxcb has read already, which makes no descriptor ready.
  private func readLater() {
    guard !continues else { return }
    continues = true
    host?.after(milliseconds: 0) { [weak self] in
      self?.continues = false
      self?.read()
    }
  }

  private func receive(_ event: XEvent) {
    switch event {
    case .selectionOwner(let selection, let owner) where selection == atoms.selection: ownerChanged(owner)
    case .selectionNotified(let requestor, let property) where requestor == peer.window && property != 0:
      transportsAreKnown()
    case .message(let target, let type, let words) where target == peer.window:
      if type == atoms.connect, peer.isAsked, words[0] != 0 {
        (peer.acceptor, peer.isAsked) = (words[0], false)
        endReminders()
        handle(.connected)
      } else if type == atoms.message, peer.acceptor != 0 {
        arrive(.property(words[1], size: Int(words[0])))
      }
    case .bytes(let target, let type, let bytes)
    where target == peer.window && type == atoms.message && peer.acceptor != 0:
      arrive(.bytes(bytes))
    case .keyboardMapping: if map != nil { loadMap() }
    case .failed(let error): if let message = connection.message(for: error) { host?.log(message) }
    default: break
    }
  }

  /// Messages are handled in order, although the text of some has to be asked for.
  private func arrive(_ arrival: Arrival) {
    guard peer.arrivals.count < Self.mostWaiting else {
      // Without one of them nothing is known of the others. The server is used again when it has been started again.
      host?.log("The server of input methods \"\(name)\" is not used any more: it sends more than can be read.")
      return hangUp()
    }
    peer.arrivals.append(arrival)
    if peer.arrivals.count == 1 { handleFirst() }
  }

  private func handleFirst() {
    while let first = peer.arrivals.first {
      switch first {
      case .bytes(let bytes): finishFirst(bytes)
      case .property(let property, let size):
        guard peer.rests[property, default: []].count >= size else { return read(property, size) }
        finishFirst(take(size, from: property))
      }
    }
  }

  private func finishFirst(_ bytes: [UInt8]) {
    peer.arrivals.removeFirst()
    handle(.message(bytes))
  }

  private func read(_ property: UInt32, _ size: Int) {
    let window = peer.window
    connection.property(window, property, limit: Self.longest, deletes: true) { [weak self] value in
      guard let self, window == peer.window, !peer.arrivals.isEmpty else { return }
      // One that is longer is not deleted by being read.
      if value?.isWhole == false { forget(property) }
      if peer.rests.count < Self.mostRests { peer.rests[property, default: []] += value?.bytes ?? [] }
      finishFirst(take(size, from: property))
      handleFirst()
    }
  }

  /// Takes the first message of what has been read of a property; nothing where that is none of this size.
  private func take(_ size: Int, from property: UInt32) -> [UInt8] {
    let all = peer.rests.removeValue(forKey: property) ?? []
    let message = Array(all.prefix(size))
    guard XIMMessage.isWhole(message) else {
      // Nobody knows where the next one begins.
      forget(property)
      return []
    }
    if all.count > size { peer.rests[property] = Array(all[size...]) }
    return message
  }

  private func forget(_ property: UInt32) {
    peer.rests[property] = nil
    connection.deleteProperty(peer.window, property)
  }

  // MARK: Out

  func send(_ messages: [[UInt8]]) {
    guard peer.acceptor != 0, !messages.isEmpty else { return }
    for message in messages { send(message) }
    connection.flush()
    // The write may have read.
    if connection.hasQueued() { readLater() }
  }

  /// Reminds the server a few times, until ``endReminders()``.
  func awaitAnswer() {
    endReminders()
    remind(after: Self.reminders[...])
  }

  private func remind(after delays: ArraySlice<Int>) {
    reminder = delays.first.flatMap { delay in
      host?.after(milliseconds: delay) { [weak self] in
        guard let self else { return }
        // It means nothing to any server.
        connection.sendMessage(atoms.selection, about: peer.owner, [0] as [UInt32], to: peer.owner, mask: 0)
        connection.flush()
        remind(after: delays.dropFirst())
      }
    }
  }

  func endReminders() { if let id = reminder.take() { host?.cancel(id) } }

  private func send(_ message: [UInt8]) {
    guard message.count > Self.shortest else {
      let bytes = message + Array(repeating: 0, count: Self.shortest - message.count)
      return connection.sendMessage(atoms.message, about: peer.acceptor, bytes, to: peer.acceptor, mask: 0)
    }
    guard !atoms.properties.isEmpty else { return }
    sent += 1
    let property = atoms.properties[sent % atoms.properties.count]
    connection.changeProperty(
      peer.acceptor, property, type: PredefinedAtom.string, message, mode: XCB_PROP_MODE_APPEND, .ignore)
    connection.sendMessage(
      atoms.message, about: peer.acceptor, [UInt32(message.count), property, 0, 0, 0] as [UInt32], to: peer.acceptor,
      mask: 0)
  }
}
