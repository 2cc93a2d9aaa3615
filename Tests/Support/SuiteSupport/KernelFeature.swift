import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumLoop

/// What a test needs that no package brings: the kernel may lack it, or not grant it even to root.
package enum KernelFeature: String, CaseIterable, Sendable {
  /// The right to mount file systems (capabilities(7)).
  case mounts = "CAP_SYS_ADMIN"
  /// The right to set the clock (capabilities(7)).
  case clock = "CAP_SYS_TIME"
  /// The right to say what becomes of devices, as udev does (capabilities(7)).
  case deviceMessages = "CAP_NET_ADMIN"
  /// Pressure stall information of a kernel with CONFIG_PSI.
  case pressure = "/proc/pressure/memory"
  /// Control groups that limit memory, of either version.
  case memoryGroups = "a writable control group with memory"

  /// Whether the machine has it, by what the kernel says without the test's own attempt.
  package var isThere: Bool {
    switch self {
    case .mounts: Self.hasCapability(21)
    case .clock: Self.hasCapability(25)
    case .deviceMessages: Self.hasCapability(12)
    case .pressure: access(rawValue, R_OK) == 0
    case .memoryGroups:
      access("/sys/fs/cgroup/memory/cgroup.procs", W_OK) == 0
        || access("/sys/fs/cgroup/cgroup.subtree_control", W_OK) == 0
          && Self.text("/sys/fs/cgroup/cgroup.controllers").split { $0.isWhitespace }.contains("memory")
    }
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: URL(filePath: path), encoding: .utf8)) ?? ""
  }

  private static func hasCapability(_ number: Int) -> Bool {
    let line = text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let set = line.flatMap { $0.split { $0.isWhitespace }.last }.flatMap { UInt64($0, radix: 16) } ?? 0
    return set >> UInt64(number) & 1 == 1
  }
}

#if canImport(Testing)
  import Testing

  /// Cancels a test that needs what the machine's kernel lacks, or does not grant.
  ///
  /// Where nothing may be skipped, it fails instead if the kernel says that the machine has it. Swift Testing reports
  /// nothing when a case of a test with arguments is cancelled; `Tests/run` lists this message.
  /// - Parameters:
  ///   - reason: What the test tried in vain.
  ///   - feature: What it lacks.
  ///   - isThere: Whether the machine has it.
  /// - Throws: Always: the cancellation, or the failure.
  package func cancelTest(_ reason: String, lacking feature: KernelFeature, isThere: Bool? = nil) throws -> Never {
    if mustNotSkip, isThere ?? feature.isThere {
      throw DeskFailure("\(reason), though this machine has \(feature.rawValue)")
    }
    let text = "this machine lacks \(feature.rawValue): \(reason)"
    StandardError.write("Cancelled: \(Test.current?.displayName ?? "a test"): \(text)")
    try Test.cancel(Comment(rawValue: text))
  }
#endif
