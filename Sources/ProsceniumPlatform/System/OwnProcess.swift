/// The processor time of a thread.
package struct ThreadTime: Hashable, Sendable {
  /// The thread's name.
  package var name: String
  /// The processor time in seconds.
  package var seconds: Double

  package init(name: String, seconds: Double) { (self.name, self.seconds) = (name, seconds) }
}

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
