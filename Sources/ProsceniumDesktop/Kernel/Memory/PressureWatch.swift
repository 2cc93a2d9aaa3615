import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// One place that tells of memory pressure: a pressure file of the kernel's, a FIFO or a socket.
@MainActor final class PressureWatch {
  /// Why a place cannot be watched.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let path: String
  private let file: KernelFile
  private let interest: LoopSource.Interest
  /// For pressure files alone, where the trigger is known.
  private var meter: StallMeter?
  private var id: LoopSourceID?
  private weak var host: (any SystemHost)?
  private let onPressure: () -> Void

  /// Opens a place and has the loop wait for it.
  /// - Parameters:
  ///   - path: The place.
  ///   - request: What is written there first; not into a FIFO, which would hand it back.
  ///   - host: Who has the loop.
  ///   - onPressure: Called each time that memory is short.
  /// - Throws: What is wrong with the place.
  init(path: String, request: [UInt8]?, host: any SystemHost, onPressure: @escaping () -> Void) throws(Failure) {
    self.path = path
    self.host = host
    self.onPressure = onPressure
    var status = stat()
    guard stat(path, &status) == 0 else { throw Failure(description: lastError()) }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK:
      file = try Self.connect(path, request)
      interest = .readable
    case S_IFIFO:
      // Open for both, so that it does not hang up when a writer leaves.
      guard let file = KernelFile(path, O_RDWR) ?? KernelFile(path, O_RDONLY) else {
        throw Failure(description: lastError())
      }
      self.file = file
      interest = .readable
    case S_IFREG:
      guard let file = KernelFile(path, request == nil ? O_RDONLY : O_RDWR) else {
        throw Failure(description: lastError())
      }
      if let trigger = request.flatMap(PressureTrigger.init(bytes:)) { meter = StallMeter(trigger, text: file.text) }
      // What it says now is no news; without a trigger a pressure file has none at all.
      _ = file.text
      if request == nil, file.hasFailed { throw Failure(description: "it says nothing without a trigger") }
      if let request, !file.write(request) { throw Failure(description: "the trigger was refused: \(lastError())") }
      self.file = file
      interest = .urgent
    default: throw Failure(description: "it is neither a file, a FIFO nor a socket")
    }
    id = host.watch(
      LoopSource(descriptor: file.descriptor, interest: interest) { [weak self] isGone in self?.heard(isGone: isGone) })
  }

  func stop() {
    if let id { host?.unwatch(id) }
    id = nil
  }

  private func heard(isGone: Bool) {
    var isGone = isGone
    switch interest {
    case .readable, .writable:
      let (hasRead, hasEnded) = file.drain()
      if hasRead { onPressure() }
      isGone = isGone || hasEnded
    case .urgent: if !isGone, meter?.believes(file.text) ?? true { onPressure() }
    }
    guard isGone else { return }
    // It would go on saying so: a loop that never sleeps.
    stop()
    host?.log("\(path) tells of memory pressure no more: its other end is gone.")
  }

  private static func connect(_ path: String, _ request: [UInt8]?) throws(Failure) -> KernelFile {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Failure(description: "its path is too long for a socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw Failure(description: lastError()) }
    let file = KernelFile(descriptor)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw Failure(description: lastError()) }
    if let request, send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) != request.count {
      throw Failure(description: lastError())
    }
    return file
  }
}
