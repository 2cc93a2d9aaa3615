import ProsceniumCore
import ProsceniumTesting
import Testing

/// A picture that is costly to make.
@MainActor struct Thumbnail {
  static var made = 0
  let name: String
  var bytes: Int { 4096 }

  init(_ name: String) {
    self.name = name
    Self.made += 1
  }
}

/// What a program listens on; writes down what is done with it.
@MainActor final class Line {
  private(set) var calls: [String] = []
  private(set) var isOpen = false

  func open() {
    isOpen = true
    calls.append("open")
  }
  func close() {
    isOpen = false
    calls.append("close")
  }
  func refresh() { calls.append(isOpen ? "refresh" : "refresh on a dead line") }
}

@MainActor final class FeedScene: Responder, WindowSceneDelegate, SuspendableResource {
  var window: Window?
  let line = Line()
  private var thumbnails: PurgeableCache<String, Thumbnail>?

  // Begin: code of ConductComingBack.md
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    thumbnails = PurgeableCache(scene: scene)
    line.open()
    Application.shared.register(self)
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }

  func closeBeforeSuspension() { line.close() }
  func reopenAfterSuspension() { line.open() }

  // On the first way to the foreground too, so nothing here relies on a stay in the background before it.
  func sceneWillEnterForeground(_ scene: Scene) { line.refresh() }

  // Empty after a stay in the background: what is needed again is made again, and no more.
  func thumbnail(_ name: String) -> Thumbnail {
    if let known = thumbnails?.value(for: name) { return known }
    let thumbnail = Thumbnail(name)
    thumbnails?.insert(thumbnail, for: name, cost: thumbnail.bytes)
    return thumbnail
  }

  // The scene that comes back after this is another one, with another delegate.
  func sceneDidDisconnect(_ scene: Scene) {
    Application.shared.unregister(self)
    line.close()
  }
  // End: code of ConductComingBack.md
}

@MainActor @Suite("Conduct coming back", .serialized) struct ConductComingBackTests {
  private func launch() throws -> (ConductRun, FeedScene) {
    let delegate = ConductDelegate(FeedScene.init)
    delegate.manifest.suspensionPolicy = .whenAllInBackground
    let run = ConductRun(delegate)
    return (run, try #require(run.scene?.delegate as? FeedScene))
  }

  @Test("The first way to the foreground and every return refresh; a line that was closed is open by then")
  func refreshes() throws {
    let (run, scene) = try launch()
    #expect(scene.line.calls == ["open", "refresh"])
    run.minimize()
    run.restore()
    #expect(scene.line.calls == ["open", "refresh", "refresh"])
    run.minimize()
    run.platform.advance(by: 6000)
    #expect(run.platform.isSuspended && !scene.line.isOpen)
    run.restore()
    #expect(!run.platform.isSuspended)
    #expect(scene.line.calls.suffix(3) == ["close", "open", "refresh"])
  }

  @Test("What was given back in the background is made again when it is asked for, and once")
  func thumbnails() throws {
    let (run, scene) = try launch()
    let before = Thumbnail.made
    for _ in 0..<3 { #expect(scene.thumbnail("a").name == "a") }
    #expect(Thumbnail.made == before + 1)
    run.minimize()
    run.restore()
    #expect(Thumbnail.made == before + 1)
    for _ in 0..<3 { _ = scene.thumbnail("a") }
    #expect(Thumbnail.made == before + 2)
  }

  @Test("A scene that was disconnected comes back as another one, and leaves nothing behind that is opened for it")
  func reconnected() throws {
    let (run, first) = try launch()
    run.minimize()
    let session = try #require(run.scene?.session)
    run.application.requestSceneDisconnection(session)
    run.platform.advance(by: 3000)
    #expect(session.scene == nil && !first.line.isOpen)
    let calls = first.line.calls
    run.platform.restore(try #require(run.platform.windows.keys.first))
    run.platform.advance(by: 100)
    let second = try #require(session.scene?.delegate as? FeedScene)
    #expect(second !== first && second.line.calls == ["open", "refresh"])
    run.minimize()
    run.platform.advance(by: 6000)
    run.restore()
    #expect(first.line.calls == calls)
  }
}
