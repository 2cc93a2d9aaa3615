import CSystem
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Reads the machine's accessories, and reads them again when udev says that something has become of a device, for as
/// long as the object exists.
///
/// They are read by a thread of their own, all of them, at most five times a second: neither a flood of messages nor a
/// gap in them makes a difference.
@MainActor final class DeviceWatch {
  private struct Reading: Sendable {
    var accessories: [AccessoryReading]
    var removals: [String: Int]
  }

  /// The subsystems of the kernel that have accessories.
  nonisolated static let subsystems = ["block", "drm", "input", "sound", "tty", "usb", "video4linux"]
  /// How long a thread waits before it reads again, in microseconds: a device comes with a dozen messages.
  private nonisolated static let rest: UInt32 = 200_000
  /// The most accessories that are reported.
  private nonisolated static let limit = 500
  /// The most messages of one turn of the loop.
  private static let mostInATurn = 64

  private let library: udev_library
  private weak var host: (any SystemHost)?
  private let onReading: @MainActor ([AccessoryReading]) -> Void
  private let pipe: SelfPipe
  private let mailbox: Mailbox<Reading>
  private var answering: LoopRegistration?
  private let socket: UdevSocket?
  private var listening: LoopRegistration?
  /// Whether a thread reads now.
  private(set) var isReading = false
  /// Whether what it reads is outdated already.
  private var isOutdated = false
  private var accessories: [AccessoryReading] = []
  /// How often an accessory was removed while the program could see it, by the device's path.
  private var removals: [String: Int] = [:]

  /// Begins to watch; nil where the process has no descriptors left.
  /// - Parameters:
  ///   - library: libudev.
  ///   - host: The loop.
  ///   - onReading: Called with all accessories, whenever they have been read.
  init?(
    _ library: udev_library, host: any SystemHost, onReading: @escaping @MainActor ([AccessoryReading]) -> Void
  ) {
    guard let pipe = SelfPipe() else {
      host.report("Accessories cannot be listed: the process has no descriptors left.")
      return nil
    }
    self.library = library
    self.host = host
    self.onReading = onReading
    self.pipe = pipe
    mailbox = Mailbox(waking: pipe)
    // Before the first reading, so that nothing is missed between the two.
    socket = UdevSocket(library, of: Self.subsystems)
    answering = LoopRegistration(pipe.readEnd, host: host) { [weak self] _ in self?.receive() }
    if let number = socket?.number {
      listening = LoopRegistration(number, host: host) { [weak self] isGone in self?.listen(isGone) }
    } else {
      host.report("Accessories that come and go are not heard of: the kernel has no socket for them.")
    }
    read(after: 0)
  }

  private func read(after rest: UInt32) {
    guard !isReading else { return isOutdated = true }
    isReading = true
    let (library, mailbox, removals) = (library, mailbox, removals)
    let work: @Sendable () -> Void = {
      if rest > 0 { usleep(rest) }
      mailbox.post(Reading(accessories: Self.all(library), removals: removals))
    }
    // Without a thread the main one has to read.
    if !DetachedThread.run(work) { work() }
  }

  private nonisolated static func all(_ library: udev_library) -> [AccessoryReading] {
    guard let udev = Udev(library) else { return [] }
    let all = udev.devices(of: subsystems) { $0.facts.accessory }
    return Array(all.sorted { $0.path < $1.path }.prefix(limit))
  }

  private func receive() {
    _ = pipe.drain()
    guard var reading = mailbox.removeAll().last else { return }
    isReading = false
    for index in reading.accessories.indices {
      reading.accessories[index].connection = reading.removals[reading.accessories[index].path] ?? 0
    }
    accessories = reading.accessories
    if exchange(&isOutdated, with: false) { read(after: Self.rest) }
    onReading(accessories)
  }

  /// Reads what udev says.
  ///
  /// The kernel reports a socket whose room was too small as one that has failed.
  private func listen(_ isGone: Bool) {
    var count = 0
    while count < Self.mostInATurn, let message = socket?.receive() {
      count += 1
      if case .removed(let path) = message { noteRemoval(path) }
    }
    if count > 0 {
      read(after: Self.rest)
    } else if isGone {
      listening = nil
      host?.report("Accessories that come and go are not heard of any more: the kernel's socket has failed.")
    }
  }

  /// A device that comes back is another connection for a program that runs; for a suspended one it has never gone.
  private func noteRemoval(_ path: String) {
    guard host?.isSuspended == false, accessories.contains(where: { $0.path == path }) else { return }
    removals[path, default: 0] += 1
  }
}
