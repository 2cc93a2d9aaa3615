import CSystem
import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// Tells when the time that the user reads jumps: midnight, daylight saving, another zone, a clock that was set.
///
/// One timer of the kernel's waits for the next midnight or the next change of daylight saving, and is cancelled when the
/// clock is set (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`), also by a sleep of the machine; a watch on `/etc` hears of
/// another zone. Whatever is heard, two readings decide what there is to tell, so that it is told once.
@MainActor package final class TimeSource: SystemSource {
  /// Opened this long after the launch, which is not to be slower for it.
  package static let delay = 1000

  private let clock: LocalClock
  private var reading = CivilTime(day: 0, offset: 0, zone: "", skew: 0)
  private var timer: KernelFile?
  private var timerID: LoopSourceID?
  private var watch: DirectoryWatch?
  private weak var host: (any SystemHost)?
  private var isStopped = false

  /// A source that is not started yet.
  /// - Parameter directory: Where the machine's zone is kept.
  package convenience init(directory: String = "/etc") { self.init(clock: LocalClock(directory: directory)) }

  init(clock: LocalClock) { self.clock = clock }

  package func start(_ host: any SystemHost) {
    // What the program may have read meanwhile is compared with what is true when the files are opened.
    let (time, skew, zone) = (clock.now, clock.skew, clock.zone)
    host.after(milliseconds: Self.delay) { [weak self, weak host] in
      guard let self, let host, !isStopped else { return }
      reading = clock.reading(at: time, skew: skew, zone: zone)
      open(host)
      look()
    }
  }

  package func stop() {
    isStopped = true
    if let timerID { host?.unwatch(timerID) }
    timerID = nil
    timer = nil
    watch?.stop()
    watch = nil
  }

  private func open(_ host: any SystemHost) {
    self.host = host
    if clock.followsMachine {
      do throws(FileError) {
        watch = try DirectoryWatch(clock.directory, host: host) { [weak self] names in
          if names?.isDisjoint(with: ["localtime", "timezone"]) != true { self?.look() }
        }
      } catch {
        host.log("\(clock.directory) cannot be watched: \(error). A new time zone is not noticed until midnight.")
      }
    }
    let descriptor = linux_timer(CLOCK_REALTIME, O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return host.log("No timer can be made: \(lastError()). Midnight and clocks that are set are not noticed.")
    }
    timer = KernelFile(descriptor)
    timerID = host.watch(
      LoopSource(descriptor: descriptor, interest: .readable) { [weak self] _ in self?.timerHeard() })
  }

  private func timerHeard() {
    guard let timer else { return }
    var count: UInt64 = 0
    let result = read(timer.descriptor, &count, 8)
    if result < 0, errno != ECANCELED, errno != EAGAIN {
      // It would go on saying so.
      host?.log("The timer for midnight has failed: \(lastError()).")
      if let timerID { host?.unwatch(timerID) }
      timerID = nil
      return self.timer = nil
    }
    look()
  }

  /// Compares, tells, and waits for the next time.
  private func look() {
    tzset()
    // What keeps clocks right all the time goes into both clocks: the skew is another one only if somebody set the clock.
    let next = clock.reading(at: clock.now, skew: clock.skew, zone: clock.zone)
    if !next.changes(since: reading).isEmpty { host?.post(.time(from: reading, to: next)) }
    reading = next
    // A clock that was set after it had been read is told of by nothing else.
    if !setTimer(clock.nextChange(after: clock.now)) { look() }
  }

  /// False where the clock has been set since the timer was heard last; it waits all the same.
  private func setTimer(_ time: Int) -> Bool {
    guard let timer else { return true }
    var interval = linux_interval()
    interval.first_seconds = time
    // TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET.
    return linux_set_timer(timer.descriptor, 1 | 2, &interval, nil) == 0 || errno != ECANCELED
  }
}
