public import ProsceniumCore

/// The media keys and panels of the desktop.
extension HeadlessMachine {
  /// Whether the program receives remote control events, so that the desktop shows it as a player.
  public var showsPlayer: Bool { parts.mediaPlayer.player != nil }

  /// What the desktop shows of what the program plays; nil where it plays nothing, or is no player.
  public var nowPlayingInfo: NowPlayingInfo? { parts.mediaPlayer.player?.nowPlaying }

  /// The user presses a button of the desktop's panel, or a media key that the desktop takes.
  ///
  /// Does nothing where the program is no player, or does not support the command: the button is disabled.
  /// - Parameter command: What the button asks for.
  public func sendRemoteControl(_ command: RemoteControlCommand) {
    guard let command = parts.mediaPlayer.player?.command(for: command) else { return }
    post(.remoteControl(.command(command)))
  }

  /// The user closes the program in the desktop's panel of players.
  public func quitPlayer() { if showsPlayer { post(.remoteControl(.quit)) } }
}
