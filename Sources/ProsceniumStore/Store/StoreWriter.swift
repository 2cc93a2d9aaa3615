import ProsceniumLoop
import ProsceniumPlatform

/// Writes batches of records in their order, and pictures when no record waits.
///
/// The thread exists while there is something to write, and a moment longer for the next batch of a burst: making a
/// thread costs the main one more than the hand-over. It is no queue of libdispatch's: those check their threads once a
/// second for ever, and an idle program would never sleep. For any thread.
final class StoreWriter: Sendable {
  /// The picture of a session's window; nil where its file is to be removed.
  private struct PendingPicture {
    var identifier: String
    var picture: Picture?
  }

  private enum Job {
    case records(StoreBatch)
    case picture(PendingPicture)
  }

  private struct State {
    var records = StoreBatch()
    /// What could not be written: it is tried again with the next batch, and by the thread after a while.
    var failed = StoreBatch()
    var pictures: [PendingPicture] = []
    /// The job that is being written.
    var job: Job?
    var hasThread = false
    var isEnding = false
    /// The store has been closed: nothing is tried again.
    var isOver = false
    var failures = StoreFailures()
    var afterPictures: (@Sendable () -> Void)?
    var onFailure: (@Sendable () -> Void)?

    var isIdle: Bool { records.isEmpty && pictures.isEmpty && job == nil }
    /// Whether nothing is left to be tried again.
    var isSaved: Bool { isIdle && failed.isEmpty }

    var hasRecords: Bool {
      if case .records = job { return true }
      return !records.isEmpty
    }

    /// The pictures that are not on disk yet, in the order in which they came.
    var unwritten: [PendingPicture] {
      if case .picture(let picture) = job { return [picture] + pictures }
      return pictures
    }

    /// Adds what has failed, which is older, to the records that wait.
    mutating func retry() {
      failed.append(records)
      (records, failed) = (failed, StoreBatch())
    }

    /// Begins the next job.
    /// - Parameter retries: Whether what has failed is tried again even if there is nothing else to write.
    /// - Returns: The job; nil where there is nothing to write.
    mutating func nextJob(retries: Bool) -> Job? {
      if retries || !records.isEmpty { retry() }
      if !records.isEmpty {
        job = .records(records)
        records = StoreBatch()
      } else if !pictures.isEmpty {
        job = .picture(pictures.removeFirst())
      }
      return job
    }

    /// Whether the caller has to start the thread.
    mutating func startsThread() -> Bool {
      defer { hasThread = true }
      return !hasThread
    }
  }

  /// How long failed records wait for the next try, while the program runs and when it ends.
  private static let retryTimes = (running: Duration.seconds(1), ending: Duration.milliseconds(100))
  /// How many bytes of pictures may wait before no more are accepted.
  private static let mostWaiting = 128 << 20

  private let files: any StoreFiles
  let runsInline: Bool
  private let idleTime: Duration
  private let state = Monitor(State())

  /// A writer.
  /// - Parameters:
  ///   - files: Where it writes.
  ///   - runsInline: Whether it writes within the calls instead of on a thread.
  ///   - idleTime: How long the thread waits for more.
  init(files: any StoreFiles, runsInline: Bool, idleTime: Duration) {
    self.files = files
    self.runsInline = runsInline
    self.idleTime = idleTime
  }

  // MARK: Jobs

  /// Adds a batch, and the records that failed before.
  func submit(_ batch: StoreBatch) {
    start { state in
      state.records.append(batch)
      // A batch of nothing does so, too.
      state.retry()
      state.pictures.removeAll { state.records.entries[$0.identifier]?.discard == true }
    }
  }

  /// Adds the picture of a session's window, in place of one that waits; nil removes the file.
  ///
  /// Where too much waits the file is removed instead: no picture is better than an old one.
  func submit(_ picture: Picture?, of identifier: String) {
    start { state in
      state.pictures.removeAll { $0.identifier == identifier }
      let waiting = state.unwritten.reduce(0) { $0 + ($1.picture?.byteCount ?? 0) }
      let accepted = waiting > Self.mostWaiting ? nil : picture
      state.pictures.append(PendingPicture(identifier: identifier, picture: accepted))
    }
  }

  private func start(_ change: (inout State) -> Void) {
    let starts = state.withLock { state in
      change(&state)
      return !state.isIdle && state.startsThread()
    }
    guard starts else { return }
    if runsInline || !DetachedThread.run({ self.work(idleTime: self.idleTime) }) { work(idleTime: .zero) }
  }

