internal import Dispatch
internal import Glibc
import ProsceniumLoop
import ProsceniumStore

/// Reading and writing of the file.
extension Preferences {
  /// The longest time that a choice waits for others to be written with, in milliseconds.
  private static let writingDelay = 250
  /// How long, and how often, a file that the disk withholds is read again: a minute, in milliseconds.
  private static let rereading = (delay: 1000, tries: 60)
  /// The longest time between an editor's first and last change of a file, in milliseconds.
  private static let readingDelay = 50
  /// The time until a write that has failed is tried again, in milliseconds.
  private static let retryDelay = 1000
  /// The time limit of writes at the end, in milliseconds.
  private static let endLimit = 5000
  /// How long, and how often, the end of the program tries again what fails, in milliseconds.
  private static let endRetries = (limit: 3000, delay: 100)

  func openFile(of conductor: Conductor) {
    guard let environment = application?.host.environment else { return }
    let file: PreferencesFile
    do throws(StoreError) {
      file = try PreferencesFile(applicationIdentifier: conductor.identity.id, environment: environment)
    } catch {
      return conductor.report("\(error)")
    }
    do throws(StoreError) { try file.prepare() } catch {
      if !isFailing { conductor.report("\(error)") }
      isFailing = true
      let message = AnyMessage(PreferencesFeature.self, .open)
      return conductor.set(.preferences, after: .milliseconds(Self.retryDelay), message)
    }
    let hasWaited = isFailing
    isFailing = false
    self.file = file
    watch = makeWatch(file.folder, PreferencesFile.name, conductor)
    watchTarget()
    if hasWaited {
      conductor.reportSavingResumed("The directory of the preferences can be used again.")
      change { read(isLaunch: true) }
    } else {
      // No other values have been read yet.
      read(isLaunch: true)
    }
    scheduleWriting()
  }

  // MARK: Reading

  private func makeWatch(_ folder: String, _ name: String, _ conductor: Conductor) -> FolderWatch {
    let watch = FolderWatch(folder, host: conductor) { [weak self] names in
      if names?.contains(name) != false { self?.fileTouched() }
    }
    if let failure = watch.failure { conductor.log("Changes in \"\(folder)\" are not reported: \(failure).") }
    return watch
  }

  /// Watches the target of a symbolic link.
  private func watchTarget() {
    guard let file, let conductor = application?.conductor else { return }
    let place = file.place
    if let targetWatch, (targetWatch.folder, targetWatch.name) == place { return }
    targetWatch?.watch.stop()
    targetWatch = nil
    guard place != (file.folder, PreferencesFile.name) else { return }
    targetWatch = (place.folder, place.name, makeWatch(place.folder, place.name, conductor))
  }

  private func fileTouched() {
    guard let conductor = application?.conductor else { return }
    if conductor.isSuspended { return conductor.post(.preferencesEdited) }
    readLater(milliseconds: Self.readingDelay)
  }

  private func readLater(milliseconds: Int) {
    guard let conductor = application?.conductor, readDeadline == nil else { return }
    readDeadline = conductor.after(milliseconds: milliseconds) { [weak self] in
      self?.readDeadline = nil
      self?.reread()
    }
  }

  /// Reads the file's present contents.
  func reread() {
    watchTarget()
    change { read(isLaunch: false) }
  }

  private func read(isLaunch: Bool) {
    guard let file else { return }
    let reading = file.read(knowing: stored.bytes)
    if case .unreadable(let why) = reading { return withheld(why, file) }
    let wasWithheld = exchange(&failedReads, with: 0) > 0
    if wasWithheld {
      application?.conductor?.reportSavingResumed("The file of the preferences can be read again.")
    }
    switch reading {
    case .same: break
    case .missing: stored = ([:], nil)
    case .values(let values, let bytes): stored = (values, bytes)
    case .damaged(let why):
      // An editor may be in the middle of writing it: it stays in place until the program writes.
      guard isLaunch || wasWithheld && stored.bytes == nil else { return }
      report(
        "The file in \"\(file.folder)\" is damaged: \(why). It counts for nothing, and is put aside when something is set."
      )
    case .unreadable: break
    }
  }

  /// Tells that the file cannot be read, once, and reads it again for a while.
  private func withheld(_ why: String, _ file: PreferencesFile) {
    failedReads += 1
    if failedReads == 1 {
      report("The file in \"\(file.folder)\" cannot be read: \(why). It is read again for a minute.")
    }
    if failedReads <= Self.rereading.tries { readLater(milliseconds: Self.rereading.delay) }
  }

  // MARK: Writing

