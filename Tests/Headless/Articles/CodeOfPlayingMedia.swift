import Proscenium

struct Song {
  var title: String
  var artist: String
  var length: Duration
}

final class Sound {
  var isPlaying = false
  var position = Duration.zero
}

// Begin: code of PlayingMedia.md
@MainActor final class PlayerView: Responder {
  private let sound = Sound()
  override var canBecomeFirstResponder: Bool { true }

  func open(_ song: Song) {
    RemoteControlCenter.current.commands = [.play, .pause, .togglePlayPause, .nextTrack]
    Application.shared.beginReceivingRemoteControlEvents()
    RemoteControlCenter.current.nowPlayingInfo = NowPlayingInfo(
      title: song.title, artist: song.artist, playbackDuration: song.length, playbackState: .playing)
    sound.isPlaying = true
  }

  func close() { Application.shared.endReceivingRemoteControlEvents() }

  override func remoteControlReceived(with event: Event) {
    guard case .remoteControl(let command) = event.kind else { return }
    switch command {
    case .play: sound.isPlaying = true
    case .pause: sound.isPlaying = false
    case .togglePlayPause: sound.isPlaying.toggle()
    case _: return super.remoteControlReceived(with: event)
    }
    // In one assignment: from each on the position counts anew.
    var info = RemoteControlCenter.current.nowPlayingInfo
    info?.playbackState = sound.isPlaying ? .playing : .paused
    info?.elapsedPlaybackTime = sound.position
    RemoteControlCenter.current.nowPlayingInfo = info
  }
}
// End: code of PlayingMedia.md
