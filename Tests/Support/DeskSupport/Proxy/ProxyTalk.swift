/// What a proxy understands of one connection.
///
/// Where a message ends is known, so that something can be put between two of them.
protocol ProxyTalk {
  /// Takes what the client wrote and answers what goes on to the server; nil where the connection is to end here.
  mutating func fromClient(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]?
  /// Takes what the server wrote and answers what goes on to the client.
  mutating func fromServer(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]
  /// What is put between the server's messages; nil where the connection is not that far yet.
  mutating func said(_ message: ProxyMessage) -> [UInt8]?
}

/// What a proxy says to a client by itself.
struct ProxyMessage: Sendable {
  var bytes: [UInt8]
  /// Which request it is about, where the protocol counts them.
  var sequence = XSequence.lastSaid
}

/// What a message of an X server says about which request it belongs to.
package enum XSequence: Hashable, Sendable {
  /// What the server's last message said: never wrong.
  case lastSaid
  /// That many requests after the last one that has come, or before it: so far it has no answer, or all have one.
  case fromLastRequest(Int)
  case exactly(UInt16)
}

/// One client of a proxy.
struct ProxyLink {
  let client: Int32
  let server: Int32
  var toServer: ProxyQueue
  var toClient: ProxyQueue
  var clientHasClosed = false
  var serverHasClosed = false
  private var talk: any ProxyTalk

  init(client: Int32, server: Int32, talk: any ProxyTalk, faults: Faults) {
    self.client = client
    self.server = server
    self.talk = talk
    toServer = ProxyQueue(faults, .toServer)
    toClient = ProxyQueue(faults, .toClient)
  }

  var isOver: Bool {
    (clientHasClosed && toServer.isEmpty) || (serverHasClosed && toClient.isEmpty)
      || (clientHasClosed && serverHasClosed) || toServer.isOver || toClient.isOver
  }

  mutating func fromClient(_ bytes: ArraySlice<UInt8>) {
    guard let messages = talk.fromClient(bytes) else { return cut() }
    for message in messages { toServer.append(message) }
  }

  mutating func fromServer(_ bytes: ArraySlice<UInt8>) {
    for message in talk.fromServer(bytes) { toClient.append(message) }
  }

  mutating func say(_ message: ProxyMessage) {
    if let bytes = talk.said(message) { toClient.append(bytes) }
  }

  /// Nothing goes either way any more.
  mutating func cut() {
    toServer.removeAll()
    toClient.removeAll()
    clientHasClosed = true
    serverHasClosed = true
  }
}
