import Glibc

/// The state of the program's process, from the kernel.
extension Program {
  /// How often its threads went to sleep and were woken, or interrupted, since its start; and how many there are.
  package var contextSwitches: (voluntary: Int, threads: Int) {
    var voluntary = 0
    var threads = 0
    for task in names(inFolder: "/proc/\(pid)/task") where Int(task) != nil {
      threads += 1
      let lines = text(of: "/proc/\(pid)/task/\(task)/status").split(separator: "\n")
      let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
      voluntary += line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? 0
    }
    return (voluntary, threads)
  }

  /// Waits until nothing has woken it for a time.
  ///
  /// The time is the measure: longer than between two of what comes again and again. What comes only once may come late
  /// on a busy machine, so that there are several tries.
  /// - Parameters:
  ///   - time: The time.
  ///   - requests: How many requests it has sent so far, where they are counted.
  /// - Throws: ``DeskFailure`` where it is woken in each of the tries.
  package func rests(for time: Duration, requests: () -> Int = { 0 }) async throws {
    func count() -> [Int] { [contextSwitches.voluntary, contextSwitches.threads, requests()] }
    let evidence = { "\(count())\n\(self.evidence)" }
    try await ProsceniumDesk.waitUntil("\(time) without a wake-up", limit: .seconds(120), evidence: evidence) {
      let before = count()
      try await Task.sleep(for: time)
      if let ending { throw DeskFailure("the program has ended (\(ending)) and does not rest\n\(self.evidence)") }
      return count() == before
    }
  }

  /// How much it has worked, in hundredths of a second (proc(5), /proc/pid/stat).
  package var ticks: Int {
    let words = text(of: "/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    // utime and stime are the 14th and 15th, the state after the name being the third.
    return words.count > 12 ? (Int(words[11]) ?? 0) + (Int(words[12]) ?? 0) : 0
  }
}

/// The names in a folder, but for `.` and `..`; none where it cannot be read.
package func names(inFolder path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}
