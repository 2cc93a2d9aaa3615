/// The wait for the request for which the bus has started the program.
///
/// The bus starts a program with `--background` and then sends it the request, which is to be in the options of the
/// launch. While the launch waits nothing of the program runs, and events stay in the inbox.
extension Launch {
  var suspendsProgram: Bool { isWaiting }

  func admit(_ event: SystemEvent) -> Bool {
    switch event {
    case .firstRequest(let isAwaited):
      if !isAwaited {
        endWait()
      } else if options.isBackground, conductor.machine.phase == .notLaunched {
        isWaiting = true
        conductor.announce(.launchWaits(true))
        conductor.hold()
      }
      return false
    case .request(let request) where isWaiting:
      defer { endWait() }
      // Delivered after the launch, as every message.
      if case .message(let message)? = request.push { options.remoteNotification = message }
      // A second start has a command line of its own, which the delegate is told of.
      guard request.arguments.isEmpty, !request.isBackground else { return true }
      options.add(request)
      conductor.announce(.launchRequested(request))
      return false
    default: return true
    }
  }

  func admit(_ batch: [PlatformEvent]) -> [PlatformEvent] {
    guard isWaiting else { return batch }
    var events: [PlatformEvent] = []
    for event in batch {
      switch event {
      // Those of sources, without which no request would come.
      case .deadline: conductor.handle(event)
      // The program is to end: it does not wait for what it would do otherwise.
      case .signal, .sessionEnded, .connectionLost:
        events.append(event)
        endWait()
      default: events.append(event)
      }
    }
    return events
  }

  private func endWait() {
    guard isWaiting else { return }
    isWaiting = false
    conductor.release(AnyMessage(Self.self, .begin))
  }
}

extension Conductor {
  /// Whether the program has been started with `--background`.
  package var launchesInBackground: Bool { feature(Launch.self)?.options.isBackground == true }
}

extension LaunchOptions {
  /// Adds the request for which the bus has started the program: it is shown, unless it is a response that opens no
  /// scene.
  fileprivate mutating func add(_ request: IncomingRequest) {
    isBackground = request.response.map { !$0.opensScene } ?? false
    notificationResponse = request.response
    urls += request.urls
    shortcutItem = request.shortcut ?? shortcutItem
    sourceApplication = request.sender?.application
    switch request.activity {
    case .whole(let activity)?: handoffUserActivityType = activity.activityType
    case .announced(let type)?, .failed(let type, _)?: handoffUserActivityType = type
    case nil: break
    }
  }
}
