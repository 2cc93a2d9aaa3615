public import ProsceniumCore
import SceneLifecycle

/// A program without a display: an application, its delegate, a window manager in memory, and the lines of its life.
///
/// Nothing happens by itself: windows are shown, focused and hidden when the test says so, and time passes with
/// ``advance(by:)`` alone. One program at a time: ``Application/shared`` is the one made last.
@MainActor public final class HeadlessProgram {
  /// The application under test.
  public let application: Application
  package let platform = HeadlessPlatform()
  package private(set) var trace: [TraceEntry] = []
  package private(set) var status: Int32?

  /// An application that has not been launched yet.
  /// - Parameter application: The application, where it is of a class of its own.
  public convenience init(application: Application? = nil) { self.init(application: application, store: .none) }

  /// An application that keeps its sessions in a store of the test, and hears of sources of the test.
  package init(application: Application? = nil, store: StoreSource, sources: [any SystemSource] = []) {
    self.application = application ?? Application()
    self.application.attach(
      platform: platform, trace: TraceRecorder { [weak self] in self?.take($0) }, store: store, sources: sources)
  }

  /// Launches with a delegate, and lets everything happen that follows at once.
  /// - Parameters:
  ///   - delegate: The application's delegate.
  ///   - arguments: The command line without the program's name.
  public func launch(_ delegate: any ApplicationDelegate, arguments: [String] = []) {
    status = application.run(delegate: delegate, arguments: ["program"] + arguments)
    platform.deliver()
  }

  /// The lines of the trace that tell of the life cycle: `scene1 sceneDidBecomeActive foregroundInactive ->
  /// foregroundActive`, `applicationDidBecomeActive [active]`; scenes are numbered in order of appearance.
  public private(set) var golden: [String] = []

  /// The lines since the last call.
  /// - Returns: What ``golden`` has that no call has returned yet.
  public func newLines() -> [String] {
    defer { taken = golden.count }
    return Array(golden[taken...])
  }
  private var taken = 0
  private var goldenTrace = GoldenTrace()

  private func take(_ entry: TraceEntry) {
    trace.append(entry)
    if let line = goldenTrace.line(entry) { golden.append(line) }
  }
}

// MARK: What a person does

extension HeadlessProgram {
  /// The exit status, once the program has ended.
  public var exitStatus: Int32? { platform.quitStatus }

  /// Lets time pass: holds run out in order.
  /// - Parameter milliseconds: How much.
  public func advance(by milliseconds: Int) { platform.advance(by: milliseconds) }

  /// Moves the keyboard focus.
  /// - Parameter window: Where to; another program where nil.
  public func focus(_ window: Window?) { platform.focus(window?.id) }

  /// Iconifies a window.
  /// - Parameter window: The window.
  public func minimize(_ window: Window) { window.id.map(platform.minimize) }

  /// Brings an iconified window back, with the focus.
  /// - Parameter window: The window.
  public func restore(_ window: Window) { window.id.map(platform.restore) }

  /// Presses the window's close button.
  /// - Parameter window: The window.
  public func requestClose(_ window: Window) { window.id.map(platform.requestClose) }

  /// Lets another program take the keyboard, or give it back.
  /// - Parameter isGrabbed: Whether it has the keyboard.
  public func grabKeyboard(_ isGrabbed: Bool) { platform.grabKeyboard(isGrabbed) }
}
