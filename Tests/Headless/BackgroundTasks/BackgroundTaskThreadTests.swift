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

  @MainActor private final class End { var hasCome = false }
  private final class Box: Sendable { let number = Mutex(0) }
  private final class Journal: Sendable { let numbers = Mutex<[Int]>([]) }

  /// Begins a task when sleep is allowed again, which a thread that waits for it ends a moment later.
  @MainActor private final class Successor: SleepInhibitor {
    private final class Shared: Sendable {
      let task = Atomic(0)
      let isOver = Atomic(false)
    }

    var savingTime = 4000
    var isOver: Bool { shared.isOver.load(ordering: .acquiring) }
    private weak var application: Application?
    private let shared = Shared()

    /// Starts the thread; the task lasts so many `spins`.
    init(_ application: Application, spins: Int) {
      self.application = application
      let runs = DetachedThread.run { [shared] in
        while shared.task.load(ordering: .acquiring) == 0 {}
        for _ in 0..<spins { _ = shared.task.load(ordering: .acquiring) }
        application.endBackgroundTask(BackgroundTaskIdentifier(rawValue: shared.task.load(ordering: .acquiring)))
        shared.isOver.store(true, ordering: .releasing)
      }
      #expect(runs)
    }

    func inhibit(reason: String) {}
    func saved() {}
    func release() {
      guard let application = application.take() else { return }
      shared.task.store(application.beginBackgroundTask().rawValue, ordering: .releasing)
    }
  }

  @Test("A short task that another thread ends while the program goes on to its end does not keep it")
  func begunMeanwhile() throws {
    for round in 0..<200 {
      let run = TaskProgram().launch()
      let task = run.application.beginBackgroundTask()
      run.application.terminate()
      run.platform.deliver()
      let successor = Successor(run.application, spins: round * 50)
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

  @Test("Work that goes on after its cancellation is reported for that alone when it ends")
  func late() async {
    let run = TaskProgram().launch()
    let end = End()
    let work = run.application.runBackgroundTask("endless") { while !end.hasCome { await Task.yield() } }
    run.minimize()
    run.platform.advance(by: 31_000)
    #expect(run.application.hasBackgroundTasks == false)
    end.hasCome = true
    _ = await work.result
    run.platform.deliver()
    #expect(run.errors.count == 1 && run.errors.allSatisfy { $0.contains("still open") }, "\(run.errors)")
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
