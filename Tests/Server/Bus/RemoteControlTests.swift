import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumCore
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// The program as a player over a real bus, as `playerctl` and hostile programs talk to it.
@MainActor
@Suite(
  "Players on the bus", .serialized,
  .enabled(if: BusRequirement.isMet && (mustNotSkip || isInstalled("playerctl"))))
struct RemoteControlTests {
  private static let name = "org.mpris.MediaPlayer2.org.example.test"
  private static let second = "\(name).instance\(getpid())"
  private static let all = Set(RemoteControlCommand.allCases)
  private let host = TestHost()
  private let daemon: PrivateBus
  private let home: TemporaryFolder

  init() async throws { (daemon, home) = (try await PrivateBus(), try TemporaryFolder()) }

  private func start(on host: TestHost? = nil, bus: PrivateBus? = nil) -> BusSource {
    let source = BusSource(environment: (bus ?? daemon).environment) { _ in }
    source.start(host ?? self.host)
    (host ?? self.host).passTime()
    return source
  }

  private func player(
    _ commands: Set<RemoteControlCommand> = all, _ info: NowPlayingInfo? = nil, revision: Int = 0, period: Int = 1
  ) -> MediaPlayer { MediaPlayer(commands: commands, nowPlaying: info, revision: revision, period: period) }

  private func waitForName(_ name: String = name, on host: TestHost? = nil) -> Bool {
    (host ?? self.host).turn { (host ?? self.host).messages.contains("playerName: \(name)") }
  }

  /// Runs a program while the loop turns, and answers what it has printed.
  @discardableResult private func run(_ arguments: [String], bus: PrivateBus? = nil) throws -> String {
    let folder = try TemporaryFolder()
    var environment = try privateEnvironment(home: folder, display: nil)
    // The session's bus alone: playerctl looks for players on both.
    environment["DBUS_SESSION_BUS_ADDRESS"] = (bus ?? daemon).address
    let process = try ChildProcess(
      arguments, environment: environment, output: folder.file("out"), errors: folder.file("out"))
    guard host.turn(until: { process.poll() != nil }) else { throw DeskFailure("\(arguments) hangs") }
    return text(of: folder.file("out"))
  }

  private func playerctl(_ arguments: String...) throws -> String { try run(["playerctl"] + arguments) }

  /// Waits until a condition is true.
  private func waits(_ condition: () throws -> Bool) -> Bool { host.turn { (try? condition()) == true } }

  private var commands: [RemoteControlCommand] {
    host.events.compactMap { if case .remoteControl(.command(let command)) = $0 { command } else { nil } }
  }

  private func call(_ interface: String, _ method: String, _ arguments: String..., bus: PrivateBus? = nil) throws
    -> String
  {
    try run(
      [
        "gdbus", "call", "--address", (bus ?? daemon).address, "-d", Self.name, "-o", MediaPlayerInterface.path, "-m",
        "\(interface).\(method)",
      ] + arguments, bus: bus)
  }

  @Test("playerctl plays, pauses, stops and changes tracks, between begin and end alone")
  func control() async throws {
    let source = start()
    defer { source.stop() }
    #expect(host.settle())
    // Nothing is there before somebody wants it
    #expect(try playerctl("-l").contains("No players"))
    let before = try await daemon.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    #expect(!before.contains("mpris") && host.messages.isEmpty)
    source.requested.mediaPlayer.publish(player(Self.all, NowPlayingInfo(title: "A", playbackState: .paused)))
    #expect(waitForName())
    #expect(try playerctl("-l") == "org.example.test\n")
    for word in ["play", "pause", "play-pause", "next", "previous", "stop"] {
      #expect(try playerctl(word) == "")
    }
    #expect(commands == [.play, .pause, .togglePlayPause, .nextTrack, .previousTrack, .stop])
    source.requested.mediaPlayer.publish(nil)
    #expect(waits { try playerctl("-l").contains("No players") })
    _ = try playerctl("play")
    #expect(commands.count == 6)
    // And again
    source.requested.mediaPlayer.publish(player(Self.all, NowPlayingInfo(title: "A", playbackState: .paused)))
    #expect(waits { try playerctl("-l") == "org.example.test\n" })
    #expect(try playerctl("pause") == "" && commands.last == .pause && commands.count == 7)
  }

