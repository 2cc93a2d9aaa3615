import Synchronization

/// One client's connection to an X server through a proxy.
struct XTalk: ProxyTalk {
  /// A core request that does not exist: whatever its length, the server answers BadRequest, in its turn.
  private static let noRequest: UInt8 = 120

  private let shared: XProxy.Shared
  private var faults: XFaults { shared.faults }
  private var requests = XStream(.fromClient)
  private var replies = XStream(.fromServer)
  private var count = 0
  private var byOpcode: [UInt8: Int] = [:]
  private var messages = 0
  private var isSetUp = false
  private var lastSaid: UInt16 = 0
  private var queries: [UInt16: String] = [:]
  /// The requests that are being refused: their opcodes, and with what error.
  private var refusals: [UInt16: (major: UInt8, minor: UInt8, error: UInt8)] = [:]
  private let start = ContinuousClock.now

  init(_ shared: XProxy.Shared) { self.shared = shared }

  private var sequence: UInt16 { UInt16(truncatingIfNeeded: count) }

  // MARK: Requests

  mutating func fromClient(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
    shared.counts.withLock { $0.bytes.toServer += bytes.count }
    let opcode = shared.cutAt.withLock { $0 }
    var result: [[UInt8]] = []
    for (message, isSetup) in requests.cut(bytes) {
      guard !isSetup else {
        result.append(faults.cookie.map { Self.setup(message, with: $0) } ?? message)
        continue
      }
      count += 1
      byOpcode[message[0], default: 0] += 1
      shared.counts.withLock { note(message, &$0) }
      if message[0] == opcode || count == faults.lastRequest { return nil }
      result.append(refused(message))
    }
    return result
  }

  /// A connection setup with a cookie (X protocol, section 8).
  private static func setup(_ message: [UInt8], with cookie: [UInt8]) -> [UInt8] {
    let name = Array("MIT-MAGIC-COOKIE-1".utf8)
    func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: -bytes.count & 3) }
    let lengths: [UInt8] = [UInt8(name.count), 0, UInt8(cookie.count), 0, 0, 0]
    return Array(message[..<6]) + lengths + padded(name) + padded(cookie)
  }

  private mutating func note(_ message: [UInt8], _ counts: inout XProxy.Counts) {
    let opcode = message[0]
    counts.requests += 1
    counts.byOpcode[opcode, default: 0] += 1
    counts.lastAt[opcode] = ContinuousClock.now - start
    counts.requestsAtLast[opcode] = counts.requests
    // QueryExtension: remember the name until the reply comes.
    if opcode == 98, message.count >= 8 {
      let length = Int(message[4]) | Int(message[5]) << 8
      queries[sequence] = String(decoding: message.dropFirst(8).prefix(length), as: UTF8.self)
    }
  }

  private mutating func refused(_ message: [UInt8]) -> [UInt8] {
    let number = XFaults.Request.opcode(message[0], byOpcode[message[0], default: 0])
    guard let error = faults.refused[.number(count)] ?? faults.refused[number] else { return message }
    refusals[sequence] = (message[0], message[1], error)
    shared.counts.withLock { $0.refused.append((message[0], message[1])) }
    var message = message
    message[0] = Self.noRequest
    return message
  }

  // MARK: Replies, events and errors

  mutating func fromServer(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    shared.counts.withLock { $0.bytes.toClient += bytes.count }
    var result: [[UInt8]] = []
    for (message, isSetup) in replies.cut(bytes) {
      var message = message
      guard !isSetup else {
        isSetUp = message[0] == 1
        if faults.hidden.contains(XProxy.trueColor) { Self.hideTrueColor(in: &message) }
        result.append(message)
        continue
      }
      messages += 1
      shared.counts.withLock { $0.messages += 1 }
      if let rubbish = faults.said[messages].flatMap({ said(ProxyMessage(bytes: $0)) }) { result.append(rubbish) }
      let answered = UInt16(message[2]) | UInt16(message[3]) << 8
      // KeymapNotify has no sequence number.
      if message[0] & 0x7F != 11 { lastSaid = answered }
      if message[0] == 0 { restore(&message, answered) }
      if message[0] == 1 { hide(&message, answered) }
      result.append(message)
    }
    return result
  }

  /// Makes the answer to what was no request that to the request that it was.
  private mutating func restore(_ error: inout [UInt8], _ answered: UInt16) {
    guard error[10] == Self.noRequest, let refusal = refusals.removeValue(forKey: answered) else { return }
    // Error: code at 1, minor opcode at 8, major opcode at 10.
    error[1] = refusal.error
    // The second byte of an extension's request is its minor opcode; that of a core request is none.
    if refusal.major >= 128 { error[8] = refusal.minor }
    error[10] = refusal.major
  }

  /// Tells the client that hidden extensions are not there.
  private mutating func hide(_ reply: inout [UInt8], _ answered: UInt16) {
    shared.counts.withLock { $0.replies += 1 }
    guard let name = queries.removeValue(forKey: answered), faults.hidden.contains(name) else { return }
    // present, major opcode, first event, first error (X protocol, QueryExtension).
    reply.replaceSubrange(8..<12, with: [0, 0, 0, 0])
    shared.counts.withLock { _ = $0.hidden.insert(name) }
  }

  mutating func said(_ message: ProxyMessage) -> [UInt8]? {
    guard isSetUp, message.bytes.count >= 32 else { return nil }
    let number =
      switch message.sequence {
      case .lastSaid: lastSaid
      case .fromLastRequest(let distance): UInt16(truncatingIfNeeded: count + distance)
      case .exactly(let number): number
      }
    var bytes = message.bytes
    if bytes[0] & 0x7F != 11 {
      bytes[2] = UInt8(truncatingIfNeeded: number)
      bytes[3] = UInt8(truncatingIfNeeded: number >> 8)
    }
    return bytes
  }

  /// Makes the TrueColor visuals of a connection setup PseudoColor ones (X protocol, section 8 and appendix B).
  private static func hideTrueColor(in setup: inout [UInt8]) {
    func short(_ offset: Int) -> Int { Int(setup[offset]) | Int(setup[offset + 1]) << 8 }
    guard setup.count >= 40, setup[0] == 1 else { return }
    var place = 40 + ((short(24) + 3) & ~3) + 8 * Int(setup[29])
    for _ in 0..<setup[28] {
      let depths = setup[place + 39]
      place += 40
      for _ in 0..<depths {
        let visuals = short(place + 2)
        place += 8
        for _ in 0..<visuals {
          if setup[place + 4] == 4 { setup[place + 4] = 3 }
          place += 24
        }
      }
    }
  }
}
