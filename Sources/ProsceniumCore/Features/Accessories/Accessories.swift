import FoundationEssentials
import ProsceniumJSON
import ProsceniumTrace

/// Reports accessories to the program, as long as it asks for them: see ``AccessoryManager``.
final class AccessoriesFeature: FeatureBase, Feature {
  enum Message: Equatable {
    /// An open session can be read.
    case readable(ObjectIdentifier, isGone: Bool)
  }

  override func join(_ lists: inout FeatureLists) { lists.answer(.handle, .whileSuspended, by: self) }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    // The application may have been used before it had a host.
    if case .configured = moment { application.value(AccessoryManagerKey.self)?.follow() }
    return []
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .accessories(let readings) = event, let manager = application.value(AccessoryManagerKey.self) else {
      return []
    }
    let (gone, come) = manager.update(readings)
    guard !gone.isEmpty || !come.isEmpty else { return [] }
    var details: TraceDetails = [:]
    for (key, accessories) in [("disconnected", gone), ("connected", come)] where !accessories.isEmpty {
      details.append(key, .array(accessories.map { .string($0.traceName) }))
    }
    return [.traceSystem("accessories", details), .callAfterSettling(AccessoryCall(gone: gone, come: come))]
  }

  func receive(_ message: Message) -> [FeatureAction] {
    guard case .readable(let identifier, let isGone) = message,
      let session = application.value(AccessoryManagerKey.self)?.session(identifier)
    else {
      return []
    }
    return [.call(ReadabilityCall(session: session, isGone: isGone))]
  }

  /// The last reading has all of them, and is compared with those before the suspension.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    if case .accessories = event { .kept(kind: "accessories", rank: 1) } else { nil }
  }
}

extension Accessory {
  /// The kind and the number of the connection: serial numbers do not belong into a trace.
  var traceName: String { "\(kind.rawValue) \(connectionID)" }
}

/// The notifications of a change.
private struct AccessoryCall: Notice {
  var gone: [Accessory]
  var come: [Accessory]
  var call: CallDescription { CallDescription("AccessoryManager notifications", phase: .event) }

  func send(to application: Application) {
    let (manager, center) = (AccessoryManager.of(application), NotificationCenter.default)
    for accessory in gone {
      for session in manager.sessions(on: accessory) { session.fail(.disconnected) }
      // An observer may have ended the notifications meanwhile.
      if manager.isRegistered {
        center.post(AccessoryManager.DidDisconnectMessage(accessory: accessory), subject: manager)
      }
    }
    for accessory in come where manager.isRegistered {
      center.post(AccessoryManager.DidConnectMessage(accessory: accessory), subject: manager)
    }
  }
}

/// The call of a session's handler.
private struct ReadabilityCall: Notice {
  var session: AccessorySession
  var isGone: Bool
  var call: CallDescription { CallDescription("AccessorySession.readabilityHandler", phase: .event) }

  func send(to application: Application) { session.callReadabilityHandler(isGone: isGone) }
}
