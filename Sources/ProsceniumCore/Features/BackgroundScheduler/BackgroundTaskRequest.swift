public import FoundationEssentials

/// A request to run a task later: ``AppRefreshTaskRequest`` or ``ProcessingTaskRequest``; see
/// ``BackgroundScheduler/submit(_:)``.
public protocol BackgroundTaskRequest: Hashable, Sendable {
  /// The task, one of ``ApplicationManifest/permittedTaskIdentifiers``.
  var identifier: String { get }
  /// The earliest time at which the task runs; as soon as possible where nil.
  var earliestBeginDate: Date? { get }
}

/// A request to bring the program's content up to date, so that it is fresh when the user comes (UIKit's
/// `BGAppRefreshTaskRequest`).
///
/// It waits while the user saves power (``Device/isLowPowerModeEnabled``).
public struct AppRefreshTaskRequest: BackgroundTaskRequest {
  /// The task, one of ``ApplicationManifest/permittedTaskIdentifiers``.
  public var identifier: String
  /// The earliest time at which the task runs; as soon as possible where nil.
  public var earliestBeginDate: Date?

  /// Makes a request.
  /// - Parameters:
  ///   - identifier: The task.
  ///   - earliestBeginDate: The earliest time.
  public init(identifier: String, earliestBeginDate: Date? = nil) {
    (self.identifier, self.earliestBeginDate) = (identifier, earliestBeginDate)
  }
}

/// A request to do upkeep that may wait for power and the network (UIKit's `BGProcessingTaskRequest`).
///
/// Its task has as much time as any other; work that takes longer holds ``ExecutionMode/processing`` in it.
public struct ProcessingTaskRequest: BackgroundTaskRequest {
  /// The task, one of ``ApplicationManifest/permittedTaskIdentifiers``.
  public var identifier: String
  /// The earliest time at which the task runs; as soon as possible where nil.
  public var earliestBeginDate: Date?
  /// Whether the task runs only while the machine is plugged into power; false at first.
  ///
  /// A machine without a battery is, and so is one without UPower.
  public var requiresExternalPower = false
  /// Whether the task runs only while the network is reachable; false at first.
  ///
  /// It is while the kernel has a default route.
  public var requiresNetworkConnectivity = false

  /// Makes a request.
  /// - Parameters:
  ///   - identifier: The task.
  ///   - earliestBeginDate: The earliest time.
  public init(identifier: String, earliestBeginDate: Date? = nil) {
    (self.identifier, self.earliestBeginDate) = (identifier, earliestBeginDate)
  }
}

/// Why a request was not accepted.
public enum BackgroundSchedulerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The task is none of ``ApplicationManifest/permittedTaskIdentifiers``.
  case notPermitted(identifier: String)
  /// One refresh and ten processing tasks are the most that can be pending.
  case tooManyPendingTaskRequests
  /// Background work is not allowed (``Application/backgroundRefreshStatus``), the program has not been launched or
  /// ends, or the request could not be saved.
  case unavailable(reason: String)

  /// The failure and its remedy, as a sentence.
  public var description: String {
    switch self {
    case .notPermitted(let identifier):
      "The task \"\(identifier)\" is not permitted: add it to permittedTaskIdentifiers of the manifest."
    case .tooManyPendingTaskRequests:
      "No more requests can be pending: one refresh and ten processing tasks. Cancel one first."
    case .unavailable(let reason): "The request was not accepted: \(reason)."
    }
  }
}
