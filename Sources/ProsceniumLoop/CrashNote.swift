import CSystem
import Glibc
import Synchronization

/// A line that is appended to a file when the process ends by its own code: by a fault, by abort(3) or by exit(3).
///
/// What others end leaves no line: SIGKILL, power, or a signal of another process, be it SIGSEGV. The program's own
/// handlers of these signals, a crash reporter's and Swift's are called afterwards as if there were no note. A process
/// has one note at a time; the latest wins.
///
/// Text that is to be in the file before the line may wait in memory (``add(_:)``): the handler writes it, too.
package struct CrashNote: ~Copyable {
  private let record: UnsafeMutablePointer<CrashRecord>

  /// Makes a note that begins with ``begin()``.
  /// - Parameter file: The file, opened for appending.
  package init(file: consuming Descriptor) {
    record = .allocate(capacity: 1)
    record.initialize(to: CrashRecord(file))
  }

  deinit {
    end()
    rest()
    record.deinitialize(count: 1)
    record.deallocate()
  }

  /// The line: it has no variable part, so that a handler of signals can write it.
  fileprivate static let line: StaticString = "!\n"
  /// The line, as it is in the file.
  package static var text: String { "\(line)" }

  /// Writes the text that waits, and the line, unless no note has begun: for what ends the process without a handler.
  /// - Returns: Whether a note has begun.
  package static func write() -> Bool { CrashHandler.write() }

  /// Installs the handlers; on the main thread, whose stack may be the fault.
  ///
  /// Handlers that others have installed since the last call are found, and called afterwards like those before.
  package borrowing func begin() {
    CrashHandler.record.store(record, ordering: .sequentiallyConsistent)
    if !record.pointee.hasBegun.exchange(true, ordering: .sequentiallyConsistent) { CrashHandler.install() }
  }

  /// Leaves no line any more, only the text that waits; the handlers stay for the next call.
  package borrowing func end() { record.pointee.hasBegun.store(false, ordering: .sequentiallyConsistent) }

  /// Gives the signals back to their former handlers, unless others have taken them meanwhile, or the note has begun.
  package borrowing func rest() {
    guard !record.pointee.hasBegun.load(ordering: .sequentiallyConsistent),
      CrashHandler.record.compareExchange(expected: record, desired: nil, ordering: .sequentiallyConsistent).exchanged
    else { return }
    CrashHandler.remove()
  }

  /// Adds text that waits.
  /// - Returns: Whether there was room for it.
  package borrowing func add(_ text: String) -> Bool { record.pointee.add(text) }

  /// The text that waits.
  package var waiting: String { record.pointee.waiting }

  /// The text that waits is in the file.
  ///
  /// A crash of another thread, between its writing and this call, leaves it in the file twice.
  package borrowing func clear() { record.pointee.count.store(0, ordering: .releasing) }
}

/// What a handler of signals reads of a note.
private struct CrashRecord: ~Copyable {
  private static let capacity = 4096

  private let file: Descriptor
  /// The line is to be written, too.
  let hasBegun = Atomic(false)
  /// How many bytes of the text are whole.
  let count = Atomic(0)
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)

  init(_ file: consuming Descriptor) { self.file = file }

  deinit { bytes.deallocate() }

  borrowing func add(_ text: String) -> Bool {
    let start = count.load(ordering: .relaxed)
    let end = start + text.utf8.count
    guard end <= Self.capacity else { return false }
    for (index, byte) in text.utf8.enumerated() { bytes[start + index] = byte }
    count.store(end, ordering: .releasing)
    return true
  }

  var waiting: String {
    String(decoding: UnsafeBufferPointer(start: bytes, count: count.load(ordering: .relaxed)), as: UTF8.self)
  }

  borrowing func write() {
    let count = count.load(ordering: .acquiring)
    if count > 0 { _ = Glibc.write(file.number, bytes, count) }
    guard hasBegun.load(ordering: .sequentiallyConsistent) else { return }
    _ = Glibc.write(file.number, CrashNote.line.utf8Start, CrashNote.line.utf8CodeUnitCount)
  }
}

