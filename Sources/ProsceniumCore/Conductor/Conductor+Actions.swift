import ProsceniumLoop
import ProsceniumPlatform
import ProsceniumTrace
import SceneLifecycle

/// Performs the actions of features.
extension Conductor {
  func perform(_ actions: [FeatureAction]) { for action in actions { perform(action) } }

  func perform(_ action: FeatureAction) {
    switch action {
    case .command(let command): platform.perform(command)
    case .updateConcealment(let record):
      reduce(.scene(record.number, .concealment(conceals(record))))
      roster.markDirty(record)
    case .updateInterruption(let record):
      reduce(.scene(record.number, .interruption(interrupts(record))))
      roster.markDirty(record)
    case .reduce(let input): reduce(input)
    case .observe(let record): roster.markDirty(record)
    case .call(let call): perform(timed(call.base.call) { call.base.perform(for: application) })
    case .send(let message): perform(message.deliver(in: self))
    case .post(let message): post(message)
    case .postFirst(let messages): postFirst(messages)
    case .settleLater: settleLater()
    case .afterSettling(let actions): performAfterSettling(actions)
    case .settle: settle()
    case .set(let deadline, let length): set(deadline, after: length)
    case .cancel(let deadline): cancel(deadline)
    case .connect(let record, let options, let inBackground):
      Connector(self).connect(record, options: options, inBackground: inBackground)
    case .disconnect(let record, let ending): Connector(self).disconnect(record, ending)
    case .discard(let record): Connector(self).discard(record)
    case .announce(let moment): announce(moment)
    case .handle(let event): handle(event)
    case .handleSystem(let event): handle(event)
    case .runSource(let call): call.body()
    case .trace(let line): trace(line)
    case .report(let message): report(message)
    }
  }

  /// Calls the program between the `calling` and `called` functions of features.
  func timed<Result, Failure: Error>(
    _ call: CallDescription, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if call.phase == .event { return try body() }
    for observer in callObservers { observer.callBegins(call) }
    defer { for observer in callObservers { observer.callEnded() } }
    return try body()
  }

  /// Writes an error to the trace and to standard error.
  package func report(_ message: String) {
    trace(.error(message: message))
    StandardError.write("Proscenium: " + message)
  }
}
