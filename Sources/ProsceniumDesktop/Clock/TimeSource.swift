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
      let timer = try KernelTimer(isRealTime: true)
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

/// The clock and the time zone of the machine, by the C library, because FoundationEssentials has no time zones on
/// Linux.
struct LocalClock {
  /// The folder of the file of the zone, which counts unless the environment names a zone.
  let directory: String
  /// Reads the clock, in seconds since 1970.
  var clock: () -> Double = { seconds(CLOCK_REALTIME) }

  /// The reading of a moment, in the present zone.
  func reading(at time: Int, skew: Double, zone: String) -> CivilTime {
    let parts = Self.parts(time)
    let offset = parts.tm_gmtoff
    return CivilTime(day: (time + offset) / 86400, offset: offset, zone: zone, skew: skew)
  }

  var now: Int { Int(clock()) }

  /// The clock less the time since the machine was started, sleep included, in seconds.
  var skew: Double { clock() - Self.seconds(CLOCK_BOOTTIME) }

  /// A text that is another one for each zone.
  var zone: String {
    if let named = getenv("TZ") { return String(cString: named) }
    let path = directory + "/localtime"
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    if count > 0 { return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    // A copy of the zone's file instead of a link to it: each copy is taken for another zone.
    var status = stat()
    guard stat(path, &status) == 0 else { return "" }
    return "\(status.st_dev).\(status.st_ino).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  /// Whether the zone can change while the program runs.
  var followsMachine: Bool { getenv("TZ") == nil }

  /// The next moment at which the day or the offset is another one.
  func nextChange(after time: Int) -> Int {
    var midnight = Self.parts(time)
    let offset = midnight.tm_gmtoff
    midnight.tm_mday += 1
    (midnight.tm_hour, midnight.tm_min, midnight.tm_sec, midnight.tm_isdst) = (0, 0, 0, -1)
    let next = mktime(&midnight)
    // Some zones skip a midnight. A time that cannot be computed is tried again in an hour.
    guard next > time else { return time + 3600 }
    guard Self.parts(next).tm_gmtoff != offset else { return next }
    var (before, after) = (time, next)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if Self.parts(middle).tm_gmtoff == offset { before = middle } else { after = middle }
    }
    return after
  }

  private static func parts(_ time: Int) -> tm {
    var time = time
    var parts = tm()
    localtime_r(&time, &parts)
    return parts
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
