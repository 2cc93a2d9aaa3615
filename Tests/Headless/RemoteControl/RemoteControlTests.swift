import FoundationEssentials
import ProsceniumJSON
import Testing

@testable import ProsceniumCore
@testable import ProsceniumTesting
@testable import ProsceniumTrace

/// What is asked of a program as a player: by the desktop's panel, and by media keys that its windows get.
@MainActor @Suite("Remote control", .serialized) struct RemoteControlTests {
  private static let play: UInt32 = 0x1008_FF14
  private static let stop: UInt32 = 0x1008_FF15
  private static let previous: UInt32 = 0x1008_FF16
  private static let next: UInt32 = 0x1008_FF17
  private static let rewind: UInt32 = 0x1008_FF3E
  private static let forward: UInt32 = 0x1008_FF97

  /// Writes down what it gets; passes commands on that it does not take.
  private final class Listener: Responder {
    var heard: [String] = []
    var takes = true
    weak var behind: Responder?
    override var next: Responder? { behind }
    override var canBecomeFirstResponder: Bool { true }
    override func remoteControlReceived(with event: Event) {
      guard case .remoteControl(let command) = event.kind else { return }
      heard.append(command.rawValue)
      if !takes { super.remoteControlReceived(with: event) }
    }
    override func handle(_ event: Event) -> Bool {
      if case .key(let key) = event.kind { heard.append(key.isDown ? "key down" : "key up") }
      return true
    }
  }

  private final class Delegate: RecordingDelegate {
    var commands: [String] = []
    override func remoteControlReceived(with event: Event) {
      if case .remoteControl(let command) = event.kind { commands.append(command.rawValue) }
    }
  }

  @MainActor private final class Run {
    let program: HeadlessProgram
    let delegate = Delegate()
    let listener = Listener()
    var application: Application { program.application }
    var machine: HeadlessMachine { program.machine }
    var center: RemoteControlCenter { RemoteControlCenter.of(application) }

    init(suspends: Bool = false, beforeLaunch: (Run) -> Void = { _ in }) {
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      let delegate = delegate
      program = HeadlessProgram(delegate: { delegate })
      beforeLaunch(self)
      program.launch()
      program.advance(by: .seconds(3))
      listener.behind = program.windows[0]
      program.windows[0].firstResponder = listener
    }

    /// Lets the present callback end.
    func settle() { program.advance(by: .zero) }

    func begin() {
      application.beginReceivingRemoteControlEvents()
      settle()
    }

    func end() {
      application.endReceivingRemoteControlEvents()
      settle()
    }

    /// Presses a key of the window, and releases it.
    func press(_ symbol: UInt32, code: UInt8 = 172, repeats: Int = 0) {
      for number in 0...repeats { key(symbol, code: code, isDown: true, isRepeat: number > 0) }
      key(symbol, code: code, isDown: false)
    }

    func key(_ symbol: UInt32, code: UInt8 = 172, isDown: Bool, isRepeat: Bool = false) {
      let key = Key(code: code, symbol: symbol, characters: "", isDown: isDown, isRepeat: isRepeat)
      program.desk.send(.key(key), to: program.windows[0])
    }

    func takeHeard() -> [String] {
      defer { listener.heard = [] }
      return listener.heard
    }

    /// What the trace says.
    var lines: [String] {
      program.entries.compactMap { entry in
        guard case .system(let system) = entry, system.name == "remoteControl" else { return nil }
        return system.details.fields.map { field in
          if case .bool(let flag) = field.value {
            "\(field.key)=\(flag)"
          } else {
            "\(field.key)=\(field.value.text ?? "")"
          }
        }.joined(separator: " ")
      }
    }
  }

  @Test("Commands come between begin and end alone, and the trace has them")
  func between() {
    let run = Run()
    for command in RemoteControlCommand.allCases { run.machine.sendRemoteControl(command) }
    #expect(run.takeHeard() == [] && !run.machine.showsPlayer && run.lines == [])
    run.begin()
    #expect(run.center.isReceivingEvents && run.machine.showsPlayer)
    run.begin()
    for command in RemoteControlCommand.allCases { run.machine.sendRemoteControl(command) }
    #expect(run.takeHeard() == RemoteControlCommand.allCases.map(\.rawValue))
    run.end()
    run.end()
    #expect(!run.center.isReceivingEvents && !run.machine.showsPlayer)
    run.machine.sendRemoteControl(.play)
    run.machine.post(.remoteControl(.command(.play)))
    #expect(run.takeHeard() == [])
    #expect(run.lines.first == "receives=true" && run.lines.last == "receives=false")
    #expect(run.lines.count == RemoteControlCommand.allCases.count + 2 && run.lines[1] == "command=play from=bus")
  }

