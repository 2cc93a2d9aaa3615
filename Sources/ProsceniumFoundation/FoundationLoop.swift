import Dispatch
import Foundation
public import ProsceniumLoop

/// Foundation's `RunLoop.main`, with its timers and blocks.
///
/// A program of `@main` serves it, from `application(_:willFinishLaunchingWithOptions:)` on:
/// `try FoundationLoop().serve(application)`. `Timer`s fire then, `RunLoop.main.perform(_:)` and ports work. While the
/// program is suspended they wait.
///
/// A program that keeps its own `main` has the application's turns in the run loop:
///
/// ```swift
/// let loop = FoundationLoop()
/// do {
///   try Application.attach(to: loop) { AppDelegate() }
/// } catch let ended as LaunchEnded {
///   exit(ended.status)
/// }
/// exit(loop.run())
/// ```
///
/// Main thread only.
public final class FoundationLoop: OuterLoop {
  private var source: (any DispatchSourceRead)?
  private var status: Int32?

  /// Makes the loop; there is one run loop, whatever the number of these objects.
  public init() {}

  /// True: a run loop of Foundation runs the main queue.
  public var runsMainQueue: Bool { true }

  /// Runs the run loop until the attached application has ended.
  /// - Returns: The status for the process to exit with.
  public func run() -> Int32 {
    while true {
      if let status { return status }
      iterate()
    }
  }

  /// Begins to wait for a descriptor: see `OuterLoop`.
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - turn: Called while it is readable.
  public func begin(_ descriptor: Int32, _ turn: @escaping @MainActor () -> Void) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated(turn) }
    source.resume()
    self.source = source
  }

  /// Waits once, and runs what is ready.
  public func iterate() { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }

  /// Ends ``run()``: the attached application has ended.
  /// - Parameter status: The exit status.
  public func end(status: Int32) {
    self.status = status
    source?.cancel()
    source = nil
  }
}
