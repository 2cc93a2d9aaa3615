/// The loop of another library, on the main thread.
///
/// The library's loop drives the application (`Application.attach(to:arguments:principalClass:delegate:)`), or the
/// application's own loop lets it wait in its place, so that the library's sources run too (`OuterLoop.serve(_:)`).
/// `GLibLoop` and `FoundationLoop` are such loops. All methods are called on the main thread.
@MainActor public protocol OuterLoop: AnyObject {
  /// Whether the loop runs libdispatch's main queue, and with it tasks of the main actor; else the application does.
  var runsMainQueue: Bool { get }

  /// Begins to wait for a descriptor, besides the loop's own sources; called once.
  /// - Parameters:
  ///   - descriptor: A descriptor that is readable (`POLLIN`) while a turn is due. It is the application's: do not read
  ///     or close it.
  ///   - turn: To be called while the descriptor is readable, also by a loop within the loop, such as that of a modal
  ///     dialog. Delivers what has come, and does not wait.
  /// - Throws: What is missing, and what to do.
  func begin(_ descriptor: Int32, _ turn: @escaping @MainActor () -> Void) throws

  /// Waits until a source is ready, the loop's own or the descriptor, runs what is ready, and returns.
  ///
  /// Called by an application that serves the loop, and not while the program is suspended.
  func iterate()

  /// Makes the function return that runs the loop: the application has ended.
  ///
  /// Called once for an application that is attached to the loop.
  /// - Parameter status: The exit status of the program.
  func end(status: Int32)
}

/// The way of an ``EventLoop`` in the loop of another library: one that drives it, or one that waits in its place.
@MainActor final class OuterTurns {
  let descriptor: LoopDescriptor
  var poller: Poller
  var isTurning = false
  /// The loop that waits in place of ``EventLoop/run()``; nil where the outer loop is not ours to run.
  let companion: (any OuterLoop)?
  /// Whether the outer loop leaves libdispatch's main queue to this one.
  let drainsMainQueue: Bool

  init(_ pipe: Int32?, _ companion: (any OuterLoop)? = nil, drainsMainQueue: Bool) throws(Errno) {
    descriptor = try LoopDescriptor(pipe: pipe)
    poller = Poller(pipe: pipe)
    (self.companion, self.drainsMainQueue) = (companion, drainsMainQueue)
  }

  /// Whether the companion waits in place of the loop: not while that would run what has to wait.
  func waitsInPlace(isSuspended: Bool, holdsMainQueue: Bool) -> Bool {
    companion != nil && !isSuspended && (drainsMainQueue || !holdsMainQueue)
  }
}
