import ProsceniumPlatform

/// A source of the system that posts what a test asks it to.
@MainActor final class WordSource: SystemSource {
  private(set) weak var host: (any SystemHost)?
  var onStart: (any SystemHost) -> Void = { _ in }
  func start(_ host: any SystemHost) {
    self.host = host
    onStart(host)
  }
  func stop() {}
}
