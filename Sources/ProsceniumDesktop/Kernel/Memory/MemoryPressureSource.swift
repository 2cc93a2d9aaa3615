import FoundationEssentials
import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// Tells when memory is short.
///
/// Where a service manager names a place (`$MEMORY_PRESSURE_WATCH`, systemd's protocol), there; else at the process' own
/// control group, else for the whole machine. The group's limits besides: their counters tell when the process itself
/// is about to be killed. What cannot be opened is said once in the log, and the program goes on without warnings.
@MainActor package final class MemoryPressureSource: SystemSource {
  /// What it reads of the environment.
  package static let variables = ["MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE"]
  /// Opened this long after the launch, which is not to be slower for it.
  package static let delay = 1000

  private let environment: [String: String]
  private let root: String
  private var pressure: PressureWatch?
  private var events: MemoryEventsWatch?
  private var isStopped = false

  /// A source that is not started yet.
  /// - Parameters:
  ///   - environment: The program's own.
  ///   - root: What `/proc` is looked for in.
  package init(environment: [String: String], root: String = "") {
    self.environment = environment
    self.root = root
  }

  package func start(_ host: any SystemHost) {
    // Whoever starts the program wants no warnings.
    if environment["MEMORY_PRESSURE_WATCH"] == "/dev/null" { return }
    host.after(milliseconds: Self.delay) { [weak self, weak host] in
      guard let self, let host, !isStopped else { return }
      open(host)
    }
  }

  package func stop() {
    isStopped = true
    pressure?.stop()
    pressure = nil
    events?.stop()
    events = nil
  }

  private func open(_ host: any SystemHost) {
    let group = ownGroup()
    if let group {
      events = MemoryEventsWatch(path: group + "/memory.events", host: host) { [weak host] pressure in
        host?.post(.memoryPressure(pressure))
      }
    }
    var failures: [String] = []
    for (path, request) in places(group) {
      do throws(PressureWatch.Failure) {
        pressure = try PressureWatch(path: path, request: request, host: host) { [weak host] in
          host?.post(.memoryPressure(.warning))
        }
        break
      } catch {
        failures.append("\(path): \(error.description)")
      }
    }
    // Another place that tells is as good, unless somebody has named one.
    guard pressure == nil || environment["MEMORY_PRESSURE_WATCH"] != nil, !failures.isEmpty else { return }
    let consequence =
      pressure == nil ? "There are no warnings of memory pressure" : "Memory pressure is watched elsewhere"
    host.log("\(consequence): \(failures.joined(separator: "; ")).")
  }

  /// Where pressure is told, the best place first, and what is written there.
  private func places(_ group: String?) -> [(path: String, request: [UInt8]?)] {
    var places: [(String, [UInt8]?)] = []
    if let named = environment["MEMORY_PRESSURE_WATCH"], !named.isEmpty {
      let request = environment["MEMORY_PRESSURE_WRITE"].flatMap { Data(base64Encoded: $0) }.map { Array($0) }
      places.append((named, request))
    }
    if let group { places.append((group + "/memory.pressure", PressureTrigger.usual.bytes)) }
    places.append((root + "/proc/pressure/memory", PressureTrigger.usual.bytes))
    return places
  }

  private func ownGroup() -> String? {
    guard let membership = KernelFile.text(of: root + "/proc/self/cgroup"),
      let mounts = KernelFile.text(of: root + "/proc/self/mountinfo")
    else { return nil }
    return ControlGroup.folder(membership: membership, mounts: mounts).map { root + $0 }
  }
}
