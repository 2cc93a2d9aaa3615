/// The name of a thread, and its processor time in seconds.
package typealias ThreadTime = (name: String, seconds: Double)

/// The process that the program runs in.
///
/// Without it the work of threads in the background is not watched, free memory of the process is not returned to the
/// system, and the end of the process has no limit.
package protocol OwnProcess: Sendable {
  /// The times of all threads, by the threads' numbers; the main thread has the process's number.
  func threadTimes() -> [Int32: ThreadTime]

  /// What the process and its children use now; slow, for debug builds.
  func use() -> ProcessUse

  /// Returns free memory of the process to the system; on any thread.
  func trimMemory()

  /// Overwrites memory that is freed from now on, whoever frees it: it may have had what is protected.
  func beginOverwritingFreedMemory()

  /// Overwrites what has been freed on this thread, and is kept for its next allocations.
  func overwriteFreedMemory()

  /// Ends the process where it still runs after a time, whatever holds it up.
  ///
  /// No more of its code runs then: neither functions that were to run at its end, nor what still had to be written. A
  /// process in a debugger is left alone.
  /// - Parameters:
  ///   - time: How long it may still run.
  ///   - status: The exit status.
  func exit(within time: Duration, status: Int32)
}

extension OwnProcess {
  package func beginOverwritingFreedMemory() {}
  package func overwriteFreedMemory() {}
}
