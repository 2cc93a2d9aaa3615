import ProsceniumJSON
import ProsceniumTrace

/// Delivers what is asked of the program as a player: by the bus, and by media keys that arrive at its windows.
final class RemoteControl: FeatureBase, Feature, InputClaimant, WindowEventHandler {
  enum Message: Equatable {
    /// The program has changed what it says of itself as a player.
    case changed
  }

  /// The player that has been published; nil while no commands are received.
  private var player: MediaPlayer?
  /// Which begin it was.
  private var period = 0
  /// The begin before which the window system has nothing left to deliver: keys that were pressed before a later one
  /// are none of the player's.
  private var reached = 0
  private var echoes = RemoteControlEchoes()
  /// The media keys that are down, and were pressed as ordinary ones.
  private var ordinary: Set<UInt8> = []
  /// The media keys that are down, with the commands of their releases; nil for those that have none.
  private var held: [UInt8: RemoteControlCommand?] = [:]
  /// Where seeking began, by the command that ends it.
  private var seekers: [RemoteControlCommand: Seeker] = [:]

  private struct Seeker { weak var window: Window? }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, by: self)
    lists.handle(.outcome, by: self)
    lists.claimants.append(self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    // It may have begun before there was a conductor.
    if case .launching = moment { publish() } else { [] }
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .changed: publish()
    }
  }

  private func publish() -> [FeatureAction] {
    let center = application.value(RemoteControlKey.self)
    let next = center?.player
    let before = exchange(&player, with: next)
    let isAnother = exchange(&period, with: center?.period ?? 0) != period
    if next != before { application.host.services.mediaPlayer?.publish(next) }
    if next == nil || isAnother {
      // The releases of keys that are down are still taken; what has begun ends without a word.
      (held, seekers, echoes) = (held.mapValues { _ in nil }, [:], RemoteControlEchoes())
    }
    var actions: [FeatureAction] = []
    if next != nil, isAnother { actions.append(.command(.mark(period))) }
    if (next == nil) != (before == nil) {
      actions.append(.traceSystem("remoteControl", ["receives": .bool(next != nil)]))
    }
    return actions
  }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    if case .mark(let number) = event { reached = number }
    return []
  }

  // MARK: Commands

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .remoteControl(let request) = event else { return [] }
    switch request {
    case .command(let command): return deliver(command, from: .bus)
    case .quit: return player == nil ? [] : [.post(AnyMessage(Termination.self, .ask(.requested, status: 0)))]
    }
  }

  /// The user may ask for it while nobody looks at the program.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    if case .remoteControl = event { .wakes } else { nil }
  }

  func claim(_ input: InputEvent) -> [FeatureAction]? {
    guard case .key(let key) = input.kind else { return nil }
    guard key.isDown else {
      ordinary.remove(key.code)
      // The release of what was taken is taken too, whatever the key means by now.
      guard let end = held.removeValue(forKey: key.code) else { return nil }
      return end.flatMap { player?.command(for: $0) }.map { deliver($0, from: .key) } ?? []
    }
    if held[key.code] != nil { return [] }
    guard let asked = RemoteControlCommand(pressed: key.symbol) else { return nil }
    // A press that the window has got is repeated there, and released.
    if key.isRepeat, ordinary.contains(key.code) { return nil }
    guard reached == period, let command = player?.command(for: asked) else {
      ordinary.insert(key.code)
      return nil
    }
    // A key that stays down while the focus moves is repeated in the next window: nothing begins there, or ends.
    held[key.code] = .some(key.isRepeat ? nil : command.whenReleased)
    return key.isRepeat ? [] : deliver(command, from: .key)
  }

  private func deliver(_ command: RemoteControlCommand, from origin: RemoteControlOrigin) -> [FeatureAction] {
    guard player != nil, !echoes.isEcho(command, from: origin, at: conductor.platform.now) else { return [] }
    return [.callAfterSettling(RemoteControlCall(command: command, origin: origin, period: period))]
  }

  /// The window whose first responder gets a command: that of the end of seeking is the one where it began, as long as
  /// it is there.
  fileprivate func receiver(of command: RemoteControlCommand) -> Window? {
    let scene = application.scenesByActivity.lazy.compactMap { $0 as? WindowScene }.first
    let began = seekers.removeValue(forKey: command)?.window
    let window = began?.id == nil ? scene?.keyWindow ?? scene?.windows.first : began
    if let end = command.whenReleased { seekers[end] = Seeker(window: window) }
    return window
  }
}

/// The way on which a command comes.
enum RemoteControlOrigin: String { case bus, key }

/// Finds presses that come both to a window and by the desktop, which takes the key and calls every player.
///
/// A command is an echo of one that came the other way a moment ago, and does the same; each has one echo.
struct RemoteControlEchoes {
  /// A person does not press two keys of the same meaning in a shorter time.
  static let moment = 0.25

  private var last: (command: RemoteControlCommand, origin: RemoteControlOrigin, time: Double)?

  /// Whether a command is an echo; remembers one that is none.
  mutating func isEcho(_ command: RemoteControlCommand, from origin: RemoteControlOrigin, at time: Double) -> Bool {
    if let last, last.origin != origin, time - last.time < Self.moment,
      Self.meaning(of: last.command) == Self.meaning(of: command)
    {
      self.last = nil
      return true
    }
    last = (command, origin, time)
    return false
  }

  /// The desktop may make of one key what it is to do now.
  private static func meaning(of command: RemoteControlCommand) -> RemoteControlCommand {
    command == .play || command == .pause ? .togglePlayPause : command
  }
}

/// One command for the first responder.
private struct RemoteControlCall: Notice {
  var command: RemoteControlCommand
  var origin: RemoteControlOrigin
  var period: Int
  var call: CallDescription { CallDescription("remoteControlReceived(with:)", phase: .event) }

  func send(to application: Application) {
    let center = RemoteControlCenter.of(application)
    // The program may have ended it meanwhile, and begun again.
    guard center.isReceivingEvents, center.period == period, let conductor = application.conductor,
      !conductor.machine.phase.isEnding
    else { return }
    conductor.trace(
      .system("remoteControl", ["command": .string(command.rawValue), "from": .string(origin.rawValue)]))
    let window = conductor.feature(RemoteControl.self)?.receiver(of: command)
    let event = Event(.remoteControl(command), window: window)
    if window == nil { application.remoteControlReceived(with: event) } else { application.sendEvent(event) }
  }
}