  func scheduleWriting() {
    guard file != nil, writing == nil, !choices.isEmpty, let conductor = application?.conductor else { return }
    guard !conductor.isSet(.preferences) else { return }
    let delay = isFailing ? Self.retryDelay : Self.writingDelay
    conductor.set(.preferences, after: .milliseconds(delay), AnyMessage(PreferencesFeature.self, .write))
  }

  /// Writes the changed values at once.
  /// - Parameter isPatient: Whether the write itself tries again what fails, for a time without deadlines.
  func write(isPatient: Bool = false) {
    application?.conductor?.cancel(.preferences)
    guard let file, writing == nil, !choices.isEmpty else { return }
    let writing = PreferencesWriting(number: choiceCount)
    self.writing = writing
    let (changes, known) = (choices.mapValues(\.value), stored.values)
    writing.start(
      isPatient: isPatient, { file.write(changes, over: known) }, whenDone: { [weak self] in self?.collect() })
  }

  /// Handles the outcome of a completed write.
  private func collect() {
    guard let writing, let outcome = writing.outcome else { return }
    self.writing = nil
    handle(outcome, upTo: writing.number)
    // What has failed, and choices that were made during the write.
    if !outcome.isRefused || choiceCount > writing.number { scheduleWriting() }
  }

  private func handle(_ outcome: PreferencesFile.Outcome, upTo number: Int) {
    if let damage = outcome.damage { report(damage) }
    if let failure = outcome.failure {
      let isNew = outcome.leftOut.contains { choices[$0]?.isLeftOut == false }
      for name in outcome.leftOut { choices[name]?.isLeftOut = true }
      if isNew || !isFailing && outcome.written == nil {
        let next = outcome.isRefused ? "with the next change, and at the end of the program" : "until it succeeds"
        report("Not written: \(failure). It is tried again \(next).")
      }
      // What has no room for itself keeps nothing else out: the next failure is reported.
      if outcome.written == nil { isFailing = true }
      if outcome.isDiskFull { application?.conductor?.noteFullDisk() }
    }
    guard let written = outcome.written else { return }
    if isFailing {
      let extent = outcome.leftOut.isEmpty ? ", with all changes" : ""
      application?.conductor?.reportSavingResumed("Preferences are written again\(extent).")
      isFailing = false
    }
    change {
      choices = choices.filter { $0.value.number > number || outcome.leftOut.contains($0.key) }
      stored = (written.values, written.bytes)
      // Another instance may have written after us, and its values may have been read already.
      read(isLaunch: false)
    }
  }

  /// Writes pending values, and returns when they are on disk, or after a few seconds; at the end of the program.
  func end() {
    // Values that were set before the launch have to be written, too.
    if !choices.isEmpty { open() }
    // A directory that could not be used may be there now.
    if isOpen, file == nil, let conductor = application?.conductor { openFile(of: conductor) }
    guard file != nil else { return }
    application?.conductor?.feature(Termination.self)?.wait(atMost: .milliseconds(Self.endLimit)) {
      finishWriting(milliseconds: $0.milliseconds, retrying: min(Self.endRetries.limit, $0.milliseconds))
    }
    application?.conductor?.cancel(.preferences)
    if let readDeadline { application?.conductor?.cancel(readDeadline) }
    watch?.stop()
    watch = nil
    targetWatch?.watch.stop()
    targetWatch = nil
  }

  /// Writes pending values, and returns when they are on disk, or at the time limit.
  /// - Parameters:
  ///   - milliseconds: The time limit.
  ///   - retries: How long what fails is tried again, in milliseconds.
  func finishWriting(milliseconds: Int, retrying retries: Int = 0) {
    let start = DispatchTime.now()
    var tries = 0
    while true {
      write()
      guard let writing else { return }
      guard writing.wait(until: start + .milliseconds(milliseconds)) else { return reportDelay(milliseconds) }
      let isRefused = writing.outcome?.isRefused == true
      collect()
      tries += 1
      // Twice at once: a write that was under way lacks later values, and may have failed.
      if tries < 2 { continue }
      guard isFailing, !isRefused, DispatchTime.now() < start + .milliseconds(retries) else { return }
      usleep(UInt32(Self.endRetries.delay * 1000))
    }
  }

  /// Writes pending values, and returns when they are on disk, or at the time limit.
  ///
  /// What fails is tried again until the program resumes; the outcome is handled then.
  func writeInSilence(milliseconds: Int) {
    // A write that is under way has exceeded its limit.
    guard writing == nil else { return }
    write(isPatient: true)
    if writing?.wait(until: .now() + .milliseconds(milliseconds)) == false { reportDelay(milliseconds) }
  }

  private func reportDelay(_ milliseconds: Int) {
    if !isFailing { report("Not written within \(milliseconds) ms: the disk is too slow, hangs, or fails.") }
    isFailing = true
  }
}
