import ProsceniumLoop

/// The requests that the session manager has refused, by their opcodes.
///
/// For the whole process: libSM's error handlers get no pointer of ours. There is one session manager at most.
enum SessionRefusals {
  static let opcodes = Mailbox<Int32>(limit: 16)
}
