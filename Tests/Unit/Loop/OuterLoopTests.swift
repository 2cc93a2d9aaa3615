import Glibc
import Testing

@testable import ProsceniumLoop

@MainActor @Suite("The descriptor for the loops of other libraries") struct OuterLoopTests {
  /// Notes what the loop calls.
  private final class Client: EventLoopClient {
    var calls: [String] = []
    var hasWork = false
    var hasIdleWork = false
    func loopWillWait() {
      calls.append("wait")
      onWait?()
    }
    func loopDidWake() { calls.append("wake") }
    var onDeadline: (() -> Void)?
    var onWait: (() -> Void)?
    func deadlinePassed(_ name: LoopDeadline) {
      calls.append("deadline \(name.purpose)")
      onDeadline?()
    }
    func performIdleWork() {
      hasIdleWork = false
      calls.append("idle")
    }
  }

  private let client = Client()
  private let loop = EventLoop(hosting: .guest)
  private let descriptor: Int32

  init() throws {
    loop.client = client
    descriptor = try loop.attach(drainsMainQueue: false)
    #expect(client.calls == ["wait"] && !Self.isReadable(descriptor))
  }

  /// Whether a descriptor is readable, at the latest after some milliseconds.
  private static func isReadable(_ descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waited, 1, milliseconds) == 1
  }

  private func turn() -> [String] {
    client.calls = []
    loop.turn()
    return client.calls
  }

  @Test("A loop that has ended before its first turn asks for one, which tells")
  func endedAtOnce() throws {
    for isEndedBefore in [true, false] {
      let (client, loop) = (Client(), EventLoop(hosting: .guest))
      loop.client = client
      if isEndedBefore { loop.quit(3) } else { client.onWait = { loop.quit(3) } }
      let descriptor = try loop.attach(drainsMainQueue: false)
      #expect(Self.isReadable(descriptor))
      loop.turn()
      #expect(loop.status == 3 && !Self.isReadable(descriptor))
    }
  }

  @Test("A source that is ready makes it readable, and is handled in a turn")
  func sources() throws {
    let pipe = try #require(SelfPipe())
    var count = 0
    let id = loop.watch(LoopSource(descriptor: pipe.readEnd, interest: .readable) { _ in count += pipe.drain().count })
    // Added outside of a turn: known from the next one on.
    loop.requestTurn()
    #expect(Self.isReadable(descriptor) && turn() == ["wake", "wait"] && !Self.isReadable(descriptor))
    pipe.wake()
    #expect(Self.isReadable(descriptor) && turn() == ["wake", "wait"] && count == 1 && !Self.isReadable(descriptor))
    // Another source of the same number, which the kernel has forgotten with the first one.
    loop.unwatch(id)
    pipe.wake()
    #expect(turn() == ["wake", "wait"] && count == 1 && !Self.isReadable(descriptor))
  }

  @Test("A descriptor that is closed and opened again under its number is waited for")
  func reuse() throws {
    var handled = 0
    func watch(_ number: Int32) -> LoopSourceID {
      loop.watch(LoopSource(descriptor: number, interest: .readable) { _ in handled += 1 })
    }
    var first: [Int32] = [-1, -1]
    var second: [Int32] = [-1, -1]
    #expect(pipe(&first) == 0)
    let id = watch(first[0])
    _ = turn()
    loop.unwatch(id)
    #expect(pipe(&second) == 0)
    // Closes the first one's and opens it again under its number, in one step: no other thread gets that in between.
    #expect(dup2(second[0], first[0]) == first[0])
    _ = watch(first[0])
    _ = turn()
    var byte: UInt8 = 1
    #expect(write(second[1], &byte, 1) == 1)
    #expect(Self.isReadable(descriptor))
    _ = turn()
    #expect(handled == 1)
    for number in [first[0], first[1], second[0], second[1]] { close(number) }
  }

  @Test("A descriptor that is closed while another process has it makes it readable no more")
  func inherited() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let id = loop.watch(LoopSource(descriptor: ends[0], interest: .readable) { _ in })
    _ = turn()
    // As a process that was forked has it.
    let copy = dup(ends[0])
    loop.unwatch(id)
    close(ends[0])
    var byte: UInt8 = 1
    #expect(write(ends[1], &byte, 1) == 1)
    _ = turn()
    #expect(!Self.isReadable(descriptor))
    for number in [copy, ends[1]] { close(number) }
  }

  @Test("A descriptor of two sources is waited for as long as one of them is there")
  func shared() throws {
    let pipe = try #require(SelfPipe())
    let ids = [LoopSource.Interest.readable, .urgent].map {
      loop.watch(LoopSource(descriptor: pipe.readEnd, interest: $0) { _ in })
    }
    _ = turn()
    pipe.wake()
    loop.unwatch(ids[1])
    #expect(Self.isReadable(descriptor))
    loop.unwatch(ids[0])
    #expect(!Self.isReadable(descriptor))
  }

  @Test("A deadline, work and idle work make it readable, and each is done in a turn")
  func deadlines() {
    loop.set(LoopDeadline(purpose: 1, subject: 0), after: .milliseconds(20))
    loop.set(LoopDeadline(purpose: 2, subject: 0), after: .seconds(1000))
    loop.requestTurn()
    _ = turn()
    #expect(loop.nextTurn != nil && Self.isReadable(descriptor, within: -1))
    #expect(turn() == ["wake", "deadline 1", "wait"] && !Self.isReadable(descriptor))
    client.hasIdleWork = true
    loop.requestTurn()
    #expect(Self.isReadable(descriptor) && turn() == ["idle", "wait"] && !Self.isReadable(descriptor))
    client.hasWork = true
    _ = turn()
    #expect(Self.isReadable(descriptor) && loop.nextTurn == .zero)
    client.hasWork = false
    _ = turn()
    #expect(!Self.isReadable(descriptor))
  }

  @Test("Within a turn it turns no more, and is not readable; another thread's wake-up comes after it")
  func nested() throws {
    let pipe = try #require(SelfPipe())
    var depth = 0
    _ = loop.watch(
      LoopSource(descriptor: pipe.readEnd, interest: .readable) { [unowned loop, descriptor] _ in
        depth += 1
        // A dialog's own loop, within a callback.
        #expect(depth == 1 && Self.isReadable(descriptor))
        loop.turn()
        #expect(!Self.isReadable(descriptor))
        _ = pipe.drain()
        loop.wake()
        #expect(!Self.isReadable(descriptor))
        depth -= 1
      })
    _ = turn()
    pipe.wake()
    _ = turn()
    #expect(depth == 0 && Self.isReadable(descriptor))
    _ = turn()
    #expect(!Self.isReadable(descriptor))
  }

  @Test("A loop that has quit has a status, and is due no more")
  func quit() throws {
    #expect(loop.status == nil)
    loop.quit(3)
    // Whoever waits hears of it.
    #expect(Self.isReadable(descriptor))
    _ = turn()
    loop.wake()
    loop.requestTurn()
    #expect(loop.status == 3 && !Self.isReadable(descriptor) && turn() == [])
  }

  @Test("The loop waits in another library's, and not while it is suspended")
  func companion() throws {
    let loop = EventLoop(hosting: .guest)
    loop.client = client
    let other = Companion()
    try loop.wait(in: other)
    loop.set(LoopDeadline(purpose: 1, subject: 0), after: .milliseconds(1))
    other.steps = [
      { _ in loop.suspend { _ in false } },
      { _ in
        #expect(!loop.isSuspended)
        loop.quit(5)
      },
    ]
    client.calls = []
    // Its own way meanwhile: the deadline, in which it goes on. A loop within it does not turn.
    client.onDeadline = { [unowned client, unowned loop] in
      let count = client.calls.count
      loop.turn()
      #expect(client.calls.count == count)
      loop.resume()
    }
    #expect(throws: Errno.self) { try loop.wait(in: other) }
    #expect(loop.run() == 5 && other.steps.isEmpty && client.calls.contains("deadline 1"))
  }

  private final class Companion: OuterLoop {
    var steps: [@MainActor (@MainActor () -> Void) -> Void] = []
    private var turn: (@MainActor () -> Void)?
    var runsMainQueue: Bool { true }
    func begin(_ descriptor: Int32, _ turn: @escaping @MainActor () -> Void) { self.turn = turn }
    func iterate() { if let turn { steps.removeFirst()(turn) } }
    func end(status: Int32) {}
  }
}
