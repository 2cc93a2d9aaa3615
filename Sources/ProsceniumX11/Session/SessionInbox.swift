import SceneLifecycle
import Synchronization

/// What libSM's callbacks have heard, until the main thread takes it.
final class SessionInbox: Sendable {
  private let inputs = Mutex<[SessionManagerMachine.Input]>([])

  func put(_ input: SessionManagerMachine.Input) { inputs.withLock { $0.append(input) } }

  func take() -> [SessionManagerMachine.Input] {
    inputs.withLock { inputs in
      defer { inputs = [] }
      return inputs
    }
  }
}

/// The requests that the session manager has refused, by their opcodes.
///
/// For the whole process: libSM's error handlers get no pointer of ours. There is one session manager at most.
enum SessionRefusals {
  private static let opcodes = Mutex<[Int32]>([])

  static func note(_ opcode: Int32) { opcodes.withLock { if $0.count < 16 { $0.append(opcode) } } }

  static func take() -> [Int32] {
    opcodes.withLock { opcodes in
      defer { opcodes = [] }
      return opcodes
    }
  }
}

/// What came of the attempt to reach the session manager, from its thread to the main thread.
final class SessionBox: Sendable {
  enum Outcome: Sendable {
    case connected(SessionConnection)
    case failed(String)
  }
  private let outcome = Mutex<Outcome?>(nil)

  func put(_ new: Outcome) { outcome.withLock { $0 = new } }

  func take() -> Outcome? {
    outcome.withLock { outcome in
      defer { outcome = nil }
      return outcome
    }
  }
}
