/// A task's handler.
struct TaskCall: Notice {
  var task: BackgroundTask
  var handler: FunctionCall
  var call: CallDescription { CallDescription("the handler of the task \(task.identifier)") }

  func send(to application: Application) { handler.send(to: application) }
}

/// ``Application/backgroundRefreshStatus`` has changed.
struct StatusCall: Notice {
  var status: BackgroundRefreshStatus
  var call: CallDescription { CallDescription("BackgroundRefreshStatusDidChangeMessage", phase: .event) }

  func send(to application: Application) { application.backgroundTasks.setRefreshStatus(status, of: application) }
}
