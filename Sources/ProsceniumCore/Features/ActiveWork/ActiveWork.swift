/// Work that runs only while its scene is active: a timer, a task, a queue.
///
/// Made by ``Scene/whileActive(resumption:start:stop:)`` and ``Scene/whileActive(resumption:_:)``, and held by the
/// scene until ``cancel()`` or its disconnection.
@preconcurrency @MainActor public final class ActiveWork {
  /// The way in which the work restarts after the scene has resigned.
  public enum Resumption: Hashable, Sendable, CaseIterable {
    /// The framework, when the scene is active again.
    case automatic
    /// The user: it stays stopped, also in the active scene, until ``ActiveWork/resume()``. A paused game
    /// waits for a key.
    case byUser
  }

  /// The way in which it restarts.
  public let resumption: Resumption
  /// Whether it runs now.
  public private(set) var isRunning = false
  /// Whether it waits for the user's ``resume()``.
  public private(set) var isWaitingForUser = false
  /// What sets the work going; nil once it has been cancelled.
  private var start: (@MainActor () -> Void)?
  private var stop: (@MainActor () -> Void)?
  private weak var record: SceneRecord?

  init(
    _ record: SceneRecord?, _ resumption: Resumption, start: @escaping @MainActor () -> Void,
    stop: @escaping @MainActor () -> Void
  ) {
    self.record = record
    self.resumption = resumption
    self.start = start
    self.stop = stop
  }

  /// Restarts work that waits for its user; in an inactive scene when it becomes active.
  public func resume() {
    assertMainThread()
    isWaitingForUser = false
    if record?.scene?.activationState == .foregroundActive { sceneBecameActive() }
  }

  /// Stops the work until ``resume()``, at the user's request.
  public func pause() {
    assertMainThread()
    guard start != nil else { return }
    isWaitingForUser = true
    end()
  }

  /// Stops the work permanently, and releases its functions.
  public func cancel() {
    assertMainThread()
    end()
    (start, stop) = (nil, nil)
    if let record { record.state(of: ActiveWorks.self).works.removeAll { $0 === self } }
    record = nil
  }

  func sceneBecameActive() {
    guard !isRunning, !isWaitingForUser, let start else { return }
    isRunning = true
    start()
  }

  func sceneResigned() {
    guard isRunning else { return }
    if resumption == .byUser { isWaitingForUser = true }
    end()
  }

  private func end() {
    guard isRunning else { return }
    isRunning = false
    stop?()
  }
}

// Not in the class itself: subclasses need not override them.
extension Scene {
  /// Adds work that runs only while the scene is active.
  ///
  /// ```swift
  /// scene.whileActive { timer.resume() } stop: { timer.suspend() }     // a dispatch timer
  /// scene.whileActive { queue.isSuspended = false } stop: { queue.isSuspended = true }
  /// ```
  ///
  /// It is started right after `sceneDidBecomeActive` and its notification, at once if the scene is active, and stopped
  /// right after `sceneWillResignActive`; each start has one stop. In the background, and while the scene is inactive,
  /// nothing of it runs. Does nothing for a scene that is not connected.
  /// - Parameters:
  ///   - resumption: The way in which it restarts after the scene has resigned.
  ///   - start: Sets the work going; on the main thread.
  ///   - stop: Stops it, so that it can be started again; on the main thread.
  /// - Returns: The work, to resume, pause or cancel it.
  @discardableResult
  public func whileActive(
    resumption: ActiveWork.Resumption = .automatic, start: @escaping @MainActor () -> Void,
    stop: @escaping @MainActor () -> Void
  ) -> ActiveWork {
    assertMainThread()
    let work = ActiveWork(record, resumption, start: start, stop: stop)
    guard let record else { return work }
    record.state(of: ActiveWorks.self).works.append(work)
    if activationState == .foregroundActive { work.sceneBecameActive() }
    return work
  }

  /// Runs a task while the scene is active: cancelled when it resigns, started again when it is active again.
  ///
  /// As ``whileActive(resumption:start:stop:)``. A completed task is started again likewise.
  /// - Parameters:
  ///   - resumption: The way in which it restarts after the scene has resigned.
  ///   - operation: The work; on the main thread, and to end soon when it is cancelled.
  /// - Returns: The work, to resume, pause or cancel it.
  @discardableResult
  public func whileActive(
    resumption: ActiveWork.Resumption = .automatic, _ operation: @escaping @MainActor @Sendable () async -> Void
  ) -> ActiveWork {
    var task: Task<Void, Never>?
    return whileActive(resumption: resumption) {
      task = Task { await operation() }
    } stop: {
      task?.cancel()
      task = nil
    }
  }
}
