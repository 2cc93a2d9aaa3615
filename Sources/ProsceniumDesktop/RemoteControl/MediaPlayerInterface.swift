import FoundationEssentials
import ProsceniumLoop
import ProsceniumPlatform

/// The interfaces of a player (MPRIS 2.2, D-Bus Interface Specification).
enum MediaPlayerInterface {
  static let root = "org.mpris.MediaPlayer2"
  static let player = root + ".Player"
  static let path = "/org/mpris/MediaPlayer2"

  /// The name of an application's player.
  /// - Parameter identifier: The application's id, which is no valid part of a name everywhere.
  /// - Returns: The name; nil where it is too long.
  static func name(of identifier: String) -> String? {
    let plain = "\(root).\(identifier)"
    let name = InstanceName.isValid(plain) ? plain : "\(root)._" + identifier.escaped("_") { $0.isLetter || $0.isDigit }
    // With room for the number of a process.
    return name.utf8.count <= 230 ? name : nil
  }

  /// What the methods without arguments of the player ask for.
  static let commands: [String: RemoteControlCommand] = [
    "Play": .play, "Pause": .pause, "PlayPause": .togglePlayPause, "Stop": .stop, "Next": .nextTrack,
    "Previous": .previousTrack,
  ]

  /// The values of all properties but the position, by interface.
  /// - Parameters:
  ///   - player: The player.
  ///   - identifier: The name of the program's desktop entry.
  ///   - track: The number of the track, which others tell it from the next one by.
  /// - Returns: The values.
  static func properties(of player: MediaPlayer, identifier: String, track: Int) -> [String: [String: BusValue]] {
    func can(_ command: RemoteControlCommand) -> BusValue { .bool(player.commands.contains(command)) }
    let toggles = player.commands.contains(.togglePlayPause)
    return [
      root: [
        "CanQuit": .bool(true), "CanRaise": .bool(true), "HasTrackList": .bool(false),
        "Identity": .string(ProgramName.own), "DesktopEntry": .string(identifier),
        "SupportedUriSchemes": .array(of: "s", []), "SupportedMimeTypes": .array(of: "s", []),
      ],
      Self.player: [
        "PlaybackStatus": .string((player.nowPlaying?.playbackState ?? .stopped).name),
        "Metadata": .options(player.nowPlaying.map { metadata(of: $0, track: track) } ?? [:]),
        "Rate": .double(player.nowPlaying?.rate ?? 1), "MinimumRate": .double(player.nowPlaying?.rate ?? 1),
        "MaximumRate": .double(player.nowPlaying?.rate ?? 1), "Volume": .double(1),
        "CanControl": .bool(true), "CanSeek": .bool(false), "CanGoNext": can(.nextTrack),
        "CanGoPrevious": can(.previousTrack), "CanPlay": .bool(toggles || player.commands.contains(.play)),
        "CanPause": .bool(toggles || player.commands.contains(.pause)),
      ],
    ]
  }

  private static func metadata(of info: NowPlayingInfo, track: Int) -> [String: BusValue] {
    var entries: [String: BusValue] = ["mpris:trackid": .objectPath("/org/proscenium/track/\(track)")]
    entries["xesam:title"] = info.title.map { .string($0.withoutZeros) }
    entries["xesam:artist"] = info.artist.map { .array(of: "s", [.string($0.withoutZeros)]) }
    entries["xesam:album"] = info.albumTitle.map { .string($0.withoutZeros) }
    entries["mpris:artUrl"] = info.artworkURL.map { .string($0.absoluteString.withoutZeros) }
    entries["mpris:length"] = info.playbackDuration.map { .whole(Int128($0.playable.microseconds), code: "x") }
    return entries
  }

  /// The introspection data of the two interfaces.
  static let description = """
    <interface name="org.mpris.MediaPlayer2">
     <method name="Raise"/>
     <method name="Quit"/>
     <property name="CanQuit" type="b" access="read"/>
     <property name="CanRaise" type="b" access="read"/>
     <property name="HasTrackList" type="b" access="read"/>
     <property name="Identity" type="s" access="read"/>
     <property name="DesktopEntry" type="s" access="read"/>
     <property name="SupportedUriSchemes" type="as" access="read"/>
     <property name="SupportedMimeTypes" type="as" access="read"/>
    </interface>
    <interface name="org.mpris.MediaPlayer2.Player">
     <method name="Next"/>
     <method name="Previous"/>
     <method name="Pause"/>
     <method name="PlayPause"/>
     <method name="Stop"/>
     <method name="Play"/>
     <method name="Seek"><arg name="Offset" type="x" direction="in"/></method>
     <method name="SetPosition">
      <arg name="TrackId" type="o" direction="in"/><arg name="Position" type="x" direction="in"/>
     </method>
     <method name="OpenUri"><arg name="Uri" type="s" direction="in"/></method>
     <signal name="Seeked"><arg name="Position" type="x"/></signal>
     <property name="PlaybackStatus" type="s" access="read"/>
     <property name="Rate" type="d" access="read"/>
     <property name="Metadata" type="a{sv}" access="read"/>
     <property name="Volume" type="d" access="read"/>
     <property name="Position" type="x" access="read">
      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
     </property>
     <property name="MinimumRate" type="d" access="read"/>
     <property name="MaximumRate" type="d" access="read"/>
     <property name="CanGoNext" type="b" access="read"/>
     <property name="CanGoPrevious" type="b" access="read"/>
     <property name="CanPlay" type="b" access="read"/>
     <property name="CanPause" type="b" access="read"/>
     <property name="CanSeek" type="b" access="read"/>
     <property name="CanControl" type="b" access="read"/>
    </interface>

    """
}

extension NowPlayingInfo {
  /// The rate as others may rely on it.
  var rate: Double { playbackRate.isFinite && playbackRate > 0 ? playbackRate : 1 }

  /// The position at a time.
  /// - Parameter seconds: The time since this value was set.
  /// - Returns: The position, within the track.
  func position(after seconds: Double) -> Duration {
    let moved =
      playbackState == .playing ? Duration.seconds(min(max(seconds, 0) * rate, Duration.longest.seconds)) : .zero
    let position = elapsedPlaybackTime.playable + moved
    return min(position, playbackDuration?.playable ?? .longest).playable
  }

  /// Whether both describe the same track.
  func isSameTrack(as other: NowPlayingInfo) -> Bool {
    (title, artist, albumTitle) == (other.title, other.artist, other.albumTitle)
      && playbackDuration == other.playbackDuration
  }
}

extension NowPlayingInfo.PlaybackState {
  /// The name that the specification has for it.
  fileprivate var name: String {
    switch self {
    case .stopped: "Stopped"
    case .playing: "Playing"
    case .paused: "Paused"
    }
  }
}

extension Duration {
  /// Longer than anything that is played, and short enough to be counted in microseconds.
  fileprivate static let longest = Duration.seconds(1 << 40)

  /// The nearest duration of a track.
  fileprivate var playable: Duration { min(max(self, .zero), .longest) }

  /// The whole microseconds of a duration of a track.
  var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}

extension String {
  /// The text without zeros, which messages cannot have.
  var withoutZeros: String { utf8.contains(0) ? replacing("\0", with: "") : self }
}
