import ProsceniumLoop

/// The journal of the program's runs: how each ended, and which sessions it was connecting when it died.
///
/// Lines are only ever appended: `run <pid>` at launch, `+<identifier>` where the program is called to connect a
/// session or to show it for the first time, `-<identifier>` when that call has returned, `!` when the process ends
/// itself, by a fault say, `=<identifier>` for a session that the run holds back, `end quit` or `end session` when the
/// program ends in order, `void` when the run got nowhere and does not count. Lines of calls are written together when
/// the turn of the loop ends, or the process. Every other line, and a torn one, is ignored. A death without `!` came
/// from outside, and blames no session.
struct RunJournal {
  struct Run {
    var pid: Int
    /// The sessions whose connection has begun and not ended.
    fileprivate var connecting = Names()
    /// How many had begun when the process ended itself.
    fileprivate var begunAtCrash = 0
    /// The sessions whose latest call has returned.
    fileprivate var survivors: Set<String> = []
    /// The sessions that it holds back.
    fileprivate var held = Names()
    /// How it ended; nil if it died, or runs.
    var end: SessionStore.LastRun?

    /// The sessions that were connecting when the process ended itself.
    ///
    /// One whose call has returned since has survived what looked like a crash.
    fileprivate var crashed: [String] { connecting.list.filter(hasCrashed) }

    fileprivate func hasCrashed(_ identifier: String) -> Bool {
      connecting.places[identifier].map { $0 < begunAtCrash } ?? false
    }
  }

  /// Names, each once, in the order in which they were added; a journal may have a million.
  fileprivate struct Names {
    private(set) var places: [String: Int] = [:]
    /// How many have been added, those included that have been removed.
    private(set) var added = 0

    var list: [String] { places.sorted { $0.value < $1.value }.map(\.key) }

    mutating func insert(_ name: String) {
      guard places[name] == nil else { return }
      places[name] = added
      added += 1
    }

    mutating func remove(_ name: String) { places[name] = nil }

    func contains(_ name: String) -> Bool { places[name] != nil }
  }

  /// A larger journal is not read, in bytes: a run would have connected a hundred thousand sessions.
  static let limit = 8 << 20
  /// Of a journal the last bytes count: a run that has connected thousands of sessions did not die of the first.
  private static let mostBytes = 1 << 20
  /// How many runs are kept; the count of a suspect does not go further back.
  static let mostRuns = 16
  /// The lines that end a run.
  private static let ends: [(end: SessionStore.LastRun, line: String)] = [
    (.quit, "end quit"), (.sessionEnded, "end session"), (.none, "void"),
  ]

  /// The latest runs.
  private(set) var runs: [Run] = []

  init(_ bytes: [UInt8]) {
    var bytes = bytes[...]
    if bytes.count > Self.mostBytes {
      bytes = bytes.suffix(Self.mostBytes).drop { $0 != UInt8(ascii: "\n") }
      runs = [Run(pid: 0)]
    }
    // Text behind the last line end is torn, unless it is whole by chance; then it may as well count.
    for line in bytes.split(separator: UInt8(ascii: "\n")) { read(line) }
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    if line.starts(with: "run ".utf8), let pid = Int(String(decoding: line.dropFirst(4), as: UTF8.self)) {
      if runs.count == 2 * Self.mostRuns { runs.removeFirst(Self.mostRuns) }
      runs.append(Run(pid: pid))
      return
    }
    guard let last = runs.indices.last else { return }
    if let end = Self.ends.first(where: { line.elementsEqual($0.line.utf8) })?.end {
      if end == .none { runs.removeLast() } else { runs[last].end = end }
    }
    if line.elementsEqual(CrashNote.text.utf8.dropLast()) { runs[last].begunAtCrash = runs[last].connecting.added }
    guard let sign = line.first, case .some(.some(let identifier)) = Token.decode(line.dropFirst()),
      identifier.utf8.count <= StoreNames.longest
    else { return }
    if sign == UInt8(ascii: "+") {
      // A run that connects a session has not ended: the log-out was called off.
      runs[last].end = nil
      runs[last].held.remove(identifier)
      runs[last].survivors.remove(identifier)
      runs[last].connecting.insert(identifier)
    } else if sign == UInt8(ascii: "-") {
      runs[last].connecting.remove(identifier)
      runs[last].survivors.insert(identifier)
    } else if sign == UInt8(ascii: "=") {
      runs[last].held.insert(identifier)
    }
  }

  /// How the latest run ended.
  var lastRun: SessionStore.LastRun {
    guard let last = runs.last else { return .none }
    return last.end ?? .died
  }

  /// The sessions to be careful with, each with a number of runs that ended themselves as they connected it.
  ///
  /// Runs that did not come to the session, or that others ended meanwhile, do not count: where two sessions are bad,
  /// each run dies of another one. A run that held the session back ends the row. It counts as one, so that the next
  /// run tries the session with care; where it died of another session it counts as those before it, and the session
  /// stays held back.
  var suspects: [String: Int] {
    var counts: [String: Int] = [:]
    guard let last = runs.last else { return counts }
    let recent = runs.suffix(Self.mostRuns).map { (run: $0, crashed: $0.crashed) }
    let names = last.end == nil ? recent.flatMap { $0.crashed + $0.run.held.list } : last.held.list
    for identifier in Set(names) {
      var count = 0
      for (run, crashed) in recent.reversed() {
        let isHeld = run.held.contains(identifier)
        if run.end != nil, !isHeld { break }
        if run.hasCrashed(identifier) {
          count += 1
        } else if isHeld {
          count += 1
          if run.end != nil || crashed.isEmpty { break }
        } else if run.survivors.contains(identifier) {
          break
        }
      }
      if count > 0 { counts[identifier] = count }
    }
    return counts
  }

  /// The shortest journal with the same meaning.
  var lines: String {
    var kept = runs.suffix(Self.mostRuns)
    // Runs before an ordered end no longer count.
    if let clean = kept.lastIndex(where: { $0.end != nil }) { kept = kept[clean...] }
    let bad = Set(kept.flatMap { $0.crashed + $0.held.list })
    return kept.map { run in
      let crashed = run.end == nil ? run.crashed : []
      return Self.run(run.pid) + bad.intersection(run.survivors).sorted().map(Self.finish).joined()
        + crashed.map(Self.begin).joined() + (crashed.isEmpty ? "" : CrashNote.text)
        + run.held.list.map(Self.hold).joined() + Self.end(run.end)
    }.joined()
  }

  /// Lines that could not be appended, for another try: what may be there of them is torn, and ends first.
  static func again(_ lines: String) -> String { lines.hasPrefix("\n") ? lines : "\n" + lines }

  static func run(_ pid: Int) -> String { "run \(pid)\n" }
  static func begin(_ identifier: String) -> String { "+\(Token.encode(identifier))\n" }
  static func finish(_ identifier: String) -> String { "-\(Token.encode(identifier))\n" }
  static func hold(_ identifier: String) -> String { "=\(Token.encode(identifier))\n" }
  static func end(_ cause: SessionStore.LastRun?) -> String {
    ends.first { $0.end == cause }.map { $0.line + "\n" } ?? ""
  }
}
