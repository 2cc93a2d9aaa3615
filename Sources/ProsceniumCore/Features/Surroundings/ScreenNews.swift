/// The differences between two lists of screens; as a call, it posts the notifications.
struct ScreenNews: Notice, Equatable {
  /// What has happened to a screen, by its name in the trace and in the order of the notifications.
  enum Change: String, CaseIterable { case disconnected, connected, changed, visibleFrame }

  /// The screens behind the provisional one are known now: those present at launch do not connect.
  var isFirstWord = false
  var screens: [Change: [Screen]] = [:]
  var call: CallDescription { CallDescription("Screen notifications", phase: .event) }

  func send(to application: Application) {
    for change in Change.allCases {
      for screen in screens[change] ?? [] {
        switch change {
        case .disconnected: Screen.DidDisconnectMessage(screen: screen).post()
        case .connected: Screen.DidConnectMessage(screen: screen).post()
        case .changed: Screen.ModeDidChangeMessage(screen: screen).post()
        case .visibleFrame: Screen.VisibleFrameDidChangeMessage(screen: screen).post()
        }
      }
    }
  }
}

extension Surroundings {
  /// Updates the screens; a screen keeps its identity as long as one of its name is connected.
  func update(screens descriptions: [ScreenDescription]) -> ScreenNews {
    var left = screens
    // The screens that were there at launch do not connect: the one that stood for them becomes the first of them.
    var news = ScreenNews(isFirstWord: left.contains(where: \.isProvisional))
    let ordered = descriptions.filter(\.isPrimary) + descriptions.filter { !$0.isPrimary }
    screens = ordered.map { description in
      guard let index = left.firstIndex(where: { $0.isProvisional || $0.name == description.name }) else {
        let screen = Screen(description)
        if !news.isFirstWord { news.screens[.connected, default: []].append(screen) }
        return screen
      }
      let known = left.remove(at: index)
      for change in known.update(description) { news.screens[change, default: []].append(known) }
      return known
    }
    if !news.isFirstWord, !left.isEmpty { news.screens[.disconnected] = left }
    return news
  }
}
