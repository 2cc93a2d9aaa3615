import Dispatch
import Glibc
import Proscenium

/// Work that never ends, on the main thread and beside it: what a program has that was never written for being
/// suspended.
@MainActor enum Busy {
  private(set) static var ticks = 0
  private static var timers: [any DispatchSourceTimer] = []

  /// Sixty times a second for each of twenty windows: timers of the main queue, sleeping main-actor tasks, blocks that
  /// put themselves into the main queue again; and one thread that waits at the gate between two pieces of work.
  static func start() {
    for _ in 0..<20 {
      let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.schedule(deadline: .now(), repeating: .microseconds(16_667))
      timer.setEventHandler { MainActor.assumeIsolated { ticks += 1 } }
      timer.resume()
      timers.append(timer)
      Task { @MainActor in
        while !Task.isCancelled {
          try? await Task.sleep(for: .microseconds(16_667))
          ticks += 1
        }
      }
      again()
    }
    #if !WITHOUT_Suspension
      let gate = Application.shared.executionGate
      Task.detached {
        while !Task.isCancelled {
          await gate.wait()
          try? await Task.sleep(for: .microseconds(16_667))
        }
      }
      startThread(gate)
    #endif
  }

  #if !WITHOUT_Suspension
    private nonisolated static func startThread(_ gate: ExecutionGate) {
      var handle: pthread_t = 0
      pthread_create(
        &handle, nil,
        { argument in
          guard let argument else { return nil }
          let gate = Unmanaged<ExecutionGate>.fromOpaque(argument).takeRetainedValue()
          while true {
            gate.wait()
            usleep(16_667)
          }
        }, Unmanaged.passRetained(gate).toOpaque())
    }
  #endif

  private static func again() {
    ticks += 1
    DispatchQueue.main.asyncAfter(deadline: .now() + .microseconds(16_667)) {
      MainActor.assumeIsolated { again() }
    }
  }
}
