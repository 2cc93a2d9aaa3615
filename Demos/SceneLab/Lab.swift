import Glibc
import Proscenium

/// The parts that both life-cycle models share: colours, texts and keys.
@MainActor enum Lab {
  /// The last minute of each session, by its identifier.
  static var histories: [String: History] = [:]

  /// One colour per state; the README names them.
  static func color(of state: Scene.ActivationState) -> Color {
    switch state {
    case .unattached: Color(rgb: 0x9E9E9E)
    case .background: Color(rgb: 0x37474F)
    case .foregroundInactive: Color(rgb: 0xE0A030)
    case .foregroundActive: Color(rgb: 0x2E8B57)
    }
  }

  /// The colour of letters that can be read on a state's.
  static func letters(on state: Scene.ActivationState) -> Color {
    switch state {
    case .unattached, .foregroundInactive: Color(rgb: 0x1C1C1E)
    case .background, .foregroundActive: .white
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

  /// The meaning of a state, for display.
  static func meaning(of state: Scene.ActivationState) -> String {
    switch state {
    case .unattached: "not connected to anything"
    case .background: "nobody can see it, so nothing is drawn"
    case .foregroundInactive: "in sight, but it does not have the focus"
    case .foregroundActive: "in sight, and the one that is being used"
    }
  }

  /// Shows a state in a window's colour and title.
  static func show(_ state: Scene.ActivationState, in window: Window?, of name: String) {
    window?.backgroundColor = color(of: state)
    window?.title = "\(name): \(self.name(of: state))"
  }

  /// One readable line for one life-cycle call.
  static func log(_ who: String, _ call: String, _ detail: String = "") {
    print(detail.isEmpty ? "\(who): \(call)" : "\(who): \(call) (\(detail))")
    fflush(nil)
  }

  /// Performs the command of a key; false if it has none.
  static func press(_ key: Key, in scene: Scene?) -> Bool {
    guard key.isDown, !key.isRepeat, let command = Command(rawValue: key.characters) else { return false }
    perform(command, in: scene)
    return true
  }

  /// Performs the command of a key or a button.
  static func perform(_ command: Command, in scene: Scene?) {
    let application = Application.shared
    switch command {
    case .open:
      application.activateSceneSession(for: SceneSessionActivationRequest()) {
        log("application", "no new scene", "\($0)")
      }
    case .close: if let scene { application.requestSceneSessionDestruction(scene.session) }
    case .disconnect: disconnectLeastRecent()
    case .quit: application.terminate()
    }
  }

  private static func disconnectLeastRecent() {
    let application = Application.shared
    guard let scene = application.scenesByActivity.last(where: { $0.activationState == .background }) else {
      log("application", "no scene is in the background, so none is disconnected")
      return
    }
    application.requestSceneDisconnection(scene.session) { log("application", "not disconnected", "\($0)") }
  }
}
