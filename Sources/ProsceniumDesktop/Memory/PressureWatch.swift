import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Watches one file, FIFO or socket that reports memory pressure.
@MainActor final class PressureWatch {
  /// Why a place cannot be watched.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ description: String) { self.description = description }
    fileprivate static var last: Failure { Failure("\(Errno.last)") }
  }

  /// A writer that never stops must not keep the loop in one turn.
  private static let mostReads = 64

  private let path: String
  private let descriptor: Descriptor
  private let interest: LoopSource.Interest
  /// For pressure files with a known trigger.
  private var meter: StallMeter?
  private var registration: LoopRegistration?
  private weak var host: (any SystemHost)?
  private let onPressure: () -> Void

  /// Opens a place and begins to watch it.
  /// - Parameters:
  ///   - path: The place.
  ///   - request: The bytes that are written there first; not into a FIFO, which would return them.
  ///   - host: The loop.
  ///   - onPressure: Called each time that memory is short.
  /// - Throws: Why the place cannot be watched.
  init(path: String, request: [UInt8]?, host: any SystemHost, onPressure: @escaping () -> Void) throws(Failure) {
    self.path = path
    self.host = host
    self.onPressure = onPressure
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK:
      descriptor = try Self.connect(path, request)
      interest = .readable
    case S_IFIFO:
      descriptor = try Self.openFIFO(path)
      interest = .readable
    case S_IFREG:
      descriptor = try Self.open(path, request == nil ? O_RDONLY : O_RDWR)
      interest = .urgent
      // Read in any case: the present contents are no news, and a pressure file without a trigger fails here.
      let text = KernelFile.text(of: descriptor)
      if let trigger = request.flatMap(PressureTrigger.init(bytes:)) { meter = StallMeter(trigger, text: text) }
      try Self.arm(descriptor, request)
    default: throw Failure("it is neither a file, a FIFO nor a socket")
    }
    registration = LoopRegistration(descriptor.number, for: interest, host: host) { [weak self] isGone in
      self?.becameReady(isGone: isGone)
    }
  }

  private func becameReady(isGone: Bool) {
    var isGone = isGone
    switch interest {
    case .readable, .writable:
      let (hasRead, hasEnded) = drain()
      if hasRead { onPressure() }
      isGone = isGone || hasEnded
    case .urgent: if !isGone, meter?.believes(KernelFile.text(of: descriptor)) ?? true { onPressure() }
    }
    guard isGone else { return }
    // The loop would report it again and again.
    registration = nil
    host?.log("The other end of \(path) is gone: memory pressure is not reported any more.")
  }

  /// Reads and drops what has come.
  private func drain() -> (hasRead: Bool, hasEnded: Bool) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var hasRead = false
    for _ in 0..<Self.mostReads {
      let count = read(descriptor.number, &bytes, bytes.count)
      guard count > 0 else { return (hasRead, count == 0) }
      hasRead = true
    }
    return (hasRead, false)
  }

  // MARK: Opening

  private static func open(_ path: String, _ flags: Int32) throws(Failure) -> Descriptor {
    do throws(Errno) { return try Descriptor(opening: path, flags) } catch { throw Failure("\(error)") }
  }

  /// Opened for both, where that is allowed, so that it does not hang up when a writer closes it.
  private static func openFIFO(_ path: String) throws(Failure) -> Descriptor {
    do throws(Failure) { return try open(path, O_RDWR) } catch { return try open(path, O_RDONLY) }
  }

  /// Writes the trigger; without one, checks that the file reports anything.
  private static func arm(_ file: borrowing Descriptor, _ request: [UInt8]?) throws(Failure) {
    if let request {
      // In one call, which the kernel takes for one trigger.
      guard write(file.number, request, request.count) == request.count else {
        throw Failure("the trigger was refused: \(Errno.last)")
      }
    } else {
      var entry = pollfd(fd: file.number, events: Int16(POLLPRI), revents: 0)
      if poll(&entry, 1, 0) > 0, Int32(entry.revents) & Int32(POLLERR) != 0 {
        throw Failure("it says nothing without a trigger")
      }
    }
  }

  private static func connect(_ path: String, _ request: [UInt8]?) throws(Failure) -> Descriptor {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Failure("its path is too long for a socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let number = socket(AF_UNIX, kind, 0)
    guard number >= 0 else { throw .last }
    let descriptor = Descriptor(owning: number)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw .last }
    if let request, send(number, request, request.count, Int32(MSG_NOSIGNAL)) != request.count { throw .last }
    return descriptor
  }
}
