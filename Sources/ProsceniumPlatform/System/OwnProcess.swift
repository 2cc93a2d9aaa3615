/// How long a thread has run.
package struct ThreadTime: Hashable, Sendable {
  /// What the thread calls itself.
  package var name: String
  /// On processors, in seconds.
  package var seconds: Double

  package init(name: String, seconds: Double) { (self.name, self.seconds) = (name, seconds) }
}

/// What the process itself is asked, and told; without it nobody is watched in the background, and memory that is free within
/// the process stays there.
package protocol OwnProcess: Sendable {
  /// Every thread by its number; the main thread's is the process's.
  func threadTimes() -> [Int32: ThreadTime]

  /// Gives the memory that is free within the process back to the system; on any thread.
  func trimMemory()
}
