// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ProsceniumCore
import ProsceniumTesting
import Testing

/// In place of GTK: what was asked of it, in order; as GTK it does nothing to what is nil.
@MainActor private enum GTK {
  static var calls: [String] = []
  static var xid: UInt32 = 0

  static func note(_ call: String, _ widget: UnsafeMutablePointer<GtkWidget>?) {
    if widget != nil { calls.append(call) }
  }
}

private struct GtkWidget {}

// By the names of GTK.
private let GTK_WINDOW_TOPLEVEL = 0
@MainActor private func gtk_window_new(_ type: Int) -> UnsafeMutablePointer<GtkWidget>? { .allocate(capacity: 1) }
@MainActor private func gtk_widget_realize(_ widget: UnsafeMutablePointer<GtkWidget>?) { GTK.note("realize", widget) }
@MainActor private func gtk_widget_show_all(_ widget: UnsafeMutablePointer<GtkWidget>?) { GTK.note("show", widget) }
@MainActor private func gtk_widget_hide(_ widget: UnsafeMutablePointer<GtkWidget>?) { GTK.note("hide", widget) }
@MainActor private func gtk_widget_destroy(_ widget: UnsafeMutablePointer<GtkWidget>?) {
  GTK.note("destroy", widget)
  widget?.deallocate()
}
@MainActor private func xid(of widget: UnsafeMutablePointer<GtkWidget>?) -> UInt32 { GTK.xid }

// Begin: code of AdoptingWindows.md
private final class EditorScene: Responder {
  var window: Window?
  private var widget: UnsafeMutablePointer<GtkWidget>?
}

extension EditorScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
    gtk_widget_realize(widget)
    do {
      window = try Window(adopting: xid(of: widget), in: scene, owner: self)
      gtk_widget_show_all(widget)
    } catch {
      print(error)
      Application.shared.terminate(status: 1)
    }
  }
}

extension EditorScene: AdoptedWindowOwner {
  func setWindow(_ window: Window, isHidden: Bool) {
    if isHidden { gtk_widget_hide(widget) } else { gtk_widget_show_all(widget) }
  }
  func destroyWindow(_ window: Window) { gtk_widget_destroy(widget) }
}
// End: code of AdoptingWindows.md

/// The scene of the article, with a toolkit that notes what it is asked for.
@MainActor @Suite("The code of Windows of other toolkits") struct AdoptingWindowsTests {
  private final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Editor", delegate: EditorScene.init)])
  }

  private func launch(_ xid: UInt32) -> HeadlessProgram {
    (GTK.calls, GTK.xid) = ([], xid)
    let program = HeadlessProgram(delegate: Delegate.init)
    program.launch()
    program.advance(by: .seconds(3))
    return program
  }

  @Test("The widget is shown, hidden, shown again, and destroyed with its scene")
  func hidden() throws {
    let program = launch(0x0f00_0000)
    let window = try #require(program.windows.first)
    for isHidden in [true, false] {
      window.isHidden = isHidden
      program.advance(by: .seconds(1))
    }
    window.performClose()
    program.advance(by: .seconds(3))
    #expect(GTK.calls == ["realize", "show", "hide", "show", "destroy"])
    #expect(program.exitStatus == 0)
  }

  @Test("A widget that is none of X11 is not shown, and ends the program, whose session stays")
  func noneOfX11() {
    let program = launch(0)
    #expect(GTK.calls == ["realize"] && program.exitStatus == 1)
    let sessions = program.application.openSessions.map(\.persistentIdentifier)
    GTK.xid = 0x0f00_0000
    program.relaunch()
    program.advance(by: .seconds(3))
    #expect(program.windows.count == 1 && program.scenes.map(\.session.persistentIdentifier) == sessions)
  }
}
