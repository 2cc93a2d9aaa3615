import CSystem
import Glibc

/// libdispatch's timers, stopped while the program is suspended.
///
/// A thread of libdispatch waits for the timers of all queues and wakes up for each: for those of the main queue, which
/// does not run then, for `Task.sleep`, and once a second as soon as its global queues have been used, which every task
/// does that is not the main actor's. On Linux that thread waits in one epoll descriptor for one timerfd of each clock;
/// those that are armed are disarmed here, and armed again later. A thread that sets a timer meanwhile arms its clock
/// again, as libdispatch's own thread does for a timer that has just run out. So they are stopped a few times more;
/// threads that set timers after that go on.
@MainActor package struct DispatchTimers {
  /// The last time is 3.1 s after the first.
  private static let mostRounds = 6

  private var stopped: Set<Int32> = []
  private var rounds = 0

  package nonisolated init() {}

  /// Disarms the timers; does nothing where `/proc` does not tell which they are.
  ///
  /// - Returns: The milliseconds until the next call; nil after the last one, or where libdispatch has no timers.
  package mutating func stop() -> Int? {
    let timers = Self.timers()
    for descriptor in timers {
      guard let isArmed = Self.isArmed(descriptor), isArmed else { continue }
      if Self.set(descriptor, nanoseconds: 0) { stopped.insert(descriptor) }
    }
    rounds += 1
    return timers.isEmpty || rounds == Self.mostRounds ? nil : 50 << rounds
  }

  /// Makes libdispatch handle at once what is due, and arm its timers anew.
  package mutating func start() {
    // One that another thread has armed again is left as it is.
    for descriptor in stopped where Self.isArmed(descriptor) == false { _ = Self.set(descriptor, nanoseconds: 1) }
    stopped = []
    rounds = 0
  }

  /// Nil where the descriptor is no timer any more.
  private static func isArmed(_ descriptor: Int32) -> Bool? {
    var interval = linux_interval()
    guard linux_get_timer(descriptor, &interval) == 0 else { return nil }
    return interval.first_seconds != 0 || interval.first_nanoseconds != 0
  }

  private static func set(_ descriptor: Int32, nanoseconds: Int) -> Bool {
    var interval = linux_interval()
    interval.first_nanoseconds = nanoseconds
    return linux_set_timer(descriptor, 0, &interval, nil) == 0
  }

  /// The timerfds of libdispatch's epoll descriptor.
  ///
  /// libdispatch's epoll descriptor is the one that has an eventfd with the datum 1, and a timerfd for each clock with
  /// a datum from 2 to 4 (event_epoll.c); all other data are addresses.
  private static func timers() -> [Int32] {
    for (descriptor, kind) in descriptors() where kind == "anon_inode:[eventpoll]" {
      let members = members(of: descriptor)
      guard members.contains(where: { $0.datum == 1 && name(of: $0.descriptor) == "anon_inode:[eventfd]" }) else {
        continue
      }
      return members.filter { (2...4).contains($0.datum) && name(of: $0.descriptor) == "anon_inode:[timerfd]" }
        .map(\.descriptor)
    }
    return []
  }

  private static func descriptors() -> [(Int32, String)] {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    var found: [(Int32, String)] = []
    while let entry = readdir(folder) {
      let text = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let number = Int32(text), let name = name(of: number) { found.append((number, name)) }
    }
    return found
  }

  private static func name(of descriptor: Int32) -> String? {
    var bytes = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  /// The descriptors in an epoll descriptor (proc(5), `tfd:` lines of fdinfo; the datum in hexadecimal).
  private static func members(of descriptor: Int32) -> [(descriptor: Int32, datum: UInt64)] {
    guard let text = KernelFile.text(of: "/proc/self/fdinfo/\(descriptor)") else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard words.first == "tfd:", words.count >= 6, words[4] == "data:", let number = Int32(words[1]),
        let datum = UInt64(words[5], radix: 16)
      else { return nil }
      return (number, datum)
    }
  }
}
