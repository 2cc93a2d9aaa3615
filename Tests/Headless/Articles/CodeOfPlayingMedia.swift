import Proscenium

struct Song {
  var title: String
  var artist: String
  var length: Duration
}

// Begin: code of PlayingMedia.md
@MainActor final class PlayerView: Responder {
  private var isPlaying = false
  override var canBecomeFirstResponder: Bool { true }

  func open(_ song: Song) {
    RemoteControlCenter.current.commands = [.play, .pause, .togglePlayPause, .nextTrack]
    Application.shared.beginReceivingRemoteControlEvents()
    RemoteControlCenter.current.nowPlayingInfo = NowPlayingInfo(
      title: song.title, artist: song.artist, playbackDuration: song.length, playbackState: .playing)
    isPlaying = true
  }

  func close() { Application.shared.endReceivingRemoteControlEvents() }

  override func remoteControlReceived(with event: Event) {
    guard case .remoteControl(let command) = event.kind else { return }
    switch command {
    case .play: isPlaying = true
    case .pause: isPlaying = false
    case .togglePlayPause: isPlaying.toggle()
    case _: return super.remoteControlReceived(with: event)
    }
    RemoteControlCenter.current.nowPlayingInfo?.playbackState = isPlaying ? .playing : .paused
  }
}
// End: code of PlayingMedia.md
