import FoundationEssentials
import Glibc

/// What a program does that nobody looks at, for whoever develops it.
///
/// Measured once for each time that the program is in the background without a task open, with one deadline; never in
/// release builds, and never otherwise.
@MainActor package struct BackgroundConduct {
  /// How long the program is watched, in milliseconds, and how much of one core it may use meanwhile.
  static let span = 5000
  static let share = 0.1

  /// Whether anybody wants to know: `ApplicationMain` in debug builds.
  package var isWatching = false
  var deadline: DeadlineID?
  var isInBackground = false
  /// What was used until now when the watch began, in seconds, by thread.
  var used: [Int32: Double] = [:]
  var begun = 0.0

  /// The processor time of every thread of the process, in seconds (proc(5), `/proc/self/task/<id>/stat`).
  package static func threadTimes() -> [Int32: (name: String, seconds: Double)] {
    guard let folder = opendir("/proc/self/task") else { return [:] }
    defer { closedir(folder) }
    let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    var times: [Int32: (name: String, seconds: Double)] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let thread = Int32(name), let line = read("/proc/self/task/\(name)/stat"),
        let time = time(ofStat: line, ticks: ticks)
      else { continue }
      times[thread] = time
    }
    return times
  }

  /// A line of `stat`: the name is in parentheses and may hold anything, the times are the 12th and 13th field after it.
  package static func time(ofStat line: String, ticks: Double) -> (name: String, seconds: Double)? {
    guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close else { return nil }
    let fields = line[line.index(after: close)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
    return (String(line[line.index(after: open)..<close]), (user + system) / ticks)
  }

  private static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}

extension Stage {
  /// The program has gone to the background or come back, or a task has begun or ended: a program that finishes a task may
  /// be as busy as it likes.
  func watchConduct() {
    guard conduct.isWatching else { return }
    let isWatched = application.applicationState == .background && law.phase == .running && !holdsBackgroundTask
    guard isWatched != conduct.isInBackground else { return }
    conduct.isInBackground = isWatched
    if let deadline = conduct.deadline { cancel(deadline) }
    conduct.deadline = nil
    guard isWatched else { return }
    conduct.used = BackgroundConduct.threadTimes().mapValues(\.seconds)
    conduct.begun = platform.now
    conduct.deadline = makeDeadline(.conduct, milliseconds: BackgroundConduct.span)
  }

  /// The watch is over: what was still held, drawn or busy is named.
  func judgeConduct() {
    conduct.deadline = nil
    let seconds = max(0.001, platform.now - conduct.begun)
    var findings: [String] = []
    for (thread, time) in BackgroundConduct.threadTimes().sorted(by: { $0.key < $1.key }) {
      let share = (time.seconds - (conduct.used[thread] ?? 0)) / seconds
      guard share > BackgroundConduct.share else { continue }
      let name = thread == getpid() ? "the main thread" : "the thread \(thread) (\(time.name))"
      findings.append("\(name) used \(Int(share * 100)) % of a core")
    }
    for record in records.ordered where record.scene != nil {
      let title = record.title ?? record.session.persistentIdentifier
      let refused = (record.windowScene?.windows ?? []).reduce(0) { $0 + $1.display.refusedFrames }
      if refused > 0 { findings.append("the scene \"\(title)\" wanted to show \(refused) frames") }
      if record.interruptions > 0 { findings.append("the scene \"\(title)\" holds an interruption") }
    }
    if application.isIdleTimerDisabled { findings.append("isIdleTimerDisabled is still true") }
    guard !findings.isEmpty else { return }
    report(
      "In the background, over \(Int(seconds.rounded())) s without a background task: "
        + findings.joined(separator: "; ")
        + ". Stop timers and tasks with whileActive(_:), and begin a background task "
        + "for what has to be finished. (Debug builds say so.)")
  }
}
