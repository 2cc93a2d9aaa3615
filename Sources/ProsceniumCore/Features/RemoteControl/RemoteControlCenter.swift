/// What the program says of itself as a player of media, and whether it is controlled as one (MediaPlayer's
/// `MPNowPlayingInfoCenter` and `MPRemoteCommandCenter`).
///
/// From ``Application/beginReceivingRemoteControlEvents()`` to ``Application/endReceivingRemoteControlEvents()`` the
/// program appears to the desktop as a player. What media keys, headsets, panels and other programs ask of it comes as
/// an ``Event`` of the kind ``Event/Kind/remoteControl(_:)`` to ``Responder/remoteControlReceived(with:)`` of the first
/// responder. For the main thread, also before the launch.
///
/// On Linux the program has a name on the session bus in that time, `org.mpris.MediaPlayer2.` and its id (MPRIS 2.2);
/// where another process has it, `.instance` and the process' number follow. The desktop sends media keys there, those
/// too that no window of the program gets. A media key that one of its windows gets is such an event as well, and no
/// event of the kind ``Event/Kind/key(_:)``. A press that comes both ways counts once. Without a bus, keys of its
/// windows are all there is.
///
/// Commands come in any state of the scenes; those for a suspended program let it run again. As UIKit's, a program that
/// plays while nobody looks says so (``Application/beginExecution(_:reason:)``, ``ExecutionMode/audio``), or it is
/// suspended.
@MainActor public final class RemoteControlCenter {
  /// The center of ``Application/shared``.
  public static var current: RemoteControlCenter { of(Application.shared) }

  static func of(_ application: Application) -> RemoteControlCenter {
    if let center = application.value(RemoteControlKey.self) { return center }
    let center = RemoteControlCenter(application)
    application.setValue(center, RemoteControlKey.self)
    return center
  }

  /// Nil once the process is dead, in a test.
  private weak var application: Application?
  /// How often the program has set ``nowPlayingInfo``.
  private var revision = 0
  /// How often it has begun to receive events.
  private(set) var period = 0

  init(_ application: Application) { self.application = application }

  /// Whether remote control events are received; false at first.
  ///
  /// None is delivered from ``Application/endReceivingRemoteControlEvents()`` on, not those either that have arrived;
  /// nor is what was asked, or pressed, before ``Application/beginReceivingRemoteControlEvents()``.
  public internal(set) var isReceivingEvents = false {
    didSet {
      guard isReceivingEvents != oldValue else { return }
      if isReceivingEvents { period += 1 }
      changed()
    }
  }

  /// The commands that the program performs; all of ``RemoteControlCommand`` at first.
  ///
  /// Others do not come, and panels disable their buttons; a media key for another one is an ordinary key. A program
  /// that toggles alone is asked to toggle where it is to play or to pause, and the other way round.
  public var commands = Set(RemoteControlCommand.allCases) { didSet { publish() } }

  /// What the program plays, as other programs show it; nil at first.
  ///
  /// Visible while remote control events are received. Set it when the track, the state or the rate changes, or the
  /// position jumps: each time it is set, ``NowPlayingInfo/elapsedPlaybackTime`` is the position at that moment.
  public var nowPlayingInfo: NowPlayingInfo? {
    didSet {
      revision += 1
      publish()
    }
  }

  /// The player that others see; nil for none.
  var player: MediaPlayer? {
    guard isReceivingEvents else { return nil }
    return MediaPlayer(commands: commands, nowPlaying: nowPlayingInfo, revision: revision, period: period)
  }

  private func publish() {
    assertMainThread()
    if isReceivingEvents { changed() }
  }

  private func changed() {
    assertMainThread()
    application?.conductor?.post(RemoteControl.self, .changed)
  }
}

extension Application {
  /// Begins to receive remote control events, on the main thread: see ``RemoteControlCenter``.
  public func beginReceivingRemoteControlEvents() { RemoteControlCenter.of(self).isReceivingEvents = true }
  /// Ends receiving remote control events, on the main thread: see ``RemoteControlCenter``.
  public func endReceivingRemoteControlEvents() { RemoteControlCenter.of(self).isReceivingEvents = false }
}

/// The center, once it has been asked for.
enum RemoteControlKey: ValueKey { static var initial: RemoteControlCenter? { nil } }