  /// Lets a command arrive within a callback that ends the receiving.
  private func runThatEnds(_ then: @escaping @MainActor (Application) -> Void = { _ in }) -> Run {
    let run = Run()
    run.begin()
    run.delegate.onCall = { [unowned run] call in
      if call.name == "sceneWillResignActive" {
        run.machine.post(.remoteControl(.command(.play)))
        run.application.endReceivingRemoteControlEvents()
        then(run.application)
      }
    }
    run.program.desk.minimize(run.program.windows[0])
    run.program.advance(by: .seconds(3))
    return run
  }

  @Test("A command that has arrived is not delivered any more after the end")
  func endsAtOnce() {
    let run = runThatEnds()
    #expect(run.takeHeard() == [] && run.lines == ["receives=true", "receives=false"])
  }

  @Test("A command that has arrived before an end is not delivered after the next begin either")
  func endsAndBegins() {
    let run = runThatEnds { $0.beginReceivingRemoteControlEvents() }
    #expect(run.takeHeard() == [] && run.lines == ["receives=true"])
    run.machine.sendRemoteControl(.play)
    #expect(run.takeHeard() == ["play"])
  }

  @Test("It may begin before the launch; another process begins anew")
  func launches() {
    let run = Run {
      $0.center.nowPlayingInfo = NowPlayingInfo(title: "First")
      $0.application.beginReceivingRemoteControlEvents()
    }
    #expect(run.machine.nowPlayingInfo?.title == "First")
    run.machine.sendRemoteControl(.stop)
    #expect(run.takeHeard() == ["stop"])
    run.program.relaunch()
    #expect(!run.center.isReceivingEvents && !run.machine.showsPlayer)
  }

  @Test(
    "What is not taken goes up the chain to the application's delegate; without a window it begins at the application")
  func chain() {
    let run = Run()
    run.begin()
    run.machine.sendRemoteControl(.play)
    #expect(run.delegate.commands == [])
    run.listener.takes = false
    run.machine.sendRemoteControl(.pause)
    #expect(run.takeHeard() == ["play", "pause"] && run.delegate.commands == ["pause"])
    // Behind an alert, and in the background
    run.program.desk.minimize(run.program.windows[0])
    run.program.advance(by: .seconds(3))
    run.machine.sendRemoteControl(.nextTrack)
    #expect(run.takeHeard() == ["nextTrack"] && run.delegate.commands.last == "nextTrack")
    run.delegate.endsAfterLastScene = false
    run.program.desk.restore(run.program.windows[0])
    run.program.desk.close(run.program.windows[0])
    run.program.advance(by: .seconds(3))
    #expect(run.program.windows.isEmpty)
    run.machine.sendRemoteControl(.stop)
    #expect(run.delegate.commands.last == "stop")
  }

  // MARK: Keys

  @Test("A media key of a window is a command and no key, as long as commands are received")
  func keys() {
    let run = Run()
    run.press(Self.play)
    #expect(run.takeHeard() == ["key down", "key up"])
    run.begin()
    run.press(Self.play, repeats: 3)
    run.press(Self.next)
    run.press(Self.previous)
    run.press(Self.stop)
    #expect(run.takeHeard() == ["togglePlayPause", "nextTrack", "previousTrack", "stop"])
    #expect(run.lines.last == "command=stop from=key")
    run.press(0x61)
    #expect(run.takeHeard() == ["key down", "key up"])
    // The release of a key that was pressed while commands were received is heard by nobody's window
    run.key(Self.play, isDown: true)
    run.end()
    run.key(Self.play, isDown: true, isRepeat: true)
    run.key(Self.play, isDown: false)
    #expect(run.takeHeard() == ["togglePlayPause"])
    run.press(Self.play)
    #expect(run.takeHeard() == ["key down", "key up"])
  }

  @Test("A key that was pressed before the begin is an ordinary one until it is released, however late it is read")
  func pressedBefore() {
    let run = Run()
    run.application.beginReceivingRemoteControlEvents()
    run.press(Self.play, repeats: 1)
    #expect(run.takeHeard() == ["key down", "key down", "key up"])
    run.press(Self.play)
    #expect(run.takeHeard() == ["togglePlayPause"])
    run.end()
    run.key(Self.play, isDown: true)
    run.begin()
    run.key(Self.play, isDown: true, isRepeat: true)
    run.key(Self.play, isDown: false)
    #expect(run.takeHeard() == ["key down", "key down", "key up"])
    run.press(Self.play)
    #expect(run.takeHeard() == ["togglePlayPause"])
  }

