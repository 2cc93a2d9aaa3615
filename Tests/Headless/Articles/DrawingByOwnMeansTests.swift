// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ProsceniumCore
import ProsceniumTesting
import Testing

// In place of those of X11, which no window has here.
private struct X11Handle {
  var isConnected = true
}

extension Window {
  fileprivate var x11Handle: X11Handle? { X11Handle() }
}

// In place of EGL and OpenGL ES, by their names.
private let (GL_COLOR_BUFFER_BIT, GL_TRIANGLES) = (0x4000, 4)
private func glClear(_ mask: Int) {}
private func glDrawArrays(_ mode: Int, _ first: Int, _ count: Int) {}
@MainActor private func eglSwapBuffers(_ display: Int, _ surface: Renderer) { surface.frames += 1 }

@MainActor private final class Renderer {
  private let handle: X11Handle
  private let display = 0
  private var surface: Renderer { self }
  fileprivate(set) var frames = 0

  init(_ handle: X11Handle) { self.handle = handle }
  func wake() {}
  func rest() {}
  private func makeCurrent() {}

  // Begin: code of DrawingByOwnMeans.md
  func draw(at time: Duration, size: Size) {
    makeCurrent()
    glClear(GL_COLOR_BUFFER_BIT)
    guard handle.isConnected else { return }
    glDrawArrays(GL_TRIANGLES, 0, 3)
    eglSwapBuffers(display, surface)
  }
  // End: code of DrawingByOwnMeans.md
}

// Begin: code of DrawingByOwnMeans.md
private final class TriangleScene: Responder {
  var window: Window?
  private var renderer: Renderer?
  private var link: FrameLink?
}

extension TriangleScene: WindowSceneDelegate {
  // The context is made at the first activation: windows that have not been used yet cost nothing.
  func sceneDidBecomeActive(_ scene: Scene) { start() }

  // A window that comes back may be seen without the focus.
  func sceneWillEnterForeground(_ scene: Scene) { if renderer != nil { start() } }

  private func start() {
    guard link == nil, let window, let handle = window.x11Handle else { return }
    renderer = renderer ?? Renderer(handle)
    renderer?.wake()
    link = FrameLink(window: window) { [weak self] timing in self?.frame(timing) }
  }

  private func frame(_ timing: FrameTiming) {
    // The window is visible, and the server is connected.
    guard let window, let renderer, window.mayPresentFrame() else { return }
    renderer.draw(at: timing.targetTimestamp, size: window.pixelSize)
  }

  // What was submitted is done, and nothing more is, before this returns.
  func sceneDidEnterBackground(_ scene: Scene) {
    link?.invalidate()
    link = nil
    renderer?.rest()
  }
}
// End: code of DrawingByOwnMeans.md

extension TriangleScene {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }

  fileprivate var frames: Int { renderer?.frames ?? 0 }
}

/// The program of the article, with a renderer that counts.
@MainActor @Suite("The code of Drawing by own means") struct DrawingByOwnMeansTests {
  private final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Triangle", delegate: TriangleScene.init)])
  }

  @Test("Frames are drawn in the foreground: from the first activation on, and again without the focus")
  func frames() throws {
    let program = HeadlessProgram(delegate: Delegate.init)
    program.launch()
    program.advance(by: .seconds(1))
    let scene = try #require(program.scenes.first)
    let triangle = try #require(scene.delegate as? TriangleScene)
    #expect(triangle.frames > 0)
    // Given another window, which gets the focus
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    #expect(program.windows.count == 2 && scene.activationState == .foregroundInactive)
    // When the user goes to another workspace, then nothing more is drawn
    program.desk.workspace = 1
    program.advance(by: .seconds(3))
    #expect(scene.activationState == .background)
    let before = triangle.frames
    program.advance(by: .seconds(1))
    #expect(triangle.frames == before)
    // And when the user comes back, then something is, though the other window has the focus
    program.desk.workspace = 0
    program.advance(by: .seconds(1))
    #expect(scene.activationState == .foregroundInactive && triangle.frames > before)
  }
}
