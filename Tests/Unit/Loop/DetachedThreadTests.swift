import Glibc
import Testing

@testable import ProsceniumLoop

/// The signals that threads of the framework, and the program's code on them, receive.
@MainActor @Suite("Threads beside the main one") struct DetachedThreadTests {
  private nonisolated static let faults: Set<Int32> = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

  /// The signals that the thread does not receive.
  private nonisolated static var blocked: Set<Int32> {
    var set = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &set)
    return Set((Int32(1)..<32).filter { sigismember(&set, $0) == 1 })
  }

  @Test("The program's code beside the main thread receives the signals that its own threads receive")
  func beside() async {
    let own = Self.blocked
    let blocked = await runBesideMainThread { Self.blocked }
    #expect(blocked == own)
  }

  @Test("A thread of the framework receives no signal but that of its own fault")
  func own() async {
    let before = Self.blocked
    let blocked: Set<Int32> = await withMainActorContinuation { continuation in
      #expect(DetachedThread.run { continuation.resume(returning: Self.blocked) })
      #expect(Self.blocked == before)
    }
    let expected = Set(Int32(1)..<32).subtracting(Self.faults).subtracting([SIGKILL, SIGSTOP])
    #expect(blocked == expected)
  }
}
