import Glibc
import Testing

@testable import ProsceniumLoop

/// Bytes that another thread may have read from a loop's socket.
@MainActor @Suite("Arrivals that a loop hears of, whoever reads") final class ArrivalTests {
  private final class Client: EventLoopClient {
    var turns = 0
    var onWait: (() -> Void)?
    var onWake: (() -> Void)?
    func loopWillWait() { onWait?() }
    func loopDidWake() {
      turns += 1
      onWake?()
    }
    func deadlinePassed(_ name: LoopDeadline) { onDeadline?() }
    var onDeadline: (() -> Void)?
  }

  private let client = Client()
  private let loop = EventLoop(hosting: .guest)
  /// The loop's socket, which is none of its sources.
  private let socket: Descriptor
  private let otherEnd: Descriptor

  init() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    socket = Descriptor(owning: ends[0])
    otherEnd = Descriptor(owning: ends[1])
    loop.client = client
  }

  private func send() { try? otherEnd.write([1]) }

  @Test("A loop that waits itself turns for each of them")
  func own() throws {
    loop.watchArrivals(at: socket.number)
    loop.set(LoopDeadline(purpose: 1, subject: 0), after: .seconds(60))
    client.onDeadline = { [loop] in loop.quit(1) }
    var (sent, heard) = (0, 0)
    client.onWait = { [unowned self] in
      guard sent == heard, sent < 100 else { return }
      sent += 1
      send()
    }
    client.onWake = { [loop] in
      heard += 1
      #expect(loop.hasArrivals)
      if heard == 100 { loop.quit(0) }
    }
    #expect(loop.run() == 0)
    #expect(sent == 100 && heard == 100)
  }

  @Test("Another library's loop hears of each, whatever thread it waits on", arguments: [true, false])
  func elsewhere(isWatchedBefore: Bool) throws {
    if isWatchedBefore { loop.watchArrivals(at: socket.number) }
    let descriptor = try loop.attach(drainsMainQueue: false)
    if !isWatchedBefore { loop.watchArrivals(at: socket.number) }
    // Its thread has begun once the loop has turned.
    try turn(when: descriptor)
    for _ in 0..<20 {
      send()
      try turn(when: descriptor)
      #expect(loop.hasArrivals)
    }
  }

  /// Turns once another thread finds a descriptor readable.
  private func turn(when descriptor: Int32) throws {
    let found = Mailbox<Bool>()
    let isRunning = DetachedThread.run {
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      found.post(poll(&waited, 1, 60_000) == 1)
    }
    try #require(isRunning)
    var answers: [Bool] = []
    while answers.isEmpty {
      usleep(200)
      answers = found.removeAll()
    }
    try #require(answers == [true])
    let turns = client.turns
    loop.turn()
    #expect(client.turns == turns + 1)
  }
}
