/// The differences between two lists of screens.
@MainActor struct ScreenNews: Equatable {
  /// The screens behind the provisional one are known now: those present at launch do not connect.
  var isFirstWord = false
  var disconnected: [Screen] = []
  var connected: [Screen] = []
  var changed: [Screen] = []
  var visibleFrames: [Screen] = []

  var isEmpty: Bool { disconnected.isEmpty && connected.isEmpty && changed.isEmpty && visibleFrames.isEmpty }

  /// Posts the notifications: disconnected screens first, then connected ones, then changed ones.
  func post() {
    for screen in disconnected { Screen.DidDisconnectMessage(screen: screen).post() }
    for screen in connected { Screen.DidConnectMessage(screen: screen).post() }
    for screen in changed { Screen.ModeDidChangeMessage(screen: screen).post() }
    for screen in visibleFrames {
      Screen.VisibleFrameDidChangeMessage(screen: screen).post()
    }
  }
}

/// Posts the notifications of screens.
struct ScreensCall: Notice {
  var news: ScreenNews
  var call: CallDescription { CallDescription("Screen notifications", phase: .event) }

  func send(to application: Application) { news.post() }
}

extension Surroundings {
  /// Updates the screens; a screen keeps its identity as long as one of its name is connected.
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
  /// The orientations that the program supports for a window; those of the whole program where nil.
  ///
  /// The result of ``ApplicationLifecycleDelegate/application(_:supportedInterfaceOrientationsFor:)``, reduced to those
  /// of the window's root view controller, where there is one. Where the two have nothing in common, the delegate's.
  /// - Parameter window: The window.
  /// - Returns: The orientations; never none.
  public func supportedInterfaceOrientations(for window: Window?) -> InterfaceOrientationMask {
    var supported = delegate?.application(self, supportedInterfaceOrientationsFor: window) ?? .all
    if supported.isEmpty { supported = .all }
    let common = supported.intersection(window?.content?.supportedInterfaceOrientations ?? .all)
    return common.isEmpty ? supported : common
  }
}
