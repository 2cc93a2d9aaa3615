import Proscenium
import ProsceniumCore
import ProsceniumTesting
import Testing

private struct Song {
  var title: String
  var artist: String
  var length: Duration
}

private final class Sound {
  var isPlaying = false
  var position = Duration.zero
}

// Begin: code of PlayingMedia.md
// The delegate of the scene: each command arrives here that nobody before it takes.
private final class PlayerScene: Responder {
  var window: Window?
  private let sound = Sound()

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

extension PlayerScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
    open(Song(title: "A", artist: "B", length: .seconds(100)))
  }
}

/// The player of the article, commanded from elsewhere.
@MainActor @Suite("The code of Playing media") struct PlayingMediaTests {
  private final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Player", delegate: PlayerScene.init)])
  }

  @Test("What a panel asks for is done, and shown")
  func commands() {
    let program = HeadlessProgram(delegate: Delegate.init)
    program.launch()
    program.advance(by: .seconds(1))
    var state: NowPlayingInfo.PlaybackState? { program.machine.nowPlayingInfo?.playbackState }
    #expect(state == .playing)
    for (command, expected) in [
      (RemoteControlCommand.pause, NowPlayingInfo.PlaybackState.paused), (.play, .playing), (.togglePlayPause, .paused),
    ] {
      program.machine.sendRemoteControl(command)
      program.advance(by: .seconds(1))
      #expect(state == expected)
    }
  }
}
