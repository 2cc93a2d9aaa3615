public import ProsceniumCore
public import ProsceniumLoop
private import ProsceniumPlatform

extension Application {
  /// Launches the application in the loop of another library, and returns: what `@main` does, without its loop.
  ///
  /// Call it once, on the main thread, before threads are made: see <doc:InAnotherLoop>. SIGINT, SIGTERM and SIGHUP end
  /// the application. Where the bus has started the program it waits for the request, as every launch does. A screen's
  /// mode that the program has set is not put back where the process is killed.
  /// - Parameters:
  ///   - loop: The loop; nil for one that uses the ``LoopAttachment`` by itself.
  ///   - arguments: The command line, with the program's name.
  ///   - principalClass: The class of the application; ``Application`` where nil.
  ///   - makeDelegate: Makes the application's delegate; called once.
  /// - Returns: The attachment: keep it.
  /// - Throws: ``LaunchEnded`` where there is nothing to run, as in a second start; the loop's own error; `Errno` where
  ///   no descriptors are left.
  @discardableResult
  public static func attach(
    to loop: (any OuterLoop)? = nil, arguments: [String] = CommandLine.arguments,
    principalClass: Application.Type? = nil, delegate makeDelegate: @MainActor () -> any ApplicationDelegate
  ) throws -> LoopAttachment {
    try Program.attach(to: loop, arguments, principalClass, makeDelegate)
  }
}

extension OuterLoop {
  /// Lets the loop wait in place of an application's own, so that the sources of the loop's library run, too.
  ///
  /// Call it on the main thread, from `application(_:willFinishLaunchingWithOptions:)` on; not where the application is
  /// attached to a loop. The loop is not used while the program is suspended, and, where it runs libdispatch's main
  /// queue, not while the launch waits for a request.
  /// - Parameter application: The application, which keeps the loop.
  /// - Throws: The loop's own error; `Errno` where no descriptors are left, or the application is in another library's
  ///   loop already.
  public func serve(_ application: Application) throws {
    Responder.requireMainThread()
    try application.conductor?.platform.wait(in: self)
  }
}
