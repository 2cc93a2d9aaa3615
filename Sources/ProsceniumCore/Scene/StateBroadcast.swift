/// Sends each new state to every open sequence.
@MainActor final class StateBroadcast<State: Sendable> {
  private var readers: [Int: AsyncStream<State>.Continuation] = [:]
  private var nextReader = 0
  private var isFinished = false

  func stream(startingWith state: State) -> AsyncStream<State> {
    AsyncStream { continuation in
      continuation.yield(state)
      if isFinished {
        continuation.finish()
        return
      }
      let reader = nextReader
      nextReader += 1
      readers[reader] = continuation
      continuation.onTermination = { [weak self] _ in
        Task { @MainActor in self?.readers[reader] = nil }
      }
    }
  }

  func yield(_ state: State) { for reader in readers.values { reader.yield(state) } }

  func finish() {
    isFinished = true
    for reader in readers.values { reader.finish() }
    readers = [:]
  }
}
