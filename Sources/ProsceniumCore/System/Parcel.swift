import FoundationEssentials

/// What one scene gets of a request, all at once.
@MainActor struct Parcel {
  /// An activity, or what became of it.
  enum Continuation {
    /// Announced to the delegate where it comes from elsewhere; an own request's is not.
    case whole(UserActivity, isAnnounced: Bool)
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

  /// What decides which scene it is for; nil where none is better than another.
  var target: String? {
    if let url = urls.first { return url.url.absoluteString }
    if let shortcut { return shortcut.targetContentIdentifier }
    guard case .whole(let activity, _)? = continuation else { return nil }
    return activity.targetContentIdentifier
  }

  /// What may be for a scene of its own.
  var parts: [Parcel] {
    var parts = urls.map { Parcel(urls: [$0], sender: sender, isQuiet: isQuiet) }
    if let shortcut { parts.append(Parcel(shortcut: shortcut, sender: sender, isQuiet: isQuiet)) }
    if let continuation { parts.append(Parcel(continuation: continuation, sender: sender, isQuiet: isQuiet)) }
    return parts
  }

  /// Takes another part of the same request.
  mutating func add(_ part: Parcel) {
    urls += part.urls
    shortcut = shortcut ?? part.shortcut
    continuation = continuation ?? part.continuation
  }

  /// The same for a scene that is connected with it.
  var options: Scene.ConnectionOptions {
    var options = Scene.ConnectionOptions()
    add(to: &options)
    return options
  }

  func add(to options: inout Scene.ConnectionOptions) {
    options.urlContexts.formUnion(urls)
    if let shortcut { options.shortcutItem = shortcut }
    if let sender { options.sourceApplication = sender }
    switch continuation {
    case .whole(let activity, _)?: options.userActivities.insert(activity)
    case .failed(let type, _)?: options.handoffUserActivityType = type
    case nil: break
    }
  }

  /// What such a scene hears of in addition: an activity that was announced comes to an end, if only to a bad one.
  var remainder: Parcel? {
    guard case .failed? = continuation else { return nil }
    return Parcel(continuation: continuation, isQuiet: isQuiet)
  }

  /// What it is, for people.
  var summary: String {
    if let shortcut { return "The action \"\(shortcut.type)\"" }
    return urls.isEmpty ? "A user activity" : "\(urls.count) URLs"
  }
}

extension IncomingRequest {
  /// What scenes get of it.
  @MainActor var parcel: Parcel {
    let contexts = urls.map {
      OpenURLContext(
        url: $0, options: Scene.OpenURLOptions(sourceApplication: sender?.application, openInPlace: $0.isFileURL))
    }
    return Parcel(
      urls: contexts, shortcut: shortcut, continuation: activity?.continuation, sender: sender?.application,
      isQuiet: isBackground)
  }
}

extension IncomingRequest.Activity {
  @MainActor fileprivate var continuation: Parcel.Continuation {
    switch self {
    case .whole(let stored): .whole(UserActivity(stored), isAnnounced: true)
    case .failed(let type, let reason):
      .failed(type: type, UserActivityError("The user activity \(type) cannot be continued: \(reason)"))
    }
  }
}

extension LaunchOptions {
  /// What scenes get of it.
  @MainActor var parcel: Parcel {
    Parcel(urls: urls.map { OpenURLContext(url: $0) }, shortcut: shortcutItem, isQuiet: isBackground)
  }
}
