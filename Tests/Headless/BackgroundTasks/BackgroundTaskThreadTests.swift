import Glibc
import ProsceniumLoop
import ProsceniumTesting
import Synchronization
import Testing

@testable import ProsceniumCore

/// Tasks from any thread, and in their structured form.
@MainActor @Suite("Background tasks on threads", .serialized) struct BackgroundTaskThreadTests {
  private final class Captured: Sendable {
    static let count = Atomic(0)
    init() { Self.count.add(1, ordering: .relaxed) }
    deinit { Self.count.subtract(1, ordering: .relaxed) }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs something on eight threads at once, and waits for all of them.
  private nonisolated func onEightThreads(_ body: @escaping @Sendable () -> Void) {
    var threads: [pthread_t] = []
    for _ in 0..<8 {
      var thread: pthread_t = 0
      let argument = Unmanaged.passRetained(Body(body)).toOpaque()
      let result = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
          return nil
        }, argument)
      #expect(result == 0)
      if result == 0 { threads.append(thread) }
    }
    for thread in threads { pthread_join(thread, nil) }
  }

  @Test("100,000 pairs from eight threads leak nothing, repeat nothing and keep each thread's order")
  func pairs() {
    let run = TaskProgram().launch()
    let application = run.application
    let numbers = Mutex<[[Int]]>([])
    onEightThreads {
      var mine: [Int] = []
      for _ in 0..<12_500 {
        let captured = Captured()
        let task = application.beginBackgroundTask { _ = captured }
        mine.append(task.rawValue)
        application.endBackgroundTask(task)
      }
      numbers.withLock { [mine] in $0.append(mine) }
    }
    let all = numbers.withLock { $0 }
    #expect(all.count == 8 && all.allSatisfy { $0.count == 12_500 && zip($0, $0.dropFirst()).allSatisfy { $0 < $1 } })
    #expect(Set(all.joined()) == Set(1...100_000))
    #expect(Captured.count.load(ordering: .relaxed) == 0)
    run.platform.deliver()
    #expect(application.hasBackgroundTasks == false && run.errors.isEmpty)
    #expect(application.conductor?.pendingDeadlines == 0)
    #expect(run.inhibitor.calls.count % 2 == 0)
  }

  @Test("Handlers of tasks from many threads are called in the order in which the tasks began, and let go of")
  func expiry() {
    let run = TaskProgram().launch()
    let application = run.application
    let order = Journal()
    onEightThreads {
      for _ in 0..<100 {
        let captured = Captured()
        let box = Box()
        let task = application.beginBackgroundTask(withName: "one of many") {
          _ = captured
          let number = box.number.withLock { $0 }
          order.numbers.withLock { $0.append(number) }
          application.endBackgroundTask(BackgroundTaskIdentifier(rawValue: number))
        }
        box.number.withLock { $0 = task.rawValue }
      }
    }
    run.minimize()
    run.platform.advance(by: 29_000)
    #expect(order.numbers.withLock { $0 } == Array(1...800))
    #expect(Captured.count.load(ordering: .relaxed) == 0 && run.errors.isEmpty)
  }

  private final class Box: Sendable { let number = Mutex(0) }
  private final class Journal: Sendable { let numbers = Mutex<[Int]>([]) }

  /// Begins a task whenever sleep is allowed again, which another thread ends a little later.
  @MainActor private final class Successor: SleepInhibitor {
    weak var application: Application?
    var spins = 0
    var isOver: Bool { state.withLock { $0 } }
    private let state = Mutex(true)
    var savingTime = 4000
    init(_ application: Application, spins: Int) { (self.application, self.spins) = (application, spins) }

    func inhibit(reason: String) {}
    func saved() {}
    func release() {
      guard let application = application.take() else { return }
      let task = application.beginBackgroundTask()
      state.withLock { $0 = false }
      _ = DetachedThread.run { [spins, self] in
        for _ in 0..<spins { sched_yield() }
        application.endBackgroundTask(task)
        state.withLock { $0 = true }
      }
    }
  }

  @Test("A short task that another thread begins while the last one ends does not keep a program that ends")
  func begunMeanwhile() throws {
    for round in 0..<60 {
      let run = TaskProgram().launch()
      let task = run.application.beginBackgroundTask()
      run.application.terminate()
      run.platform.deliver()
      let successor = Successor(run.application, spins: round % 50)
      run.application.conductor?.sleepInhibitor = successor
      run.application.endBackgroundTask(task)
      run.platform.deliver()
      while !successor.isOver { sched_yield() }
      run.platform.deliver()
      try #require(run.platform.quitStatus == 0, "round \(round)")
    }
  }

  @Test("The structured form holds the program while its work runs, and returns what it returns")
  func structured() async throws {
    struct Failure: Error {}
    let run = TaskProgram().launch()
    let answer = await run.application.withBackgroundTask("saving") {
      await Task.yield()
      #expect(run.application.hasBackgroundTasks == true)
      run.calls.append("saved")
      return 42
    }
    #expect(answer == 42 && run.calls == ["saved"])
    #expect(run.application.hasBackgroundTasks == false)
    await #expect(throws: Failure.self) {
      try await run.application.withBackgroundTask("failing") { () throws(Failure) -> Int in throw Failure() }
    }
    #expect(run.application.hasBackgroundTasks == false)
  }

  @Test("Begun in a callback it counts before the callback returns, and what it returns or throws can be awaited")
  func fromCallback() async throws {
    struct Failure: Error {}
    let run = TaskProgram().launch()
    let work = run.application.runBackgroundTask("saving") {
      run.calls.append("saved")
      return 42
    }
    #expect(run.application.hasBackgroundTasks == true && run.calls == [])
    #expect(try await work.value == 42)
    #expect(run.application.hasBackgroundTasks == false && run.calls == ["saved"])
    let failing = run.application.runBackgroundTask("failing") { () throws -> Int in throw Failure() }
    await #expect(throws: Failure.self) { try await failing.value }
    let cancelled = run.application.runBackgroundTask("cancelled") {
      while !Task.isCancelled { await Task.yield() }
    }
    cancelled.cancel()
    try await cancelled.value
    #expect(run.application.hasBackgroundTasks == false)
  }

  @Test("Its cancellation is the expiry, and it is cancelled from the beginning where there is no time")
  func cancelled() async {
    let run = TaskProgram().launch()
    let work = Task {
      await run.application.withBackgroundTask("slow") {
        run.calls.append("begun")
        while !Task.isCancelled { await Task.yield() }
        run.calls.append("cancelled")
      }
    }
    while run.calls.isEmpty { await Task.yield() }
    run.minimize()
    run.platform.advance(by: 29_000)
    await work.value
    run.platform.deliver()
    #expect(run.calls == ["begun", "sceneDidEnterBackground", "cancelled"] && run.errors.isEmpty)
    let isCancelled = await run.application.withBackgroundTask("too late") { Task.isCancelled }
    #expect(isCancelled && run.errors.isEmpty)
  }

  @Test("Cancelling the task that waits cancels the work, which is still waited for")
  func outerCancellation() async {
    let run = TaskProgram().launch()
    let work = Task {
      await run.application.withBackgroundTask("slow") {
        while !Task.isCancelled { await Task.yield() }
        run.calls.append("cancelled")
      }
    }
    await Task.yield()
    work.cancel()
    await work.value
    #expect(run.calls == ["cancelled"] && run.application.hasBackgroundTasks == false)
  }
}
