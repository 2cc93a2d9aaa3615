import FoundationEssentials
import Proscenium

/// The code of the other articles and of the README, with the declarations that it leaves to the reader: compiled, so
/// that it stays correct.
@MainActor private enum Landing {
  // Begin: code of Proscenium.md
  final class AppDelegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Editor", delegate: EditorScene.init)])
  }

  final class EditorScene: Responder, WindowSceneDelegate {
    var window: Window?

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      window = Window(windowScene: scene)
      window?.title = "Editor"
      window?.makeKeyAndVisible()
    }

    func sceneDidEnterBackground(_ scene: Scene) {
      // The window is not visible any more: save, and release memory that can be filled again.
    }
  }
  // End: code of Proscenium.md
}

@MainActor private enum Readme {
  // Begin: code of README.md
  final class AppDelegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Editor", delegate: EditorScene.init)])
  }

  final class EditorScene: Responder, WindowSceneDelegate {
    var window: Window?

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      window = Window(windowScene: scene)
      window?.title = "Editor"
      window?.makeKeyAndVisible()
    }
    func sceneDidBecomeActive(_ scene: Scene) { window?.backgroundColor = .white }
    func sceneWillResignActive(_ scene: Scene) { window?.backgroundColor = Color(rgb: 0xDDDDDD) }
    func sceneDidEnterBackground(_ scene: Scene) { print("hidden: stop timers, release memory") }
  }
  // End: code of README.md
}

@MainActor private enum Manifest {
  final class EditorScene: Responder, WindowSceneDelegate {
    var window: Window?
    init(session: SceneSession) {}
  }

  // Begin: code of TheManifest.md
  final class AppDelegate: Responder, ApplicationDelegate {
    let manifest: ApplicationManifest = {
      var manifest = ApplicationManifest(
        applicationIdentifier: "org.example.Editor",
        sceneConfigurations: [SceneConfiguration(name: "Editor") { EditorScene(session: $0) }])
      manifest.supportsMultipleScenes = false
      manifest.exitsOnSuspend = true
      return manifest
    }()
  }
  // End: code of TheManifest.md
}

@MainActor private final class Document {
  func save() async {}
}

@MainActor private enum Background {
  static func finish(_ document: Document) async {
    // Begin: code of InTheBackground.md
    await Application.shared.withBackgroundTask("saving") { await document.save() }
    // End: code of InTheBackground.md
  }

  // On one line, as the article has it.
  // swift-format-ignore
  static func stop(_ scene: Scene, _ link: FrameLink) {
    // Begin: code of InTheBackground.md
    scene.whileActive { link.isPaused = false } stop: { link.isPaused = true }
    // End: code of InTheBackground.md
  }
}

@MainActor private enum Sessions {
  static let (path, caret) = ("/tmp/note.txt", 3)
  static func open(_ path: String?, caret: Int) {}

  // Begin: code of SessionsThatSurvive.md
  final class EditorScene: Responder, WindowSceneDelegate {
    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
      let activity = UserActivity(activityType: "org.example.editor.document")
      activity.addUserInfoEntries(from: ["path": path, "caret": caret])
      return activity
    }
    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
      open(activity.userInfo?["path"] as? String, caret: activity.userInfo?["caret"] as? Int ?? 0)
    }
  }
  // End: code of SessionsThatSurvive.md
}

@MainActor private enum Machine {
  struct Keys {
    func forget() {}
    func load() {}
  }
  struct Calendar { func reload() {} }
  static let (keys, calendar) = (Keys(), Calendar())

  // Begin: code of WhatTheMachineTells.md
  final class AppDelegate: Responder, ApplicationDelegate {
    func applicationProtectedDataWillBecomeUnavailable(_ application: Application) { keys.forget() }
    func applicationProtectedDataDidBecomeAvailable(_ application: Application) { keys.load() }
    func applicationSignificantTimeChange(_ application: Application) { calendar.reload() }
  }
  // End: code of WhatTheMachineTells.md
}

@MainActor private enum OwnMeans {
  final class Renderer {
    init(_ handle: X11Handle) {}
    func wake() {}
    func rest() {}
    func draw(at time: Duration, size: Size) {}
  }

  // Begin: code of DrawingByOwnMeans.md
  final class TriangleScene: Responder, WindowSceneDelegate {
    var window: Window?
    private var renderer: Renderer?
    private var link: FrameLink?

    // The context is made at the first activation: windows that have not been used yet cost nothing.
    func sceneDidBecomeActive(_ scene: Scene) {
      guard link == nil, let window, let handle = window.x11Handle else { return }
      renderer = renderer ?? Renderer(handle)
      renderer?.wake()
      link = FrameLink(window: window) { [weak self] timing in self?.frame(timing) }
    }

    private func frame(_ timing: FrameTiming) {
      // The window is visible, and the server is connected.
      guard let window, let renderer, window.mayPresentFrame() else { return }
      renderer.draw(at: timing.targetTimestamp, size: window.frame.size)
    }

    // What was submitted is done, and nothing more is, before this returns.
    func sceneDidEnterBackground(_ scene: Scene) {
      link?.invalidate()
      link = nil
      renderer?.rest()
    }
  }
  // End: code of DrawingByOwnMeans.md
}
