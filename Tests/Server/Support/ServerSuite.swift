import DeskSupport
import Testing

/// What starts servers and window managers of its own, one after the other, beside the tests of the platform.
@Suite("On a server of its own", .serialized, .timeLimit(.minutes(30)))
enum OwnServer {}

extension XorgServer {
  /// A server with the dummy driver; skips the test where there is none, unless nothing may be skipped.
  static func required() async throws -> XorgServer {
    do {
      return try await XorgServer()
    } catch {
      if !mustNotSkip { try Test.cancel("Xorg does not start here, or has no dummy driver: \(error)") }
      throw error
    }
  }
}
