import Glibc

/// Watches a directory that may come and go, by its path: while it is not there, the nearest one above it that is.
///
/// The directory is followed when it is removed, or renamed, and made again. Not noticed is that one further up is renamed
/// with it inside, or that the path leads over a symbolic link that is made to lead elsewhere: what happens at the new place
/// is heard of with the next start.
@MainActor package final class FolderWatch {
  /// What is said: as by ``DirectoryWatch``, with nil where the directory has gone or come; no names where what happened has
  /// nothing to do with it.
  package typealias Handler = DirectoryWatch.Handler

  private let parts: [Substring]
  private let interest: DirectoryWatch.Interest
  private let onChange: Handler
  private weak var host: (any LoopHost)?
  private var watch: DirectoryWatch?
  /// How many parts of the path lead to what is watched.
  private var depth = 0
  private var isStopped = false
  /// Why nothing is watched; nil while something is.
  package private(set) var failure: FileError?

  /// Watches a directory, which need not be there.
  /// - Parameters:
  ///   - path: The directory, from the root on.
  ///   - interest: What to hear of.
  ///   - host: Who has the loop.
  ///   - onChange: Called once for all that has happened since it was called last.
  package init(
    _ path: String, for interest: DirectoryWatch.Interest = .changes, host: any LoopHost, onChange: @escaping Handler
  ) {
    parts = path.split(separator: "/")
    self.interest = interest
    self.host = host
    self.onChange = onChange
    follow()
  }

  /// Whether the directory itself is watched.
  package var isThere: Bool { watch != nil && depth == parts.count }

  /// Hears of nothing more.
  package func stop() {
    isStopped = true
    watch?.stop()
    watch = nil
  }

  /// Hears nothing until ``goOn()``, and then of all that has happened meanwhile.
  package func rest() { watch?.stop() }

  /// Hears again.
  package func goOn() { watch?.listen() }

  private func path(_ depth: Int) -> String { "/" + parts[..<depth].joined(separator: "/") }

  /// Watches the directory, or the nearest one above it.
  private func follow() {
    watch?.stop()
    watch = nil
    failure = nil
    guard let host, !isStopped else { return }
    depth = parts.count
    // What comes while one looks further up is found by the next look: it does not come and go for ever.
    var looks = 0
    while watch == nil, looks < 100 {
      looks += 1
      let depth = depth
      do throws(FileError) {
        watch = try DirectoryWatch(path(depth), for: depth == parts.count ? interest : .arrivals, host: host) {
          [weak self] in self?.heard($0, at: depth)
        }
      } catch {
        guard error == .missing || error == .system(ENOTDIR), depth > 0 else { return failure = error }
        self.depth -= 1
        continue
      }
      guard depth < parts.count, access(path(depth + 1) + "/", F_OK) == 0 else { continue }
      watch?.stop()
      watch = nil
      self.depth = parts.count
    }
  }

  private func heard(_ names: Set<String>?, at depth: Int) {
    let isMoved = names?.contains("") == true
    if !isMoved {
      if depth == parts.count { return onChange(names) }
      // Something else beside the next part of the path.
      if let names, !names.contains(String(parts[depth])) { return onChange([]) }
    }
    let wasThere = isThere
    follow()
    onChange(wasThere || isThere ? nil : [])
  }
}
