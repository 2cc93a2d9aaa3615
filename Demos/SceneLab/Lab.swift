import Glibc
import Proscenium

/// What both life-cycle models share: faces, lines and keys.
@MainActor enum Lab {
  /// One colour per state; the README names them.
  static func color(of state: Scene.ActivationState) -> Color {
    switch state {
    case .unattached: Color(rgb: 0x9E9E9E)
    case .background: Color(rgb: 0x37474F)
    case .foregroundInactive: Color(rgb: 0xE0A030)
    case .foregroundActive: Color(rgb: 0x2E8B57)
    }
  }

  static func name(of state: Scene.ActivationState) -> String {
    switch state {
    case .unattached: "unattached"
    case .background: "background"
    case .foregroundInactive: "foreground, inactive"
    case .foregroundActive: "foreground, active"
    }
  }

  /// Shows a state in a window's colour and title.
  static func show(_ state: Scene.ActivationState, in window: Window?, of name: String) {
    window?.backgroundColor = color(of: state)
    window?.title = "\(name): \(self.name(of: state))"
  }

  /// One readable line for one life-cycle call.
  static func say(_ who: String, _ call: String, _ detail: String = "") {
    print(detail.isEmpty ? "\(who): \(call)" : "\(who): \(call) (\(detail))")
    fflush(nil)
  }

  /// Does what a key asks for; false if it asks for nothing.
  static func press(_ key: Key, in scene: Scene?) -> Bool {
    guard key.isDown, !key.isRepeat else { return false }
    let application = Application.shared
    switch key.characters {
    case "n":
      application.activateSceneSession(for: SceneSessionActivationRequest()) {
        say("application", "no new scene", "\($0)")
      }
    case "w":
      if let scene { application.requestSceneSessionDestruction(scene.session) }
    case "d": disconnectLeastRecent()
    case "q": application.terminate()
    default: return false
    }
    return true
  }

  private static func disconnectLeastRecent() {
    let application = Application.shared
    guard let scene = application.scenesByActivity.last(where: { $0.activationState == .background }) else {
      say("application", "no scene is in the background, so none is disconnected")
      return
    }
    application.requestSceneDisconnection(scene.session) { say("application", "not disconnected", "\($0)") }
  }
}