  private func work(idleTime: Duration) {
    var hasWrittenPicture = false
    while let job = next(idleTime) {
      switch job {
      case .records(let batch):
        var writing = BatchWriting(files: files)
        writing.write(batch)
        let (left, outcome) = (writing.left, writing.outcome)
        state.withLock { state in
          state.failed = left
          return state.failures.add(outcome) ? state.onFailure : nil
        }?()
      case .picture(let pending):
        PictureWriting.write(pending.picture, of: pending.identifier, files)
        hasWrittenPicture = true
      }
    }
    // The heap that encoding needed goes with the thread.
    if hasWrittenPicture { state.withLock(\.afterPictures)?() }
  }

  /// Ends the last job and waits for the next one; nil where the thread has to end.
  private func next(_ idleTime: Duration) -> Job? {
    let (isRetry, isEnding) = state.withLock { state in
      state.job = nil
      return (!state.failed.isEmpty && !state.isOver && idleTime > .zero, state.isEnding)
    }
    if isRetry {
      // The end of the program does not wait for the next try of a running one.
      let time = isEnding ? Self.retryTimes.ending : Self.retryTimes.running
      _ = state.wait(for: time) { $0.isIdle && !$0.isOver && $0.isEnding == isEnding ? nil : true }
    } else if idleTime > .zero {
      _ = state.wait(for: idleTime) { $0.isIdle && !$0.isEnding ? nil : true }
    }
    let (job, report) = state.withLock { state -> (Job?, (@Sendable () -> Void)?) in
      let job = state.nextJob(retries: isRetry && !state.isOver)
      state.hasThread = job != nil
      return (job, job == nil && state.failures.rest() ? state.onFailure : nil)
    }
    report?()
    return job
  }

  /// Sets a function that each thread calls last that has written pictures.
  func afterPictures(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.afterPictures = body } }

  /// The picture of a session that waits to be written; nil where none waits, and nil within where its file is removed.
  func waitingPicture(of identifier: String) -> Picture?? {
    state.withLock { state in state.unwritten.last { $0.identifier == identifier }.map(\.picture) }
  }

  // MARK: Failures

  /// Sets a function that is called, on any thread, when ``takeFailures()`` has something new.
  func onFailure(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onFailure = body } }

  /// Adds a failure from elsewhere.
  func report(_ failure: StoreFailure) {
    state.withLock { state in
      state.failures.add(failure)
      return state.onFailure
    }?()
  }

  /// Sets whether the journal, which is written elsewhere, meets trouble.
  func setJournalTrouble(_ trouble: StoreFailure?) {
    state.withLock { state in
      state.failures.set(trouble, of: .journal)
      // A thread that writes tells it when it ends.
      if !state.hasThread { _ = state.failures.rest() }
      return state.onFailure
    }?()
  }

  /// The failures, and their ends, since the last call.
  func takeFailures() -> [StoreFailures.Report] { state.withLock { $0.failures.take() } }

  // MARK: Waiting

  /// Waits until everything is written, and ends the thread.
  /// - Parameters:
  ///   - timeout: The longest time to wait for a slow disk.
  ///   - retries: How long to try again what fails.
  /// - Returns: Whether all records were tried in time; a picture that is not finished is no loss.
  func end(timeout: Duration, retries: Duration) -> Bool {
    state.withLock { $0.isEnding = true }
    defer { state.withLock { _ = $0.failures.rest() } }
    if !runsInline, state.wait(for: min(retries, timeout), until: { $0.isSaved ? true : nil }) != nil { return true }
    state.withLock { $0.isOver = true }
    let left = max(.zero, timeout - retries)
    return state.wait(for: left) { $0.isIdle ? true : nil } ?? state.withLock { !$0.hasRecords }
  }

  /// Waits until every record is written; pictures may wait.
  /// - Returns: Whether that was so in time.
  func waitForRecords(timeout: Duration) -> Bool { state.wait(for: timeout) { $0.hasRecords ? nil : true } ?? false }

  /// Waits without a limit until nothing is being written, and calls a function before anything else is.
  func whileIdle(_ body: () -> Void) {
    _ = state.wait(for: nil) { state -> Bool? in
      guard state.isIdle else { return nil }
      body()
      return true
    }
  }
}
