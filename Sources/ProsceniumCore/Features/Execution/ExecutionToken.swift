extension Application {
  /// Begins to hold an execution mode: the program is not suspended (``ExecutionToken``), from any thread.
  /// - Parameters:
  ///   - mode: The kind of work.
  ///   - reason: The work in a few words, for the trace and for reports.
  /// - Returns: The token, which holds the mode until it ends (``ExecutionToken/end()``) or is released.
  public nonisolated func beginExecution(_ mode: ExecutionMode, reason: String) -> ExecutionToken {
    ExecutionToken(mode: mode, reason: reason, table: value(ExecutionTableKey.self))
  }
}

extension ExecutionMode {
  /// The modes that the program holds; from any thread.
  public static var held: Set<ExecutionMode> { Application.shared.value(ExecutionTableKey.self).modes }
}

/// Holds an execution mode, until it ends or is released: the program is not suspended meanwhile.
///
/// For work that the user knows of, and that goes on although no window is visible, for as long as it does; work whose
/// end is known beforehand needs no more than a background task. Hold it only while it is needed:
///
/// ```swift
/// player.onPlay = { [weak self] in self?.playing = Application.shared.beginExecution(.audio, reason: "playing") }
/// player.onPause = { [weak self] in self?.playing = nil }
/// ```
///
/// A program that is suspended runs again. A mode delays the suspension alone
/// (``ApplicationManifest/suspensionPolicy``), and, where the manifest has it, the exit in the background
/// (``ApplicationManifest/exitsOnSuspend``). It gives background tasks no more time, and delays neither the end of the
/// program, as by the close of its last window, nor the machine's sleep. It has no effect while a scene is in the
/// foreground.
///
/// A debug build reports once, ten seconds after it began or later, a mode that is held while the program and its
/// children do nothing of its kind: for ``ExecutionMode/audio`` they have no connection to a sound server and no sound
/// device open; for ``ExecutionMode/location`` no location manager follows the location, and they have no device, no
/// connection to gpsd, and no connection to the system bus besides the framework's; for ``ExecutionMode/network`` no
/// internet socket; for ``ExecutionMode/processing`` they use no processor time; for ``ExecutionMode/accessory`` they
/// have no device open. Nothing is looked at in release builds.
///
/// Any number may be held, of one mode too, also before the launch. A mode counts at once. Its begin and its end are
/// written to the trace, with the reason.
public final class ExecutionToken: Sendable {
  /// The mode.
  public let mode: ExecutionMode
  /// The work in a few words.
  public let reason: String
  private let table: ExecutionTable
  private let number: Int

  init(mode: ExecutionMode, reason: String, table: ExecutionTable) {
    (self.mode, self.reason, self.table) = (mode, reason, table)
    number = table.begin(mode, reason)
  }

  deinit { end() }

  /// Ends the hold; again it does nothing.
  ///
  /// May be called on any thread. Where no other mode is held, and everything is in the background, the program may be
  /// suspended after the usual grace (``HoldTimes/suspension``).
  public func end() { table.end(number) }
}

enum ExecutionTableKey: ValueKey { static var initial: ExecutionTable { ExecutionTable() } }
