package import DeskSupport
import Glibc
import Testing

/// What tests here need from the machine.
package enum Requirement {
  package static var server: Bool { mustNotSkip || XServer.isInstalled }
  package static var sceneLab: Bool { server && (mustNotSkip || access(sceneLabPath, X_OK) == 0) }

  /// The demo lies beside the test bundle in the build folder.
  package static var sceneLabPath: String { Program.besideTests("SceneLab") }

  /// Skips a test by name where its window manager is missing, unless nothing may be skipped.
  package static func windowManager(_ kind: WindowManager) throws {
    if !kind.isInstalled, !mustNotSkip { try Test.cancel("\(kind) is not installed") }
  }
}

/// The window managers that every behaviour is tested under.
package let windowManagers: [WindowManager] = [.openbox, .i3, .xfwm4, .mutter, .twm, .none]

extension WindowManager {
  /// Those that the tests' script installs.
  package static let usual: [WindowManager] = [
    .openbox, .i3, .xfwm4, .mutter, .twm, .metacity, .none, .fluxbox, .icewm, .jwm, .awesome, .bspwm,
  ]
}

/// What the tests with a session manager need.
package enum SessionRequirement {
  package static var managerPath: String { Requirement.sceneLabPath.replacing("SceneLab", with: "TestSessionManager") }
  package static var isMet: Bool { mustNotSkip || (Requirement.sceneLab && access(managerPath, X_OK) == 0) }
}
