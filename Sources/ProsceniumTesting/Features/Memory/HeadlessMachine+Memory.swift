import ProsceniumPlatform

/// Memory pressure of the machine.
extension HeadlessMachine {
  /// The level of memory pressure.
  public enum MemoryPressure: Hashable, Sendable, CaseIterable {
    /// Memory that can be made again should be freed.
    case warning
    /// Processes are about to be killed.
    case critical
  }

  /// Begins memory pressure.
  ///
  /// Lasting pressure is reported as often as by the kernel: a second call within a few seconds may have no effect.
  /// - Parameter pressure: The level.
  public func runShortOfMemory(_ pressure: MemoryPressure = .warning) {
    post(.memoryPressure(pressure == .warning ? .warning : .critical))
  }
}
