internal import Glibc
import ProsceniumJSON
import ProsceniumLoop
import ProsceniumStore

/// What waits for its time, as a file has it.
protocol Schedule: Equatable {
  /// Nothing waits.
  init()
  /// Reads the bytes of a file; nil for anything else.
  init?(_ bytes: [UInt8])
  var bytes: [UInt8] { get }
  /// What the file has of a later version, which stays in it.
  var unread: [JSONValue] { get }
  /// Whether a file would say nothing.
  var isEmpty: Bool { get }
}

extension [String: JSONValue] {
  /// The members that a later version has added: those that this one would not write.
  func unknown(besides known: [String: JSONValue]) -> [String: JSONValue] { filter { known[$0.key] == nil } }
}

/// A schedule in a file of the store: read at its first use, and saved with each change.
///
/// What it saves is on disk when its functions return, unless the disk hangs: then the program goes on, and the change
/// counts.
///
/// A disk may be ill for a while: what it does not give is read again for a minute, and what it does not take is saved
/// again until it succeeds. Each is told once, and so is its end. Without a store, whose failure has been reported, the
/// schedule lasts as long as the process, or until there is one.
@MainActor final class StoredSchedule<Contents: Schedule> {
  /// How far the file has been read.
  private enum Reading {
    case pending, withoutStore, done
    /// The disk does not give it.
    case withheld(FileError)
  }

  /// The time to the next try.
  private static var retryDelay: Duration { .seconds(1) }
  /// How often a file is read again.
  private static var mostReadings: Int { 60 }
  /// How long the program waits for a disk that hangs, while it runs.
  private static var usualPatience: Duration { .seconds(1) }
  /// How long the end of the program tries again what fails, and how often.
  private static var endRetries: (limit: Duration, delay: Duration) { (.seconds(3), .milliseconds(100)) }

  private weak var conductor: Conductor?
  private let file: WaitingFile
  /// What the file has, for reports: a plural.
  private let subject: String
  private let retry: (deadline: Deadline, message: AnyMessage)
  /// Changes what has been read, where this program cannot use all of it.
  private let whenRead: (inout Contents) -> Void

  private var reading = Reading.pending
  private var readings = 0
  private var current = Contents()
  /// What has been changed while the file was not read.
  private var changes: [(inout Contents) -> Void] = []
  /// Whether the file is not as the contents are, and whether that has been reported.
  private var trouble = (isUnsaved: false, isTold: false)
  /// A write for which the disk takes its time, and what it writes.
  private var underWay: (write: WaitingWrite, contents: Contents)?
  private var patience = StoredSchedule.usualPatience

  /// A schedule that is not read yet.
  /// - Parameters:
  ///   - file: Its file.
  ///   - subject: What the file has, for reports: a plural.
  ///   - conductor: The conductor of the program.
  ///   - deadline: Names the time of another try.
  ///   - message: Is sent then; its receiver calls ``tryAgain()``.
  ///   - whenRead: Changes what has been read.
  init(
    _ file: WaitingFile, _ subject: String, _ conductor: Conductor?, retryingAt deadline: Deadline,
    with message: AnyMessage, whenRead: @escaping (inout Contents) -> Void = { _ in }
  ) {
    (self.file, self.subject, self.conductor) = (file, subject, conductor)
    (retry, self.whenRead) = ((deadline, message), whenRead)
  }

  // MARK: Contents

  /// Whether it has been asked for.
  var isUsed: Bool {
    if case .pending = reading { false } else { true }
  }

  /// Whether the file has been asked for, and is not read: nobody knows what waits.
  var isUnread: Bool {
    switch reading {
    case .pending, .done: false
    case .withoutStore: conductor?.feature(Launch.self)?.missingStore != nil
    case .withheld: true
    }
  }

  /// Whether an unread file is still tried to be read.
  var isAwaited: Bool { isUnread && readings <= Self.mostReadings }

  /// What waits, as far as it is known.
  var contents: Contents {
    if !isUsed { read() }
    return current
  }

  /// Saves a change.
  /// - Throws: The error of the file system: nothing has changed.
  func save(_ change: @escaping (inout Contents) -> Void) throws(FileError) {
    if isUnread, !isAwaited { read() }
    var next = contents
    change(&next)
    switch reading {
    case .withheld(let error): throw error
    case .pending, .withoutStore: changes.append(change)
    case .done: if let error = write(next) { throw error }
    }
    current = next
  }

  /// Makes a change that counts whether it can be saved or not.
  /// - Returns: Whether anything is different.
  func keep(_ change: @escaping (inout Contents) -> Void) -> Bool {
    let old = contents
    change(&current)
    if case .done = reading { if current != old { saveCurrent() } } else { changes.append(change) }
    return current != old
  }

