import DeskSupport
import FoundationEssentials
import Glibc

/// What a stored session holds, read from its file by other means than the framework's.
struct StoredContents: Equatable {
  /// What the program keeps in `userInfo`, and what its scene answers for its state; 0 for none.
  var value = 0
  var state = 0

  private struct Body: Decodable {
    struct Info: Decodable {
      var value: Int?
      var state: Int?
    }
    struct Activity: Decodable { var userInfo: Info? }
    var userInfo: Info?
    var activity: Activity?
  }

  /// Reads a record: a line, and one JSON object.
  init(record: Data) throws {
    guard record.last == UInt8(ascii: "\n"), let end = record.firstIndex(of: UInt8(ascii: "\n")) else {
      throw DeskFailure("a record without a line end: \(String(decoding: record, as: UTF8.self))")
    }
    let body = try JSONDecoder().decode(Body.self, from: record[(end + 1)...])
    value = body.userInfo?.value ?? 0
    state = body.activity?.userInfo?.state ?? 0
  }

  init(_ numbers: [Int]) {
    value = numbers.first ?? 0
    state = numbers.dropFirst().first ?? 0
  }
}

/// The directory of a program's sessions, as it lies there.
struct StoreFolder {
  var sessions: [String: StoredContents] = [:]
  var discarded: Set<String> = []
  /// Half-written files, with their times in microseconds since 1970.
  var temporary: [String: Int] = [:]
  /// What should not be there.
  var strange: [String] = []

  /// Reads it; one that is not there (yet) is empty.
  init(_ path: String) throws {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      if name.hasSuffix(".session") {
        guard let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") else { continue }
        sessions[String(name.dropLast(8))] = try StoredContents(record: bytes)
      } else if name.hasSuffix(".discarded") {
        discarded.insert(String(name.dropLast(10)))
      } else if name.hasSuffix(".tmp") {
        var status = stat()
        guard lstat("\(path)/\(name)", &status) == 0 else { continue }
        temporary[name] = status.st_mtim.tv_sec * 1_000_000 + status.st_mtim.tv_nsec / 1000
      } else if name != "lock", name != "runs" {
        strange.append(name)
      }
    }
  }
}

/// One run of the churning program: what was stored before and after, and what it said meanwhile.
struct ChurnRun {
  struct Line {
    var time: Int
    var event: String
    var session: String
    var numbers: [Int]
  }

  var before: StoreFolder
  var after: StoreFolder
  var lines: [Line]
  /// When it was started, in microseconds since 1970.
  var start: Int
  /// When it was killed, in monotonic microseconds, or just before.
  var death: Int
  var endsInOrder = false

  /// How long a sync took at most meanwhile, with the wait for a processor, in microseconds.
  var longestSync = 0

  /// What is saved within a second is on disk by then: records and tombstones, by one thread.
  private var saved: Int { 2_500_000 + 3 * longestSync }

  static func lines(of log: String) -> [Line] {
    log.split(separator: "\n").compactMap { text in
      let words = text.split(separator: " ").map(String.init)
      guard words.count > 1, let time = Int(words[0]) else { return nil }
      return Line(
        time: time, event: words[1], session: words.count > 2 ? words[2] : "",
        numbers: words.dropFirst(3).compactMap { Int($0) })
    }
  }

  private func all(_ event: String) -> [Line] { lines.filter { $0.event == event } }
  private func sessions(_ event: String) -> Set<String> { Set(all(event).map(\.session)) }
  private func has(_ event: String) -> Bool { lines.contains { $0.event == event } }
  private func old(_ event: String, _ age: Int) -> [Line] { all(event).filter { death - $0.time > age } }

  /// Everything that does not hold, in words.
  var problems: [String] { launchProblems + lossProblems + valueProblems + folderProblems }

  /// The launch found exactly what was stored.
  private var launchProblems: [String] {
    var problems: [String] = []
    let stored = Set(before.sessions.keys)
    let found = sessions("session")
    if has("launched"), found != stored { problems.append("launched with \(found), stored were \(stored)") }
    let heard = all("restored") + all("waits")
    for line in heard where before.sessions[line.session] != StoredContents(line.numbers) {
      problems.append("restored \(line), stored was \(String(describing: before.sessions[line.session]))")
    }
    if has("ready") {
      let all = Set(heard.map(\.session))
      if all != stored { problems.append("came back: \(all), stored were \(stored)") }
      let untold = before.discarded.subtracting(sessions("closed"))
      if !untold.isEmpty { problems.append("not told that \(untold) are discarded") }
    }
    let unfounded = sessions("closed").subtracting(before.discarded).subtracting(sessions("closing"))
    if !unfounded.isEmpty { problems.append("discarded without a request: \(unfounded)") }
    if !sessions("held").isSubset(of: stored) { problems.append("held back what was not stored") }
    return problems
  }

  /// No window is lost, and none back from the dead.
  private var lossProblems: [String] {
    var problems: [String] = []
    let stored = Set(after.sessions.keys)
    let closing = sessions("closing")
    var due = Set(before.sessions.keys).union(old("open", saved).map(\.session))
    if endsInOrder { due.formUnion(sessions("open")) }
    let lost = due.subtracting(closing).subtracting(stored)
    if !lost.isEmpty { problems.append("lost: \(lost)") }
    let unknown = stored.union(after.discarded).subtracting(before.sessions.keys).subtracting(before.discarded)
      .subtracting(sessions("open"))
    if !unknown.isEmpty { problems.append("from nowhere: \(unknown)") }
    let dead =
      endsInOrder
      ? closing.union(before.discarded) : before.discarded.union(old("closed", saved).map(\.session))
    let risen = stored.intersection(dead)
    if !risen.isEmpty { problems.append("back from the dead: \(risen)") }
    if endsInOrder, !after.discarded.isEmpty { problems.append("told, and still there: \(after.discarded)") }
    return problems
  }

  /// What is stored is what was last said, or not much older, and never newer.
  private var valueProblems: [String] {
    var problems: [String] = []
    for (session, contents) in after.sessions {
      for (event, now, then) in [
        ("value", contents.value, before.sessions[session]?.value ?? 0),
        ("state", contents.state, before.sessions[session]?.state ?? 0),
      ] {
        let said = all(event).filter { $0.session == session }
        let known = Set(said.flatMap(\.numbers)).union([then])
        let least = said.last { endsInOrder || death - $0.time > saved }?.numbers.first ?? then
        if !known.contains(now) { problems.append("\(session): the \(event) \(now) was never said") }
        if now < least { problems.append("\(session): the \(event) is \(now), and should be \(least) at least") }
      }
    }
    return problems
  }

  private var folderProblems: [String] {
    var problems: [String] = []
    if !after.strange.isEmpty { problems.append("strange files: \(after.strange)") }
    let left = after.temporary.filter { $0.value < start }
    if has("launched"), !left.isEmpty { problems.append("left over: \(left)") }
    // A group of the writer's; the list of runs is written by the launch.
    if after.temporary.count > 9 { problems.append("too many half-written files: \(after.temporary)") }
    if endsInOrder, !after.temporary.isEmpty { problems.append("half-written: \(after.temporary)") }
    return problems
  }
}
