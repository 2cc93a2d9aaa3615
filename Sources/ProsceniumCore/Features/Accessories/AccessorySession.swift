import ProsceniumJSON
import ProsceniumLoop
import ProsceniumTrace

/// An open connection to an accessory (ExternalAccessory's `EASession`).
///
/// ```swift
/// let session = try AccessorySession(accessory: accessory)
/// session.readabilityHandler = { session in read(session.descriptor) }
/// ```
///
/// The system closes it before the program is suspended, and opens it again when the program runs again, if the same
/// device is still there: by its number and serial number, not by its path. The descriptor is another one then. It ends
/// with ``close()``, with the object, or when the accessory is gone. For the main thread.
@MainActor public final class AccessorySession {
  /// How an accessory is opened.
  public typealias Access = AccessoryAccess

  /// The accessory.
  public let accessory: Accessory
  /// How it was opened.
  public let access: Access
  /// Told when the system closes the session, or opens it again.
  public weak var delegate: (any AccessorySessionDelegate)? { didSet { assertMainThread() } }
  /// The open file, which never blocks (`O_NONBLOCK`); nil while the session is closed.
  ///
  /// It belongs to the session, and its number changes when the session is opened again. Whatever else waits for it has
  /// to end in ``AccessorySessionDelegate/accessorySessionWillClose(_:)``.
  public var descriptor: Int32? { file.map { $0.descriptor.number } }

  /// Called on the main thread when there is something to read, as long as there is, or when the device has hung up.
  ///
  /// It goes on after the session has been opened again. Never called while the program is suspended.
  public var readabilityHandler: (@MainActor (_ session: AccessorySession) -> Void)? {
    didSet {
      assertMainThread()
      listen()
    }
  }

  /// Whether the session has ended for good.
  private(set) var isInvalid = false
  private let application: Application
  private var file: OpenFile?
  private var listening: LoopRegistration?
  private lazy var resource = Resource(self)

  /// Opens an accessory of ``AccessoryManager/shared``.
  /// - Parameters:
  ///   - accessory: The accessory.
  ///   - access: Whether it is written, too.
  /// - Throws: ``AccessoryError``: the accessory is gone, another one stands in its place, it has no file, or the user
  ///   may not open it.
  public convenience init(
    accessory: Accessory, access: Access = .readingAndWriting
  ) throws(AccessoryError) {
    try self.init(accessory, access, Application.shared)
  }

  init(_ accessory: Accessory, _ access: Access, _ application: Application) throws(AccessoryError) {
    assertMainThread()
    (self.accessory, self.access, self.application) = (accessory, access, application)
    do throws(AccessoryError) {
      file = try open()
    } catch {
      // The object ends without having been one.
      isInvalid = true
      throw error
    }
    application.register(resource)
    AccessoryManager.of(application).add(self)
    trace(isOpen: true)
  }

  isolated deinit { end() }

  /// Ends the session; without a call of the delegate.
  public func close() {
    assertMainThread()
    end()
  }

  private func end() {
    guard !isInvalid else { return }
    isInvalid = true
    application.unregister(resource)
    closeFile()
    // Where this was the last one, accessories need not be followed any more.
    AccessoryManager.of(application).follow()
  }

  private func closeFile() {
    listening = nil
    if file.take() != nil { trace(isOpen: false) }
  }

  private func open() throws(AccessoryError) -> OpenFile {
    guard accessory.isConnected, let monitor = application.host.machine.accessories else { throw .disconnected }
    return OpenFile(try monitor.open(accessory.reading, for: access))
  }

  private func trace(isOpen: Bool) {
    application.conductor?.trace(
      .system(
        "accessorySession", ["accessory": .string(accessory.traceName), "open": .bool(isOpen)]))
  }

  // MARK: Reading

  private func listen() {
    listening = nil
    guard readabilityHandler != nil, let descriptor, let conductor = application.conductor else { return }
    let session = ObjectIdentifier(self)
    listening = LoopRegistration(descriptor, host: conductor) { [weak self, weak conductor] isGone in
      // Again once the program has read.
      self?.listening = nil
      conductor?.post(AccessoriesFeature.self, .readable(session, isGone: isGone))
    }
  }

  func callReadabilityHandler(isGone: Bool) {
    guard file != nil else { return }
    readabilityHandler?(self)
    // A device that has hung up would be reported without end.
    if !isGone { listen() }
  }

  // MARK: The system

  fileprivate func closeBeforeSuspension() {
    guard !isInvalid else { return }
    delegate?.accessorySessionWillClose(self)
    closeFile()
  }

  fileprivate func reopenAfterSuspension() {
    guard !isInvalid, file == nil else { return }
    do throws(AccessoryError) {
      file = try open()
      trace(isOpen: true)
      listen()
      delegate?.accessorySessionDidReopen(self)
    } catch {
      fail(error)
    }
  }

  /// Ends the session because of the accessory.
  func fail(_ error: AccessoryError) {
    guard !isInvalid else { return }
    end()
    delegate?.accessorySession(self, didFailWith: error)
  }

  /// A descriptor with one owner.
  private final class OpenFile {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  /// What the application holds while the session is open, which must not keep the session.
  private final class Resource: SuspendableResource {
    weak var session: AccessorySession?
    init(_ session: AccessorySession) { self.session = session }
    func closeBeforeSuspension() { session?.closeBeforeSuspension() }
    func reopenAfterSuspension() { session?.reopenAfterSuspension() }
  }
}

/// What an ``AccessorySession`` reports.
///
/// Every function has a default, which does nothing. All are called on the main thread.
@preconcurrency @MainActor public protocol AccessorySessionDelegate: AnyObject {
  /// The system is about to close the session because the program is about to be suspended: end everything that waits
  /// for its descriptor.
  /// - Parameter session: The session, which is open until this returns.
  func accessorySessionWillClose(_ session: AccessorySession)

  /// The system has opened the session again, before any missed event is told and any scene comes back.
  /// - Parameter session: The session, which has another descriptor.
  func accessorySessionDidReopen(_ session: AccessorySession)

  /// The session has ended: its accessory is gone, or could not be opened again.
  ///
  /// Called before ``AccessoryManager/DidDisconnectMessage`` is posted. The descriptor is closed.
  /// - Parameters:
  ///   - session: The session, which does not come back.
  ///   - error: Why.
  func accessorySession(_ session: AccessorySession, didFailWith error: AccessoryError)
}

extension AccessorySessionDelegate {
  /// Does nothing.
  public func accessorySessionWillClose(_ session: AccessorySession) {}
  /// Does nothing.
  public func accessorySessionDidReopen(_ session: AccessorySession) {}
  /// Does nothing.
  public func accessorySession(_ session: AccessorySession, didFailWith error: AccessoryError) {}
}
