import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// One connection as the library has it: opened, read, written, closed; the only one that has its pointers.
@MainActor final class BusSocket {
  /// More of them in one turn of the loop would keep everything else waiting.
  private static let mostInATurn = 64

  private let library: BusLibrary
  private let bus: BusLibrary.Pointer
  private weak var host: (any SystemHost)?
  private var readID: LoopSourceID?
  private var writeID: LoopSourceID?
  private var isProcessing = false
  private var goesOn = false
  private var isClosed = false
  /// Answers whether the message has been handled; what has not the library answers.
  private let onMessage: (BusMessage, BusCall) -> Bool
  private let onLoss: (_ error: Int32) -> Void

  /// Connects, without waiting for the bus to answer.
  /// - Throws: The number of the error.
  init(
    _ library: BusLibrary, address: String, host: any SystemHost,
    onMessage: @escaping (BusMessage, BusCall) -> Bool, onLoss: @escaping (_ error: Int32) -> Void
  ) throws(BusError) {
    var made: BusLibrary.Pointer?
    let result = library.make(&made)
    guard result >= 0, let bus = made else { throw BusError(number: -result) }
    for step in [{ library.setAddress(bus, address) }, { library.setIsClient(bus, 1) }, { library.start(bus) }] {
      let result = step()
      guard result >= 0 else {
        _ = library.unref(bus)
        throw BusError(number: -result)
      }
    }
    self.library = library
    self.bus = bus
    self.host = host
    self.onMessage = onMessage
    self.onLoss = onLoss
    let own = Unmanaged.passUnretained(self).toOpaque()
    // Not more than a call of ours while the library works, so nothing is freed under its feet.
    let added = library.addFilter(
      bus, nil,
      { message, own, _ in
        guard let message, let own else { return 0 }
        let (socket, address) = (Unmanaged<BusSocket>.fromOpaque(own), UInt(bitPattern: message))
        return MainActor.assumeIsolated { socket.takeUnretainedValue().receive(address) }
      }, own)
    guard added >= 0 else {
      close()
      throw BusError(number: -added)
    }
    readID = host.watch(
      LoopSource(descriptor: library.descriptor(bus), interest: .readable) { [weak self] _ in self?.process() })
    watchForRoom()
  }

  isolated deinit { close() }

