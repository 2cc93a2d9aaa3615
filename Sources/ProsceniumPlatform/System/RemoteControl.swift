public import FoundationEssentials

/// What a media key, a headset, a panel of the desktop or another program asks a program that plays media to do (the
/// names of the subtypes of UIKit's remote control events).
public enum RemoteControlCommand: String, Hashable, Sendable, CaseIterable {
  /// To begin to play, or to go on.
  case play
  /// To pause.
  case pause
  /// To stop.
  case stop
  /// To pause where it plays, and to play where it does not: most keyboards have one key for both.
  case togglePlayPause
  /// To play the next track.
  case nextTrack
  /// To play the previous track.
  case previousTrack
  /// To seek backwards until ``endSeekingBackward``.
  case beginSeekingBackward
  /// To end seeking backwards.
  case endSeekingBackward
  /// To seek forwards until ``endSeekingForward``.
  case beginSeekingForward
  /// To end seeking forwards.
  case endSeekingForward

  /// The command of a key that is pressed; nil for keys of other kinds (X11, `XF86keysym.h`).
  package init?(pressed symbol: UInt32) {
    switch symbol {
    // AudioPlay: keyboards have no other key to pause with.
    case 0x1008_FF14: self = .togglePlayPause
    case 0x1008_FF15: self = .stop
    case 0x1008_FF16: self = .previousTrack
    case 0x1008_FF17: self = .nextTrack
    case 0x1008_FF31: self = .pause
    case 0x1008_FF3E: self = .beginSeekingBackward
    case 0x1008_FF97: self = .beginSeekingForward
    case _: return nil
    }
  }

  /// The command of the release of a key whose press is this one; nil where it has none.
  package var whenReleased: RemoteControlCommand? {
    switch self {
    case .beginSeekingBackward: .endSeekingBackward
    case .beginSeekingForward: .endSeekingForward
    case .play, .pause, .stop, .togglePlayPause, .nextTrack, .previousTrack, .endSeekingBackward, .endSeekingForward:
      nil
    }
  }
}

/// What a program plays, as panels, lock screens and remote controls show it (MediaPlayer's `MPNowPlayingInfoCenter`).
///
/// Texts and places that are nil are shown nowhere.
public struct NowPlayingInfo: Hashable, Sendable {
  /// Whether something is being played.
  public enum PlaybackState: String, Hashable, Sendable, CaseIterable {
    /// Nothing is.
    case stopped
    /// Something is.
    case playing
    /// Something would go on where it was.
    case paused
  }

  /// The title of the track.
  public var title: String?
  /// The artist.
  public var artist: String?
  /// The title of the album.
  public var albumTitle: String?
  /// The picture of the track: a file, or a place on the network that other programs can reach.
  public var artworkURL: URL?
  /// The length of the track; nil where it has none or it is unknown.
  public var playbackDuration: Duration?
  /// The position in the track when this value is set.
  ///
  /// From then on the position moves with ``playbackRate`` while the state is ``PlaybackState/playing``: it need not be
  /// set again unless it jumps.
  public var elapsedPlaybackTime: Duration
  /// How fast it plays; 1 as recorded.
  ///
  /// Values that are not positive and finite count as 1.
  public var playbackRate: Double
  /// Whether it plays.
  public var playbackState: PlaybackState

  /// Describes a track.
  /// - Parameters:
  ///   - title: The title.
  ///   - artist: The artist.
  ///   - albumTitle: The title of the album.
  ///   - artworkURL: The picture.
  ///   - playbackDuration: The length.
  ///   - elapsedPlaybackTime: The position now.
  ///   - playbackRate: How fast it plays.
  ///   - playbackState: Whether it plays.
  public init(
    title: String? = nil, artist: String? = nil, albumTitle: String? = nil, artworkURL: URL? = nil,
    playbackDuration: Duration? = nil, elapsedPlaybackTime: Duration = .zero, playbackRate: Double = 1,
    playbackState: PlaybackState = .stopped
  ) {
    self.title = title
    self.artist = artist
    self.albumTitle = albumTitle
    self.artworkURL = artworkURL
    self.playbackDuration = playbackDuration
    self.elapsedPlaybackTime = elapsedPlaybackTime
    self.playbackRate = playbackRate
    self.playbackState = playbackState
  }
}

/// The program as a player that others control.
package struct MediaPlayer: Hashable, Sendable {
  /// What the program does on request.
  package var commands: Set<RemoteControlCommand>
  package var nowPlaying: NowPlayingInfo?
  /// How often the program has set ``nowPlaying``: its position counts from the last time on.
  package var revision: Int
  /// How often the program has begun to receive commands.
  package var period: Int

  package init(commands: Set<RemoteControlCommand>, nowPlaying: NowPlayingInfo?, revision: Int, period: Int = 1) {
    self.commands = commands
    self.nowPlaying = nowPlaying
    self.revision = revision
    self.period = period
  }

  private var isPlaying: Bool { nowPlaying?.playbackState == .playing }

  /// The command that the program gets for one that it is asked for; nil where it does nothing of the kind.
  ///
  /// A program that only toggles can be asked to play and to pause, and one that does only these two to toggle.
  /// - Parameter asked: What another program or a key asks for.
  /// - Returns: The command.
  package func command(for asked: RemoteControlCommand) -> RemoteControlCommand? {
    var command: RemoteControlCommand? = asked
    if !commands.contains(asked) {
      switch asked {
      case .togglePlayPause: command = isPlaying ? .pause : .play
      case .play: command = isPlaying ? nil : .togglePlayPause
      case .pause: command = isPlaying ? .togglePlayPause : nil
      case .stop, .nextTrack, .previousTrack, .beginSeekingBackward, .endSeekingBackward, .beginSeekingForward,
        .endSeekingForward:
        command = nil
      }
    }
    return command.flatMap { commands.contains($0) ? $0 : nil }
  }
}

/// Shows the program to the desktop as a player, and receives what others ask of it.
@MainActor package protocol MediaPlayerService: AnyObject {
  /// Shows the program as this from now on, or no longer where nil.
  ///
  /// What is asked of it is posted as ``SystemEvent/remoteControl(_:)``, never before this function returns, and never
  /// while it is nil. Nor is what was asked before its ``MediaPlayer/period``.
  func publish(_ player: MediaPlayer?)
}

/// What others ask of the program as a player.
package enum RemoteControlRequest: Hashable, Sendable {
  /// A command that the program has said to support.
  case command(RemoteControlCommand)
  /// To end.
  case quit
}
