/// The name of a thread, and its processor time in seconds.
package typealias ThreadTime = (name: String, seconds: Double)

/// The process that the program runs in.
///
/// Without it the work of threads in the background is not watched, and free memory of the process is not returned to
/// the system.
package protocol OwnProcess: Sendable {
  /// The times of all threads, by the threads' numbers; the main thread has the process's number.
  func threadTimes() -> [Int32: ThreadTime]

  /// Returns free memory of the process to the system; on any thread.
  func trimMemory()
}
