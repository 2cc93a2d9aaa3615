import CSystem
import Glibc

/// The event loop of the main thread: one wait a turn, and no wake-up without a reason.
///
/// A turn: the client prepares, the loop waits, signals and mailboxes are delivered, then sources of the stage `input`,
/// the client's reading, deadlines, the other sources, and libdispatch's main queue. ``EventLoopClient`` has the calls.
@MainActor package final class EventLoop {
  /// The user of the loop, which lives as long as the loop runs.
  package unowned var client: (any EventLoopClient)?
  package let hosting: LoopHosting
  /// Whether the program is suspended: the main queue and some deadlines wait for ``resume()``.
  package private(set) var isSuspended = false
  /// Whether the tasks of the main queue wait, and nothing else.
  package var holdsMainQueue = false
  private let pipe = SelfPipe()
  private let mainQueue: MainQueue?
  private var signals: TerminationSignals?
  private var dispatchTimers = DispatchTimers()
  private var sources = LoopSources()
  private var deliveries: [@MainActor () -> Void] = []
  private var deadlines = Deadlines<LoopDeadline>()
  /// When libdispatch's timers are stopped once more.
  private var dispatchStop: Duration?
  private var exitStatus: Int32?
  /// The way in another library's loop; nil in a loop of its own.
  private var outer: OuterTurns?
  /// What tells of arrivals at a socket; nil where no other thread reads.
  private var arrivals: Arrivals?

  /// Makes a loop that waits for nothing yet.
  /// - Parameter hosting: Whether the loop runs the whole program, with libdispatch's main queue.
  package init(hosting: LoopHosting) {
    self.hosting = hosting
    mainQueue = hosting == .program ? MainQueue(pipe) : nil
  }

  /// Whether ``wake()``, signals, mailboxes and the main queue work: false where the process has no descriptors left.
  package var canWake: Bool { pipe != nil && (mainQueue != nil || hosting == .guest) }

  /// Makes the loop turn once, whatever it waits for; from any thread.
  package nonisolated func wake() { pipe?.wake() }

  /// Catches SIGINT, SIGTERM and SIGHUP for the client, for as long as the loop exists.
  /// - Parameter socket: The socket of a connection that is closed where, from a signal on, it takes nothing for three
  ///   seconds that waits to be written: the main thread may be in that write. nil for none.
  package func catchTerminationSignals(cutting socket: Int32? = nil) {
    if let pipe, signals == nil { signals = TerminationSignals(pipe, cutting: socket) }
  }

  /// Whether the connection of ``catchTerminationSignals(cutting:)`` has been closed.
  package var hasCutLine: Bool { signals?.hasCutLine == true }

  /// Makes a mailbox for values that other threads post; they are delivered on the main thread, mailbox by mailbox in
  /// the order in which these were made.
  package func makeMailbox<Value: Sendable>(_ deliver: @escaping @MainActor (Value) -> Void) -> Mailbox<Value> {
    let mailbox = Mailbox<Value>(waking: pipe)
    deliveries.append { mailbox.removeAll().forEach(deliver) }
    return mailbox
  }

  // MARK: Sources

  /// Waits for a descriptor in every turn, also while the program is suspended.
  /// - Parameter source: The descriptor, which must stay open until ``unwatch(_:)``, and its handler.
  /// - Returns: The source's id.
  package func watch(_ source: LoopSource) -> LoopSourceID {
    return sources.add(source)
  }

  /// Stops waiting for a descriptor; its handler is not called any more, also within the same turn.
  package func unwatch(_ id: LoopSourceID) {
    let gone = outer == nil ? nil : sources[id]?.descriptor
    sources.remove(id)
    guard let gone, !sources.entries.contains(where: { $0.source.descriptor == gone }) else { return }
    outer?.descriptor.remove(gone)
  }

  /// Makes the loop turn also for what another thread reads from a socket, from the next turn on.
  ///
  /// The client's ``EventLoopClient/hasWork`` asks ``hasArrivals`` before it looks at what has been read.
  /// - Parameter socket: The socket of a source, which stays open as long as the loop exists.
  package func watchArrivals(at socket: Int32) {
    guard arrivals == nil else { return }
    if outer == nil, let signals = try? ArrivalSignals(at: socket) {
      let source = LoopSource(descriptor: signals.descriptor, interest: .readable, stage: .input) { _ in
        signals.clear()
      }
      arrivals = Arrivals(at: socket, .signals(signals, source: sources.add(source)))
    } else if let pipe, let watch = ArrivalWatch.begin(waking: pipe) {
      arrivals = Arrivals(at: socket, .thread(watch))
    }
  }

  /// From now on another library's loop waits.
  private func waitElsewhere(_ outer: OuterTurns) {
    self.outer = outer
    guard let arrivals else { return }
    if case .signals(_, let source) = arrivals.way { sources.remove(source) }
    self.arrivals = nil
    watchArrivals(at: arrivals.socket)
  }

  /// Whether that socket has something that no thread has read; false without one.
  package var hasArrivals: Bool { arrivals?.isPending == true }

  // MARK: Deadlines

  /// Sets a deadline, in place of an earlier one of that name.
  /// - Parameters:
  ///   - name: The deadline, which the client's ``EventLoopClient/deadlinePassed(_:)`` gets.
  ///   - delay: The time until then.
  package func set(_ name: LoopDeadline, after delay: Duration) {
    deadlines.set(name, after: delay, now: MonotonicClock.now)
  }

  /// Sets a deadline at a moment of ``MonotonicClock``.
  package func set(_ name: LoopDeadline, at moment: Duration) { deadlines.set(name, at: moment) }

  /// Cancels a deadline; does nothing where it is not set.
  package func cancel(_ name: LoopDeadline) { deadlines.cancel(name) }

  /// Whether a deadline is set, and not paused by a suspension.
  package func isSet(_ name: LoopDeadline) -> Bool { deadlines.contains(name) }

  /// Cancels deadlines of a kind, paused ones included.
  package func cancelDeadlines(where isUnwanted: (LoopDeadline) -> Bool) { deadlines.cancelAll(where: isUnwanted) }

  // MARK: Suspension

  /// Suspends the program: its main queue, libdispatch's timers and some deadlines wait for ``resume()``.
  /// - Parameter pauses: Whether a deadline waits; the others pass as before.
  package func suspend(pausing pauses: @escaping (LoopDeadline) -> Bool) {
    guard !isSuspended else { return }
    isSuspended = true
    deadlines.pause(where: pauses)
    stopDispatchTimers()
  }

  /// Ends the suspension: deadlines that have passed meanwhile are due at once.
  package func resume() {
    guard isSuspended else { return }
    isSuspended = false
    deadlines.resume()
    dispatchStop = nil
    dispatchTimers.start()
  }

  private func stopDispatchTimers() {
    guard hosting == .program, let delay = dispatchTimers.stop() else { return }
    dispatchStop = MonotonicClock.now + delay
  }

  // MARK: Running

  /// Ends ``run()`` before its next wait; the first of several statuses counts.
  package func quit(_ status: Int32) {
    exitStatus = exitStatus ?? status
    requestTurn()
  }

  /// Whether ``quit(_:)`` has been called: the client is asked for nothing new.
  package var isQuitting: Bool { exitStatus != nil }

  /// Turns until ``quit(_:)``.
  /// - Returns: The status.
  package func run() -> Int32 {
    var poller = Poller(pipe: pipe?.readEnd)
    defer { outer?.isTurning = false }
    while true {
      // Also what is not called by the other library's loop is within a turn.
      outer?.isTurning = true
      client?.loopWillWait()
      if let status = exitStatus {
        exitStatus = nil
        return status
      }
      if let outer, outer.waitsInPlace(isSuspended: isSuspended, holdsMainQueue: holdsMainQueue) {
        arm(outer)
        outer.isTurning = false
        outer.companion?.iterate()
        continue
      }
      // Asked for before the sources are passed, which would be retained in each turn.
      if poller.revision != sources.revision { poller.setSources(sources) }
      // What waits in the main queue stays announced until it is read.
      poller.setMainQueue(mainQueueDescriptor)
      let (isBusy, isIdleWorkDue) = (client?.hasWork == true, client?.hasIdleWork == true)
      let isAnythingReady = poller.wait(until: isBusy || isIdleWorkDue ? .zero : nextDeadline)
      if isIdleWorkDue, !isBusy, !isAnythingReady {
        client?.performIdleWork()
        continue
      }
      handle(poller)
    }
  }

  /// The descriptor of libdispatch's main queue; nil while its work waits, or is not this loop's to run.
  private var mainQueueDescriptor: Int32? {
    isSuspended || holdsMainQueue || outer?.drainsMainQueue == false ? nil : mainQueue?.descriptor
  }

  // MARK: In the loop of another library

  /// Begins to turn in another library's loop, which calls ``turn()`` while the descriptor is readable.
  /// - Parameter drainsMainQueue: Whether the turns run libdispatch's main queue; else the other loop does.
  /// - Returns: The descriptor, which stays the loop's.
  /// - Throws: The error of the kernel, which has no descriptors left.
  package func attach(drainsMainQueue: Bool) throws(Errno) -> Int32 {
    let outer = try OuterTurns(pipe?.readEnd, drainsMainQueue: drainsMainQueue)
    waitElsewhere(outer)
    prepareWait(outer)
    // What ended the loop before it is turned is told by a turn: nobody would ask for one.
    if exitStatus != nil { outer.descriptor.askForTurn() }
    return outer.descriptor.number
  }

  /// Lets another library's loop wait in ``run()``, so that its sources run too.
  /// - Throws: The error of the kernel, which has no descriptors left, or of the other loop; `EBUSY` where there is
  ///   another library's loop already.
  package func wait(in companion: any OuterLoop) throws {
    guard outer == nil else { throw Errno(EBUSY) }
    let outer = try OuterTurns(pipe?.readEnd, companion, drainsMainQueue: !companion.runsMainQueue)
    try companion.begin(outer.descriptor.number) { [weak self] in self?.turn() }
    waitElsewhere(outer)
  }

  /// When a turn is due at the latest, as a moment of ``MonotonicClock``; zero for now, nil for never.
  package var nextTurn: Duration? {
    client?.hasWork == true || client?.hasIdleWork == true ? .zero : nextDeadline
  }

  /// Turns once in another library's loop, and does not wait.
  ///
  /// Within a turn it does nothing.
  package func turn() {
    guard let outer else { return }
    // Within a turn, or once the loop has quit, no turn is due.
    guard !outer.isTurning, exitStatus == nil else { return outer.descriptor.mute() }
    outer.isTurning = true
    outer.descriptor.turnBegins()
    outer.poller.setSources(sources)
    outer.poller.setMainQueue(mainQueueDescriptor)
    let (isBusy, isIdleWorkDue) = (client?.hasWork == true, client?.hasIdleWork == true)
    if !outer.poller.wait(until: .zero), isIdleWorkDue, !isBusy {
      client?.performIdleWork()
    } else {
      handle(outer.poller)
    }
    outer.isTurning = false
    prepareWait(outer)
  }

  /// Makes a turn due in another library's loop: something has been asked for outside of a turn.
  package func requestTurn() {
    guard let outer, !outer.isTurning else { return }
    outer.descriptor.setDeadline(.zero)
  }

  /// The status of ``quit(_:)``; nil while the loop is to go on.
  package var status: Int32? { exitStatus }

  private func prepareWait(_ outer: OuterTurns) {
    outer.isTurning = true
    client?.loopWillWait()
    outer.isTurning = false
    arm(outer)
  }

  private func arm(_ outer: OuterTurns) {
    guard exitStatus == nil else { return outer.descriptor.mute() }
    outer.descriptor.setSources(sources, mainQueueDescriptor)
    outer.descriptor.setDeadline(nextTurn)
    outer.descriptor.unmute()
  }

  private func handle(_ poller: Poller) {
    arrivals?.turned()
    if poller.isPipeReady { readPipe() }
    callHandlers(of: .input, in: poller)
    client?.loopDidWake()
    if !isQuitting { passDeadlines() }
    client?.loopDidPassDeadlines()
    if !isQuitting { callHandlers(of: .other, in: poller) }
    if !isQuitting, mainQueueDescriptor != nil, poller.isMainQueueReady, let mainQueue {
      client?.loopRunsMainQueue(mainQueue.drain)
    }
  }

  private func readPipe() {
    for byte in pipe?.drain() ?? [] where byte != 0 { client?.loopCaught(signal: Int32(byte)) }
    for deliver in deliveries { deliver() }
  }

  private func callHandlers(of stage: LoopStage, in poller: Poller) {
    for place in poller.places {
      if let (id, isGone) = poller.readySource(at: place, of: stage) { sources[id]?.handler(isGone) }
    }
  }

  /// Whether a deadline passes in the present turn.
  package var isDeadlineDue: Bool {
    guard let nextDeadline else { return false }
    return nextDeadline <= MonotonicClock.now
  }

  private var nextDeadline: Duration? {
    guard let dispatchStop else { return deadlines.next }
    return min(dispatchStop, deadlines.next ?? dispatchStop)
  }

  private func passDeadlines() {
    guard let next = nextDeadline else { return }
    let now = MonotonicClock.now
    guard next <= now else { return }
    if let dispatchStop, dispatchStop <= now {
      self.dispatchStop = nil
      stopDispatchTimers()
    }
    for name in deadlines.removeDue(now: now) { client?.deadlinePassed(name) }
  }
}

