import ProsceniumCore
import Synchronization

/// Work with files beside the main thread.
enum FileWork {
  private final class Flag: Sendable { let isSet = Atomic(false) }

  /// Runs a function on a thread that may wait, for a server that does not answer for example.
  /// - Parameter body: The function; its argument tells whether the task that waits is still there.
  /// - Returns: What the function has returned.
  @MainActor static func run<Value: Sendable>(
    _ body: @escaping @Sendable (_ isWanted: @Sendable () -> Bool) -> Value
  ) async -> Value {
    let isCancelled = Flag()
    return await withTaskCancellationHandler {
      await runBesideMainThread { body { !isCancelled.isSet.load(ordering: .relaxed) } }
    } onCancel: {
      isCancelled.isSet.store(true, ordering: .relaxed)
    }
  }
}

/// What a dialog shows of a folder.
struct FolderPage: Sendable {
  var path: String
  /// In the order of the rows.
  var entries: [FolderEntry] = []
  /// Why there are none.
  var error: FolderError?

  /// A folder that has not been read.
  init(path: String) { self.path = path }

  /// Reads the first folder that can be read.
  /// - Parameters:
  ///   - paths: The folders; the error of the first one counts.
  ///   - arrangement: What is shown of it.
  ///   - isWanted: Whether the answer is still of use.
  init(of paths: [String], _ arrangement: FolderArrangement, isWanted: () -> Bool) {
    path = paths.first ?? "/"
    for path in paths {
      do {
        entries = arrangement.shown(try Folder.entries(of: path, isWanted: isWanted))
        (self.path, self.error) = (path, nil)
        return
      } catch {
        self.error = self.error ?? error
      }
    }
  }
}
