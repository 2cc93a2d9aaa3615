package import ProsceniumCore
package import ProsceniumLoop

// The state of the desk, as tests read and set it.
extension HeadlessPlatform {
  package var windows: [WindowID: HeadlessWindow] { windowManager.windows }
  package var focused: WindowID? { windowManager.focused }
  /// The workspace that is seen; nil until the first one has been left.
  package var workspace: Int? { windowManager.workspace }
  package var isShowingDesktop: Bool { windowManager.isShowingDesktop }

  package var screens: [ScreenDescription] {
    get { windowManager.screens }
    set { windowManager.screens = newValue }
  }

  /// Whether a window that asks for the focus gets it.
  package var obeysActivation: Bool {
    get { windowManager.obeysActivation }
    set { windowManager.obeysActivation = newValue }
  }

  /// Whether a window is visible as soon as the program shows it; if not, the test says so by itself.
  package var showsAtOnce: Bool {
    get { windowManager.showsAtOnce }
    set { windowManager.showsAtOnce = newValue }
  }

  /// Whether windows that stay mapped in the background are seen, as in a compositing manager's switcher.
  package var isComposing: Bool {
    get { surfaces.isComposing }
    set { surfaces.isComposing = newValue }
  }

  /// Between `suspend` and `resume`: no deadlines, no frames.
  package var isSuspended: Bool { schedule.isSuspended }
  /// The descriptors that the program has the loop wait for.
  package var sources: [LoopSourceID: LoopSource] { sourceState.sources }

  /// The surface of a window; nil while nothing has been drawn, or after it was purged.
  package func surface(of id: WindowID) -> HeadlessSurface? { surfaces.surfaces[id] }
  /// The picture that each window shows while nothing has been drawn into it.
  package var pictures: [WindowID: Snapshot] { surfaces.pictures }
  /// How often something was drawn.
  package var drawCount: Int { surfaces.drawCount }

  /// The content of the pasteboards, copied in this program or, as a test says, in another one.
  package var pasteboards: [PasteboardName: [PasteboardItem]] {
    get { pasteboardState.items }
    set { pasteboardState.items = newValue }
  }
}
