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
      case .announceUnavailable: [.call(ProtectedDataCall(isAvailable: false))]
      case .announceAvailable: [.call(ProtectedDataCall(isAvailable: true))]
      case .hold: [.set(.protectedData, after: conductor.application.holdTimes.protectedData)]
      case .release: [.cancel(.protectedData)]
      }
    }
  }
}

/// The grace period of protected data is over.
extension Deadline { static let protectedData = Deadline("protectedData") }

/// The application's callbacks about protected data.
private struct ProtectedDataCall: Notice {
  var isAvailable: Bool
  private var name: String {
    isAvailable ? "applicationProtectedDataDidBecomeAvailable" : "applicationProtectedDataWillBecomeUnavailable"
  }
  var call: CallDescription { CallDescription(name + "(_:)") }

  func send(to application: Application) {
    application.conductor?.traceApplication(name)
    if isAvailable {
      application.delegate?.applicationProtectedDataDidBecomeAvailable(application)
      Application.ProtectedDataDidBecomeAvailableMessage(application: application).post()
    } else {
      application.delegate?.applicationProtectedDataWillBecomeUnavailable(application)
      Application.ProtectedDataWillBecomeUnavailableMessage(application: application).post()
    }
  }
}