  /// Closes the connection; nothing is heard of it any more.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for id in [readID, writeID].compactMap(\.self) { host?.unwatch(id) }
    (readID, writeID) = (nil, nil)
    // From within a message the connection is closed once the library has returned.
    if !isProcessing { free() }
  }

  private func free() {
    library.close(bus)
    _ = library.unref(bus)
  }

  // MARK: In

  private func process() {
    guard !isProcessing, !isClosed else { return }
    isProcessing = true
    var result: Int32 = 1
    for _ in 0..<Self.mostInATurn where result > 0 && !isClosed { result = library.process(bus, nil) }
    isProcessing = false
    if isClosed { return free() }
    if result < 0 {
      close()
      return onLoss(-result)
    }
    if result > 0 { goOnLater() }
    watchForRoom()
  }

  /// What has been read and not handled makes no descriptor ready.
  private func goOnLater() {
    guard !goesOn else { return }
    goesOn = true
    host?.after(milliseconds: 0) { [weak self] in
      self?.goesOn = false
      self?.process()
    }
  }

  private func receive(_ address: UInt) -> Int32 {
    guard let message = BusLibrary.Pointer(bitPattern: address), !isClosed else { return 0 }
    return onMessage(read(message), BusCall(message)) ? 1 : 0
  }

  private func read(_ message: BusLibrary.Pointer) -> BusMessage {
    var type: UInt8 = 0
    var cookie: UInt64 = 0
    _ = library.type(message, &type)
    _ = library.replyCookie(message, &cookie)
    let kind: BusMessage.Kind =
      switch type {
      case 1: .call
      case 2: .reply
      case 3: .error(failure(of: message))
      case _: .signal
      }
    let member = BusMember(
      path: text(library.path(message)), interface: text(library.interface(message)),
      name: text(library.member(message)))
    return BusMessage(
      kind: kind, sender: text(library.sender(message)), member: member, replyCookie: cookie,
      body: body(of: message))
  }

  private func body(of message: BusLibrary.Pointer) -> BusBody {
    let kept = KeptMessage(library, message)
    return BusBody { [library] in BusReader.values(of: kept.message, library) }
  }

  private func failure(of message: BusLibrary.Pointer) -> BusFailure {
    guard let record = library.error(message)?.load(as: BusErrorRecord.self) else { return .badAnswer }
    return BusFailure(name: text(record.name), message: text(record.message))
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

  /// See ``BusPeer/isOwnUsers(alone:)``.
  var isOwnUsersAlone: Bool { !isClosed && BusPeer.isOwnUsers(alone: library.descriptor(bus)) }

  // MARK: Out

  /// Sends a call.
  ///
  /// Nil where it cannot be sent; else the number that its answer will name.
  func call(_ destination: String, _ member: BusMember, _ values: [BusValue]) -> UInt64? {
    var message: BusLibrary.Pointer?
    let result = library.makeCall(bus, &message, destination, member.path, member.interface, member.name)
    guard result >= 0, let message else { return nil }
    return send(message, values)
  }

  /// Sends a signal; false where it cannot be sent.
  func emit(_ member: BusMember, _ values: [BusValue]) -> Bool {
    var message: BusLibrary.Pointer?
    let result = library.makeSignal(bus, &message, member.path, member.interface, member.name)
    guard result >= 0, let message else { return false }
    return send(message, values) != nil
  }

  /// The reply to a call that is answered once its handler has returned.
  func reply(to call: BusCall) -> BusReply {
    let kept = KeptMessage(library, call.message)
    return BusReply { [weak self] in self?.answer(BusCall(kept.message), $0) }
  }

  /// Answers a call.
  func answer(_ call: BusCall, _ result: Result<[BusValue], BusFailure>) {
    var message: BusLibrary.Pointer?
    switch result {
    case .success(let values):
      guard library.makeReturn(call.message, &message) >= 0, let message else { return }
      _ = send(message, values)
    case .failure(let failure):
      let made = failure.name.withCString { name in
        failure.message.withCString { text in
          withUnsafePointer(to: BusErrorRecord(name: name, message: text)) {
            library.makeError(call.message, &message, $0)
          }
        }
      }
      guard made >= 0, let message else { return }
      _ = send(message, [])
    }
  }

  private func send(_ message: BusLibrary.Pointer, _ values: [BusValue]) -> UInt64? {
    defer { _ = library.unrefMessage(message) }
    var cookie: UInt64 = 0
    guard !isClosed, BusWriter(library: library, message: message).append(values),
      library.send(bus, message, &cookie) >= 0
    else { return nil }
    watchForRoom()
    return cookie
  }

  /// What could not be written yet is, as soon as there is room.
  private func watchForRoom() {
    guard !isClosed else { return }
    let waits = library.events(bus) & Int32(POLLOUT) != 0
    if waits, writeID == nil {
      writeID = host?.watch(
        LoopSource(descriptor: library.descriptor(bus), interest: .writable) { [weak self] _ in self?.process() })
    } else if !waits, let id = writeID {
      host?.unwatch(id)
      writeID = nil
    }
  }
}

/// A call that is being handled: valid until its handler returns.
struct BusCall {
  fileprivate let message: BusLibrary.Pointer
  fileprivate init(_ message: BusLibrary.Pointer) { self.message = message }
}

/// Keeps a message beyond its handler.
@MainActor private final class KeptMessage {
  let message: BusLibrary.Pointer
  private let library: BusLibrary

  init(_ library: BusLibrary, _ message: BusLibrary.Pointer) {
    self.library = library
    self.message = message
    _ = library.refMessage(message)
  }

  isolated deinit { _ = library.unrefMessage(message) }
}

/// The number of an error, as `errno` has it.
struct BusError: Error, CustomStringConvertible {
  var number: Int32
  var description: String { String(cString: strerror(number)) }
}