/// The name of a deadline of an ``EventLoop``, in the client's numbers.
///
/// No parameter of the loop: a generic one that other modules cannot specialise asks the run-time library for types at
/// each call.
package struct LoopDeadline: Hashable, Sendable {
  /// What happens then.
  package let purpose: Int
  /// The object that it happens to; 0 where there is one only.
  package let subject: Int

  package init(purpose: Int, subject: Int) {
    self.purpose = purpose
    self.subject = subject
  }
}

/// The user of an ``EventLoop``: what happens in each turn, in the order of the declarations.
@MainActor package protocol EventLoopClient: AnyObject {
  /// Called before each wait: everything that has been asked for is sent now.
  func loopWillWait()
  /// Whether there is work that no descriptor announces: the loop does not sleep.
  var hasWork: Bool { get }
  /// Whether there is work for a moment in which nothing else is to be done.
  var hasIdleWork: Bool { get }
  /// Called instead of a sleep where ``hasIdleWork`` says so and no descriptor is ready.
  func performIdleWork()
  /// Called for each signal that asks the process to end: see ``EventLoop/catchTerminationSignals()``.
  func loopCaught(signal: Int32)
  /// Called after each wait and after the sources of the stage `input`: the client reads and handles what has come.
  func loopDidWake()
  /// Called for each deadline that is due.
  func deadlinePassed(_ name: LoopDeadline)
  /// Called after the deadlines of the turn, before the other sources and the main queue.
  func loopDidPassDeadlines()
  /// Called where blocks wait in libdispatch's main queue: the client runs them with this function.
  func loopRunsMainQueue(_ run: () -> Void)
}

extension EventLoopClient {
  package var hasWork: Bool { false }
  package var hasIdleWork: Bool { false }
  package func performIdleWork() {}
  package func loopCaught(signal: Int32) {}
  package func loopDidWake() {}
  package func loopDidPassDeadlines() {}
  package func loopRunsMainQueue(_ run: () -> Void) { run() }
}

/// When within a turn a source's handler runs.
package enum LoopStage: Sendable {
  /// Before the client reads, with what it reads.
  case input
  /// After the deadlines.
  case other
}

/// The part of the process that belongs to an ``EventLoop``.
package enum LoopHosting: Sendable {
  /// The process is the program's own: the loop runs libdispatch's main queue.
  case program
  /// The loop is a guest, in tests and before the program begins: the caller runs the main queue.
  case guest
}
