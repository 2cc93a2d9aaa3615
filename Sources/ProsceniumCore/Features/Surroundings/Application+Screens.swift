import FoundationEssentials

/// What a new list of screens brings.
@MainActor struct ScreenNews: Equatable {
  /// The screens that stood for all of them are known now: what was there at launch does not connect.
  var isFirstWord = false
  var disconnected: [Screen] = []
  var connected: [Screen] = []
  var changed: [Screen] = []
  var visibleFrames: [Screen] = []

  var isEmpty: Bool { disconnected.isEmpty && connected.isEmpty && changed.isEmpty && visibleFrames.isEmpty }

  /// Posts the notifications: first what is gone, then what has come, then what is different.
  func post() {
    let center = NotificationCenter.default
    for screen in disconnected { center.post(Screen.DidDisconnectMessage(screen: screen), subject: screen) }
    for screen in connected { center.post(Screen.DidConnectMessage(screen: screen), subject: screen) }
    for screen in changed { center.post(Screen.ModeDidChangeMessage(screen: screen), subject: screen) }
    for screen in visibleFrames {
      center.post(Screen.VisibleFrameDidChangeMessage(screen: screen), subject: screen)
    }
  }
}

/// Posts the notifications of screens.
struct ScreensCall: ProgramCall {
  var news: ScreenNews
  var call: CallDescription { CallDescription("Screen notifications", phase: .event) }

  func perform(for application: Application) -> [FeatureAction] {
    news.post()
    return []
  }
}

extension Surroundings {
  /// Takes the screens that there are; a screen is the same one as long as one of its name is there.
  func update(screens descriptions: [ScreenDescription]) -> ScreenNews {
    var news = ScreenNews()
    let old = screens
    // The screens that were there at launch do not connect: the one that stood for them becomes the first of them.
    news.isFirstWord = old.contains(where: \.isProvisional)
    let ordered = descriptions.filter(\.isPrimary) + descriptions.filter { !$0.isPrimary }
    var left = old
    screens = ordered.map { description in
      guard let index = left.firstIndex(where: { $0.isProvisional || $0.name == description.name }) else {
        let screen = Screen(description)
        if !news.isFirstWord { news.connected.append(screen) }
        return screen
      }
      let known = left.remove(at: index)
      let changes = known.update(description)
      if changes.contains(.mode) { news.changed.append(known) }
      if changes.contains(.visibleFrame) { news.visibleFrames.append(known) }
      return known
    }
    if !news.isFirstWord { news.disconnected = left }
    return news
  }
}

extension Application {
  /// The orientations in which the program can show what is in a window; what it can show at all where nil.
  ///
  /// What ``ApplicationLifecycleDelegate/application(_:supportedInterfaceOrientationsFor:)`` says, and of that what the
  /// window's root view controller says, where there is one. Two that have nothing in common leave what the delegate
  /// says.
  /// - Parameter window: The window.
  /// - Returns: The orientations; never none.
  public func supportedInterfaceOrientations(for window: Window?) -> InterfaceOrientationMask {
    var supported = delegate?.application(self, supportedInterfaceOrientationsFor: window) ?? .all
    if supported.isEmpty { supported = .all }
    let common = supported.intersection(window?.content?.supportedInterfaceOrientations ?? .all)
    return common.isEmpty ? supported : common
  }
}
