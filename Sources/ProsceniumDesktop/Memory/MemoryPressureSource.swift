import FoundationEssentials
import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// Reports that memory is short.
///
/// It watches the place that a service manager names (`$MEMORY_PRESSURE_WATCH`, systemd's protocol), else the process's
/// control group, else the whole machine. It also watches the counters of the group's limits, which show that the
/// process itself is about to be killed. Places that cannot be opened are logged once, and the program runs without
/// warnings.
@MainActor package final class MemoryPressureSource: SystemSource {
  /// The variables of the environment that it reads.
  package static let variables = ["MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE"]
  /// The time from the launch, which is not to be slower for it, until the files are opened.
  private static let delay = Duration.seconds(1)

  private let environment: [String: String]
  private let root: String
  private var pressure: PressureWatch?
  private var events: MemoryEventsWatch?
  private var isStopped = false

  /// Makes a source that is not started.
  /// - Parameters:
  ///   - environment: The program's environment, as far as ``variables`` names it.
  ///   - root: The folder that has `/proc`.
  package init(environment: [String: String], root: String = "") {
    self.environment = environment
    self.root = root
  }

  package func start(_ host: any SystemHost) {
    // The service manager wants no warnings.
    if environment["MEMORY_PRESSURE_WATCH"] == "/dev/null" { return }
    host.after(milliseconds: Self.delay.milliseconds) { [weak self, weak host] in
      guard let self, let host, !isStopped else { return }
      open(host)
    }
  }

  package func stop() {
    isStopped = true
    pressure = nil
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
    // Another place is as good, unless the service manager has named one.
    guard pressure == nil || environment["MEMORY_PRESSURE_WATCH"] != nil, !failures.isEmpty else { return }
    let consequence =
      pressure == nil ? "There are no warnings of memory pressure" : "Memory pressure is watched elsewhere"
    host.log("\(consequence): \(failures.joined(separator: "; ")).")
  }

  /// The places that report pressure, the best one first, and the bytes to write there.
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
