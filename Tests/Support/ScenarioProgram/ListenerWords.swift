import FoundationEssentials
import Glibc
import Proscenium
import ScenarioKit

/// The words about what first responders hear: `heat` tells of the machine's heat from now on, `shakes` of shakes,
/// `player begin` of what is asked of a player of media, until `player end`; `player begin after BUSY GO` makes a file,
/// and begins when another one is there.
@MainActor enum ListenerWords {
  /// Held here: a window does not hold its first responder.
  private static var listeners: [Listener] = []
  private static var observers: [NotificationCenter.ObservationToken] = []

  static func perform(_ words: [Substring]) -> Bool {
    switch words {
    #if !WITHOUT_Power
      case ["heat"]: tellHeat()
    #endif
    #if !WITHOUT_Sensors
      case ["shakes"]:
        listen()
        Device.current.isShakeMonitoringEnabled = true
    #endif
    #if !WITHOUT_RemoteControl
      case ["player", "begin"]:
        listen()
        Application.shared.beginReceivingRemoteControlEvents()
      case _ where words.count == 5 && words.starts(with: ["player", "begin", "after"]):
        listen()
        // Says that it is busy, and is so until it may go on, or for two minutes.
        close(creat(String(words[3]), 0o600))
        let end = ContinuousClock.now + .seconds(120)
        while access(String(words[4]), F_OK) != 0, ContinuousClock.now < end { usleep(1000) }
        Application.shared.beginReceivingRemoteControlEvents()
      case ["player", "end"]: Application.shared.endReceivingRemoteControlEvents()
    #endif
    default: return false
    }
    return true
  }

  #if !WITHOUT_Power
    private static func tellHeat() {
      let device = Device.current
      say("heat \(device.thermalState)")
      observers.append(
        NotificationCenter.default.addObserver(of: device, for: .thermalStateDidChange) { message in
          say("heat \(message.device.thermalState)")
        })
    }
  #endif

  /// Every window gets a first responder.
  private static func listen() {
    for (index, session) in Probe.current.sessions.enumerated() {
      guard let window = (session.scene as? WindowScene)?.windows.first, window.firstResponder == nil else { continue }
      let listener = Listener("\(index + 1)", in: window)
      if listener.becomeFirstResponder() { listeners.append(listener) }
    }
  }

  fileprivate static func say(_ text: String) {
    print(text)
    fflush(nil)
  }
}

/// Tells what it hears, after the number of its scene.
@MainActor private final class Listener: Responder {
  private let scene: String
  private weak var window: Window?

  init(_ scene: String, in window: Window) {
    (self.scene, self.window) = (scene, window)
    super.init()
  }

  override var next: Responder? { window }
  override var canBecomeFirstResponder: Bool { true }

  override func handle(_ event: Event) -> Bool {
    if case .key(let key) = event.kind, !key.isRepeat { say("key \(key.isDown ? "down" : "up")") }
    return false
  }
  override func remoteControlReceived(with event: Event) {
    if case .remoteControl(let command) = event.kind { say("asked to \(command)") }
  }
  override func motionBegan(_ motion: DeviceMotion, with event: Event) { say("\(motion) began") }
  override func motionEnded(_ motion: DeviceMotion, with event: Event) { say("\(motion) ended") }
  override func motionCancelled(_ motion: DeviceMotion, with event: Event) { say("\(motion) cancelled") }

  private func say(_ text: String) { ListenerWords.say("\(scene) \(text)") }
}
