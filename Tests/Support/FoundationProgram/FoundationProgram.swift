import Foundation
import Proscenium
import ProsceniumFoundation

/// A program with a timer of Foundation's main run loop, whose twentieth call ends it.
///
/// It runs that loop by itself with `--runs-loop`, serves it with `--serves`, or keeps it as its own with `--attached`.
/// With `--alone` there is no timer, and a block ends it that it performs on the main thread. With `--hourly` there is
/// one of an hour before it, and with `--stays` none.
@main @MainActor enum Program {
  static func main() throws {
    guard CommandLine.arguments.contains("--attached") else { return FoundationProgram.main() }
    let loop = FoundationLoop()
    do {
      try Application.attach(to: loop) { FoundationProgram() }
    } catch let ended as LaunchEnded {
      exit(ended.status)
    }
    exit(loop.run())
  }
}

final class FoundationProgram: Responder {
  let manifest = ApplicationManifest(
    applicationIdentifier: "org.proscenium.FoundationProgram",
    sceneConfigurations: [SceneConfiguration(name: "Main", delegate: MainScene.init)])
  private var calls = 0
}

extension FoundationProgram: ApplicationDelegate {
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    if CommandLine.arguments.contains("--serves") {
      do { try FoundationLoop().serve(application) } catch { print(error) }
    }
    if CommandLine.arguments.contains("--stays") {
      print("launched")
      fflush(nil)
      return true
    }
    if CommandLine.arguments.contains("--alone") {
      // When the launch is over, and nothing else happens.
      Task {
        try? await Task.sleep(for: .milliseconds(500))
        RunLoop.main.perform { MainActor.assumeIsolated { self.performed() } }
      }
      return true
    }
    if CommandLine.arguments.contains("--hourly") {
      _ = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in }
      Task {
        // When the loop knows the timer of an hour.
        try? await Task.sleep(for: .milliseconds(500))
        startTimer()
      }
      return true
    }
    startTimer()
    // From another thread: only a loop that waits for the run loop hears of it.
    Thread.detachNewThread {
      RunLoop.main.perform {
        MainActor.assumeIsolated {
          print("performed"); fflush(nil)
        }
      }
    }
    if CommandLine.arguments.contains("--runs-loop") {
      Task { @MainActor in
        while !Task.isCancelled {
          runLoop()
          try? await Task.sleep(for: .milliseconds(50))
        }
      }
    }
    return true
  }

  private func startTimer() {
    _ = Timer.scheduledTimer(withTimeInterval: 0.2, repeats: true) { [weak self] _ in
      MainActor.assumeIsolated { self?.timerFired() }
    }
  }

  private func runLoop() { _ = RunLoop.main.limitDate(forMode: .default) }

  private func performed() {
    print("performed")
    fflush(nil)
    Application.shared.terminate()
  }

  private func timerFired() {
    calls += 1
    if calls == 20 { Application.shared.terminate() }
  }
}

final class MainScene: Responder {
  var window: Window?
}

extension MainScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
}
