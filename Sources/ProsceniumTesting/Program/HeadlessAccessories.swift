import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The accessories of the machine in memory, which last over processes.
@MainActor final class HeadlessAccessories: AccessoryMonitor {
  private unowned let machine: HeadlessMachine
  private var all: [AccessoryReading] = []
  private var isFollowed = false
  private var reported: [AccessoryReading] = []

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// Another process begins, which follows nothing.
  func forgetProcess() { (isFollowed, reported) = (false, []) }

  func follow(_ isFollowed: Bool) {
    self.isFollowed = isFollowed
    reportLater()
  }

  /// Reports what is followed already when the process begins to receive events, or later.
  func reportLater() {
    if isFollowed || !reported.isEmpty { machine.later { [weak self] in self?.report() } }
  }

  /// Connects an accessory and removes others, or one of both; the process receives them if it follows accessories.
  func change(_ change: (inout [AccessoryReading]) -> Void) {
    change(&all)
    report()
  }

  private func report() {
    let visible = isFollowed ? all : []
    guard visible != reported, machine.hasSource else { return }
    reported = visible
    machine.post(.accessories(visible))
  }

  func open(_ accessory: AccessoryReading, for access: AccessoryAccess) throws(AccessoryError) -> Descriptor {
    guard let path = accessory.node else { throw .notOpenable }
    guard let present = all.first(where: { $0.node == path }) else { throw .disconnected }
    guard present.isSameDevice(as: accessory) else { throw .replaced }
    do throws(Errno) {
      return try Descriptor(opening: path, access == .reading ? O_RDONLY : O_RDWR)
    } catch {
      throw .system(error.code)
    }
  }
}
