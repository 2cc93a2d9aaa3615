/// One client of a proxy: what was read from each side and waits to be written to the other.
struct XProxyLink {
  struct Chunk {
    var bytes: [UInt8]
    var due: ContinuousClock.Instant
  }

  let client: Int32
  let server: Int32
  var toServer: [Chunk] = []
  var toClient: [Chunk] = []
  var clientHasClosed = false
  var serverHasClosed = false
  private var requests = XStream(.fromClient)
  private var replies = XStream(.fromServer)
  private var sequence: UInt16 = 0
  private var queries: [UInt16: String] = [:]
  private let start = ContinuousClock.now

  init(client: Int32, server: Int32) {
    self.client = client
    self.server = server
  }

  /// Takes bytes from the client and counts the requests in them.
  mutating func fromClient(_ bytes: ArraySlice<UInt8>, delay: Duration, counts: inout XProxy.Counts) {
    let now = ContinuousClock.now
    for (message, isSetup) in requests.cut(bytes) where !isSetup {
      sequence &+= 1
      let opcode = message[0]
      counts.requests += 1
      counts.byOpcode[opcode, default: 0] += 1
      counts.lastAt[opcode] = now - start
      counts.requestsAtLast[opcode] = counts.requests
      // QueryExtension: remember the name until the reply comes.
      if opcode == 98, message.count >= 8 {
        let length = Int(message[4]) | Int(message[5]) << 8
        queries[sequence] = String(decoding: message.dropFirst(8).prefix(length), as: UTF8.self)
      }
    }
    toServer.append(Chunk(bytes: Array(bytes), due: now + delay))
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

  /// Nothing goes either way any more.
  mutating func cut() {
    toServer = []
    toClient = []
    clientHasClosed = true
    serverHasClosed = true
  }

  /// Takes bytes from the server, and tells the client that hidden extensions are not there.
  mutating func fromServer(
    _ bytes: ArraySlice<UInt8>, delay: Duration, hidden: Set<String>, counts: inout XProxy.Counts
  ) {
    let due = ContinuousClock.now + delay
    for (message, isSetup) in replies.cut(bytes) {
      var message = message
      if isSetup, hidden.contains(XProxy.trueColor) { Self.hideTrueColor(in: &message) }
      if !isSetup, message[0] == 1 {
        let answered = UInt16(message[2]) | UInt16(message[3]) << 8
        counts.replies += 1
        if let name = queries.removeValue(forKey: answered), hidden.contains(name) {
          // present, major opcode, first event, first error (X protocol, QueryExtension).
          message.replaceSubrange(8..<12, with: [0, 0, 0, 0])
          counts.hidden.insert(name)
        }
      }
      toClient.append(Chunk(bytes: message, due: due))
    }
  }
}
