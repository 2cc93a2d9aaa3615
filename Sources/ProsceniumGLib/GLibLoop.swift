import CSystem
public import ProsceniumLoop

/// The default main context of GLib, on which GTK and all that is built on GLib run.
///
/// A program that keeps its own `main` has the application's turns in it:
///
/// ```swift
/// let loop = try GLibLoop()
/// do {
///   try Application.attach(to: loop) { AppDelegate() }
/// } catch let ended as LaunchEnded {
///   exit(ended.status)
/// }
/// exit(loop.run())
/// ```
///
/// A program of `@main` serves it, from `application(_:willFinishLaunchingWithOptions:)` on, so that timers, idle
/// functions and windows of GLib's world work: `try GLibLoop().serve(application)`.
///
/// GLib is loaded while the program runs. Main thread only.
public final class GLibLoop: OuterLoop {
  private let glib: glib_library
  private let onEnd: (@MainActor (Int32) -> Void)?
  /// Held until the source is removed, at the end.
  private var watch: (held: Unmanaged<Watch>, source: UInt32)?
  /// The `GMainLoop *` that runs.
  private var main: UnsafeMutableRawPointer?
  private var status: Int32?

  /// Loads GLib.
  /// - Parameter onEnd: Called with the exit status when an application has ended that is attached to the loop, where
  ///   something else than ``run()`` runs it, such as `gtk_main`: makes that return.
  /// - Throws: ``GLibMissing`` where GLib is not installed.
  public init(onEnd: (@MainActor (_ status: Int32) -> Void)? = nil) throws(GLibMissing) {
    guard let glib = Library.permanent(glib_open) else { throw GLibMissing() }
    self.glib = glib
    self.onEnd = onEnd
  }

  /// False: the application runs the main queue in its turns.
  public var runsMainQueue: Bool { false }

  /// Runs the default main context until the attached application has ended.
  /// - Returns: The status for the process to exit with.
  public func run() -> Int32 {
    if let status { return status }
    guard let pointer = glib.g_main_loop_new(nil, 0) else { return 1 }
    main = pointer
    glib.g_main_loop_run(pointer)
    main = nil
    glib.g_main_loop_unref(pointer)
    return status ?? 0
  }

  /// Begins to wait for a descriptor: see `OuterLoop`.
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - turn: Called while it is readable.
  public func begin(_ descriptor: Int32, _ turn: @escaping @MainActor () -> Void) {
    let held = Unmanaged.passRetained(Watch(turn))
    let source = glib.g_unix_fd_add(
      descriptor, glib_condition_in,
      { _, _, data in
        if let data {
          let watch = Unmanaged<Watch>.fromOpaque(data).takeUnretainedValue()
          MainActor.assumeIsolated { watch.turn() }
        }
        return 1
      }, held.toOpaque())
    watch = (held, source)
  }

  /// Waits once, and runs what is ready.
  public func iterate() { _ = glib.g_main_context_iteration(nil, 1) }

  /// Ends ``run()``: the attached application has ended.
  /// - Parameter status: The exit status.
  public func end(status: Int32) {
    self.status = status
    if let (held, source) = watch.take() {
      _ = glib.g_source_remove(source)
      held.release()
    }
    if let main { glib.g_main_loop_quit(main) }
    onEnd?(status)
  }

  /// What GLib calls.
  @MainActor private final class Watch {
    let turn: @MainActor () -> Void

    init(_ turn: @escaping @MainActor () -> Void) { self.turn = turn }
  }
}

/// GLib is not installed.
public struct GLibMissing: Error, Equatable, CustomStringConvertible {
  /// What is missing, and what to do.
  public var description: String {
    "GLib cannot be loaded: install libglib-2.0.so.0 (Debian: libglib2.0-0), which GTK brings along."
  }
}
