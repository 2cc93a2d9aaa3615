/// What another thread may do with an application's store.
package struct StoreAccess: Sendable {
  /// The directory, also for what is no session.
  package let files: any StoreFiles
  private let writer: StoreWriter?

  init(files: any StoreFiles, writer: StoreWriter?) {
    self.files = files
    self.writer = writer
  }

  /// Does something while nothing is being saved: waits for a save that is under way, however long it takes, and none
  /// begins before it has been done.
  package func whileNothingIsSaved(_ body: () -> Void) {
    if let writer { writer.whileIdle(body) } else { body() }
  }
}
