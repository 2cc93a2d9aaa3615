public import FoundationEssentials

/// Registers the program for messages that its server pushes (UIKit's remote notifications), and receives them.
///
/// ```swift
/// RemoteNotificationCenter.current.delegate = self
/// RemoteNotificationCenter.current.register()
/// ```
///
/// For the main thread. On Linux a distributor of the user's choice keeps the connection to its server for all
/// programs (UnifiedPush, `org.unifiedpush.Distributor.*` on the session bus). It gives the program an address, the
/// endpoint, which the program sends to its own server, and to which that sends messages (RFC 8030). Nothing is asked
/// or started before the program registers.
///
/// A message wakes a suspended program, and starts one that does not run, in the background, where it is installed
/// (`<program> --install-desktop-entry`): ``LaunchOptions/remoteNotification``. No window moves for it; a program that
/// wants to be seen shows a notice (``UserNotificationCenter``).
@MainActor public final class RemoteNotificationCenter {
  /// The center of ``Application/shared``.
  public static var current: RemoteNotificationCenter { of(Application.shared) }

  static func of(_ application: Application) -> RemoteNotificationCenter {
    if let center = application.value(RemoteCenterKey.self) { return center }
    let center = RemoteNotificationCenter(application)
    application.setValue(center, RemoteCenterKey.self)
    return center
  }

  /// Why a program is not registered.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, as a part of a sentence.
    public let description: String
  }

  /// Nil once the process is dead, in a test.
  private weak var application: Application?

  init(_ application: Application) { self.application = application }

  /// The receiver of endpoints and messages; held weakly.
  ///
  /// Set it before the launch callbacks return: the program may have been started for a message.
  public weak var delegate: (any RemoteNotificationCenterDelegate)? { didSet { assertMainThread() } }

  /// The address at which the program is reached, as far as this run knows it; nil while it is not registered.
  public internal(set) var endpoint: URL?

  /// Registers the program, as at each launch: the endpoint may be another one than that of the last run.
  ///
  /// ``RemoteNotificationCenterDelegate/remoteNotificationCenter(_:didRegisterWith:)`` or
  /// ``RemoteNotificationCenterDelegate/remoteNotificationCenter(_:didFailToRegisterWith:)`` follows. The distributor
  /// is started where it does not run, and asked again whenever it has been started anew. One that has not answered
  /// after 25 seconds is an error: what it registers later than that is withdrawn.
  /// - Parameters:
  ///   - applicationServerKey: The public key of the program's server, where that signs its messages (RFC 8292):
  ///     base64url; some distributors ask for it.
  ///   - distributor: The one of ``distributors()`` that the user has chosen in the program. It counts until another
  ///     one is chosen or the registration ends, in later runs too, also where `UNIFIEDPUSH_DISTRIBUTOR` names another
  ///     one; the registration with an earlier one ends. Nil for the first one.
  public func register(applicationServerKey: String? = nil, distributor: String? = nil) {
    assertMainThread()
    let conductor = application?.conductor
    let fail: @MainActor (String) -> Void = { [weak conductor] reason in
      conductor?.post(RemoteNotifications.self, .failed(Failure(description: reason)))
    }
    guard let service = application?.host.services.push else { return fail("there is no desktop environment") }
    service.register(key: applicationServerKey, distributor: distributor) { failure in
      if let failure { fail(failure.description) }
    }
  }

  /// The distributors that are there, by their names on the session bus: where there are several, the user chooses.
  ///
  /// The first one is asked where the program names none: the one that it has chosen last, the one that
  /// `UNIFIEDPUSH_DISTRIBUTOR` names, the one that the program was registered with last, one that runs, one that the
  /// bus can start; of several, the first by name.
  /// - Returns: The names; empty where there is none, or no bus.
  public func distributors() async -> [String] {
    assertMainThread()
    guard let service = application?.host.services.push else { return [] }
    return await withMainActorContinuation { continuation in
      service.listDistributors { continuation.resume(returning: $0) }
    }
  }

  /// Ends the registration, so that the server reaches the program no more.
  ///
  /// The delegate is not told. A registration that has been asked for, and is not there yet, fails, and says why.
  public func unregister() {
    assertMainThread()
    endpoint = nil
    application?.host.services.push?.unregister()
  }
}

/// The receiver of endpoints and messages.
///
/// Every function but ``remoteNotificationCenter(_:didReceive:)`` has a default, which does nothing. All are called on
/// the main thread, after the launch callbacks and never while the program is suspended, which they wake it from.
@preconcurrency @MainActor public protocol RemoteNotificationCenterDelegate: AnyObject {
  /// The program is reached at an address from now on, which its server has to know.
  ///
  /// Also called when the distributor gives another one, and again with the same one after each registration.
  /// - Parameters:
  ///   - center: The center.
  ///   - endpoint: The address: `https`, or `http` for a server on the machine. Anyone who knows it can send messages.
  func remoteNotificationCenter(_ center: RemoteNotificationCenter, didRegisterWith endpoint: URL)

  /// The program cannot be registered.
  /// - Parameters:
  ///   - center: The center.
  ///   - error: Why.
  func remoteNotificationCenter(
    _ center: RemoteNotificationCenter, didFailToRegisterWith error: RemoteNotificationCenter.Failure)

  /// The distributor has ended the registration, for example because the user wanted it.
  /// - Parameter center: The center.
  func remoteNotificationCenterDidUnregister(_ center: RemoteNotificationCenter)

  /// A message of the program's server has come.
  ///
  /// A program that was suspended is suspended again after the usual grace; work that takes longer needs a background
  /// task.
  /// - Parameters:
  ///   - center: The center.
  ///   - message: What the server has sent, as it was sent: encrypted where the server does so (RFC 8291). It may be of
  ///     anyone who knows the endpoint.
  func remoteNotificationCenter(_ center: RemoteNotificationCenter, didReceive message: Data)
}

extension RemoteNotificationCenterDelegate {
  /// Does nothing.
  public func remoteNotificationCenter(_ center: RemoteNotificationCenter, didRegisterWith endpoint: URL) {}
  /// Does nothing.
  public func remoteNotificationCenter(
    _ center: RemoteNotificationCenter, didFailToRegisterWith error: RemoteNotificationCenter.Failure
  ) {}
  /// Does nothing.
  public func remoteNotificationCenterDidUnregister(_ center: RemoteNotificationCenter) {}
}

/// The center, once it has been asked for.
enum RemoteCenterKey: ValueKey { static var initial: RemoteNotificationCenter? { nil } }
