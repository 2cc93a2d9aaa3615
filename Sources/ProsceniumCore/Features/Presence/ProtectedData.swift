import FoundationEssentials
import Synchronization

/// Performs the protected data machine: data becomes unavailable a moment after the screen has been locked.
@MainActor final class ProtectedData {
  private unowned let conductor: Conductor
  private var machine = ProtectedDataMachine.State.available

  init(_ conductor: Conductor) { self.conductor = conductor }

  /// Reduces one input; returns the actions of its effects.
  func reduce(_ input: ProtectedDataMachine.Input) -> [FeatureAction] {
    let (next, effects) = ProtectedDataMachine.reduce(machine, input)
    machine = next
    conductor.application.protectedData.withLock { $0 = next != .unavailable }
    return effects.flatMap { effect -> [FeatureAction] in
      switch effect {
      case .announceUnavailable: [announce(.unavailable)]
      case .announceAvailable: [announce(.available)]
      case .hold: [.set(.protectedData, after: conductor.application.holdTimes.protectedData)]
      case .release: [.cancel(.protectedData)]
      }
    }
  }

  private func announce(_ change: ProtectedDataCall.Change) -> FeatureAction {
    .call(ProtectedDataCall(change: change))
  }
}

/// The grace period of protected data is over.
extension Deadline { static let protectedData = Deadline("protectedData") }

/// The application's callbacks about protected data.
private struct ProtectedDataCall: Notice {
  enum Change { case unavailable, available }

  var change: Change
  private var name: String {
    switch change {
    case .unavailable: "applicationProtectedDataWillBecomeUnavailable"
    case .available: "applicationProtectedDataDidBecomeAvailable"
    }
  }
  var call: CallDescription { CallDescription(name + "(_:)") }

  init(change: Change) { self.change = change }

  func send(to application: Application) {
    application.conductor?.traceApplication(name)
    switch change {
    case .unavailable:
      application.delegate?.applicationProtectedDataWillBecomeUnavailable(application)
      Application.ProtectedDataWillBecomeUnavailableMessage(application: application).post()
    case .available:
      application.delegate?.applicationProtectedDataDidBecomeAvailable(application)
      Application.ProtectedDataDidBecomeAvailableMessage(application: application).post()
    }
  }
}