  @Test("Of a flood of commands a few count, the program is not kept busy after it, and another program is heard")
  func flood() async throws {
    let source = start()
    defer { source.stop() }
    source.requested.mediaPlayer.publish(player())
    #expect(waitForName())
    let flooder = try #require(Bus(.session, environment: daemon.environment, host: host))
    flooder.connect()
    defer { flooder.disconnect() }
    func flood(_ count: Int, _ interface: String, _ name: String) -> [String] {
      let member = BusMember(path: MediaPlayerInterface.path, interface: interface, name: name)
      var answers: [String] = []
      for _ in 0..<count {
        flooder.call(Self.name, member) { result in
          if case .failure(let failure) = result { answers.append(failure.name) } else { answers.append("done") }
        }
      }
      #expect(host.turn { answers.count == count })
      return answers
    }
    let burst = Int(CallFlood.ofCommands.burst)
    let answers = flood(3000, MediaPlayerInterface.player, "PlayPause")
    #expect(answers.count { $0 == "done" } == burst && commands.count == burst)
    #expect(answers.last == "org.freedesktop.DBus.Error.LimitsExceeded")
    for name in ["Raise", "Quit"] {
      #expect(flood(1000, MediaPlayerInterface.root, name).allSatisfy { $0 == answers.last })
    }
    #expect(host.events.count == burst && host.messages.count { $0.contains("too many commands") } == 1)
    #expect(try playerctl("next") == "" && commands.last == .nextTrack && commands.count == burst + 1)
    host.now += 1
    let later = flood(1000, MediaPlayerInterface.player, "PlayPause")
    #expect(later.count { $0 == "done" } == Int(CallFlood.ofCommands.perSecond))
  }

  /// Calls this process by the names of its connections; waits until the calls have come, and are not read yet.
  private func callUnread(_ method: String) async throws -> [ChildProcess] {
    // What the bus has to say before has come by the time that another process has been answered.
    var list = ""
    repeat {
      #expect(host.turn { host.readableCount == 0 })
      host.turnOnce()
      list = try await daemon.call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    } while host.readableCount > 0
    var environment = try privateEnvironment(home: home, display: nil)
    environment["DBUS_SESSION_BUS_ADDRESS"] = daemon.address
    let callers = try list.split(separator: "'").map(String.init).filter { $0.hasPrefix(":") }.map { name in
      try ChildProcess(
        [
          // Other tests may have the main thread meanwhile.
          "dbus-send", "--bus=\(daemon.address)", "--print-reply", "--reply-timeout=600000", "--dest=\(name)",
          MediaPlayerInterface.path, "\(MediaPlayerInterface.player).\(method)",
        ], environment: environment, output: home.file("called"), errors: home.file("called"))
    }
    // The program reads nothing meanwhile.
    func haveCome() -> Bool { callers.count { $0.poll() == nil } == host.readableCount && host.readableCount > 0 }
    for _ in 0..<4000 where !haveCome() { try await Task.sleep(for: .milliseconds(5)) }
    try #require(haveCome(), "\(text(of: home.file("called")))")
    return callers
  }

  @Test("What was called before the begin, and after the end, is refused, however late it is read")
  func calledTooEarly() async throws {
    let source = start()
    defer { source.stop() }
    #expect(try playerctl("-l").contains("No players"))
    var callers = try await callUnread("Play")
    source.requested.mediaPlayer.publish(player())
    // What was put off until the present callback has ended comes before what is read in the next turn.
    host.passTime()
    #expect(host.turn { callers.allSatisfy { $0.poll() != nil } })
    #expect(commands == [])
    #expect(waitForName())
    #expect(try playerctl("pause") == "" && commands == [.pause])
    callers = try await callUnread("Play")
    source.requested.mediaPlayer.publish(nil)
    #expect(host.turn { callers.allSatisfy { $0.poll() != nil } })
    #expect(commands == [.pause])
  }

  @Test("What was called before an end and a begin of the same callback is refused, also where its caller is asked for")
  func calledBeforeAnotherBegin() async throws {
    let source = start()
    defer { source.stop() }
    source.requested.mediaPlayer.publish(player())
    #expect(waitForName())
    for period in 2...3 {
      let callers = try await callUnread("Play")
      // They have been read once their senders are asked for; a fast bus may have answered that, too.
      if period == 3 { host.turnOnce() }
      let before = commands
      source.requested.mediaPlayer.publish(player(period: period))
      #expect(host.turn { callers.allSatisfy { $0.poll() != nil } })
      #expect(try commands == before && (period == 3 || before == []) && playerctl("-l") == "org.example.test\n")
    }
    let before = commands
    #expect(try playerctl("pause") == "" && commands == before + [.pause])
  }

