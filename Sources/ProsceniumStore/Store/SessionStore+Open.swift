import ProsceniumLoop

extension SessionStore {
  /// Opens the application's store for this process, and no other.
  /// - Parameters:
  ///   - applicationIdentifier: The name of the directory.
  ///   - environment: The variables that name the user's directories.
  ///   - display: The display that another process will name for this one.
  ///   - separate: Whether another directory (`<application>.2` and so on) is used where the first one has an owner.
  /// - Returns: The store, which is this process's for as long as the object lives.
  /// - Throws: ``StoreError`` if another process owns it, or it cannot be used.
  package static func open(
    applicationIdentifier: String, environment: [String: String], display: String, separate: Bool
  ) throws(StoreError) -> SessionStore {
    try StoreDirectory.check(applicationIdentifier)
    let parent = try StoreDirectory.parent(environment)
    var number = 1
    while true {
      let path = "\(parent)/\(applicationIdentifier)" + (number == 1 ? "" : ".\(number)")
      do throws(StoreError) {
        let directory = try StoreDirectory.open(path)
        let lock = try StoreLock(directory: directory, path: path, display: display)
        return SessionStore(files: PosixFiles(directory: directory), lock: lock, runsInline: false)
      } catch {
        guard separate, number < 100, case .owned = error else { throw error }
        number += 1
      }
    }
  }
}
