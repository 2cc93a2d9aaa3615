private import Glibc

/// A class that is not a ``Responder`` and can still be named where the framework makes the delegate:
/// `@main`, ``SceneConfiguration/delegateClass``, `ApplicationMain`.
public protocol DelegateInitializable: AnyObject {
  /// Called once, on the main thread, when the delegate is needed.
  init()
}

/// Stands in the method tables where ``Responder`` stands, with the one difference that its initialiser may be called
/// through a class that is known only at run time.
///
/// A class' stored properties come before its methods in the table, so it stores as many as ``Responder`` does: one.
/// Public so that the optimiser believes in subclasses.
@MainActor open class ResponderTwin {
  final var activityHold: ActivityHold?

  /// Has ``Responder``'s `init()` as its twin: the first entry of both tables.
  public required init() {}
}

/// As ``ResponderTwin``, for the initialiser of scenes.
///
/// A class' stored properties come before its methods in the table, so it stores as many as ``Scene`` does: one.
@MainActor open class SceneTwin: Responder {
  let storage: SceneStorage

  /// Has ``Scene``'s initialiser as its twin.
  public required init(session: SceneSession, connectionOptions: Scene.ConnectionOptions) {
    storage = SceneStorage(session: session)
    super.init()
  }
}

/// Makes objects of classes that are known only at run time.
///
/// `Responder.init()` cannot be `required`, because then UIKit's usual `override init()` would not compile. A class
/// that lacks the initialiser has the compiler's stub in its table, which writes a message and traps. The message
/// is caught here, so that the mistake becomes an error that names the class.
@MainActor package enum ClassInstantiation {
  /// Why an object could not be made.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package var description: String
  }

  /// Makes objects of classes that are neither: other libraries' base classes. The first that answers decides.
  package static var makers: [(AnyClass) -> AnyObject?] = []

  /// An object of a class that a program named; `role` says in the error what it was named for.
  package static func make(_ type: AnyClass, role: String) throws(Failure) -> AnyObject {
    if let type = type as? Responder.Type {
      return StubTrap.guarding(type, role: role, initializer: "init()") {
        unsafeBitCast(unsafeBitCast(type, to: ResponderTwin.Type.self).init(), to: Responder.self)
      }
    }
    if let type = type as? any DelegateInitializable.Type { return type.init() }
    for make in makers { if let object = make(type) { return object } }
    throw Failure(
      description: "\(role): \(type) cannot be made from its class. Derive it from Responder, let it conform to "
        + "DelegateInitializable, or give the configuration a factory (delegate: \(type).init).")
  }

  static func makeScene(
    _ type: Scene.Type, session: SceneSession, options: Scene.ConnectionOptions
  ) -> Scene {
    // The two classes that nobody has subclassed need no detour.
    if type == WindowScene.self { return WindowScene(session: session, connectionOptions: options) }
    if type == Scene.self { return Scene(session: session, connectionOptions: options) }
    return StubTrap.guarding(type, role: "sceneClass", initializer: "init(session:connectionOptions:)") {
      let twin = unsafeBitCast(type, to: SceneTwin.Type.self)
      return unsafeBitCast(twin.init(session: session, connectionOptions: options), to: Scene.self)
    }
  }
}

/// Turns the trap of the compiler's stub for a missing initialiser into an error that names the class.
///
/// While the object is being made, standard error goes to a temporary file; if the initialiser traps and the
/// file holds the stub's message, the program ends with a launch error and status 1. Any other end is let through,
/// message and all: another trap or fatal signal, and an initialiser that exits.
@MainActor private enum StubTrap {
  nonisolated(unsafe) static var savedError: Int32 = -1
  nonisolated(unsafe) static var capture: Int32 = -1
  nonisolated(unsafe) static var message: [UInt8] = []
  /// The signals that end a program from within, and what was done about each before.
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]
  nonisolated(unsafe) static var oldActions: [Glibc.sigaction] = Array(repeating: sigaction(), count: 32)
  /// Registered once: an initialiser may say what is wrong and exit.
  private static let replaysAtExit: Void = { _ = atexit { StubTrap.giveBack() } }()

  static func guarding<T>(_ type: AnyClass, role: String, initializer: String, _ make: () -> T) -> T {
    let file = tmpfile()
    defer { if let file { fclose(file) } }
    capture = file.map { fileno($0) } ?? -1
    savedError = fcntl(2, F_DUPFD_CLOEXEC, 3)
    guard capture >= 0, savedError >= 0 else {
      closeAll()
      return make()
    }
    message = Array(
      "Proscenium: \(role): class \(type) has no \(initializer), so it cannot be made from its class. Write one, or give the configuration a factory.\n"
        .utf8)
    dup2(capture, 2)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { StubTrap.handle($0) }
    for signal in signals { sigaction(signal, &action, &oldActions[Int(signal)]) }
    replaysAtExit
    defer { restore() }
    return make()
  }

  private static func restore() {
    for signal in signals { sigaction(signal, &oldActions[Int(signal)], nil) }
    giveBack()
    closeAll()
  }

  /// Puts standard error back where it was, with what was written meanwhile.
  ///
  /// Does nothing where nothing is captured.
  nonisolated private static func giveBack() {
    guard savedError >= 0 else { return }
    dup2(savedError, 2)
    replay()
  }

  private static func closeAll() {
    if savedError >= 0 { close(savedError) }
    capture = -1
    savedError = -1
  }

  /// Copies what was written meanwhile to where it belongs; uses only calls that a signal handler may make.
  nonisolated private static func replay() {
    var offset: off_t = 0
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
      while true {
        let count = pread(capture, buffer.baseAddress, buffer.count, offset)
        if count <= 0 { return }
        _ = write(savedError, buffer.baseAddress, count)
        offset += off_t(count)
      }
    }
  }

  nonisolated private static func handle(_ number: Int32) {
    let isStub = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
      let count = pread(capture, buffer.baseAddress, buffer.count, 0)
      return count > 0 && contains(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
    }
    if isStub {
      message.withUnsafeBufferPointer { _ = write(savedError, $0.baseAddress, $0.count) }
      _exit(1)
    }
    giveBack()
    oldActions.withUnsafeBufferPointer { _ = sigaction(number, $0.baseAddress.map { $0 + Int(number) }, nil) }
    raise(number)
  }

  /// Whether the compiler's stub wrote the message.
  ///
  /// Allocates nothing.
  nonisolated private static func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    let stub: StaticString = "Use of unimplemented initializer"
    let length = stub.utf8CodeUnitCount
    guard let base = text.baseAddress, text.count >= length else { return false }
    for start in 0...(text.count - length) where memcmp(base + start, stub.utf8Start, length) == 0 { return true }
    return false
  }
}
