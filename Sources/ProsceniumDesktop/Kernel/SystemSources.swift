package import ProsceniumPlatform

/// The sources that the kernel has for a program.
@MainActor package enum SystemSources {
  /// All of them, to be started by the framework.
  /// - Parameter environment: The program's own, as far as ``variables`` names it.
  /// - Returns: The sources, not started yet.
  package static func make(environment: [String: String]) -> [any SystemSource] {
    [MemoryPressureSource(environment: environment), TimeSource()]
  }

  /// The variables of the environment that say something to a source.
  package static var variables: [String] { MemoryPressureSource.variables }
}
