extension Scene {
  /// Marks the result of ``SceneLifecycleDelegate/stateRestorationActivity(for:)`` as changed (AppKit's name).
  ///
  /// The delegate is called within a second, at most once a second, and the result is saved. May be called at any time;
  /// does nothing while the scene is not connected.
  public func invalidateRestorableState() {
    assertMainThread()
    record?.stateChanged()
  }

  /// Conceals the scene while its state is being restored.
  ///
  /// Call it in `scene(_:willConnectTo:options:)` or `scene(_:restoreInteractionStateWith:)`, and
  /// ``completeStateRestoration()`` when the content is ready: only then are the windows shown, and the scene enters
  /// the foreground. For short local work only: after five seconds the scene is shown as it is, and an error is logged.
  /// May be nested, and the limit that ends last counts. Does nothing once the scene has been in the foreground, or is
  /// on its way there. Until it is completed the delegate is not called for state: the saved state stays, however the
  /// program ends.
  public func extendStateRestoration() { extendRestoration(limit: Restoration.limit) }

  /// Ends an extension of ``extendStateRestoration()``.
  ///
  /// Does nothing without one.
  public func completeStateRestoration() {
    assertMainThread()
    if let record { record.conductor?.feature(Restoration.self)?.complete(record) }
  }

  /// Restores the scene's state in a task, and shows the scene when the task is done or its time is over.
  ///
  /// The asynchronous form of ``extendStateRestoration()`` and ``completeStateRestoration()``, to be called in the same
  /// callbacks. When the time is over the task is cancelled and the scene is shown as it is. Where several extensions
  /// are open the limit that ends last counts for all.
  ///
  /// Once the scene has been in the foreground, or is on its way there, there is no extension: the operation does not
  /// run then, and the content is restored by other means.
  /// - Parameters:
  ///   - limit: The time limit of the task; an hour at most.
  ///   - operation: Restores the content; runs on the main thread, and not at all where there is no extension.
  public func extendStateRestoration(limit: Duration, operation: @escaping @MainActor @Sendable () async -> Void) {
    guard let record, extendRestoration(limit: limit) else { return }
    let task = Task { @MainActor in
      await operation()
      // Cancelled when its time is over or its scene is gone: then it completes no extension of its own.
      if !Task.isCancelled { record.conductor?.feature(Restoration.self)?.complete(record) }
    }
    record.state(of: Restoration.self).tasks.append(task)
  }

  @discardableResult
  private func extendRestoration(limit: Duration) -> Bool {
    assertMainThread()
    guard let record else { return false }
    return record.conductor?.feature(Restoration.self)?.extend(record, limit: limit) ?? false
  }
}
