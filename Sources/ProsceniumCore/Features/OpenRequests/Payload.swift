import FoundationEssentials
import ProsceniumJSON
import ProsceniumTrace

/// The part of an open request for one scene, delivered at once.
@MainActor struct Payload: nonisolated Equatable {
  /// An activity, or the failure to receive it.
  enum Continuation: Equatable {
    /// Announced to the delegate where it comes from elsewhere; an own request's is not.
    case whole(UserActivity, isAnnounced: Bool)
    /// Another payload has it: a scene that is connected for it knows that it comes, and no callback says so yet.
    case announced(type: String)
    case failed(type: String, UserActivityError)
  }

  var urls: [OpenURLContext] = []
  var shortcut: ApplicationShortcutItem?
  var continuation: Continuation?
  /// The id of the application that asks.
  var sender: String?
  /// The scene stays where it is.
  var isQuiet = false

  var isEmpty: Bool { urls.isEmpty && shortcut == nil && continuation == nil }

  /// The content that decides which scene it is for; nil where none is better than another.
  var target: String? {
    if let url = urls.first { return url.url.absoluteString }
    if let shortcut { return shortcut.targetContentIdentifier }
    guard case .whole(let activity, _)? = continuation else { return nil }
    return activity.targetContentIdentifier
  }

  /// The parts that may each be for a scene of its own.
  var parts: [Payload] {
    var parts = urls.map { Payload(urls: [$0], sender: sender, isQuiet: isQuiet) }
    if let shortcut { parts.append(Payload(shortcut: shortcut, sender: sender, isQuiet: isQuiet)) }
    if let continuation { parts.append(Payload(continuation: continuation, sender: sender, isQuiet: isQuiet)) }
    return parts
  }

  /// Adds another part of the same request.
  mutating func add(_ part: Payload) {
    urls += part.urls
    shortcut = shortcut ?? part.shortcut
    continuation = continuation ?? part.continuation
    sender = sender ?? part.sender
  }

  /// The same for a scene that is connected with it.
  var options: Scene.ConnectionOptions {
    var options = Scene.ConnectionOptions()
    add(to: &options)
    return options
  }

  func add(to options: inout Scene.ConnectionOptions) {
    for url in urls { options.urlContexts.insert(url) }
    if let shortcut { options.shortcutItem = shortcut }
    if let sender { options.sourceApplication = sender }
    switch continuation {
    case .whole(let activity, _)?: options.userActivities.insert(activity)
    case .announced(let type)?, .failed(let type, _)?: options.handoffUserActivityType = type
    case nil: break
    }
  }

  /// The part that a scene that was connected with it receives in addition: an announced activity ends, if only in a
  /// failure.
  var remainder: Payload? {
    guard case .failed? = continuation else { return nil }
    return Payload(continuation: continuation, isQuiet: isQuiet)
  }

  /// A description of the payload, for display.
  var summary: String {
    if let shortcut { return "The action \"\(shortcut.type)\"" }
    return urls.isEmpty ? "A user activity" : "\(urls.count) URLs"
  }
}

extension IncomingRequest {
  /// The payload for scenes.
  @MainActor var payload: Payload {
    let contexts = urls.map {
      OpenURLContext(
        url: $0, options: Scene.OpenURLOptions(sourceApplication: sender?.application, openInPlace: $0.isFileURL))
    }
    return Payload(
      urls: contexts, shortcut: shortcut, continuation: activity?.continuation, sender: sender?.application,
      isQuiet: isBackground)
  }

  /// The line of the trace.
  ///
  /// Without URLs: they may be secrets, and a trace is shown around.
  var traceDetails: TraceDetails {
    var details: TraceDetails = ["urls": .int(urls.count), "arguments": .int(arguments.count)]
    details.append("action", shortcut.map { .string($0.type) })
    switch activity {
    case .whole(let activity)?: details.append("activity", .string(activity.activityType))
    case .announced(let type)?, .failed(let type, _)?: details.append("activity", .string(type))
    case nil: break
    }
    details.append("response", response.map { .string($0.actionIdentifier) })
    details.append("push", push.map { .string($0.name) })
    details.append("background", isBackground ? .bool(true) : nil)
    details.append("sender", sender?.application.map { .string($0) })
    details.append("process", sender?.process.map { .int($0) })
    return details
  }
}

extension IncomingRequest.Activity {
  @MainActor fileprivate var continuation: Payload.Continuation {
    switch self {
    case .whole(let stored): .whole(UserActivity(stored), isAnnounced: true)
    case .announced(let type): .announced(type: type)
    case .failed(let type, let reason):
      .failed(type: type, UserActivityError("The user activity \(type) cannot be continued: \(reason)"))
    }
  }
}

extension LaunchOptions {
  /// The payload for scenes.
  @MainActor var payload: Payload {
    let contexts = urls.map {
      OpenURLContext(
        url: $0, options: Scene.OpenURLOptions(sourceApplication: sourceApplication, openInPlace: $0.isFileURL))
    }
    return Payload(urls: contexts, shortcut: shortcutItem, sender: sourceApplication, isQuiet: isBackground)
  }
}