  @Test("A begin and an end without a pause between them leave what was wanted last")
  func quickChanges() async throws {
    let source = start()
    defer { source.stop() }
    source.requested.mediaPlayer.publish(player())
    source.requested.mediaPlayer.publish(nil)
    #expect(host.settle() && host.messages.isEmpty)
    for number in 0..<21 {
      source.requested.mediaPlayer.publish(number % 2 == 0 ? player() : nil)
      // What was put off until now happens, and what is in progress goes on.
      var turns = 0
      _ = host.turn {
        turns += 1
        return turns > 1 + number % 3
      }
    }
    #expect(waitForName())
    #expect(waits { try playerctl("-l") == "org.example.test\n" })
    source.requested.mediaPlayer.publish(nil)
    #expect(waits { try playerctl("-l").contains("No players") })
  }

  @Test("What is played is shown, with its position, and changes are heard of")
  func metadata() throws {
    let source = start()
    defer { source.stop() }
    var info = NowPlayingInfo(
      title: "Ti\0tle \u{1F3B5}", artist: "Artist", albumTitle: "Album", artworkURL: URL(string: "file:///a%20b.png"),
      playbackDuration: .seconds(180), elapsedPlaybackTime: .milliseconds(30_500), playbackState: .paused)
    source.requested.mediaPlayer.publish(player(Self.all, info, revision: 1))
    #expect(waitForName())
    func format(_ text: String) throws -> String { try playerctl("metadata", "--format", text) }
    func position() throws -> String {
      try call("org.freedesktop.DBus.Properties", "Get", MediaPlayerInterface.player, "Position")
    }
    #expect(
      try format("{{title}}|{{artist}}|{{album}}|{{mpris:artUrl}}|{{mpris:length}}|{{status}}")
        == "Title \u{1F3B5}|Artist|Album|file:///a%20b.png|180000000|Paused\n")
    #expect(try position() == "(<int64 30500000>,)\n" && playerctl("position") == "30.500000\n")
    host.now = 100
    #expect(try position() == "(<int64 30500000>,)\n")
    // Others hear of changes without asking
    let folder = try TemporaryFolder()
    var environment = try privateEnvironment(home: folder, display: nil)
    environment["DBUS_SESSION_BUS_ADDRESS"] = daemon.address
    let ears = try ChildProcess(
      ["playerctl", "--follow", "metadata", "--format", "{{status}} {{title}}"], environment: environment,
      output: folder.file("out"), errors: folder.file("err"))
    #expect(host.turn { text(of: folder.file("out")).contains("Paused Title") })
    info.playbackState = .playing
    source.requested.mediaPlayer.publish(player(Self.all, info, revision: 2))
    #expect(host.turn { text(of: folder.file("out")).contains("Playing Title") })
    host.now = 110
    #expect(try position() == "(<int64 40500000>,)\n")
    info.playbackRate = 2
    info.elapsedPlaybackTime = .seconds(41)
    source.requested.mediaPlayer.publish(player(Self.all, info, revision: 3))
    host.now = 120
    #expect(try position() == "(<int64 61000000>,)\n")
    // The end of the track is the last position, whatever the program says
    host.now = 1e300
    #expect(try position() == "(<int64 180000000>,)\n")
    let first = try format("{{mpris:trackid}}")
    source.requested.mediaPlayer.publish(
      player(Self.all, NowPlayingInfo(title: "Next", playbackState: .playing), revision: 4))
    #expect(host.turn { text(of: folder.file("out")).contains("Playing Next") })
    #expect(try format("{{mpris:trackid}}") != first)
    ears.send(SIGKILL)
    for strange in [
      NowPlayingInfo(
        playbackDuration: .seconds(-5), elapsedPlaybackTime: .seconds(Int64.max), playbackRate: .nan,
        playbackState: .playing),
      NowPlayingInfo(
        playbackDuration: .seconds(Int64.max), elapsedPlaybackTime: .seconds(Int64.min), playbackRate: -1),
      NowPlayingInfo(elapsedPlaybackTime: .zero, playbackRate: .infinity, playbackState: .playing),
    ] {
      source.requested.mediaPlayer.publish(player(Self.all, strange, revision: Int.random(in: 5..<1_000_000)))
      #expect(try call("org.freedesktop.DBus.Properties", "GetAll", MediaPlayerInterface.player).contains("Position"))
      host.now += 1
    }
  }

  @Test("A position that jumps is told, and one that moves as expected is not")
  func jumps() throws {
    let source = start()
    defer { source.stop() }
    var info = NowPlayingInfo(title: "A", playbackState: .playing)
    source.requested.mediaPlayer.publish(player(Self.all, info, revision: 1))
    #expect(waitForName())
    let bus = try #require(Bus(.session, environment: daemon.environment, host: host))
    bus.connect()
    var heard: [BusValue] = []
    bus.subscribe(
      BusRule(
        sender: Self.name, path: MediaPlayerInterface.path, interface: MediaPlayerInterface.player, name: "Seeked")
    ) { heard += $0.values }
    #expect(host.turn { bus.hasOwner(Self.name) } && host.settle())
    host.now = 10
    info.elapsedPlaybackTime = .milliseconds(10_400)
    source.requested.mediaPlayer.publish(player(Self.all, info, revision: 2))
    host.now = 20
    info.elapsedPlaybackTime = .seconds(5)
    source.requested.mediaPlayer.publish(player(Self.all, info, revision: 3))
    #expect(host.turn { !heard.isEmpty } && heard == [.whole(5_000_000, code: "x")])
    bus.disconnect()
  }

  @Test("Where a new track begins, and one goes on after a stop, is told after the track, unless that is its start")
  func beginnings() throws {
    let source = start()
    defer { source.stop() }
    var info = NowPlayingInfo(title: "A", playbackState: .playing)
    source.requested.mediaPlayer.publish(player(Self.all, info))
    #expect(waitForName())
    let bus = try #require(Bus(.session, environment: daemon.environment, host: host))
    bus.connect()
    defer { bus.disconnect() }
    var heard: [String] = []
    func hear(_ interface: String, _ name: String, _ text: @escaping @MainActor ([BusValue]) -> String) {
      let rule = BusRule(sender: Self.name, path: MediaPlayerInterface.path, interface: interface, name: name)
      bus.subscribe(rule) { heard.append(text($0.values)) }
    }
    hear("org.freedesktop.DBus.Properties", "PropertiesChanged") { values in
      let changed = values.dropFirst().first?.properties ?? [:]
      return changed["Metadata"]?.properties?["xesam:title"]?.text ?? changed["PlaybackStatus"]?.text ?? "nothing"
    }
    hear(MediaPlayerInterface.player, "Seeked") { "\($0.first?.integer ?? -1)" }
    #expect(host.turn { bus.hasOwner(Self.name) } && host.settle())
    var revision = 0
    func publish(_ title: String, at seconds: Int, _ state: NowPlayingInfo.PlaybackState, _ signals: String...) {
      revision += 1
      (info.title, info.elapsedPlaybackTime, info.playbackState) = (title, .seconds(seconds), state)
      heard = []
      source.requested.mediaPlayer.publish(player(Self.all, info, revision: revision))
      #expect(host.turn { heard.count >= signals.count } && heard == signals, "\(heard)")
    }
    publish("B", at: 600, .playing, "B", "600000000")
    // What comes too late for one is too much for the next.
    publish("C", at: 0, .playing, "C")
    publish("C", at: 180, .stopped, "Stopped", "180000000")
    publish("C", at: 180, .playing, "Playing", "180000000")
    publish("C", at: 180, .paused, "Paused")
    publish("D", at: 0, .paused, "D")
  }

  @Test("What the program does not do is shown as such, and asked for in vain; seeking too, and opening is refused")
  func limits() throws {
    let source = start()
    defer { source.stop() }
    source.requested.mediaPlayer.publish(player([.togglePlayPause], NowPlayingInfo(title: "A", playbackState: .paused)))
    #expect(waitForName())
    let all = try call("org.freedesktop.DBus.Properties", "GetAll", MediaPlayerInterface.player)
    for word in ["'CanPlay': <true>", "'CanPause': <true>", "'CanGoNext': <false>", "'CanSeek': <false>"] {
      #expect(all.contains(word), "\(all)")
    }
    for method in ["Next", "Previous", "Stop"] { #expect(try call(MediaPlayerInterface.player, method) == "()\n") }
    #expect(try call(MediaPlayerInterface.player, "Seek", "5").hasPrefix("()"))
    #expect(try call(MediaPlayerInterface.player, "SetPosition", "/a", "5").hasPrefix("()"))
    #expect(try call(MediaPlayerInterface.player, "OpenUri", "file:///x").contains("NotSupported"))
    #expect(commands == [])
    for method in ["Play", "Pause", "PlayPause"] { #expect(try call(MediaPlayerInterface.player, method) == "()\n") }
    #expect(commands == [.togglePlayPause, .togglePlayPause])
    // It says in a moment that it does more
    source.requested.mediaPlayer.publish(player([.nextTrack], NowPlayingInfo(title: "A", playbackState: .paused)))
    host.turn(milliseconds: 10)
    #expect(waits { try call(MediaPlayerInterface.player, "Next") == "()\n" && commands.last == .nextTrack })
    #expect(
      try run(["gdbus", "introspect", "--address", daemon.address, "-d", Self.name, "-o", "/", "-r"])
        .contains("readonly s PlaybackStatus = 'Paused'"))
  }

  @Test("A panel raises the program and ends it")
  func root() throws {
    let source = start()
    defer { source.stop() }
    source.requested.mediaPlayer.publish(player())
    #expect(waitForName())
    #expect(try call(MediaPlayerInterface.root, "Raise") == "()\n" && host.events == [.request(IncomingRequest())])
    #expect(try call(MediaPlayerInterface.root, "Quit") == "()\n" && host.events.last == .remoteControl(.quit))
    #expect(
      try call("org.freedesktop.DBus.Properties", "Get", MediaPlayerInterface.root, "DesktopEntry")
        .contains("'org.example.test'"))
    host.acceptsRequests = false
    #expect(try call(MediaPlayerInterface.player, "Play").contains("Failed") && commands == [])
  }

  @Test("The second instance has a name of its own, the third none, which is said; the first one's end changes nothing")
  func instances() throws {
    let hosts = [host, TestHost(), TestHost()]
    let sources = hosts.map { start(on: $0) }
    defer { for source in sources { source.stop() } }
    for (number, source) in sources.enumerated() {
      source.requested.mediaPlayer.publish(player())
      #expect(hosts[number].turn { !hosts[number].messages.isEmpty })
    }
    #expect(hosts[0].messages == ["playerName: \(Self.name)"] && hosts[1].messages == ["playerName: \(Self.second)"])
    #expect(hosts[2].messages.count == 1 && hosts[2].messages[0].contains("no name"))
    let arguments = ["playerctl", "-p", "org.example.test.instance\(getpid())", "next"]
    let folder = try TemporaryFolder()
    var environment = try privateEnvironment(home: folder, display: nil)
    environment["DBUS_SESSION_BUS_ADDRESS"] = daemon.address
    let process = try ChildProcess(
      arguments, environment: environment, output: folder.file("out"), errors: folder.file("out"))
    #expect(
      host.turn {
        hosts[1].turn(milliseconds: 5)
        return process.poll() != nil
      })
    #expect(hosts[1].events == [.remoteControl(.command(.nextTrack))] && hosts[0].events == [])
    // The first ends: its name is free for the one that had none, when that begins again.
    sources[0].requested.mediaPlayer.publish(nil)
    #expect(
      host.turn {
        for host in hosts { host.passTime() }
        return host.settle()
      })
    sources[2].requested.mediaPlayer.publish(nil)
    hosts[2].passTime()
    sources[2].requested.mediaPlayer.publish(player())
    #expect(
      hosts[2].turn {
        host.turn()
        return hosts[2].messages.contains("playerName: \(Self.name)")
      })
  }

  @Test("A bus that goes and comes back finds the player again; without a bus nothing is said")
  func buses() async throws {
    let source = start()
    defer { source.stop() }
    source.requested.mediaPlayer.publish(player(Self.all, NowPlayingInfo(title: "A", playbackState: .playing)))
    #expect(waitForName())
    try await daemon.kill()
    _ = host.turn { host.messages.count > 1 }
    source.requested.mediaPlayer.publish(
      player(Self.all, NowPlayingInfo(title: "B", playbackState: .paused), revision: 1))
    host.turn(milliseconds: 10)
    try await daemon.restart()
    #expect(host.turn { host.messages.count { $0 == "playerName: \(Self.name)" } == 2 })
    #expect(try playerctl("metadata", "title") == "B\n")
    // None
    let lonely = TestHost()
    let other = BusSource(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/missing/bus"]) { _ in }
    other.start(lonely)
    lonely.passTime()
    other.requested.mediaPlayer.publish(player())
    lonely.turn(milliseconds: 10)
    lonely.passTime()
    other.requested.mediaPlayer.publish(nil)
    #expect(lonely.settle() && lonely.events.isEmpty && lonely.reports.isEmpty)
    other.stop()
  }

  // MARK: Hostile programs

  @Test("Wrong types, unknown methods, giants and writes are refused, each with an error, and change nothing")
  func rubbish() throws {
    let source = start()
    defer { source.stop() }
    source.requested.mediaPlayer.publish(player())
    #expect(waitForName())
    let bus = try #require(Bus(.session, environment: daemon.environment, host: host))
    bus.connect()
    defer { bus.disconnect() }
    func error(_ interface: String, _ method: String, _ values: [BusValue]) -> String {
      var result: Result<[BusValue], BusFailure>?
      bus.call(
        Self.name, BusMember(path: MediaPlayerInterface.path, interface: interface, name: method), values
      ) { result = $0 }
      _ = host.turn { result != nil }
      guard case .failure(let failure)? = result else { return "none" }
      return failure.name.replacing("org.freedesktop.DBus.Error.", with: "")
    }
    let (player, properties) = (MediaPlayerInterface.player, BusObjects.properties)
    let giant = BusValue.string(String(repeating: "x", count: BusReader.budget + 1))
    #expect(error(player, "Play", [.string("now")]) == "UnknownMethod")
    #expect(error(player, "Seek", [.string("5")]) == "UnknownMethod")
    #expect(error(player, "Explode", []) == "UnknownMethod")
    #expect(error(MediaPlayerInterface.root, "Play", []) == "UnknownMethod")
    #expect(error("a.b", "Play", []).hasPrefix("Unknown"))
    #expect(error(player, "OpenUri", [giant]) == "LimitsExceeded")
    #expect(error(properties, "Set", [.string(player), .string("Volume"), .variant(.double(0))]) == "PropertyReadOnly")
    #expect(error(properties, "Get", [.string(player), .string("None")]) == "UnknownProperty")
    #expect(error(properties, "Get", [.uint32(1)]) == "InvalidArgs")
    #expect(error(properties, "GetAll", [.string("none")]) == "none")
    #expect(host.events == [] && host.reports == [])
  }

  @Test("A flood of commands is handled in its order, or refused, and the last one is heard")
  func flood() throws {
    let source = start()
    defer { source.stop() }
    source.requested.mediaPlayer.publish(player())
    #expect(waitForName())
    let bus = try #require(Bus(.session, environment: daemon.environment, host: host))
    bus.connect()
    defer { bus.disconnect() }
    var (taken, refused) = (0, 0)
    for number in 0..<6000 {
      let name = number % 2 == 0 ? "Next" : "Previous"
      bus.call(
        Self.name, BusMember(path: MediaPlayerInterface.path, interface: MediaPlayerInterface.player, name: name)
      ) { if case .success = $0 { taken += 1 } else { refused += 1 } }
    }
    #expect(host.turn(seconds: 60) { taken + refused == 6000 })
    #expect(taken == commands.count && taken >= SenderBook.mostWaiting)
    #expect(try playerctl("stop") == "" && commands.last == .stop)
  }

  @Test("Another user's command is refused, though the bus lets it through")
  func otherUser() async throws {
    if !mustNotSkip, geteuid() != 0 || !isInstalled("setpriv") {
      try Test.cancel("not root, or no setpriv: no other user can be played")
    }
    let open = try await PrivateBus(forAllUsers: true)
    let source = start(bus: open)
    defer { source.stop() }
    source.requested.mediaPlayer.publish(player())
    #expect(waitForName())
    let play = [
      "gdbus", "call", "--address", open.address, "-d", Self.name, "-o", MediaPlayerInterface.path, "-m",
      "\(MediaPlayerInterface.player).Play",
    ]
    let stranger = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    #expect(try run(stranger + play, bus: open).contains("AccessDenied") && commands == [])
    #expect(try run(play, bus: open) == "()\n" && commands == [.play])
  }
}
