import ProsceniumStore

/// Opens the store of the program's scene sessions, or sends the launch to the process that owns it.
@MainActor struct StoreOpener {
  private unowned let conductor: Conductor
  /// The launch options; without the parts that another process has handled.
  private(set) var options: LaunchOptions
  private var arguments: [String]

  init(_ conductor: Conductor, options: LaunchOptions) {
    self.conductor = conductor
    self.options = options
    arguments = Array(conductor.identity.arguments.dropFirst())
  }

  /// Opens the store; answers the status to exit with if another process has it.
  mutating func open(policy: InstancePolicy) -> Int32? {
    // One owner after the other may end before it has been asked.
    for _ in 0..<20 {
      switch attempt(policy) {
      // Parts that one process has handled are not sent to the next.
      case .ownerEnded(let left): (options, arguments) = (left.launch, left.arguments)
      case .end(let status): return status
      case nil: return nil
      case .notTaken: return 1
      }
    }
    conductor.report("\(conductor.identity.id) runs already, in one process after the other. Try again.")
    return 1
  }

  /// Nil where the store is this process's, or where there is none.
  private func attempt(_ policy: InstancePolicy) -> SecondStart.Outcome? {
    let saving = conductor.feature(Saving.self)
    switch conductor.application.host.store {
    case .none: return nil
    case .given(let given): saving?.use(given)
    case .directory(let environment):
      do throws(StoreError) {
        saving?.use(
          try SessionStore.open(
            applicationIdentifier: conductor.identity.id, environment: environment,
            display: environment["DISPLAY"] ?? "", separate: policy == .separateStores))
      } catch {
        switch error {
        case .owned(let process, let display): return sendStart(process, display)
        case .unusable(let message): saving?.failed(StoreFailure(message: message))
        }
      }
    }
    return nil
  }

  private func sendStart(_ process: Int?, _ display: String?) -> SecondStart.Outcome {
    let start = SecondStart(
      owner: process, display: display, identifier: conductor.identity.id, launch: options, arguments: arguments,
      directory: Launch.currentDirectory)
    // The time that follows is another process's; if this one becomes the first after all, its launch has been judged.
    if conductor.application.host.sendSecondStart != nil { conductor.announce(.handingOver) }
    let outcome = conductor.application.host.sendSecondStart?(start) ?? .notTaken
    guard outcome == .notTaken else { return outcome }
    conductor.report(
      "\(conductor.identity.id) is running already, as process \(process.map(String.init) ?? "unknown") on display "
        + "\(display ?? "unknown"). Use that one, or end it first.")
    return .notTaken
  }
}
