import Glibc
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// Work on other threads.
@Suite("The execution gate", .timeLimit(.minutes(30))) struct ExecutionGateTests {
  @Test("An open gate stops no caller; at a closed one all wait until it opens, on threads and in tasks")
  func waiting() async {
    let gate = ExecutionGate()
    await gate.wait()
    #expect(gate.isOpen)
    gate.close()
    #expect(!gate.isOpen)
    let (stream, passed) = AsyncStream.makeStream(of: String.self)
    for _ in 0..<4 {
      Task {
        await gate.wait()
        passed.yield("task")
      }
      var thread: pthread_t = 0
      let work = Unmanaged.passRetained(Work(gate: gate, passed: passed))
      pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, work.toOpaque())
      pthread_detach(thread)
    }
    // All are at the gate, and none is through.
    while gate.waiting < 8 { await Task.yield() }
    gate.open()
    var counts: [String: Int] = [:]
    for await who in stream {
      counts[who, default: 0] += 1
      if counts.values.reduce(0, +) == 8 { break }
    }
    #expect(counts == ["task": 4, "thread": 4])
    #expect(gate.waiting == 0)
  }

  @Test("A task that is cancelled, before or while it waits, waits no longer")
  func cancellation() async {
    let gate = ExecutionGate()
    gate.close()
    let waiting = Task { await gate.wait() }
    while gate.waiting < 1 { await Task.yield() }
    waiting.cancel()
    await waiting.value
    #expect(gate.waiting == 0 && !gate.isOpen)
    for _ in 0..<1000 {
      let task = Task { await gate.wait() }
      task.cancel()
      await task.value
    }
    #expect(gate.waiting == 0)
  }

  private final class Work: Sendable {
    let gate: ExecutionGate
    let passed: AsyncStream<String>.Continuation
    init(gate: ExecutionGate, passed: AsyncStream<String>.Continuation) {
      self.gate = gate
      self.passed = passed
    }
    func run() {
      gate.wait()
      passed.yield("thread")
    }
  }
}
