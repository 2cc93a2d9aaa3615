import Synchronization

/// The one application of the process.
enum SharedApplication {
  private static let storage = Mutex<Application?>(nil)

  /// The application; nil before it has been made.
  static var existing: Application? {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }

  /// The application, made on first use.
  static var value: Application {
    storage.withLock { existing in
      if let existing { return existing }
      // Only stores values, which no other thread has yet.
      let make: @MainActor () -> Application = { Application() }
      let application = unsafeBitCast(make, to: (() -> Application).self)()
      existing = application
      return application
    }
  }
}
