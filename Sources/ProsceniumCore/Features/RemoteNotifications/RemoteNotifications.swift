import ProsceniumJSON
import ProsceniumTrace

/// Delivers what the distributor of pushed notifications tells: see ``RemoteNotificationCenter``.
final class RemoteNotifications: FeatureBase, Feature {
  enum Message: Equatable {
    /// A registration has failed.
    case failed(RemoteNotificationCenter.Failure)
  }

  override func join(_ lists: inout FeatureLists) { lists.answer(.handle, by: self) }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .request(let request) = event, let push = request.push else { return [] }
    return [.callAfterSettling(PushCall(event: push))]
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .failed(let failure): [.callAfterSettling(PushFailureCall(failure: failure))]
    }
  }
}

/// `remoteNotificationCenter(_:didReceive:)` and its like.
private struct PushCall: ProgramCall {
  var event: PushEvent
  var call: CallDescription {
    switch event {
    case .endpoint: CallDescription("remoteNotificationCenter(_:didRegisterWith:)", phase: .event)
    case .message: CallDescription("remoteNotificationCenter(_:didReceive:)", phase: .event)
    case .unregistered: CallDescription("remoteNotificationCenterDidUnregister(_:)", phase: .event)
    }
  }

  func perform(for application: Application) -> [FeatureAction] {
    let center = RemoteNotificationCenter.of(application)
    // The program may have ended the registration since the distributor has told its address.
    if case .endpoint = event, application.host.services.push?.isRegistered == false { return [] }
    switch event {
    case .endpoint(let url): center.endpoint = url
    case .unregistered: center.endpoint = nil
    case .message: break
    }
    guard let delegate = center.delegate else {
      return [
        .report(
          "What a distributor of pushed notifications has told (\(event.name)) is lost: RemoteNotificationCenter.current "
            + "has no delegate. Set one in a launch callback, and hold it.")
      ]
    }
    // Without the message and the endpoint: both are secrets.
    var details: TraceDetails = ["event": .string(event.name)]
    if case .message(let message) = event { details.append("bytes", .int(message.count)) }
    application.conductor?.trace(.system("remoteNotification", details))
    switch event {
    case .endpoint(let url): delegate.remoteNotificationCenter(center, didRegisterWith: url)
    case .message(let message): delegate.remoteNotificationCenter(center, didReceive: message)
    case .unregistered: delegate.remoteNotificationCenterDidUnregister(center)
    }
    return []
  }
}

/// `remoteNotificationCenter(_:didFailToRegisterWith:)`.
private struct PushFailureCall: Notice {
  var failure: RemoteNotificationCenter.Failure
  var call: CallDescription { CallDescription("remoteNotificationCenter(_:didFailToRegisterWith:)", phase: .event) }

  func send(to application: Application) {
    let center = RemoteNotificationCenter.of(application)
    center.delegate?.remoteNotificationCenter(center, didFailToRegisterWith: failure)
  }
}
