import SceneLifecycle
import Synchronization

/// The session manager's messages that libSM's callbacks have received, until the main thread handles them.
final class SessionInbox: Sendable {
  private let inputs = Mutex<[SessionManagerMachine.Input]>([])

  func add(_ input: SessionManagerMachine.Input) { inputs.withLock { $0.append(input) } }

  func removeAll() -> [SessionManagerMachine.Input] {
    inputs.withLock { inputs in
      defer { inputs = [] }
      return inputs
    }
  }
}

/// The opcodes of requests that the session manager has refused.
///
/// One list for the process, because libSM's error handlers get no pointer of ours; there is at most one session
/// manager.
enum SessionRefusals {
  private static let opcodes = Mutex<[Int32]>([])

  static func add(_ opcode: Int32) { opcodes.withLock { if $0.count < 16 { $0.append(opcode) } } }

  static func removeAll() -> [Int32] {
    opcodes.withLock { opcodes in
      defer { opcodes = [] }
      return opcodes
    }
  }
}

/// The outcome of connecting to the session manager, on its way from that thread to the main thread.
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
