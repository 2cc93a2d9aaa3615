/// The application delegate's answer to a termination request.
///
/// After ``later``, `Application.reply(toApplicationShouldTerminate:)` gives the answer. In the foreground there is no
/// time limit; in the background the limit is that of background tasks, or five seconds where they have no time left,
/// and no answer by then counts as ``now``.
public enum TerminateReply: String, Hashable, Sendable, CaseIterable {
  /// The program may end now.
  case now
  /// The answer comes later.
  case later
  /// The program is to stay.
  case cancel
}
