internal import Dispatch
import ProsceniumLoop
import ProsceniumStore

/// How often sessions have been read again, and what that has come to.
struct Rereading {
  /// The waits before the tries: a minute in all, for a disk that fails or hangs for a while.
  static let waits: [Duration] = [1, 1, 2, 4, 8, 16, 32].map { .seconds($0) }

  var tries = 0
  var isUnderWay = false
  /// What has been read, until it is used.
  var found: ReadFiles?
}

/// Sessions that could not be read at the launch, or when they were needed.
///
/// The program runs without them. They are read again on a thread of their own, and are known from then on: they come
/// back with the next request that shows the program, as after a launch into the background. Until then their records
/// are neither written nor removed; what cannot be read within a minute waits for the next launch.
extension Restoration {
  /// Whether a thread is reading.
  var isReadingAgain: Bool { rereading.isUnderWay }

  /// Reads them after the next wait, if there are any.
  var readLater: [FeatureAction] {
    guard conductor.store?.hasUnread == true, rereading.tries < Rereading.waits.count else { return [] }
    return [set(.rereading, after: Rereading.waits[rereading.tries], .readAgain)]
  }

  /// Reads them after the next wait, unless that is due already.
  func readSoon() {
    guard !isReadingAgain, !conductor.isSet(.rereading) else { return }
    for action in readLater { conductor.perform(action) }
  }

  func readAgain() -> [FeatureAction] {
    guard let store = conductor.store, store.hasUnread, !isReadingAgain else { return [] }
    rereading.tries += 1
    let (access, unread) = (store.access, store.unread)
    rereading.isUnderWay = DetachedThread.run { [weak self] in
      let read = access.read(unread)
      DispatchQueue.main.async { self?.hasRead(read) }
    }
    return isReadingAgain ? [] : readLater
  }

  private func hasRead(_ read: ReadFiles) {
    rereading.isUnderWay = false
    guard !conductor.machine.phase.isEnding else { return }
    rereading.found = read
    conductor.post(Self.self, .useRead)
  }

  /// Takes a record that can be read now for a session that is known already.
  /// - Returns: Whether it is.
  private func renew(_ stored: SessionStore.Record) -> Bool {
    guard let record = roster.ordered.first(where: { $0.identifier == stored.identifier }) else { return false }
    state(of: record).stored = stored
    record.session.loadAgain(loading(stored, of: record))
    return true
  }

  func useRead() -> [FeatureAction] {
    guard let store = conductor.store, let saving = conductor.feature(Saving.self), let read = rereading.found.take()
    else { return [] }
    var contents = store.load(read)
    contents.sessions.removeAll(where: renew)
    let records = adopt(contents, saving)
    // The one scene of other programs is there.
    let comeBack = conductor.machine.model == .sceneBased && application.resolvedManifest.supportsMultipleScenes
    for record in records { state(of: record).isLate = comeBack }
    if !store.hasUnread {
      // Another file may need as many tries.
      rereading.tries = 0
      conductor.reportSavingResumed("What could not be read of the stored sessions can be read again.")
    }
    let reports = contents.messages.map { FeatureAction.report($0) }
    let isAny = !records.isEmpty || !contents.discarded.isEmpty
    return reports + (isAny ? judge(records) : []) + readLater
  }
}

/// What could not be read is read again.
extension Deadline { fileprivate static let rereading = Deadline("rereading") }
