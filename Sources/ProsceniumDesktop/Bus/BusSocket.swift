import CSystem
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// One connection of sd-bus, and the only owner of its pointers.
@MainActor final class BusSocket {
  /// The most messages of one turn of the loop: more would keep everything else waiting.
  private static let mostInATurn = 64
  /// How many times as many are heard to find an answer that is late already.
  private static let mostTurnsAtOnce = 16

  private let library: sd_bus_library
  private let bus: OpaquePointer
  private weak var host: (any SystemHost)?
  private var reading: LoopRegistration?
  private var writing: LoopRegistration?
  private var isProcessing = false
  /// Whether messages that are read already are going to be processed in the next turn.
  private var continues = false
  private var isClosed = false
  /// Handles a message; false for a call that the library is to answer.
  private let onMessage: (BusMessage) -> Bool
  private let onLoss: (Errno) -> Void

  /// Connects, without waiting for the bus to answer.
  /// - Throws: The error of sd-bus(3).
  init(
    _ library: sd_bus_library, address: String, host: any SystemHost,
    onMessage: @escaping (BusMessage) -> Bool, onLoss: @escaping (Errno) -> Void
  ) throws(Errno) {
    var made: OpaquePointer?
    let result = library.sd_bus_new(&made)
    guard result >= 0, let bus = made else { throw Errno(-result) }
    let steps = [
      { library.sd_bus_set_address(bus, address) }, { library.sd_bus_set_bus_client(bus, 1) },
      { library.sd_bus_start(bus) },
    ]
    for step in steps {
      let result = step()
      guard result >= 0 else {
        _ = library.sd_bus_unref(bus)
        throw Errno(-result)
      }
    }
    self.library = library
    self.bus = bus
    self.host = host
    self.onMessage = onMessage
    self.onLoss = onLoss
    let own = Unmanaged.passUnretained(self).toOpaque()
    // The library calls it within `sd_bus_process` alone, and the connection is freed after that: see `close()`.
    let added = library.sd_bus_add_filter(
      bus, nil,
      { message, own, _ in
        guard let message, let own else { return 0 }
        let (socket, address) = (Unmanaged<BusSocket>.fromOpaque(own), UInt(bitPattern: message))
        return MainActor.assumeIsolated { socket.takeUnretainedValue().receive(address) }
      }, own)
    guard added >= 0 else {
      close()
      throw Errno(-added)
    }
    reading = register(.readable, host)
    updateWriting()
  }

  isolated deinit { close() }

