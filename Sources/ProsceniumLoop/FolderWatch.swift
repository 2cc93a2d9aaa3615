import Glibc

/// Watches a directory that may be absent, by its path: while it is absent, the nearest directory above it that exists.
///
/// It goes on watching a directory that is removed or renamed and made again. It does not see that a directory further
/// up is renamed with it inside, nor that a symbolic link in the path is changed.
@MainActor package final class FolderWatch {
  /// Called as ``FileWatch/Handler``, with nil where the directory has appeared or disappeared, and with no names for
  /// changes further up that do not concern it.
  package typealias Handler = FileWatch.Handler

  /// More than that in one call means that the directory appears and disappears without end.
  private static let mostAttempts = 100

  private let parts: [Substring]
  private let interest: FileWatch.Interest
  private let onChange: Handler
  private weak var host: (any LoopHost)?
  private var watch: FileWatch?
  /// How many parts of the path lead to the directory that is watched now.
  private var depth = 0
  /// The error for which nothing is watched; nil while a directory is.
  package private(set) var failure: Errno?

  /// Begins to watch.
  /// - Parameters:
  ///   - path: The absolute path of the directory.
  ///   - interest: The changes that are watched.
  ///   - host: The loop.
  ///   - onChange: Called once for all changes since its last call.
  package init(
    _ path: String, for interest: FileWatch.Interest = .changes, host: any LoopHost, onChange: @escaping Handler
  ) {
    parts = path.split(separator: "/")
    self.interest = interest
    self.host = host
    self.onChange = onChange
    follow()
  }

  /// Whether the directory itself is watched.
  package var isThere: Bool { watch != nil && depth == parts.count }

  /// Ends the watch.
  package func stop() {
    host = nil
    watch = nil
  }

  /// Reports nothing until ``resume()``.
  package func pause() { watch?.pause() }

  /// Reports changes again, those since ``pause()`` included.
  package func resume() { watch?.resume() }

  private func path(_ depth: Int) -> String { "/" + parts[..<depth].joined(separator: "/") }

  /// Watches the directory, or the nearest one above it.
  private func follow() {
    watch = nil
    failure = nil
    guard let host else { return }
    depth = parts.count
    var attempts = 0
    while watch == nil, attempts < Self.mostAttempts {
      attempts += 1
      let depth = depth
      do throws(Errno) {
        watch = try FileWatch(path(depth), for: depth == parts.count ? interest : .arrivals, host: host) {
          [weak self] in self?.changed($0, at: depth)
        }
      } catch {
        guard error.code == ENOENT || error.code == ENOTDIR, depth > 0 else { return failure = error }
        self.depth -= 1
        continue
      }
      // The next directory down may have been made before this one was watched.
      guard depth < parts.count, access(path(depth + 1) + "/", F_OK) == 0 else { continue }
      watch = nil
      self.depth = parts.count
    }
  }

  private func changed(_ names: Set<String>?, at depth: Int) {
    let isMoved = names?.contains("") == true
    if !isMoved {
      if depth == parts.count { return onChange(names) }
      // Other names beside the next part of the path.
      if let names, !names.contains(String(parts[depth])) { return onChange([]) }
    }
    let wasThere = isThere
    follow()
    onChange(wasThere || isThere ? nil : [])
  }
}
