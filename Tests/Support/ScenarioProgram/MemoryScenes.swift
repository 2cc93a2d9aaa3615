import Proscenium

/// Scenes whose windows are drawn by hand, or never: what memory they take, and give back.
@MainActor enum MemoryScenes {
  /// The size of the windows, and whether they are drawn: `--memory=WIDTHxHEIGHT`, `--undrawn`.
  private(set) static var size = Size(width: 200, height: 150)
  private(set) static var isDrawn = true

  static func begin(_ arguments: [String]) -> Bool {
    guard let option = arguments.first(where: { $0.hasPrefix("--memory=") }) else { return false }
    let sides = option.dropFirst("--memory=".count).split(separator: "x").compactMap { Int($0) }
    if sides.count == 2 { size = Size(width: sides[0], height: sides[1]) }
    isDrawn = !arguments.contains("--undrawn")
    return true
  }

  /// `memory open COUNT`, `memory hide`, `memory show`, `memory disconnect`.
  static func perform(_ words: [Substring]) -> Bool {
    let scenes = Application.shared.connectedScenes.compactMap { $0 as? WindowScene }
    switch words.dropFirst().first {
    case "open":
      for _ in 0..<(words.last.flatMap { Int($0) } ?? 0) {
        Application.shared.activateSceneSession(for: SceneSessionActivationRequest())
      }
    case "hide": for scene in scenes { scene.windows.first?.isHidden = true }
    case "show": for scene in scenes { scene.windows.first?.isHidden = false }
    case "disconnect":
      for scene in scenes where scene.activationState == .background {
        Application.shared.requestSceneDisconnection(scene.session)
      }
    default: return false
    }
    return true
  }
}

@MainActor final class MemoryDelegate: Responder, ApplicationDelegate {
  var manifest: ApplicationManifest {
    let main = SceneConfiguration(name: "Main", delegate: MemoryScene.init)
    main.launchSize = MemoryScenes.size
    main.launchPosition = Point(x: 0, y: 0)
    return ApplicationManifest(sceneConfigurations: [main])
  }
}

@MainActor private final class MemoryScene: Responder, WindowSceneDelegate {
  var window: Window?

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    let window = PatternWindow(windowScene: scene)
    // The screen may be smaller.
    window.minimumSize = MemoryScenes.size
    if MemoryScenes.isDrawn { window.setNeedsDisplay() }
    window.makeKeyAndVisible()
    self.window = window
  }
}

/// No two pixels of a row are the same.
@MainActor private final class PatternWindow: Window {
  override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
    for rect in damage {
      for y in rect.origin.y..<rect.origin.y + rect.size.height {
        buffer.withRow(y) { row in
          for x in rect.origin.x..<rect.origin.x + rect.size.width {
            row[x] = 0xFF00_0000 | UInt32(truncatingIfNeeded: x &* 997 &+ y &* 31) & 0xFF_FFFF
          }
        }
      }
    }
  }
}
