import ProsceniumPlatform

/// The desktop's panel of players, in memory.
@MainActor final class HeadlessMediaPlayer: MediaPlayerService {
  /// The player that the process shows; nil for none.
  private(set) var player: MediaPlayer?

  /// Another process begins, which is no player.
  func forgetProcess() { player = nil }

  func publish(_ player: MediaPlayer?) { self.player = player }
}
