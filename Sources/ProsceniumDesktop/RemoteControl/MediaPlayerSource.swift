import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// The program on the session bus as a player of media, while it wants to be one (MPRIS 2.2).
///
/// Without need there is no name, no object and no request.
@MainActor package final class MediaPlayerSource: MediaPlayerService {
  /// A position that differs by more than this from the one that others count on is told to them.
  private static let jump = Duration.seconds(1)
  /// The most programs whose commands are counted each by themselves.
  private static let mostSenders = 64

  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var objects: BusObjects?
  private var player: MediaPlayer?
  /// The time at which ``player`` was at its position, on the host's clock.
  private var positionTime = 0.0
  /// The number of the track.
  private var track = 0
  /// Whether the position is to be told with the next changes.
  private var seeks = false
  /// The properties that others know; nil while there is no name.
  private var told: [String: [String: BusValue]]?
  private var name: OwnedName?
  private var isAdjusting = false
  /// The period before which the bus has nothing left to deliver.
  private var reached = 0
  /// How many commands have come, by the number of the process, or its unique name where that is not known.
  private var floods: [String: CallFlood] = [:]

  init() {}

  func start(_ host: any SystemHost) {
    self.host = host
    adjustLater()
  }

  /// Sets the session bus, which is where players are.
  func use(_ bus: Bus, _ objects: BusObjects) {
    self.bus = bus
    self.objects = objects
    adjustLater()
  }

  package func publish(_ next: MediaPlayer?) {
    let before = exchange(&player, with: next)
    if let next, next.period != before?.period { pass(next.period) }
    if next?.revision != before?.revision { trackChanged(from: before?.nowPlaying, to: next?.nowPlaying) }
    adjustLater()
  }

  /// Passes what was called before a period: the bus delivers it before it answers.
  private func pass(_ period: Int) {
    // The program is no player before it has asked for its name, whose answer comes after all that, too.
    guard let bus, name != nil else { return reached = period }
    bus.call(BusDaemon.name, BusDaemon.member("GetId"), []) { [weak self] _ in self?.reached = period }
  }

  private func trackChanged(from before: NowPlayingInfo?, to next: NowPlayingInfo?) {
    let now = host?.now ?? 0
    defer { positionTime = now }
    // Others take it that a new track begins at its start, and that one goes on from there after a stop ("Seeked").
    var expected = Duration.zero
    if let before, let next, before.isSameTrack(as: next) {
      let goesOn = before.playbackState != .stopped || next.playbackState == .stopped
      if goesOn { expected = before.position(after: now - positionTime) }
    } else {
      track += 1
    }
    guard told != nil, let position = next?.position(after: 0) else { return seeks = false }
    if position < expected - Self.jump || position > expected + Self.jump { seeks = true }
  }

  // MARK: The name

  /// After the present callback, which at a launch requests the first windows.
  private func adjustLater() {
    guard let host, bus != nil, !isAdjusting, player != nil || name != nil else { return }
    isAdjusting = true
    host.after(milliseconds: 0) { [weak self] in
      self?.isAdjusting = false
      self?.adjust()
    }
  }

  private func adjust() {
    guard let bus else { return }
    let name = name ?? makeName(bus)
    self.name = name
    name.set(isWanted: player != nil)
    if player != nil, told != nil { tell(bus) }
  }

  private func makeName(_ bus: Bus) -> OwnedName {
    let name = host.flatMap { MediaPlayerInterface.name(of: $0.applicationIdentifier) }
    return OwnedName(name.map { [$0, "\($0).instance\(getpid())"] } ?? [], on: bus) { [weak self] name in
      guard let self else { return }
      told = name == nil ? nil : properties
      export(told != nil)
      if let name { host?.trace("playerName", name) }
    } onRefusal: { [weak self] in
      self?.host?.log("The session bus has no name for the program as a player, so that others cannot control it.")
    }
  }

  /// The object is there as long as the name is: whoever has called before had no player to call.
  private func export(_ isThere: Bool) {
    guard isThere else { return objects?.withdraw(MediaPlayerInterface.path) ?? () }
    objects?.export(MediaPlayerInterface.path, interfaces: MediaPlayerInterface.description) { [weak self] in
      self?.answer($0)
    }
  }

  // MARK: The properties

  private var properties: [String: [String: BusValue]]? {
    guard let player, let host else { return nil }
    return MediaPlayerInterface.properties(of: player, identifier: host.desktopIdentifier, track: track)
  }

  /// Tells others which properties have changed.
  private func tell(_ bus: Bus) {
    let next = properties
    let before = exchange(&told, with: next) ?? [:]
    for (interface, values) in next ?? [:] {
      let changed = values.filter { before[interface]?[$0.key] != $0.value }
      guard !changed.isEmpty else { continue }
      bus.emit(
        BusMember(path: MediaPlayerInterface.path, interface: BusObjects.properties, name: "PropertiesChanged"),
        [.string(interface), .options(changed), .array(of: "s", [])])
    }
    // After the track that it is in.
    guard exchange(&seeks, with: false) else { return }
    bus.emit(
      BusMember(path: MediaPlayerInterface.path, interface: MediaPlayerInterface.player, name: "Seeked"),
      [.whole(Int128(position.microseconds), code: "x")])
  }

  // MARK: Calls

  private func answer(_ call: BusMessage) -> BusAnswer? {
    let member = call.member
    switch member.interface {
    case MediaPlayerInterface.root, MediaPlayerInterface.player:
      // Who has called is asked for first, and another period may begin meanwhile.
      let period = player?.period == reached ? reached : nil
      return objects?.admit(call) { [weak self] sender, values, reply in
        let name = sender.process.map { "\($0)" } ?? call.sender
        reply.give(self?.perform(member, values, of: name, in: period) ?? .failure(.noReply))
      }
    case BusObjects.properties:
      return objects?.admit(call) { [weak self] _, values, reply in
        var properties = self?.properties ?? [:]
        let position = self?.position.microseconds ?? 0
        properties[MediaPlayerInterface.player]?["Position"] = .whole(Int128(position), code: "x")
        reply.give(BusObjects.property(member.name, values, of: properties))
      }
    case _: return nil
    }
  }

  private var position: Duration { player?.nowPlaying?.position(after: (host?.now ?? 0) - positionTime) ?? .zero }

  private func perform(
    _ member: BusMember, _ values: [BusValue], of sender: String, in period: Int?
  ) -> Result<[BusValue], BusFailure> {
    guard let host, let player, player.period == period, host.acceptsRequests else {
      return .failure(.standard("Failed", "the program is not controlled by others now"))
    }
    let signature = values.map(\.signature).joined()
    switch (member.interface, member.name, signature) {
    // Without a token: the program is brought forward as by its launcher, as far as the window manager lets it.
    case (MediaPlayerInterface.root, "Raise", ""):
      return post(.request(IncomingRequest()), for: sender, host)
    case (MediaPlayerInterface.root, "Quit", ""): return post(.remoteControl(.quit), for: sender, host)
    // A player that cannot seek ignores these two.
    case (MediaPlayerInterface.player, "Seek", "x"), (MediaPlayerInterface.player, "SetPosition", "ox"): break
    case (MediaPlayerInterface.player, "OpenUri", "s"):
      return .failure(.standard("NotSupported", "the program has no list of tracks"))
    case (MediaPlayerInterface.player, let name, ""):
      guard let asked = MediaPlayerInterface.commands[name] else { return unknown(member, signature) }
      // What it does not do has no effect.
      guard let command = player.command(for: asked) else { break }
      return post(.remoteControl(.command(command)), for: sender, host)
    case _: return unknown(member, signature)
    }
    return .success([])
  }

  /// Passes a command on; not those of a flood, which would keep the program busy long after it has ended.
  private func post(_ event: SystemEvent, for sender: String, _ host: any SystemHost) -> Result<[BusValue], BusFailure>
  {
    // Each process has its own limit: a flood of one takes no command of the desktop's. Too many share one.
    let now = host.now
    if floods[sender] == nil, floods.count >= Self.mostSenders { floods = floods.filter { !$0.value.isOver(at: now) } }
    let name = floods[sender] == nil && floods.count >= Self.mostSenders ? "" : sender
    var flood = floods[name] ?? .ofCommands
    let isAdmitted = flood.admits(at: now)
    floods[name] = flood
    guard isAdmitted else {
      if flood.isNews { host.log("Another program sends too many commands for the player: some are refused.") }
      return .failure(.standard("LimitsExceeded", "too many commands"))
    }
    host.post(event)
    return .success([])
  }

  private func unknown(_ member: BusMember, _ signature: String) -> Result<[BusValue], BusFailure> {
    .failure(
      .standard("UnknownMethod", "there is no \(member.interface).\(member.name) with \"\(signature.prefix(100))\""))
  }
}
