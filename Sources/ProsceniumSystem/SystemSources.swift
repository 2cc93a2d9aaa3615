package import ProsceniumCore

/// The sources that the kernel has for a program.
@MainActor package enum SystemSources {
  /// All of them, to be started by the framework.
  package static func make() -> [any SystemSource] { [] }
}
