import Glibc
import ProsceniumLoop

/// An application in the loop of another library: what that loop waits for, and what it calls.
///
/// Of a hand-written loop:
///
/// ```swift
/// let attachment: LoopAttachment
/// do {
///   attachment = try Application.attach { AppDelegate() }
/// } catch let ended as LaunchEnded {
///   exit(ended.status)
/// }
/// var waited = [pollfd(fd: attachment.descriptor, events: Int16(POLLIN), revents: 0), ...]
/// while attachment.exitStatus == nil {
///   poll(&waited, nfds_t(waited.count), -1)
///   attachment.turn()
///   ...
/// }
/// ```
///
/// Callbacks come within ``turn()``, in the order that they have in the application's own loop. While the program is
/// suspended the other loop goes on: stop there what nobody looks at. Use it on the main thread.
@MainActor public final class LoopAttachment {
  /// Readable (`POLLIN`) while a turn is due, for whatever reason: an event, a deadline, a task of the main actor, or
  /// what the program has asked for outside of a turn.
  ///
  /// The application's: do not read or close it. It stays the same.
  public let descriptor: Int32

  /// The status for the process to exit with; nil while the application runs.
  ///
  /// Set when all scenes have been told of the end (`applicationWillTerminate(_:)`): leave the loop then, and exit.
  public private(set) var exitStatus: Int32?

  private let launch: Launch
  private var loop: (any OuterLoop)?

  /// Launches a program in the loop of another library.
  /// - Throws: ``LaunchEnded`` where there is nothing to run, and the loop's own error.
  package convenience init(
    launching application: Application, delegate: any ApplicationDelegate, arguments: [String],
    in loop: (any OuterLoop)?
  ) throws {
    guard let launch = application.conductor?.feature(Launch.self) else { throw LaunchEnded(status: 1) }
    if let status = launch.begin(delegate: delegate, arguments: arguments) { throw LaunchEnded(status: status) }
    try self.init(launch, loop)
  }

  private init(_ launch: Launch, _ loop: (any OuterLoop)?) throws {
    self.launch = launch
    descriptor = try launch.conductor.platform.attach(drainsMainQueue: loop?.runsMainQueue != true)
    finishLaunch()
    if let exitStatus { throw LaunchEnded(status: exitStatus) }
    self.loop = loop
    // The loop keeps the attachment.
    try loop?.begin(descriptor) { self.turn() }
  }

  /// Turns until the launch callbacks have come, which wait for the request where the bus has started the program.
  private func finishLaunch() {
    while exitStatus == nil, launch.conductor.machine.phase == .notLaunched {
      var due = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&due, 1, -1)
      turn()
    }
  }

  /// The time until a turn is due though nothing comes; zero for now, nil for never.
  ///
  /// For loops that compute the time of their wait by themselves; ``descriptor`` is readable then, too.
  public var timeToNextTurn: Duration? {
    guard exitStatus == nil, let next = launch.conductor.platform.nextTurn else { return nil }
    return max(.zero, next - MonotonicClock.now)
  }

  /// Delivers what has come, and does not wait; the program's callbacks come within it.
  ///
  /// Cheap where nothing is due. Within a turn, such as by a loop that a callback runs, it does nothing. Does nothing
  /// once ``exitStatus`` is set.
  public func turn() {
    Responder.requireMainThread()
    guard exitStatus == nil, let status = launch.conductor.platform.runTurn() else { return }
    exitStatus = status
    launch.end()
    loop.take()?.end(status: status)
  }
}

/// A launch that leaves nothing to run: exit with its status, which an error that `main` throws would not be.
///
/// Another process of the program has taken the request over, the command line was served, the program has ended while
/// it waited for the request of the bus, or the launch has failed, which has been reported.
public struct LaunchEnded: Error, Equatable, CustomStringConvertible {
  /// The status for the process to exit with.
  public let status: Int32

  package init(status: Int32) { self.status = status }

  /// What to do, as a sentence.
  public var description: String { "The launch has ended the program. Exit with the status \(status)." }
}
