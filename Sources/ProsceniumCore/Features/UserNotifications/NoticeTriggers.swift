import FoundationEssentials
import ProsceniumJSON
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTrace

/// Shows notices at their triggers' times, keeps them on disk, and has the program started for them where it does not
/// run.
///
/// A part of ``UserNotifications``, which makes it when the program has such notices, or asks for them: others have
/// none of its costs. Called after its application has gone, by a late answer of the desktop, it does nothing.
@MainActor final class NoticeTriggers {
  /// How far the launch has come.
  enum Stage: Comparable { case before, opened, ready, over }

  /// How much later than the program itself the service manager acts, in seconds: a program that runs is not disturbed.
  static let margin = 2
  /// How long after its showing has begun a notice that nothing answers for gets another start, in seconds: longer than
  /// a desktop takes that answers at all.
  static let answerTime = 60.0
  /// The time until notices are looked at while the launch has more urgent things to do: its first windows.
  static let patience = Duration.seconds(1)

  private weak var application: Application?
  private var stage: Stage
  /// The notices, read at their first use.
  private let stored: StoredSchedule<NoticeSchedule>
  /// The notices that are being shown.
  private var underWay: [String: PendingNotice] = [:]
  /// Keeps the program running until they are.
  private var work: BackgroundTaskIdentifier?
  /// The program was started for a notice, and has shown no window.
  private(set) var endsAfterNotices = false
  /// Hears of the first window of such a program.
  private var observation: NotificationCenter.ObservationToken?

  init(_ application: Application, _ stage: Stage) {
    (self.application, self.stage) = (application, stage)
    stored = StoredSchedule(
      .notices, "notices with triggers", application.conductor, retryingAt: .noticeFile,
      with: AnyMessage(UserNotifications.self, .tryFileAgain))
  }

  private var conductor: Conductor? { application?.conductor }
  private var monitor: (any WorkMonitor)? { application?.host.machine.notices }

  // MARK: The program's side

  /// Keeps a notice until its time, in place of an earlier one of its name.
  func add(_ notice: UserNotice) throws(UserNotificationError) {
    guard let conductor, let monitor, stage >= .opened, stage < .over else {
      throw .unavailable("the program has not been launched, or ends")
    }
    let entry = PendingNotice(notice, since: monitor.now)
    guard let time = entry.time else { throw .invalid("its trigger's time never comes") }
    let identifier = notice.request.identifier
    var next = schedule
    next.pending[identifier] = entry
    guard next.pending.count <= NoticeSchedule.most else {
      throw .unavailable("\(NoticeSchedule.most) others wait for their times already")
    }
    guard next.bytes.count <= WaitingFile.limit else {
      throw .unavailable("the file of those that wait would have more than \(WaitingFile.limit) bytes")
    }
    do throws(FileError) { try stored.save { $0.pending[identifier] = entry } } catch {
      throw .unavailable("it cannot be saved: \(error)")
    }
    conductor.trace(.system("noticeScheduled", ["notice": .string(identifier), "in": .int(Int(time - monitor.now))]))
    conductor.post(UserNotifications.self, .observe)
  }

  /// Removes notices that wait for their times.
  func remove(where isMeant: @escaping (String) -> Bool) {
    keep { $0.remove(isMeant) }
  }

  /// The notices that wait for their times, in the order of these.
  var pending: [UserNotificationRequest] { schedule.ordered.map(\.notice.request) }

  // MARK: The file

  private var schedule: NoticeSchedule { stage >= .opened ? stored.contents : NoticeSchedule() }

  /// Makes a change that counts in this process, whether it can be saved or not.
  private func keep(_ change: @escaping (inout NoticeSchedule) -> Void) {
    if stage >= .opened, stored.keep(change) { conductor?.post(UserNotifications.self, .observe) }
  }

  func tryFileAgain() -> [FeatureAction] {
    stored.tryAgain()
    return observe()
  }

  // MARK: Launch and end

  /// The store is open, which may be after the launch: what has been added meanwhile is saved with what is there.
  func storeOpened() {
    stage = max(stage, .opened)
    stored.tryAgain()
    if stored.isUsed { conductor?.post(UserNotifications.self, .observe) }
  }

  /// The program was started for a notice: it ends when that is shown, unless the user opens it meanwhile.
  func startedForNotice() {
    guard let application else { return }
    endsAfterNotices = true
    observation = NotificationCenter.default.addObserver(of: application, for: .willEnterForeground) { [weak self] _ in
      self?.endsAfterNotices = false
      self?.observation = nil
    }
    beginWork()
  }

  /// The process ends: what is being shown is shown again, in place of itself, if it is not known to be there.
  ///
  /// Also within the launch, which may have added one.
  func end() {
    if stage == .ready || stored.isUsed, let monitor {
      underWay = [:]
      stored.finish()
      arm(at: monitor.now)
    }
    stage = .over
  }

  // MARK: Showing

  /// The machine's time zone may be another one.
  func updateTimes() {
    guard let conductor, stored.isUsed, !stored.contents.isEmpty else { return }
    stored.update { $0.updateTimes() }
    conductor.post(UserNotifications.self, .observe)
  }

  /// The program is suspended, perhaps before it has looked at its notices: it runs for them at their times.
  func suspended() {
    guard let monitor, stage >= .opened, stage < .over else { return }
    stage = .ready
    // Read here, where that has not been done yet.
    _ = schedule
    arm(at: monitor.now)
  }

