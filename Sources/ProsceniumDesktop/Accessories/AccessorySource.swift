import CSystem
import Glibc
package import ProsceniumLoop
package import ProsceniumPlatform

/// Reports the accessories, once the program wants to know them, and opens them.
///
/// Without libudev there are none, which is reported once they are asked for.
@MainActor package final class AccessorySource: SystemSource, AccessoryMonitor {
  private let library: @MainActor () -> udev_library?
  private weak var host: (any SystemHost)?
  private var isFollowed = false
  private var isAdjusting = false
  private var hasReportedLack = false
  private var watch: DeviceWatch?
  private var reported: [AccessoryReading] = []

  /// Makes a source that is not started.
  package convenience init() { self.init { Udev.library } }

  /// Makes a source that uses another library, or none.
  init(library: @escaping @MainActor () -> udev_library?) { self.library = library }

  package func start(_ host: any SystemHost) {
    self.host = host
    if isFollowed { adjustLater() }
  }

  package func stop() { (isFollowed, watch) = (false, nil) }

  package func follow(_ isFollowed: Bool) {
    guard isFollowed != self.isFollowed else { return }
    self.isFollowed = isFollowed
    adjustLater()
  }

  /// After the present callback, which at a launch requests the first windows.
  private func adjustLater() {
    guard let host, !isAdjusting else { return }
    isAdjusting = true
    host.after(milliseconds: 0) { [weak self] in
      self?.isAdjusting = false
      self?.adjust()
    }
  }

  private func adjust() {
    guard isFollowed else {
      watch = nil
      return report([])
    }
    guard watch == nil, let host else { return }
    guard let library = library() else {
      if !hasReportedLack { host.report("Accessories cannot be listed: libudev.so.1 is not installed.") }
      hasReportedLack = true
      return
    }
    watch = DeviceWatch(library, host: host) { [weak self] in self?.report($0) }
  }

  private func report(_ accessories: [AccessoryReading]) {
    guard accessories != reported else { return }
    reported = accessories
    host?.post(.accessories(accessories))
  }

  // MARK: Opening

  package func open(
    _ accessory: AccessoryReading, for access: AccessoryAccess
  ) throws(AccessoryError) -> Descriptor {
    guard let node = accessory.node else { throw .notOpenable }
    try check(node, is: accessory)
    let descriptor: Descriptor
    do throws(Errno) {
      descriptor = try Descriptor(opening: node, access == .reading ? O_RDONLY : O_RDWR)
    } catch {
      throw AccessoryError(error)
    }
    // What has been opened is what stands there still.
    try check(node, is: accessory)
    return descriptor
  }

  /// Looks at the device that a file stands for now.
  /// - Throws: Where there is none, or another one than the accessory.
  private func check(_ node: String, is accessory: AccessoryReading) throws(AccessoryError) {
    var status = stat()
    guard stat(node, &status) == 0 else { throw AccessoryError(.last) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFCHR || kind == S_IFBLK, UInt64(status.st_rdev) == accessory.number else { throw .replaced }
    guard let library = library(), let udev = Udev(library) else { throw .disconnected }
    guard let facts = udev.facts(ofDevice: accessory.number, isBlock: kind == S_IFBLK) else { throw .disconnected }
    guard facts.accessory?.isSameDevice(as: accessory) == true else { throw .replaced }
  }
}

extension AccessoryError {
  fileprivate init(_ error: Errno) {
    self =
      switch error.code {
      case ENOENT, ENODEV, ENXIO, ENOTDIR: .disconnected
      case EACCES, EPERM: .notPermitted
      case EBUSY: .busy
      case let code: .system(code)
      }
  }
}