  @Test("Seeking lasts as long as its key is down, whatever comes meanwhile")
  func seeking() {
    let run = Run()
    run.begin()
    run.key(Self.forward, code: 216, isDown: true)
    run.press(Self.rewind, code: 176, repeats: 2)
    run.key(0, code: 216, isDown: false)
    #expect(
      run.takeHeard() == ["beginSeekingForward", "beginSeekingBackward", "endSeekingBackward", "endSeekingForward"])
    // The focus goes while a key is down, and comes back, or to another window, where the key is repeated
    run.key(Self.forward, isDown: true)
    run.key(Self.forward, isDown: false)
    run.key(Self.forward, isDown: true, isRepeat: true)
    run.key(Self.forward, isDown: false)
    #expect(run.takeHeard() == ["beginSeekingForward", "endSeekingForward"])
    // Nobody hears the end of what has begun before the end of all
    run.key(Self.forward, isDown: true)
    run.end()
    run.begin()
    run.key(Self.forward, isDown: false)
    #expect(run.takeHeard() == ["beginSeekingForward"])
    run.center.commands = [.play]
    run.settle()
    run.press(Self.forward, code: 216)
    #expect(run.takeHeard() == ["key down", "key up"])
  }

  @Test("A press that comes both to the window and by the desktop counts once, whichever is first; two presses are two")
  func echoes() {
    let run = Run()
    run.begin()
    run.press(Self.play)
    run.machine.sendRemoteControl(.pause)
    #expect(run.takeHeard() == ["togglePlayPause"])
    // The next one is the user's
    run.machine.sendRemoteControl(.play)
    #expect(run.takeHeard() == ["play"])
    run.press(Self.play)
    #expect(run.takeHeard() == [])
    run.press(Self.next)
    run.press(Self.next)
    run.machine.sendRemoteControl(.nextTrack)
    #expect(run.takeHeard() == ["nextTrack", "nextTrack"])
    run.program.advance(by: .milliseconds(300))
    run.press(Self.next)
    run.program.advance(by: .milliseconds(300))
    run.machine.sendRemoteControl(.nextTrack)
    run.machine.sendRemoteControl(.nextTrack)
    #expect(run.takeHeard() == ["nextTrack", "nextTrack", "nextTrack"])
    run.machine.sendRemoteControl(.previousTrack)
    run.press(Self.stop)
    #expect(run.takeHeard() == ["previousTrack", "stop"])
  }

  // MARK: What the program says

  @Test("Commands that it does not perform do not come; who toggles can be asked to play, and the other way round")
  func commands() {
    let run = Run()
    run.begin()
    run.center.commands = [.togglePlayPause, .nextTrack]
    run.center.nowPlayingInfo = NowPlayingInfo(playbackState: .paused)
    run.settle()
    for command in RemoteControlCommand.allCases { run.machine.sendRemoteControl(command) }
    #expect(run.takeHeard() == ["togglePlayPause", "togglePlayPause", "nextTrack"])
    run.center.commands = [.play, .pause]
    run.settle()
    run.machine.sendRemoteControl(.togglePlayPause)
    #expect(run.takeHeard() == ["play"])
    run.center.nowPlayingInfo?.playbackState = .playing
    run.settle()
    run.machine.sendRemoteControl(.togglePlayPause)
    #expect(run.takeHeard() == ["pause"])
    run.press(Self.next)
    #expect(run.takeHeard() == ["key down", "key up"])
  }

  @Test("What it plays is shown while it is a player")
  func nowPlaying() {
    let run = Run()
    let info = NowPlayingInfo(
      title: "Title", artist: "Artist", albumTitle: "Album", playbackDuration: .seconds(180),
      elapsedPlaybackTime: .seconds(3), playbackState: .playing)
    run.center.nowPlayingInfo = info
    run.settle()
    #expect(run.machine.nowPlayingInfo == nil)
    run.begin()
    #expect(run.machine.nowPlayingInfo == info)
    run.center.nowPlayingInfo = nil
    run.settle()
    #expect(run.machine.nowPlayingInfo == nil && run.machine.showsPlayer)
  }

  @Test("The desktop's panel ends the program, which is asked first")
  func quits() {
    let run = Run()
    run.machine.quitPlayer()
    #expect(run.program.isRunning)
    run.begin()
    run.delegate.terminateReply = .cancel
    run.machine.quitPlayer()
    run.program.advance(by: .seconds(1))
    #expect(run.program.isRunning)
    run.delegate.terminateReply = .now
    run.machine.quitPlayer()
    run.program.advance(by: .seconds(1))
    #expect(!run.program.isRunning && run.application.terminationCause == .requested)
  }

  #if !WITHOUT_Suspension
    @Test("A command wakes a suspended program, which is suspended again when it has nothing more to do")
    func suspended() {
      let run = Run(suspends: true)
      run.begin()
      run.program.desk.minimize(run.program.windows[0])
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended && run.machine.showsPlayer)
      run.machine.sendRemoteControl(.play)
      #expect(run.takeHeard() == ["play"])
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended)
      // One that it does not perform lets it sleep
      run.center.commands = [.play]
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended)
      run.machine.sendRemoteControl(.nextTrack)
      #expect(run.program.platform.isSuspended && run.takeHeard() == [])
    }
  #endif
}
