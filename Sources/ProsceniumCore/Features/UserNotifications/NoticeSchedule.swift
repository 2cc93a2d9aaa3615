import ProsceniumJSON

/// A notice that waits for its trigger's time.
struct PendingNotice: Hashable, Sendable {
  var notice: UserNotice
  /// When it was added, or shown last, in seconds since 1970: its next time is the first one afterwards.
  var since: Double
  /// What ``since`` was before the clock was set back; a clock that comes there again was behind, and not ahead.
  private var sinceAhead: Double?
  /// Not before, in seconds since 1970: it could not be shown.
  var retry: Double?
  /// When it is shown, in seconds since 1970; never where nil.
  private(set) var time: Double?
  /// What a later version has added to its entry in the file, and to the text of the notice within that.
  private var unknown: [String: JSONValue] = [:]
  private var unknownOfText: [String: JSONValue] = [:]

  init(_ notice: UserNotice, since: Double) {
    (self.notice, self.since) = (notice, since)
    time = notice.request.trigger?.next(after: since)
  }

  /// Takes the machine's present time zone, which may have passed over the only time that there was: it is now then.
  mutating func updateTime(offset: (Int) -> Int = MachineZone.offset) {
    let next = notice.request.trigger?.next(after: since, offset: offset) ?? since
    time = max(next, retry ?? next)
  }

  /// Whether the clock was ahead of the present one when it was added, shown or tried, or has come there again.
  ///
  /// A correction of less than an hour counts for nothing: what has just been shown is not shown twice.
  func isAhead(of now: Double) -> Bool {
    since > now + 3600 || sinceAhead.map { $0 <= now } == true || retry.map { $0 > now + NoticeSchedule.pause } == true
  }

  /// It counts as added, or shown, by now, until the clock has come to when that was.
  mutating func comeBack(to now: Double) {
    let known = max(since, sinceAhead ?? since)
    (since, sinceAhead) = known <= now ? (known, nil) : (min(since, now), known)
    retry = nil
    updateTime()
  }

  /// It has been shown: the next time is one of the future, whatever has been missed; nil where it is over.
  func afterShowing(at now: Double) -> PendingNotice? {
    guard notice.request.trigger?.repeats == true else { return nil }
    var next = PendingNotice(notice, since: now)
    (next.unknown, next.unknownOfText) = (unknown, unknownOfText)
    return next.time == nil ? nil : next
  }

  /// It could not be shown.
  func later(than now: Double) -> PendingNotice {
    var next = self
    next.retry = now + NoticeSchedule.pause
    next.updateTime()
    return next
  }
}

/// The notices that wait for their times: what is kept on disk.
struct NoticeSchedule: Schedule, Hashable, Sendable {
  /// The most notices, as on a phone.
  static let most = 64
  /// The time until a notice is tried again that could not be shown, in seconds.
  static let pause = 900.0

  /// The notices by their identifiers.
  var pending: [String: PendingNotice] = [:]
  private(set) var unread: [JSONValue] = []
  /// What a later version has added beside the notices.
  private var unknown: [String: JSONValue] = [:]

  var isEmpty: Bool { pending.isEmpty && unread.isEmpty && unknown.isEmpty }

  /// Removes notices, also those whose times cannot be read.
  mutating func remove(_ isMeant: (String) -> Bool) {
    pending = pending.filter { !isMeant($0.key) }
    unread.removeAll { value in
      guard let text = value.members?["notice"]?.text, let request = UserNotificationResponse(text: text)?.request
      else {
        return false
      }
      return isMeant(request.identifier)
    }
  }

  /// In the order of their times.
  var ordered: [PendingNotice] {
    pending.values.sorted {
      ($0.time ?? .infinity, $0.notice.request.identifier) < ($1.time ?? .infinity, $1.notice.request.identifier)
    }
  }

  /// The notices that are shown now, in the order of their times.
  func due(at now: Double) -> [PendingNotice] { ordered.filter { $0.time.map { $0 <= now } == true } }

  /// The next time of any but some.
  func next(except identifiers: some Collection<String>) -> Double? {
    pending.filter { !identifiers.contains($0.key) }.values.compactMap(\.time).min()
  }

  /// Takes the machine's present time zone.
  mutating func updateTimes(offset: (Int) -> Int = MachineZone.offset) {
    for identifier in pending.keys { pending[identifier]?.updateTime(offset: offset) }
  }
}

/// The file.
extension NoticeSchedule {
  /// Reads a file; nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard let members = try? JSONValue.object(in: bytes), case .array(let values)? = members["pending"] else {
      return nil
    }
    for value in values {
      if let notice = value.members.flatMap({ PendingNotice($0) }) {
        pending[notice.notice.request.identifier] = notice
      } else {
        unread.append(value)
      }
    }
    unknown = members.unknown(besides: self.members)
  }

  private var members: [String: JSONValue] {
    // The last one of an identifier counts.
    ["pending": .array(unread + ordered.compactMap { $0.members.map { .object($0) } })]
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    // Texts and finite numbers alone, which the encoder never refuses.
    (try? JSONValue.bytes(of: unknown.merging(members) { $1 }, isPretty: true)) ?? []
  }
}

extension PendingNotice {
  fileprivate init?(_ members: [String: JSONValue]) {
    guard let text = members["notice"]?.text, var request = UserNotificationResponse(text: text)?.request,
      let trigger = members["trigger"]?.members.flatMap(UserNotificationTrigger.init),
      let since = Self.seconds(members["since"]), case .array(let buttons)? = members["actions"]
    else { return nil }
    request.trigger = trigger
    let actions = buttons.compactMap(\.members).compactMap { button -> UserNotificationAction? in
      guard let identifier = button["identifier"]?.text, let title = button["title"]?.text else { return nil }
      return UserNotificationAction(
        identifier: identifier, title: title, opensScene: button["opensScene"] != .bool(false))
    }
    self.init(UserNotice(request: request, actions: actions), since: since)
    (sinceAhead, retry) = (Self.seconds(members["sinceAhead"]), Self.seconds(members["retry"]))
    // The zone may be another one than when it was added.
    updateTime()
    if notice.problem != nil { return nil }
    unknown = members.unknown(besides: self.members ?? [:])
    let known = UserNotificationResponse(request: request).members
    unknownOfText = (try? JSONValue.object(in: text.utf8))?.unknown(besides: known) ?? [:]
  }

  fileprivate var members: [String: JSONValue]? {
    let response = UserNotificationResponse(request: notice.request).members
    guard let trigger = notice.request.trigger,
      let text = try? JSONValue.bytes(of: unknownOfText.merging(response) { $1 })
    else { return nil }
    let buttons = notice.actions.map { action -> JSONValue in
      .object([
        "identifier": .string(action.identifier), "title": .string(action.title),
        "opensScene": .bool(action.opensScene),
      ])
    }
    var members = unknown
    members.merge([
      "notice": .string(String(decoding: text, as: UTF8.self)), "trigger": .object(trigger.members),
      "since": .double(since), "actions": .array(buttons),
    ]) { $1 }
    if let sinceAhead { members["sinceAhead"] = .double(sinceAhead) }
    if let retry { members["retry"] = .double(retry) }
    return members
  }

  private static func seconds(_ value: JSONValue?) -> Double? {
    switch value {
    case .int(let number)? where abs(number) < 100_000_000_000: Double(number)
    case .double(let number)? where abs(number) < 1e11: number
    default: nil
    }
  }
}
