import CSystem
import Glibc
import Synchronization

/// A line that is appended to a file when the process ends by its own code: by a fault, by abort(3) or by exit(3).
///
/// What others end leaves no line: SIGKILL, power, or a signal of another process, be it SIGSEGV. The program's own
/// handlers of these signals, a crash reporter's and Swift's are called afterwards as if there were no note. A process
/// has one note at a time; the latest wins.
package struct CrashNote: ~Copyable {
  private let file: Descriptor

  /// Makes a note that begins with ``begin()``.
  /// - Parameter file: The file, opened for appending.
  package init(file: consuming Descriptor) { self.file = file }

  deinit {
    end()
    rest()
  }

  /// The line: it has no variable part, so that a handler of signals can write it.
  fileprivate static let line: StaticString = "!\n"
  /// The line, as it is in the file.
  package static var text: String { "\(line)" }

  /// Installs the handlers; on the main thread, whose stack may be the fault.
  ///
  /// Handlers that others have installed since the last call are found, and called afterwards like those before.
  package borrowing func begin() {
    if CrashHandler.file.exchange(file.number, ordering: .sequentiallyConsistent) < 0 { CrashHandler.install() }
  }

  /// Leaves no line any more; the handlers stay for the next call.
  package borrowing func end() {
    _ = CrashHandler.file.compareExchange(expected: file.number, desired: -1, ordering: .sequentiallyConsistent)
  }

  /// Gives the signals back to their former handlers, unless others have taken them meanwhile, or a note has begun.
  package borrowing func rest() {
    if CrashHandler.file.load(ordering: .sequentiallyConsistent) < 0 { CrashHandler.remove() }
  }
}

/// The handlers of the signals by which a process ends itself, and of exit(3).
///
/// A handler uses only what ``install()`` has made, and async-signal-safe functions.
private enum CrashHandler {
  typealias Handler = @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

  /// Where the line goes; -1 while there is no note.
  static let file = Atomic<Int32>(-1)
  private static let isInstalled = Atomic(false)
  /// A child that fork(2) has made has the handlers, too.
  private static let process = getpid()
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]
  /// The action that follows the handler, by signal.
  nonisolated(unsafe) private static let next = {
    let count = 65
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: count)
    actions.initialize(repeating: sigaction(), count: count)
    return actions
  }()
  /// For a fault that is the stack's overflow; pages that are not used cost nothing.
  private static let stackSize = 64 * 1024
  nonisolated(unsafe) private static let stack = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
  private static let handler: Handler = { number, signal, _ in CrashHandler.handle(number, signal) }
  /// What exit(3) calls cannot be taken back.
  private static let watchesExit = atexit { CrashHandler.note() } == 0

  static func install() {
    isInstalled.store(true, ordering: .relaxed)
    _ = watchesExit
    _ = process
    useStack()
    for signal in signals where !isOurs(signal) {
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = handler
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      _ = sigaction(signal, &action, next + Int(signal))
    }
  }

  static func remove() {
    guard isInstalled.exchange(false, ordering: .relaxed) else { return }
    for signal in signals where isOurs(signal) { _ = sigaction(signal, next + Int(signal), nil) }
    var present = stack_t()
    guard sigaltstack(nil, &present) == 0, present.ss_sp == stack, present.ss_flags == 0 else { return }
    var none = stack_t(ss_sp: nil, ss_flags: Int32(SS_DISABLE), ss_size: 0)
    _ = sigaltstack(&none, nil)
  }

  /// Gives the thread a stack for handlers, unless it has one.
  private static func useStack() {
    var present = stack_t()
    guard sigaltstack(nil, &present) == 0, present.ss_flags & Int32(SS_DISABLE) != 0 else { return }
    var new = stack_t(ss_sp: stack, ss_flags: 0, ss_size: stackSize)
    _ = sigaltstack(&new, nil)
  }

  private static func isOurs(_ signal: Int32) -> Bool {
    var present = sigaction()
    guard sigaction(signal, nil, &present) == 0, present.sa_flags & SA_SIGINFO != 0 else { return false }
    return unsafeBitCast(present.__sigaction_handler.sa_sigaction, to: Int.self) == unsafeBitCast(handler, to: Int.self)
  }

  /// The signal comes once more as the handler returns, and goes to the next action.
  private static func handle(_ number: Int32, _ signal: UnsafeMutablePointer<siginfo_t>?) {
    let error = errno
    // From the kernel for a fault, or by raise(3) from this process.
    if let signal = signal?.pointee, signal.si_code > 0 || signal._sifields._kill.si_pid == getpid() { note() }
    _ = sigaction(number, next + Int(number), nil)
    // A next one that calls the handler in turn would do so for ever.
    next[Int(number)] = sigaction()
    _ = linux_repeat(number, signal)
    errno = error
  }

  private static func note() {
    let file = file.load(ordering: .sequentiallyConsistent)
    guard file >= 0, process == getpid() else { return }
    _ = write(file, CrashNote.line.utf8Start, CrashNote.line.utf8CodeUnitCount)
  }
}
