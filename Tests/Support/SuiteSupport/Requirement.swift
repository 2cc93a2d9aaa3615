package import DeskSupport
import Glibc

// Static builds of the package have no Testing, and no tests.
#if canImport(Testing)
  import Testing
#endif

/// What tests need from the machine.
///
/// Where nothing may be skipped, all of it is taken to be there.
package enum Requirement {
  package static var server: Bool { mustNotSkip || XServer.isInstalled }
  package static var sceneLab: Bool { program("SceneLab") }
  package static var sessionManager: Bool { sceneLab && program("TestSessionManager") }

  /// Whether there are a server and a program of this package, which lies beside the tests in the build folder.
  package static func program(_ name: String) -> Bool {
    mustNotSkip || (XServer.isInstalled && access(Program.besideTests(name), X_OK) == 0)
  }

  #if canImport(Testing)
    /// Skips a test by name where its window manager is missing.
    package static func windowManager(_ kind: WindowManager) throws {
      if !kind.isInstalled, !mustNotSkip { try Test.cancel("\(kind) is not installed") }
    }

    /// Skips a test by name where the screen reader is missing, or what it needs.
    package static func orca() throws { try accessibilityBus(with: "Orca", "/usr/bin/orca") }

    /// Skips a test by name where Python's module for the accessibility bus is missing, or what it needs.
    package static func pyatspi() throws {
      try accessibilityBus(with: "pyatspi", "/usr/lib/python3/dist-packages/pyatspi/__init__.py")
    }

    private static func accessibilityBus(with name: String, _ file: String) throws {
      let files = [file, "/usr/libexec/at-spi-bus-launcher"]
      let isInstalled = PrivateBus.isInstalled && files.allSatisfy { access($0, R_OK) == 0 }
      if !isInstalled, !mustNotSkip { try Test.cancel("\(name) is not installed") }
    }

    /// Skips a test by name where a library is missing that a program of the test loads.
    package static func library(_ file: String) throws {
      let folders =
        ["x86_64", "aarch64", "riscv64"].map { "/usr/lib/\($0)-linux-gnu/" } + ["/usr/lib64/", "/usr/lib/"]
      let isInstalled = folders.contains { access($0 + file, R_OK) == 0 }
      if !isInstalled, !mustNotSkip { try Test.cancel("\(file) is not installed") }
    }
  #endif
}

/// The window managers that every behaviour is tested under.
package let windowManagers: [WindowManager] = [.openbox, .i3, .xfwm4, .mutter, .twm, .none]

extension WindowManager {
  /// Those that the tests' script installs.
  package static let usual: [WindowManager] = [
    .openbox, .i3, .xfwm4, .mutter, .twm, .metacity, .none, .fluxbox, .icewm, .jwm, .awesome, .bspwm,
  ]
}
