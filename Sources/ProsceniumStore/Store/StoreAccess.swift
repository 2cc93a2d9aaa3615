/// The part of an application's store that other threads may use.
package struct StoreAccess: Sendable {
  /// The directory, also for files that are no session's.
  package let files: any StoreFiles
  private let writer: StoreWriter

  init(files: any StoreFiles, writer: StoreWriter) {
    self.files = files
    self.writer = writer
  }

  /// Calls a function while nothing is being saved.
  ///
  /// Waits for a save that is under way, however long it takes; none begins before the function has returned.
  package func whileNothingIsSaved(_ body: () -> Void) { writer.whileIdle(body) }
}
