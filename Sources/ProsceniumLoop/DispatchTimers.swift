import Glibc

// In no module that comes with Swift (sys/timerfd.h).
@_silgen_name("timerfd_gettime") private func getTimer(
  _ descriptor: Int32, _ current: UnsafeMutablePointer<itimerspec>
) -> Int32
@_silgen_name("timerfd_settime") private func setTimer(
  _ descriptor: Int32, _ flags: Int32, _ new: UnsafePointer<itimerspec>, _ old: UnsafeMutablePointer<itimerspec>?
) -> Int32

/// libdispatch's timers, stopped while the program is suspended.
///
/// A thread of libdispatch waits for the timers of all queues, and wakes up for each: for those of the main queue, which
/// nobody runs then, for `Task.sleep`, and once a second for as long as its global queues have ever been used, which
/// every task uses that is not the main actor's. On Linux that thread waits in one epoll descriptor for one timerfd a
/// clock; what is armed there is disarmed, and armed again later. A thread that sets a timer meanwhile arms its clock
/// again: that thread of libdispatch itself does, when it was in the middle of one that has run out. So they are stopped
/// a few times more; who sets timers after that is not to be stopped, and goes on.
@MainActor package struct DispatchTimers {
  private var stopped: Set<Int32> = []
  private var rounds = 0

  package nonisolated init() {}

  /// How often they are stopped: the last time 3.1 s after the first.
  private static let rounds = 6

  /// Disarms the timers; does nothing where `/proc` does not tell which they are.
  ///
  /// - Returns: In how many milliseconds this is to be done again; nil when that was the last time, or where libdispatch
  ///   has no timers.
  package mutating func stop() -> Int? {
    let timers = Self.timers()
    for descriptor in timers {
      var armed = itimerspec()
      var none = itimerspec()
      guard getTimer(descriptor, &armed) == 0, armed.it_value.tv_sec != 0 || armed.it_value.tv_nsec != 0,
        setTimer(descriptor, 0, &none, nil) == 0
      else { continue }
      stopped.insert(descriptor)
    }
    rounds += 1
    return timers.isEmpty || rounds == Self.rounds ? nil : 50 << rounds
  }

  /// Has libdispatch look at once at what is due, and arm its timers anew.
  package mutating func start() {
    for descriptor in stopped {
      var armed = itimerspec()
      // Armed again by another thread: that one comes first.
      guard getTimer(descriptor, &armed) == 0, armed.it_value.tv_sec == 0, armed.it_value.tv_nsec == 0 else {
        continue
      }
      armed.it_value.tv_nsec = 1
      _ = setTimer(descriptor, 0, &armed, nil)
    }
    stopped = []
    rounds = 0
  }

  /// The timerfds of libdispatch's epoll descriptor.
  ///
  /// Found by what libdispatch writes into it: an eventfd with the datum 1, and a timerfd for each clock with a datum from
  /// 2 to 4 (event_epoll.c), all other data being addresses.
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

  /// What an epoll descriptor watches (proc(5), `tfd:` lines of fdinfo; the datum in hexadecimal).
  private static func members(of descriptor: Int32) -> [(descriptor: Int32, datum: UInt64)] {
    let file = open("/proc/self/fdinfo/\(descriptor)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      text += buffer[..<count]
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard words.first == "tfd:", words.count >= 6, words[4] == "data:", let number = Int32(words[1]),
        let datum = UInt64(words[5], radix: 16)
      else { return nil }
      return (number, datum)
    }
  }
}
