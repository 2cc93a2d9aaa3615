import FoundationEssentials
import ProsceniumJSON

/// A request that waits for its time and its needs.
struct PendingTask: Hashable, Sendable {
  /// The least time from the beginning of a task to the next one of the same identifier, in seconds: a handler that
  /// requests the task anew, without a time, does not keep the program busy.
  static let pause = 60.0
  /// The last second that a timer can have: that of the year 9999.
  static let latest = 253_402_300_799.0

  var identifier: String
  var kind: BackgroundTask.Kind
  /// The earliest time as it was requested, in seconds since 1970.
  var earliest: Double?
  var needs: Set<WorkCondition> = []
  /// When the task may begin, in seconds since 1970, by the clock as it was set at the request: see ``begin(at:)``.
  var begin = 0.0
  /// What a later version has added to the request.
  fileprivate var unknown: [String: JSONValue] = [:]

  init(_ request: some BackgroundTaskRequest) {
    identifier = request.identifier
    // A time that is no number is none.
    earliest = request.earliestBeginDate.map(\.timeIntervalSince1970)
      .flatMap { $0.isFinite ? min($0, Self.latest) : nil }
    if let processing = request as? ProcessingTaskRequest {
      kind = .processing
      if processing.requiresExternalPower { needs.insert(.externalPower) }
      if processing.requiresNetworkConnectivity { needs.insert(.network) }
    } else {
      (kind, needs) = (.refresh, [.fullPower])
    }
  }

  /// When the task may begin, by the clock as it is set now: one that was ahead at the request puts nothing off.
  func begin(at now: Double) -> Double {
    let earliest = earliest ?? now
    return begin > max(earliest, now + Self.pause) ? earliest : begin
  }

  /// The request as the program made it.
  var request: any BackgroundTaskRequest {
    let date = earliest.map { Date(timeIntervalSince1970: $0) }
    switch kind {
    case .refresh: return AppRefreshTaskRequest(identifier: identifier, earliestBeginDate: date)
    case .processing:
      var request = ProcessingTaskRequest(identifier: identifier, earliestBeginDate: date)
      request.requiresExternalPower = needs.contains(.externalPower)
      request.requiresNetworkConnectivity = needs.contains(.network)
      return request
    }
  }

  /// Whether a condition that it needs is known not to hold, or not known yet; nil where all hold.
  func obstacle(_ conditions: WorkConditions) -> Obstacle? {
    let answers = needs.map { conditions[$0] }
    return answers.contains(false) ? .unmet : answers.contains(nil) ? .unknown : nil
  }

  enum Obstacle: Hashable { case unmet, unknown }
}

/// The pending requests, and the user's choice: what is kept on disk.
struct TaskSchedule: Schedule, Hashable, Sendable {
  /// The most requests of a kind, as on a phone.
  static func most(_ kind: BackgroundTask.Kind) -> Int { kind == .refresh ? 1 : 10 }

  /// The requests by their identifiers.
  var pending: [String: PendingTask] = [:]
  var isAllowedByUser = true
  private(set) var unread: [JSONValue] = []
  /// What a later version has added beside the requests.
  private var unknown: [String: JSONValue] = [:]

  var isEmpty: Bool { pending.isEmpty && isAllowedByUser && unread.isEmpty && unknown.isEmpty }

  /// Removes requests, also those that cannot be read.
  mutating func remove(_ isMeant: (String) -> Bool) {
    pending = pending.filter { !isMeant($0.key) }
    unread.removeAll { $0.members?["identifier"]?.text.map(isMeant) == true }
  }

  /// In the order of the identifiers.
  var ordered: [PendingTask] { pending.values.sorted { $0.identifier < $1.identifier } }

  /// Whether there is room for a request.
  func hasRoom(for task: PendingTask) -> Bool {
    pending.values.count { $0.kind == task.kind && $0.identifier != task.identifier } < Self.most(task.kind)
  }

  /// The tasks that begin now.
  /// - Parameters:
  ///   - now: The time of day, in seconds since 1970.
  ///   - conditions: What is known of the conditions.
  ///   - running: The tasks that run.
  /// - Returns: The requests, in the order of their identifiers.
  func due(at now: Double, _ conditions: WorkConditions, running: Set<String>) -> [PendingTask] {
    ordered.filter { $0.begin(at: now) <= now && $0.obstacle(conditions) == nil && !running.contains($0.identifier) }
  }

  /// The conditions that requests wait for.
  var needs: Set<WorkCondition> { pending.values.reduce(into: []) { $0.formUnion($1.needs) } }
}

/// The file.
extension TaskSchedule {
  /// Reads a file; nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard let members = try? JSONValue.object(in: bytes), case .array(let values)? = members["pending"] else {
      return nil
    }
    isAllowedByUser = members["allowed"] != .bool(false)
    for value in values {
      if let task = value.members.flatMap({ PendingTask($0) }) {
        pending[task.identifier] = task
      } else {
        unread.append(value)
      }
    }
    unknown = members.unknown(besides: self.members)
  }

  private var members: [String: JSONValue] {
    // The last one of an identifier counts.
    ["pending": .array(unread + ordered.map { .object($0.members) }), "allowed": .bool(isAllowedByUser)]
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    // Texts and finite numbers alone, which the encoder never refuses.
    (try? JSONValue.bytes(of: unknown.merging(members) { $1 }, isPretty: true)) ?? []
  }
}

extension PendingTask {
  private static let needNames: [(need: WorkCondition, name: String)] = [
    (.externalPower, "power"), (.network, "network"), (.fullPower, "fullPower"),
  ]

  fileprivate init?(_ members: [String: JSONValue]) {
    guard let identifier = members["identifier"]?.text,
      let kind = members["kind"]?.text.flatMap(BackgroundTask.Kind.init(rawValue:)),
      let begin = members["begin"]?.seconds, case .array(let needs)? = members["needs"]
    else { return nil }
    (self.identifier, self.kind, self.begin) = (identifier, kind, begin)
    earliest = members["earliest"]?.seconds
    let names = Set(needs.compactMap(\.text))
    // Without a need that is not known here it would begin too early.
    guard names.count == needs.count, names.isSubset(of: Self.needNames.map(\.name)) else { return nil }
    self.needs = Set(Self.needNames.filter { names.contains($0.name) }.map(\.need))
    unknown = members.unknown(besides: self.members)
  }

  fileprivate var members: [String: JSONValue] {
    var members = unknown
    members.merge([
      "identifier": .string(identifier), "kind": .string(kind.rawValue), "begin": .double(begin),
      "needs": .array(Self.needNames.filter { needs.contains($0.need) }.map { .string($0.name) }),
    ]) { $1 }
    if let earliest { members["earliest"] = .double(earliest) }
    return members
  }
}

extension JSONValue {
  /// A number of seconds.
  fileprivate var seconds: Double? {
    let number: Double? =
      switch self {
      case .int(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    // Also a damaged file names times that the kernel's timers know.
    return number.flatMap { abs($0) <= PendingTask.latest ? $0 : nil }
  }
}
