internal import CSystem
import Glibc

/// libdispatch's timers, stopped while the program is suspended.
///
/// A thread of libdispatch waits for the timers of all queues and wakes up for each: for those of the main queue, which
/// is not run then, for `Task.sleep`, and once a second as soon as its global queues have been used, which every task
/// uses that is not the main actor's. On Linux that thread waits in one epoll descriptor for one timerfd a clock; the
/// armed ones are disarmed, and armed again later. A thread that sets a timer meanwhile arms its clock again:
/// libdispatch's own thread does when it was in the middle of a timer that has run out. So they are stopped a few times
/// more; a thread that sets timers after that goes on.
@MainActor struct DispatchTimers {
  private var stopped: Set<Int32> = []
  private var rounds = 0

  nonisolated init() {}

  /// How often they are stopped: the last time 3.1 s after the first.
  private static let rounds = 6

  /// Disarms the timers; does nothing where `/proc` does not show them.
  ///
  /// - Returns: The time after which this is to be done again; nil when that was the last time, or where libdispatch
  ///   has no timers.
  mutating func stop() -> Duration? {
    let timers = Self.timers()
    for descriptor in timers {
      var none = linux_interval()
      guard Self.timer(descriptor)?.isArmed == true, linux_set_timer(descriptor, 0, &none, nil) == 0 else { continue }
      stopped.insert(descriptor)
    }
    rounds += 1
    return timers.isEmpty || rounds == Self.rounds ? nil : .milliseconds(50 << rounds)
  }

  /// Makes libdispatch check at once what is due, and arm its timers anew.
  mutating func start() {
    for descriptor in stopped {
      // Armed again by another thread: that one comes first.
      guard var timer = Self.timer(descriptor), !timer.isArmed else { continue }
      timer.first_nanoseconds = 1
      _ = linux_set_timer(descriptor, 0, &timer, nil)
    }
    stopped = []
    rounds = 0
  }

  private static func timer(_ descriptor: Int32) -> linux_interval? {
    var timer = linux_interval()
    return linux_get_timer(descriptor, &timer) == 0 ? timer : nil
  }

  /// The timerfds of libdispatch's epoll descriptor.
  ///
  /// Recognised by what libdispatch writes into it: an eventfd with the datum 1, and a timerfd for each clock with a
  /// datum from 2 to 4 (event_epoll.c), all other data being addresses.
  private static func timers() -> [Int32] {
    for descriptor in KernelFile.numbers(in: "/proc/self/fd") where name(of: descriptor) == "anon_inode:[eventpoll]" {
      let members = members(of: descriptor)
      guard members.contains(where: { $0.datum == 1 && name(of: $0.descriptor) == "anon_inode:[eventfd]" }) else {
        continue
      }
      return members.filter { (2...4).contains($0.datum) && name(of: $0.descriptor) == "anon_inode:[timerfd]" }
        .map(\.descriptor)
    }
    return []
  }

  private static func name(of descriptor: Int32) -> String? {
    var bytes = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  /// The descriptors that an epoll descriptor watches (proc(5), `tfd:` lines of fdinfo; the datum in hexadecimal).
  private static func members(of descriptor: Int32) -> [(descriptor: Int32, datum: UInt64)] {
    let text = KernelFile.text(of: "/proc/self/fdinfo/\(descriptor)") ?? ""
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard words.first == "tfd:", words.count >= 6, words[4] == "data:", let number = Int32(words[1]),
        let datum = UInt64(words[5], radix: 16)
      else { return nil }
      return (number, datum)
    }
  }
}

extension linux_interval {
  fileprivate var isArmed: Bool { first_seconds != 0 || first_nanoseconds != 0 }
}