  /// Whether a notice is due, for which a suspended program runs.
  var isDue: Bool {
    guard let monitor, stage == .ready, stored.isUsed else { return false }
    return stored.contents.due(at: monitor.now).contains { underWay[$0.notice.request.identifier] == nil }
  }

  /// Shows the notices that are due, and waits for the next one.
  func observe() -> [FeatureAction] {
    guard let conductor, let monitor, stage >= .opened, stage < .over, !conductor.machine.phase.isEnding else {
      return []
    }
    guard conductor.machine.phase == .running || endsAfterNotices else { return [Self.later] }
    stage = .ready
    let now = monitor.now
    defer { arm(at: now) }
    comeBack(to: now)
    guard !conductor.isSuspended else { return [] }
    let due = schedule.due(at: now).filter { underWay[$0.notice.request.identifier] == nil }
    if !due.isEmpty { beginWork() }
    let actions = due.flatMap { show($0) }
    if underWay.isEmpty, !(endsAfterNotices && stored.isAwaited) { endWork() }
    return actions
  }

  /// The clock may have been set back.
  private func comeBack(to now: Double) {
    let ahead = schedule.pending.filter { underWay[$0.key] == nil && $0.value.isAhead(of: now) }.keys
    guard !ahead.isEmpty else { return }
    // Without a message, which would wake a suspended program.
    _ = stored.keep { for identifier in ahead { $0.pending[identifier]?.comeBack(to: now) } }
  }

  /// Looks at the notices when the launch is over.
  static var later: FeatureAction {
    .set(.notices, after: patience, AnyMessage(UserNotifications.self, .observe))
  }

  private func show(_ entry: PendingNotice) -> [FeatureAction] {
    guard let application else { return [] }
    var notice = entry.notice
    notice.request.trigger = nil
    let identifier = notice.request.identifier
    underWay[identifier] = entry
    // The desktop may answer when this process's objects are gone, as those of a test are.
    UserNotificationCenter.of(application).show(notice) { [weak application] failure in
      application?.conductor?.post(UserNotifications.self, .shown(identifier, failure: failure))
    }
    return [.traceSystem("noticeShown", ["notice": .string(identifier)])]
  }

  /// A notice is shown, or cannot be.
  func showed(_ identifier: String, failure: String?) -> [FeatureAction] {
    guard let entry = underWay.removeValue(forKey: identifier), let monitor else { return [] }
    // Not one that has been replaced or removed meanwhile.
    if schedule.pending[identifier] == entry {
      let next = failure == nil ? entry.afterShowing(at: monitor.now) : entry.later(than: monitor.now)
      keep { $0.pending[identifier] = next }
    }
    arm(at: monitor.now)
    if underWay.isEmpty { endWork() }
    guard let failure else { return [] }
    let minutes = Int(NoticeSchedule.pause / 60)
    return [
      .report(
        "The notice \"\(identifier.prefix(100))\" is not shown at its time: \(failure). It is tried again in \(minutes) minutes."
      )
    ]
  }

  /// Sets the timers.
  private func arm(at now: Double) {
    guard let application, let conductor, let monitor else { return }
    var next = schedule.next(except: underWay.keys)
    // What is being shown may never be answered, and this process may be killed as it waits. The start is put off
    // before it comes, as often as that takes: the service manager drops one that comes while the program runs.
    if !underWay.isEmpty { next = min(next ?? .infinity, now + Self.answerTime) }
    monitor.wake(at: next)
    // The start for notices that cannot be read has gone off, and would be the last one.
    if stored.isUnread, conductor.feature(Launch.self)?.options.scheduledTask == WorkStart.notice {
      next = now + NoticeSchedule.pause
    }
    // A process that has its own store by chance is not the one that would be started.
    let isKept =
      application.resolvedManifest.instancePolicy != .separateStores && (conductor.store != nil || stored.isUnread)
    let start = (isKept ? next : nil).map {
      WorkStart(identifier: WorkStart.notice, time: Int(max($0, now).rounded(.up)) + Self.margin)
    }
    monitor.setStarts(start.map { [$0] } ?? [], of: conductor.identity.id)
  }

  // MARK: The time that showing takes

  private func beginWork() {
    guard work == nil, let application else { return }
    let begun = application.beginBackgroundTask(withName: "a notice at its time") { [weak self] in self?.expire() }
    if begun != .invalid { work = begun }
  }

  /// The time is over: what does not answer cannot show anything, and would have the program started again at once.
  private func expire() {
    for identifier in underWay.keys.sorted() {
      conductor?.perform(showed(identifier, failure: "what shows notices does not answer"))
    }
    endWork()
  }

  private func endWork() {
    if let work = work.take() { application?.endBackgroundTask(work) }
    checkEnd()
  }

  /// Ends the program that was started for a notice, unless something else keeps it.
  ///
  /// It still takes its run back then: nobody has seen anything of it.
  func checkEnd() {
    guard endsAfterNotices, stage == .ready, underWay.isEmpty, let application, let conductor,
      application.applicationState == .background, !conductor.holdsExecution, work == nil || !stored.isAwaited
    else { return }
    switch conductor.machine.model {
    case .sceneBased: conductor.post(Closing.self, .checkLastScene)
    // Its implicit scene is there without a window, too. A window that was asked for may not be in the foreground yet.
    case .appBased where conductor.roster.contains(where: \.windows.isAnyShown): break
    case .appBased: conductor.post(Termination.self, .ask(.requested, status: 0))
    }
  }
}

/// The launch has more urgent things to do than to look at notices, and the disk may be ill.
extension Deadline {
  fileprivate static let notices = Deadline("notices")
  fileprivate static let noticeFile = Deadline("noticeFile")
}
