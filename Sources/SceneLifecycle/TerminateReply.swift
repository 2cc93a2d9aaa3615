/// What the application delegate answers when the program is to end.
///
/// After ``later``, `Application.reply(toApplicationShouldTerminate:)` says which. While the program is in the foreground the
/// answer may take as long as the user does; in the background, as long as background tasks may last, and no answer by then
/// counts as ``now``.
public enum TerminateReply: Hashable, Sendable, CaseIterable {
  /// The program may end now.
  case now
  /// The answer comes later.
  case later
  /// The program is to stay.
  case cancel
}