/// The handlers of the signals by which a process ends itself, and of exit(3).
///
/// A handler uses only what ``install()`` has made, and async-signal-safe functions.
private enum CrashHandler {
  typealias Handler = @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

  /// The note; nil while there is none.
  nonisolated(unsafe) static let record = Atomic<UnsafeMutablePointer<CrashRecord>?>(nil)
  private static let isInstalled = Atomic(false)
  /// A child that fork(2) has made has the handlers, too.
  private static let process = getpid()
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]
  /// How many actions may follow the handler, and that many for each signal: the last one is next.
  ///
  /// More than one where the program has installed a handler while this one was there: that one may call this one, as
  /// what it has found, and then those before it follow.
  private static let most = 4
  nonisolated(unsafe) private static let following = UnsafeMutablePointer<sigaction>.allocate(capacity: 65 * most)
  nonisolated(unsafe) private static let counts = {
    let counts = UnsafeMutablePointer<Int>.allocate(capacity: 65)
    counts.initialize(repeating: 0, count: 65)
    return counts
  }()
  /// For a fault that is the stack's overflow; pages that are not used cost nothing.
  private static let stackSize = 64 * 1024
  nonisolated(unsafe) private static let stack = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
  private static let handler: Handler = { number, signal, _ in CrashHandler.handle(number, signal) }
  /// What exit(3) calls cannot be taken back.
  private static let watchesExit = atexit { _ = CrashHandler.write() } == 0

  static func install() {
    isInstalled.store(true, ordering: .relaxed)
    _ = watchesExit
    _ = process
    useStack()
    var action = sigaction()
    action.__sigaction_handler.sa_sigaction = handler
    action.sa_flags = SA_SIGINFO | SA_ONSTACK
    for signal in signals {
      var present = sigaction()
      if sigaction(signal, &action, &present) == 0, !isOurs(present) { push(present, signal) }
    }
  }

  static func remove() {
    guard isInstalled.exchange(false, ordering: .relaxed) else { return }
    for signal in signals {
      var action = sigaction()
      if sigaction(signal, nil, &action) == 0, isOurs(action) { restoreNext(signal) }
    }
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

  private static func isOurs(_ action: sigaction) -> Bool {
    action.sa_flags & SA_SIGINFO != 0 && address(action) == unsafeBitCast(handler, to: Int.self)
  }

  private static func address(_ action: sigaction) -> Int {
    unsafeBitCast(action.__sigaction_handler.sa_sigaction, to: Int.self)
  }

  /// Adds the action that follows next, which is there once.
  private static func push(_ action: sigaction, _ signal: Int32) {
    let row = following + Int(signal) * most
    var count = 0
    for index in 0..<counts[Int(signal)] where address(row[index]) != address(action) {
      row[count] = row[index]
      count += 1
    }
    count = min(count, most - 1)
    row[count] = action
    counts[Int(signal)] = count + 1
  }

  /// Gives the signal to the action that follows; to the default action where none is left.
  private static func restoreNext(_ signal: Int32) {
    var action = sigaction()
    if counts[Int(signal)] > 0 {
      counts[Int(signal)] -= 1
      action = following[Int(signal) * most + counts[Int(signal)]]
    }
    _ = sigaction(signal, &action, nil)
  }

  /// The signal comes once more as the handler returns, and goes to the next action.
  private static func handle(_ number: Int32, _ signal: UnsafeMutablePointer<siginfo_t>?) {
    let error = errno
    // From the kernel for a fault, or by raise(3) from this process.
    if let signal = signal?.pointee, signal.si_code > 0 || signal._sifields._kill.si_pid == getpid() { _ = write() }
    // A next one that calls the handler in turn gets to the one before it.
    restoreNext(number)
    _ = linux_repeat(number, signal)
    errno = error
  }

  static func write() -> Bool {
    guard let record = record.load(ordering: .sequentiallyConsistent), process == getpid() else { return false }
    record.pointee.write()
    return true
  }
}
