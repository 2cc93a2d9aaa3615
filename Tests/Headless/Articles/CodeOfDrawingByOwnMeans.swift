import Proscenium

@MainActor private final class Renderer {
  init(_ handle: X11Handle) {}
  func wake() {}
  func rest() {}
  func draw(at time: Duration, size: Size) {}
}

// Begin: code of DrawingByOwnMeans.md
private final class TriangleScene: Responder {
  var window: Window?
  private var renderer: Renderer?
  private var link: FrameLink?
}

extension TriangleScene: WindowSceneDelegate {
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
