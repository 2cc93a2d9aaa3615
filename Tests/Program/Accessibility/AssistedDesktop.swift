import DeskSupport
import SuiteSupport

/// A desktop whose programs are told that assistive programs are there.
struct AssistedDesktop {
  let desktop: PrivateDesktop
  private let home: TemporaryFolder
  private let bus: PrivateBus

  /// Starts it with properties of `org.a11y.Status` that are true.
  init(_ properties: String...) async throws {
    try Requirement.windowManager(.openbox)
    desktop = try await PrivateDesktop(.openbox)
    home = try TemporaryFolder()
    bus = try await PrivateBus(variables: ["DISPLAY": desktop.server.display])
    for property in properties {
      try await bus.call(
        "org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties.Set", "org.a11y.Status", property, "<true>")
    }
  }

  /// Starts a demo.
  func start(_ name: String, _ arguments: String...) throws -> Program {
    try desktop.start(Program.besideTests(name), arguments, environment: bus.environment, home: home)
  }

  /// What an assistive program is started with.
  func environment(home: TemporaryFolder) throws -> [String: String] {
    try privateEnvironment(home: home, display: desktop.server.display).merging(bus.environment) { $1 }
  }
}
