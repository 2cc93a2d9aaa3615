import Glibc
import ProsceniumPlatform

/// Where the session manager is, and how the program registers with it.
struct SessionManagerPlan: Equatable, Sendable {
  var address: String
  var command: SessionCommand
  var directory: String

  /// Makes the plan of this process; nil where there is no address.
  init?(_ address: String, _ identity: ApplicationIdentity) {
    guard !address.isEmpty else { return nil }
    self.address = address
    command = SessionCommand(identity.arguments.isEmpty ? [identity.instance] : identity.arguments)
    let path = getcwd(nil, 0)
    directory = path.map { String(cString: $0) } ?? "/"
    free(path)
  }
}
