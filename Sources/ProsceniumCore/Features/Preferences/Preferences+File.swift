internal import Dispatch
import ProsceniumLoop
import ProsceniumStore

/// Reading and writing of the file.
extension Preferences {
  /// The longest time that a choice waits for others to be written with, in milliseconds.
  private static let writingDelay = 250
  /// The longest time between an editor's first and last change of a file, in milliseconds.
  private static let readingDelay = 50
  /// The time limit of writes at the end, in milliseconds.
  private static let endLimit = 5000

  func openFile(of conductor: Conductor) {
    guard let environment = application.host.environment else { return }
    let file: PreferencesFile
    do throws(StoreError) {
      file = try PreferencesFile(applicationIdentifier: conductor.identity.id, environment: environment)
      try file.prepare()
    } catch {
      return conductor.report("\(error)")
    }
    self.file = file
    watch = makeWatch(file.folder, PreferencesFile.name, conductor)
    watchTarget()
    // No other values have been read yet.
    read(isLaunch: true)
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
    guard let file, let conductor = application.conductor else { return }
    let place = file.place
    if let targetWatch, (targetWatch.folder, targetWatch.name) == place { return }
    targetWatch?.watch.stop()
    targetWatch = nil
    guard place != (file.folder, PreferencesFile.name) else { return }
    targetWatch = (place.folder, place.name, makeWatch(place.folder, place.name, conductor))
  }

  private func fileTouched() {
    guard let conductor = application.conductor, readDeadline == nil else { return }
    if conductor.isSuspended { return conductor.post(.preferencesEdited) }
    readDeadline = conductor.after(milliseconds: Self.readingDelay) { [weak self] in
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
    switch file.read(knowing: stored.bytes) {
    case .same: break
    case .missing: stored = ([:], nil)
    case .values(let values, let bytes): stored = (values, bytes)
    case .damaged(let why):
      // An editor may be in the middle of writing it: it stays in place until the program writes.
      guard isLaunch else { return }
      report(
        "The file in \"\(file.folder)\" is damaged: \(why). It counts for nothing, and is put aside when something is set."
      )
    case .unreadable(let why): report("The file in \"\(file.folder)\" cannot be read: \(why).")
    }
  }

  // MARK: Writing

  func scheduleWriting() {
    guard file != nil, writing == nil, writeDeadline == nil, !choices.isEmpty else { return }
    writeDeadline = application.conductor?.after(milliseconds: Self.writingDelay) { [weak self] in self?.write() }
  }

  /// Writes the changed values at once.
  func write() {
    cancelDeadline()
    guard let file, writing == nil, !choices.isEmpty else { return }
    let writing = PreferencesWriting(number: choiceCount)
    self.writing = writing
    let (changes, known) = (choices.mapValues(\.value), stored.values)
    writing.start({ file.write(changes, over: known) }, whenDone: { [weak self] in self?.collect() })
  }

  /// Handles the outcome of a completed write.
  private func collect() {
    guard let writing, let outcome = writing.outcome else { return }
    self.writing = nil
    handle(outcome, upTo: writing.number)
    // Choices that were made during the write, unless the disk has just failed.
    if outcome.failure == nil { scheduleWriting() }
  }

  private func handle(_ outcome: PreferencesFile.Outcome, upTo number: Int) {
    if let damage = outcome.damage { report(damage) }
    if let failure = outcome.failure {
      if !isFailing {
        report("Not written: \(failure). It is tried again with the next change, and at the end of the program.")
      }
      isFailing = true
    }
    guard let written = outcome.written else { return }
    isFailing = false
    change {
      choices = choices.filter { $0.value.number > number }
      stored = (written.values, written.bytes)
      // Another instance may have written after us, and its values may have been read already.
      read(isLaunch: false)
    }
  }

  private func cancelDeadline() {
    if let writeDeadline { application.conductor?.cancel(writeDeadline) }
    writeDeadline = nil
  }

  /// Writes pending values, and returns when they are on disk, or after a few seconds; at the end of the program.
  func end() {
    // Values that were set before the launch have to be written, too.
    if !choices.isEmpty { open() }
    guard file != nil else { return }
    finishWriting(milliseconds: Self.endLimit)
    cancelDeadline()
    if let readDeadline { application.conductor?.cancel(readDeadline) }
    watch?.stop()
    watch = nil
    targetWatch?.watch.stop()
    targetWatch = nil
  }

  /// Writes pending values, and returns when they are on disk, or at the time limit.
  func finishWriting(milliseconds: Int) {
    let end = DispatchTime.now() + .milliseconds(milliseconds)
    // Twice: a write that was under way lacks later values, and may have failed.
    for _ in 0..<2 {
      write()
      guard let writing else { return }
      guard writing.wait(until: end) else {
        return report("Not written within \(milliseconds) ms: the disk is too slow, or hangs.")
      }
      collect()
    }
  }

  /// Writes pending values, and returns when they are on disk, or at the time limit; the outcome is handled when
  /// the main queue resumes.
  func writeInSilence(milliseconds: Int) {
    // A write that is under way has exceeded its limit.
    guard writing == nil else { return }
    write()
    guard writing?.wait(until: .now() + .milliseconds(milliseconds)) == false else { return }
    report("Not written within \(milliseconds) ms: the disk is too slow, or hangs.")
  }
}
