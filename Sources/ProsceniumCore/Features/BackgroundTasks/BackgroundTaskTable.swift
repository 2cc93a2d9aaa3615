import Synchronization

/// The open background tasks, for every thread.
///
/// The only part of background time that is not the main thread's alone: the main thread decides the meaning of a task,
/// after the change that is marked here.
final class BackgroundTaskTable: Sendable {
  typealias Handler = @MainActor @Sendable () -> Void

  /// The remaining time, for any thread.
  enum Clock: Sendable {
    case unlimited
    case standing(Duration)
    /// Until this time of the platform's clock, in seconds.
    case running(Double)
  }

  /// A background task that is open, with the handler that has not been called yet.
  struct OpenTask: Sendable {
    var name: String
    var id: Int
    var handler: Handler?
  }

  private struct Contents: Sendable {
    var open: [Int: OpenTask] = [:]
    var latest = 0
    var refuses = false
    /// A change for the main thread.
    var isChanged = false
    var clock = Clock.unlimited
    var refreshStatus = BackgroundRefreshStatus.available
    var errors: [String] = []
    var platform: (any Platform)?
  }

  /// The greatest number of errors that are stored until the main thread reports them.
  private static let mostErrors = 100
  private let contents = Mutex(Contents())

  /// A task; nil if none can begin.
  func begin(_ name: String, _ handler: Handler?) -> Int? {
    let (id, waker): (Int?, (any Platform)?) = contents.withLock { contents in
      guard !contents.refuses else { return (nil, nil) }
      contents.latest += 1
      contents.open[contents.latest] = OpenTask(name: name, id: contents.latest, handler: handler)
      return (contents.latest, contents.open.count == 1 ? Self.markChanged(&contents) : nil)
    }
    waker?.wake()
    return id
  }

  /// Ends a task; one that is not open is reported.
  func end(_ id: Int) {
    guard !finish(id) else { return }
    let waker: (any Platform)? = contents.withLock { contents in
      guard contents.errors.count < Self.mostErrors else { return nil }
      let wasBegun = id > 0 && id <= contents.latest
      let reason = wasBegun ? "has been ended before, or its time was over" : "was never begun"
      contents.errors.append("endBackgroundTask(_:): the task \(id) \(reason). Nothing happens.")
      return Self.markChanged(&contents)
    }
    waker?.wake()
  }

  /// Ends a task of the framework's, whose time may have been over before.
  /// - Returns: Whether it was open.
  @discardableResult func finish(_ id: Int) -> Bool {
    let (task, waker): (OpenTask?, (any Platform)?) = contents.withLock { contents in
      let task = contents.open.removeValue(forKey: id)
      return (task, task != nil && contents.open.isEmpty ? Self.markChanged(&contents) : nil)
    }
    waker?.wake()
    // The handler's captured objects are released without the lock.
    return task != nil
  }

  /// Marks a change for the main thread; returns the platform to wake, if no change was marked before.
  private static func markChanged(_ contents: inout Contents) -> (any Platform)? {
    guard !contents.isChanged else { return nil }
    contents.isChanged = true
    return contents.platform
  }

  var isEmpty: Bool { contents.withLock { $0.open.isEmpty } }

  /// The remaining time; nil where there is no limit.
  var timeLeft: Duration? {
    let (clock, platform) = contents.withLock { ($0.clock, $0.platform) }
    switch clock {
    case .unlimited: return nil
    case .standing(let left): return left
    case .running(let end): return .seconds(max(0, end - (platform?.now ?? end)))
    }
  }

  var refreshStatus: BackgroundRefreshStatus { contents.withLock { $0.refreshStatus } }

  // MARK: Main thread

  @MainActor func attach(_ platform: any Platform) { contents.withLock { $0.platform = platform } }

  /// Returns whether a change was marked, and clears the mark.
  ///
  /// Called in each turn: an isolated closure would check its thread there.
  func clearChange() -> Bool { contents.withLock { exchange(&$0.isChanged, with: false) } }

  @MainActor func drainErrors() -> [String] { contents.withLock { exchange(&$0.errors, with: []) } }

  @MainActor func publish(_ clock: Clock, refuses: Bool) {
    contents.withLock { contents in
      contents.clock = clock
      contents.refuses = refuses
    }
  }

  /// Sets whether the program may do work in the background, and posts a change.
  @MainActor func setRefreshStatus(_ status: BackgroundRefreshStatus, of application: Application) {
    guard contents.withLock({ exchange(&$0.refreshStatus, with: status) != status }) else { return }
    Application.BackgroundRefreshStatusDidChangeMessage(application: application).post()
  }

  /// Removes and returns the handlers that have not been called yet, with their tasks in the order in which they began.
  ///
  /// From now on none begins.
  @MainActor func drainHandlers() -> [OpenTask] {
    contents.withLock { contents in
      contents.refuses = true
      let tasks = contents.open.values.sorted { $0.id < $1.id }
      for task in tasks { contents.open[task.id]?.handler = nil }
      return tasks
    }
  }

  /// Whether a task is still open: a handler may have ended another's.
  @MainActor func isOpen(_ id: Int) -> Bool { contents.withLock { $0.open[id] != nil } }

  /// Removes every task; returns their names, in the order in which they began.
  @MainActor func removeAll() -> [String] {
    let tasks = contents.withLock { contents in
      contents.refuses = true
      return exchange(&contents.open, with: [:]).values
    }
    return tasks.sorted { $0.id < $1.id }.map(\.name)
  }
}
