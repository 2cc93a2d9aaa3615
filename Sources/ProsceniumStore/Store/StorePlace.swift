internal import Glibc
import ProsceniumLoop

/// Where an application's sessions are stored, by the names that lead there.
///
/// For any thread.
package struct StorePlace: Sendable {
  /// A directory of sessions that is this process's for as long as the value exists.
  package struct Opened: Sendable {
    let files: PosixFiles
    let lock: StoreLock
  }

  /// The name of the directory.
  package var applicationIdentifier: String
  /// The variables that name the user's directories.
  package var environment: [String: String]
  /// The display that another process will name for this one.
  package var display: String
  /// Whether another directory (`<application>.2` and so on) is used where the first one has an owner.
  package var isSeparate: Bool

  package init(
    applicationIdentifier: String, environment: [String: String], display: String, isSeparate: Bool
  ) {
    self.applicationIdentifier = applicationIdentifier
    self.environment = environment
    self.display = display
    self.isSeparate = isSeparate
  }

  /// Why an application's identifier cannot name the directory, as a sentence; nil where it can.
  package static func problem(of identifier: String) -> String? {
    do throws(StoreError) {
      try StoreDirectory.check(identifier)
      return nil
    } catch {
      return error.description
    }
  }

  /// The directory of all applications' sessions.
  private func parent() throws(StoreError) -> String {
    try StoreDirectory.check(applicationIdentifier)
    return try StoreDirectory.parent(environment)
  }

  /// Whether the names lead anywhere: then what keeps the directory from being opened may end.
  package var isThere: Bool { (try? parent()) != nil }

  /// Opens the directory for this process, and no other.
  /// - Parameter patience: The longest time to wait for an owner that was killed, and has not ended yet.
  /// - Returns: The directory.
  /// - Throws: ``StoreError`` if another process owns it, or it cannot be used.
  package func open(patience: Duration = StoreLock.patience) throws(StoreError) -> Opened {
    let parent = try parent()
    let end = MonotonicClock.now + patience
    var number = 1
    while true {
      let path = "\(parent)/\(applicationIdentifier)" + (number == 1 ? "" : ".\(number)")
      do throws(StoreError) {
        let directory = try StoreDirectory.open(path)
        let lock = try StoreLock(
          directory: directory, path: path, display: display, patience: end - MonotonicClock.now)
        return Opened(files: PosixFiles(directory: directory), lock: lock)
      } catch {
        guard isSeparate, number < 100, case .owned = error else { throw error }
        number += 1
      }
    }
  }
}