  /// Makes a change that no file needs.
  func update(_ change: (inout Contents) -> Void) { change(&current) }

  // MARK: Tries

  /// Reads again what has been withheld, and saves again what could not be saved.
  func tryAgain() {
    switch reading {
    case .pending: break
    case .withoutStore, .withheld: read()
    case .done: if trouble.isUnsaved { saveCurrent() }
    }
  }

  /// Tries for a while, at the end of the program: a task that has begun would run again, and a notice that has been
  /// shown would be shown again.
  func finish() {
    guard let conductor else { return }
    conductor.feature(Termination.self)?.wait(atMost: Self.endRetries.limit) { time in
      let end = MonotonicClock.now + time
      while true {
        patience = max(.zero, min(Self.usualPatience, end - MonotonicClock.now))
        tryAgain()
        guard isUnfinished, conductor.store?.writesInline == false, MonotonicClock.now < end else { break }
        usleep(useconds_t(Self.endRetries.delay / .microseconds(1)))
      }
    }
    if trouble.isUnsaved, !trouble.isTold {
      conductor.report("The changes of \(subject) were not saved at the end: the disk is too slow, or hangs.")
    }
  }

  private var isUnfinished: Bool {
    if case .withheld = reading { !changes.isEmpty } else { trouble.isUnsaved }
  }

  private func read() {
    guard let conductor else { return }
    guard let store = conductor.store else {
      reading = .withoutStore
      return isUnread ? readLater(conductor) : ()
    }
    var found = Contents()
    do throws(FileError) {
      if let bytes = try store.read(file) {
        if let contents = Contents(bytes) {
          found = contents
          if !found.unread.isEmpty {
            conductor.report(
              "The file of \(subject) has \(found.unread.count) entries that this version cannot read. They stay in it."
            )
          }
        } else {
          conductor.report(store.setAside(file, "its contents are not those of \(subject)"))
        }
      }
      if case .withheld = reading {
        conductor.reportSavingResumed("The file of \(subject) can be read again.")
      }
    } catch {
      if case .system = error { return withhold(error, conductor) }
      conductor.report("The file of \(subject) cannot be read: \(error). It counts for nothing.")
    }
    reading = .done
    whenRead(&found)
    current = found
    for change in changes { change(&current) }
    changes = []
    if current != found { saveCurrent() }
  }

  private func withhold(_ error: FileError, _ conductor: Conductor) {
    if case .withheld = reading {
    } else {
      conductor.report("The file of \(subject) cannot be read: \(error). It is read again for a minute.")
    }
    reading = .withheld(error)
    readLater(conductor)
  }

  private func readLater(_ conductor: Conductor) {
    readings += 1
    if readings <= Self.mostReadings { conductor.set(retry.deadline, after: Self.retryDelay, retry.message) }
  }

  private func saveCurrent() {
    guard let error = write(current) else { return }
    if !trouble.isTold {
      conductor?.report(
        "The changes of \(subject) cannot be saved: \(error). It is tried again until it succeeds; until then a "
          + "crash would lose them.")
    }
    trouble.isTold = true
    saveLater()
  }

  @discardableResult private func saveLater() -> FileError? {
    trouble.isUnsaved = true
    conductor?.set(retry.deadline, after: Self.retryDelay, retry.message)
    return nil
  }

  /// Replaces the file, or removes it: the next launch looks for none where nothing waits.
  /// - Returns: The error of the file system; nil also where the disk hangs: it is written again when that has an end.
  private func write(_ contents: Contents) -> FileError? {
    guard let store = conductor?.store else { return nil }
    // In their order, so that the file is not left as it was.
    if let (earlier, written) = underWay {
      let outcome = earlier.wait(for: .zero)
      if outcome != nil { underWay = nil }
      switch outcome {
      case nil: return saveLater()
      case .success where written == contents: return saved()
      case .success, .failure: break
      }
    }
    let write = store.write(contents.isEmpty ? nil : contents.bytes, to: file)
    underWay = (write, contents)
    let outcome = write.wait(for: patience)
    if outcome != nil { underWay = nil }
    switch outcome {
    case nil: return saveLater()
    case .failure(let error):
      if error.isDiskFull { conductor?.noteFullDisk() }
      return error
    case .success: return saved()
    }
  }

  private func saved() -> FileError? {
    if trouble.isTold { conductor?.reportSavingResumed("The changes of \(subject) are saved.") }
    trouble = (false, false)
    return nil
  }
}
