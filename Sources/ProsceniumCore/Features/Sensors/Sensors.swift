import FoundationEssentials
import ProsceniumJSON
import ProsceniumTrace

/// Reports what sensors tell, as far as the program asks for it and somebody looks at it: see ``Device``.
final class Sensors: FeatureBase, Feature {
  enum Message: Equatable {
    /// The program does not want to hear of shakes any more.
    case cancelShake
  }

  /// A shake that has begun.
  private struct Shake {
    let record: SceneRecord
    let event: Event
    weak var receiver: Responder?
  }

  /// The last values of what the program asks for.
  private(set) var reading = SensorReading()
  private var followed: Set<SensorTopic> = []
  /// What the program asked for last.
  private var asked: Set<SensorTopic> = []
  private var shake: Shake?

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, by: self)
    lists.observe(before: [.sceneWillResignActive], by: self)
    lists.observe(moments: .applicationStateSet, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    // The application may have been used before it had a host.
    case .configured, .applicationStateSet: follow()
    case .before(.sceneWillResignActive, let record):
      if shake?.record === record { return [.call(ShakeCall(phase: .cancelled))] }
    default: break
    }
    return []
  }

  /// Asks for what the program wants to know now.
  func follow() {
    let last = asked
    asked = application.value(SensorRequestsKey.self).topics
    // Mostly the program asks for none.
    if asked.isEmpty, last.isEmpty { return }
    reading.take(Set(SensorTopic.allCases).subtracting(asked), from: SensorReading())
    if shake != nil, !asked.contains(.shake) { conductor.post(Sensors.self, .cancelShake) }
    let topics: Set<SensorTopic> =
      switch application.applicationState {
      case .active: asked
      case .inactive: asked.subtracting([.shake])
      case .background: []
      }
    guard topics != followed else { return }
    followed = topics
    application.host.machine.sensors?.follow(topics)
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    switch event {
    case .sensors(let next): return take(next)
    case .shake(let phase): return [.callAfterSettling(ShakeCall(phase: phase))]
    default: return []
    }
  }

  private func take(_ next: SensorReading) -> [FeatureAction] {
    let device = Device.of(application)
    let before = SensorFact.allCases.map { $0.value(of: device) }
    // The program may have stopped asking since, or nobody looks any more.
    reading.take(next.topics.intersection(followed), from: next)
    let changes = zip(SensorFact.allCases, before).filter { $0.value(of: device) != $1 }.map(\.0)
    guard !changes.isEmpty else { return [] }
    let details = TraceDetails(changes.map { ($0.rawValue, $0.value(of: device)) })
    return [.traceSystem("sensors", details), .callAfterSettling(SensorCall(changes: changes))]
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .cancelShake: [.call(ShakeCall(phase: .cancelled))]
    }
  }

  /// No sensor works for a program that is suspended, and when it is in the foreground again all of them tell what they
  /// have to tell.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    switch event {
    case .sensors, .shake: .dropped
    default: nil
    }
  }

  // MARK: Shakes

  fileprivate func deliver(_ phase: ShakePhase) {
    switch phase {
    case .began: begin()
    case .ended, .cancelled:
      guard let ended = shake.take() else { return }
      trace(phase, ended)
      if phase == .ended {
        ended.receiver?.motionEnded(.shake, with: ended.event)
      } else {
        ended.receiver?.motionCancelled(.shake, with: ended.event)
      }
    }
  }

  private func begin() {
    // Nobody may look, or ask, any more.
    guard shake == nil, followed.contains(.shake), !conductor.machine.phase.isEnding,
      let scene = application.scenesByActivity.first(where: { $0.activationState == .foregroundActive })
        as? WindowScene,
      let record = scene.record, let window = scene.keyWindow ?? scene.windows.first
    else { return }
    let event = Event(.deviceMotion(.shake), window: window)
    let receiver = window.content?.responder(for: event) ?? window.firstResponder ?? window
    let began = Shake(record: record, event: event, receiver: receiver)
    shake = began
    trace(.began, began)
    receiver.motionBegan(.shake, with: event)
  }

  private func trace(_ phase: ShakePhase, _ shake: Shake) {
    conductor.trace(
      .system("shake", ["phase": .string(phase.rawValue), "scene": .string(shake.record.identifier)]))
  }
}

/// A value that sensors tell, by its key in the trace and in the order of the notifications.
private enum SensorFact: String, CaseIterable {
  case orientation, near, light, unit

  @MainActor func value(of device: Device) -> JSONValue {
    switch self {
    case .orientation: .string(device.orientation.rawValue)
    case .near: .bool(device.proximityState)
    case .light: .int(device.ambientLight.map { Int($0.level) } ?? -1)
    case .unit: .string(device.ambientLight?.unit.rawValue ?? "")
    }
  }
}

/// The notifications of a change.
private struct SensorCall: Notice {
  var changes: [SensorFact]
  var call: CallDescription { CallDescription("Device notifications", phase: .event) }

  func send(to application: Application) {
    let device = Device.of(application)
    if changes.contains(.orientation), device.isGeneratingDeviceOrientationNotifications {
      Device.OrientationDidChangeMessage(device: device).post()
    }
    // An observer may have ended the monitoring meanwhile.
    if changes.contains(.near), device.isProximityMonitoringEnabled {
      Device.ProximityStateDidChangeMessage(device: device).post()
    }
    if changes.contains(.light) || changes.contains(.unit), device.isAmbientLightMonitoringEnabled {
      Device.AmbientLightDidChangeMessage(device: device).post()
    }
  }
}

/// A step of a shake.
private struct ShakeCall: Notice {
  var phase: ShakePhase
  var call: CallDescription { CallDescription("motionBegan(_:with:)", phase: .event) }

  func send(to application: Application) { application.conductor?.feature(Sensors.self)?.deliver(phase) }
}
