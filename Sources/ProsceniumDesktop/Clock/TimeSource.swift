import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// Reports jumps of the time that the user reads: midnight, daylight saving, another time zone, a clock that was set.
///
/// A timer of the kernel goes off at the next midnight or the next change of daylight saving, and when the clock is
/// set, also by a sleep of the machine (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`). A watch on `/etc` reports
/// another zone. Whatever it was, the difference of two readings decides what is reported, so that it is reported once.
@MainActor package final class TimeSource: SystemSource {
  /// The time from the launch, which is not to be slower for it, until the timer and the watch are made.
  private static let delay = Duration.seconds(1)

  private let clock: LocalClock
  private var reading = CivilTime(day: 0, offset: 0, zone: "", skew: 0)
  private var timer: KernelTimer?
  private var registration: LoopRegistration?
  private var watch: FileWatch?
  private weak var host: (any SystemHost)?
  private var isStopped = false

  /// Makes a source that is not started.
  /// - Parameter directory: The folder of the file of the machine's time zone.
  package convenience init(directory: String = "/etc") { self.init(clock: LocalClock(directory: directory)) }

  init(clock: LocalClock) { self.clock = clock }

  package func start(_ host: any SystemHost) {
    // The program may read the time meanwhile: a jump until the timer is made is reported too.
    let (time, skew, zone) = (clock.now, clock.skew, clock.zone)
    host.after(milliseconds: Self.delay.milliseconds) { [weak self, weak host] in
      guard let self, let host, !isStopped else { return }
      reading = clock.reading(at: time, skew: skew, zone: zone)
      open(host)
      update()
    }
  }

  package func stop() {
    isStopped = true
    registration = nil
    timer = nil
    watch = nil
  }

  private func open(_ host: any SystemHost) {
    self.host = host
    if clock.followsMachine {
      do throws(Errno) {
        watch = try FileWatch(clock.directory, host: host) { [weak self] names in
          if names?.isDisjoint(with: ["localtime", "timezone"]) != true { self?.update() }
        }
      } catch {
        host.log("\(clock.directory) cannot be watched: \(error). A new time zone is not noticed until midnight.")
      }
    }
    do throws(Errno) {
      let timer = try KernelTimer(.real)
      registration = LoopRegistration(timer.descriptor.number, host: host) { [weak self] _ in self?.timerWentOff() }
      self.timer = consume timer
    } catch {
      host.log("No timer can be made: \(error). Midnight and clocks that are set are not noticed.")
    }
  }

  private func timerWentOff() {
    do throws(Errno) {
      try timer?.wait()
    } catch {
      guard error.code == ECANCELED || error.code == EAGAIN else {
        // The loop would report it again and again.
        host?.log("The timer for midnight has failed: \(error).")
        registration = nil
        return timer = nil
      }
    }
    update()
  }

  /// Reports the jump since the last reading, and sets the timer to the next one.
  private func update() {
    tzset()
    // Corrections by NTP change both clocks: the skew changes only where the clock is set.
    let next = clock.reading(at: clock.now, skew: clock.skew, zone: clock.zone)
    if !next.changes(since: reading).isEmpty { host?.post(.time(from: reading, to: next)) }
    reading = next
    // A clock that was set after the reading is reported by nothing else.
    do throws(Errno) { try timer?.start(at: clock.nextChange(after: clock.now)) } catch {
      if error.code == ECANCELED { update() }
    }
  }
}