  /// Closes the connection; no handler is called any more.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    (reading, writing) = (nil, nil)
    // Closed by a handler, the connection is freed once the library has returned.
    if !isProcessing { free() }
  }

  private func free() {
    library.sd_bus_close(bus)
    _ = library.sd_bus_unref(bus)
  }

  private func register(_ interest: LoopSource.Interest, _ host: any SystemHost) -> LoopRegistration {
    LoopRegistration(library.sd_bus_get_fd(bus), for: interest, host: host) { [weak self] _ in _ = self?.process() }
  }

  /// See ``BusPeer/isOwnUsers(alone:)``.
  var isOwnUsersAlone: Bool { !isClosed && BusPeer.isOwnUsers(alone: library.sd_bus_get_fd(bus)) }

  /// See ``BusPeer/isOutside(_:)``.
  var isOutside: Bool { !isClosed && BusPeer.isOutside(library.sd_bus_get_fd(bus)) }

  // MARK: In

  /// Hears what comes on the spot while a condition holds, at most for a time.
  func hear(atMost limit: Duration, while condition: () -> Bool) {
    let end = MonotonicClock.now + limit
    while condition(), !isClosed, !isProcessing {
      let left = end - MonotonicClock.now
      guard left > .zero else { return }
      // Messages that have been read make no descriptor ready.
      if process() || isClosed || !condition() { continue }
      let events = Int16(truncatingIfNeeded: library.sd_bus_get_events(bus))
      var descriptor = pollfd(fd: library.sd_bus_get_fd(bus), events: events, revents: 0)
      poll(&descriptor, 1, Int32(left.milliseconds))
    }
  }

  /// Hears what has come already, while a condition holds.
  func catchUp(while condition: @MainActor () -> Bool) {
    for _ in 0..<Self.mostTurnsAtOnce where condition() { if !process() { return } }
  }

  /// - Returns: Whether there may be more that has been read already.
  @discardableResult
  private func process() -> Bool {
    guard !isProcessing, !isClosed else { return false }
    isProcessing = true
    var result: Int32 = 1
    for _ in 0..<Self.mostInATurn where result > 0 && !isClosed { result = library.sd_bus_process(bus, nil) }
    isProcessing = false
    if isClosed {
      free()
      return false
    }
    if result < 0 {
      close()
      onLoss(Errno(-result))
      return false
    }
    if result > 0 { continueLater() }
    updateWriting()
    return result > 0
  }

  /// Messages that have been read make no descriptor ready.
  private func continueLater() {
    guard !continues else { return }
    continues = true
    host?.after(milliseconds: 0) { [weak self] in
      self?.continues = false
      self?.process()
    }
  }

  private func receive(_ address: UInt) -> Int32 {
    guard let message = OpaquePointer(bitPattern: address), !isClosed else { return 0 }
    return onMessage(BusMessage(library, message)) ? 1 : 0
  }

  // MARK: Out

  /// Sends a call.
  /// - Returns: The number that its answer will have; nil where it cannot be sent.
  func call(_ destination: String, _ member: BusMember, _ values: [BusValue]) -> UInt64? {
    send(values) {
      library.sd_bus_message_new_method_call(bus, $0, destination, member.path, member.interface, member.name)
    }
  }

  /// Sends a call that is not answered; dropped where it cannot be sent.
  func tell(_ destination: String, _ member: BusMember, _ values: [BusValue]) {
    _ = send(values) { message in
      let made = library.sd_bus_message_new_method_call(
        bus, message, destination, member.path, member.interface, member.name)
      guard made >= 0, let call = message.pointee else { return made }
      return library.sd_bus_message_set_expect_reply(call, 0)
    }
  }

  /// Sends a signal; false where it cannot be sent.
  func emit(_ member: BusMember, _ values: [BusValue]) -> Bool {
    send(values) { library.sd_bus_message_new_signal(bus, $0, member.path, member.interface, member.name) } != nil
  }

  /// The reply to a call.
  func reply(to call: BusMessage) -> BusReply { BusReply { [weak self] in self?.answer(call, $0) } }

  private func answer(_ call: BusMessage, _ result: Result<[BusValue], BusFailure>) {
    switch result {
    case .success(let values): _ = send(values) { library.sd_bus_message_new_method_return(call.message, $0) }
    case .failure(let failure):
      _ = send([]) { message in
        failure.name.withCString { name in
          failure.message.withCString { text in
            var error = sd_bus_error(name: name, message: text, needs_free: 0)
            return library.sd_bus_message_new_method_error(call.message, message, &error)
          }
        }
      }
    }
  }

  /// Sends a message that a function of the library makes.
  private func send(
    _ values: [BusValue], _ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  ) -> UInt64? {
    var made: OpaquePointer?
    let result = make(&made)
    guard let message = made else { return nil }
    defer { _ = library.sd_bus_message_unref(message) }
    guard result >= 0 else { return nil }
    var cookie: UInt64 = 0
    guard !isClosed, BusWriter(library: library, message: message).append(values),
      library.sd_bus_send(bus, message, &cookie) >= 0
    else { return nil }
    updateWriting()
    return cookie
  }

  /// Waits for room where messages could not be written yet.
  private func updateWriting() {
    guard !isClosed else { return }
    let waits = library.sd_bus_get_events(bus) & Int32(POLLOUT) != 0
    if !waits { writing = nil } else if writing == nil { writing = host.map { register(.writable, $0) } }
  }
}

/// The functions of sd-bus (sd-bus(3)).
enum BusLibrary {
  /// The library of systemd, elogind or basu; nil where none of them is installed.
  ///
  /// Loaded by the thread that asks first.
  ///
  /// Never unloaded, because it registers functions that run at the end of each thread.
  static let shared = Library.permanent(sd_bus_open)
  /// The function for files in memory; nil where the library has none.
  static let files = Library.permanent(sd_bus_files_open)

  /// Loads the library on another thread.
  static func prepare() { _ = DetachedThread.run { _ = shared } }
}
