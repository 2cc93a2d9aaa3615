import CSystem
import Glibc
import ProsceniumLoop

/// A thread of this process, and its backtrace.
struct ThreadBacktrace: Equatable {
  var thread: Int32
  var name: String
  /// The interrupted address, and then return addresses, the innermost first; nil if it did not answer.
  var frames: [UInt]?
}

/// Captures the backtraces of the threads of this process.
///
/// Each is interrupted by a signal that the program does not use, and answers in the handler. One that blocks signals,
/// as the thread that saves does, does not answer. A system call that a thread was in may end with `EINTR`.
///
/// The toolchain's `Runtime` module cannot do this: `Backtrace.capture` is for the calling thread alone, and it
/// allocates. Called by the handler of a main thread that allocates, it blocked for ever after some hundred captures.
enum ThreadBacktraces {
  /// The greatest number of threads.
  static let mostThreads = 64
  private static let timeout: UInt64 = 300_000_000
  /// The handler's own frame, and the C library's that returns from it.
  private static let framesOfHandler = 2

  /// The calling thread, as the kernel numbers it.
  static var current: Int32 { linux_thread() }

  /// The threads but the calling one, the main thread first.
  static func capture(most: Int = mostThreads) -> [ThreadBacktrace] {
    // The first backtrace of a process loads a library, which no handler may do.
    var first: UnsafeMutableRawPointer?
    _ = linux_backtrace(&first, 1)
    let own = current
    let threads = allThreads().filter { $0 != own }.prefix(most)
    let number = signal
    let questions = threads.map { thread -> (thread: Int32, answer: UnsafeMutablePointer<linux_frames>?) in
      // A thread that blocks the signal cannot answer.
      guard number != 0, !ProcessStatus.blocks(thread, number) else { return (thread, nil) }
      let answer = UnsafeMutablePointer<linux_frames>.allocate(capacity: 1)
      answer.initialize(to: linux_frames())
      guard linux_ask(thread, number, answer) == 0 else {
        answer.deallocate()
        return (thread, nil)
      }
      return (thread, answer)
    }
    let start = MonotonicClock.nanoseconds
    while questions.contains(where: { $0.answer.map { linux_frame_count($0) == 0 } ?? false }),
      MonotonicClock.nanoseconds - start < timeout
    {
      usleep(2000)
    }
    return questions.map { question in
      let comm = KernelFile.text(of: "/proc/self/task/\(question.thread)/comm")?.split(separator: "\n").first
      return ThreadBacktrace(
        thread: question.thread, name: comm.map(String.init) ?? "", frames: question.answer.flatMap(frames))
    }
  }

  /// The last real-time signal that the program does not use, reserved from now on; 0 where there is none.
  private static let signal: Int32 = {
    typealias Handler = @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    typealias Answer = @convention(c) (Int32, UnsafeMutablePointer<linux_signal>?, UnsafeMutableRawPointer?) -> Void
    let answer: Answer = linux_answer
    for number in (linux_first_signal()..<linux_last_signal()).reversed() {
      var old = sigaction()
      guard sigaction(number, nil, &old) == 0, old.sa_flags & SA_SIGINFO == 0,
        unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 0
      else { continue }
      var question = sigaction()
      question.__sigaction_handler.sa_sigaction = unsafeBitCast(answer, to: Handler.self)
      question.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK
      sigfillset(&question.sa_mask)
      if sigaction(number, &question, nil) == 0 { return number }
    }
    return 0
  }()

  /// An answer may still come at any time: its memory stays.
  private static func frames(_ answer: UnsafeMutablePointer<linux_frames>) -> [UInt]? {
    let count = Int(linux_frame_count(answer))
    guard count > 0 else { return nil }
    defer { answer.deallocate() }
    return withUnsafeBytes(of: &answer.pointee.frames) { bytes in
      bytes.bindMemory(to: UInt.self).prefix(count).dropFirst(framesOfHandler).map { $0 }
    }
  }

  private static func allThreads() -> [Int32] {
    let threads = KernelFile.numbers(in: "/proc/self/task")
    if threads.isEmpty { return [getpid()] }
    return threads.sorted { ($0 == getpid() ? 0 : 1, $0) < ($1 == getpid() ? 0 : 1, $1) }
  }
}
