extension Application {
  /// Begins to receive remote control events: the program appears to the desktop as a player of media.
  ///
  /// What media keys, headsets, panels and other programs ask of it comes as an ``Event`` of the kind
  /// ``Event/Kind/remoteControl(_:)`` to ``Responder/remoteControlReceived(with:)`` of the first responder, until
  /// ``endReceivingRemoteControlEvents()``. For the main thread, also before the launch; a second call does nothing.
  /// Set ``nowPlayingInfo`` so that users see what is played.
  ///
  /// On Linux the program has a name on the session bus in that time, `org.mpris.MediaPlayer2.` and its id (MPRIS 2.2);
  /// where another process has it, `.instance` and the process' number follow. The desktop sends media keys there,
  /// those too that no window of the program gets. A media key that one of its windows gets is such an event as well,
  /// and no event of the kind ``Event/Kind/key(_:)``. A press that comes both ways counts once. Without a bus, keys of
  /// its windows are all there is.
  ///
  /// Commands come in any state of the scenes; those for a suspended program let it run again. As UIKit's, a program
  /// that plays while nobody looks says so (a background task), or it is suspended.
  public func beginReceivingRemoteControlEvents() { changeRemoteControl { $0.isReceiving = true } }

  /// Ends receiving remote control events.
  ///
  /// No more are delivered from now on, not those either that have arrived. For the main thread; does nothing if none
  /// are received.
  public func endReceivingRemoteControlEvents() { changeRemoteControl { $0.isReceiving = false } }

  /// Whether remote control events are received; false at first.
  public var isReceivingRemoteControlEvents: Bool { value(RemoteControlKey.self).isReceiving }

  /// The commands that the program performs; all of ``RemoteControlCommand`` at first.
  ///
  /// Others do not come, and panels disable their buttons; a media key for another one is an ordinary key. A program
  /// that toggles alone is asked to toggle where it is to play or to pause, and the other way round.
  public var remoteControlCommands: Set<RemoteControlCommand> {
    get { value(RemoteControlKey.self).commands }
    set { changeRemoteControl { $0.commands = newValue } }
  }

  /// What the program plays, as other programs show it; nil at first.
  ///
  /// Visible while remote control events are received. Set it when the track, the state or the rate changes, or the
  /// position jumps: each time it is set, ``NowPlayingInfo/elapsedPlaybackTime`` is the position at that moment.
  public var nowPlayingInfo: NowPlayingInfo? {
    get { value(RemoteControlKey.self).nowPlaying }
    set {
      changeRemoteControl {
        $0.nowPlaying = newValue
        $0.revision += 1
      }
    }
  }

  private func changeRemoteControl(_ change: (inout RemoteControlState) -> Void) {
    let before = value(RemoteControlKey.self)
    var state = before
    change(&state)
    setValue(state, RemoteControlKey.self)
    if state != before, state.isReceiving || before.isReceiving { conductor?.post(RemoteControl.self, .changed) }
  }
}

/// What the program says of itself as a player.
struct RemoteControlState: Hashable, Sendable {
  var isReceiving = false
  var commands = Set(RemoteControlCommand.allCases)
  var nowPlaying: NowPlayingInfo?
  var revision = 0

  /// The player that others see; nil for none.
  var player: MediaPlayer? {
    isReceiving ? MediaPlayer(commands: commands, nowPlaying: nowPlaying, revision: revision) : nil
  }
}

enum RemoteControlKey: ValueKey { static var initial: RemoteControlState { RemoteControlState() } }
