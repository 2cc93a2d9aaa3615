import FoundationEssentials
internal import Glibc
import ProsceniumLoop

/// The file on disk: read, and changed key by key, on any thread.
package struct PreferencesFile: Sendable {
  package static let name = "preferences.json"
  /// As many bytes as the file may have.
  package static let limit = 1 << 20
  /// How long another process may hold the directory before it is no longer waited for, in milliseconds.
  private static let patience = 10_000
  /// How long an editor may take to write the file in place, in milliseconds, before what is there is its last word.
  private static let editing = 1000

  package let folder: String

  /// Where an application's file is, by the XDG Base Directory Specification.
  package init(applicationIdentifier: String, environment: [String: String]) throws(StoreError) {
    try StoreDirectory.check(applicationIdentifier)
    folder = try StoreDirectory.parent(environment, .preferences) + "/" + applicationIdentifier
  }

  /// What is there.
  package enum Contents: Equatable {
    case missing
    /// What was known already.
    case same
    case values([String: PreferenceValue], bytes: [UInt8])
    /// Not what a preferences file is, and why.
    case damaged(String)
    /// It cannot be read, and why.
    case unreadable(String)
  }

  /// What came of a change.
  package struct Outcome: Sendable {
    /// What the file has now; nil where it could not be written.
    package var written: (values: [String: PreferenceValue], bytes: [UInt8])?
    /// Why it could not.
    package var failure: String?
    /// What happened to a damaged file.
    package var damage: String?
  }

  /// Makes the directory where it is missing.
  package func prepare() throws(StoreError) { close(try StoreDirectory.open(folder, .preferences)) }

  /// Where the file is kept: elsewhere where its name is a link, as those have it who keep all such files in one place.
  package var place: (folder: String, name: String) {
    var path = folder + "/" + Self.name
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    // As many as the kernel follows (path_resolution(7)).
    for _ in 0..<40 {
      let count = readlink(path, &target, target.count)
      guard count > 0 else { break }
      let text = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = text.hasPrefix("/") ? text : Self.split(path).folder + "/" + text
    }
    return Self.split(path)
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// Reads the file; does not decode what is known already.
  package func read(knowing known: [UInt8]? = nil) -> Contents {
    let place = place
    do throws(FileError) {
      return Self.contents(try PosixFiles(path: place.folder), place.name, knowing: known)
    } catch {
      return error == .missing ? .missing : .unreadable("\(error)")
    }
  }

  /// Changes some keys, and leaves all others as the file has them now, whoever wrote them.
  /// - Parameters:
  ///   - changes: The new values; nil for keys that go.
  ///   - known: What the file had, should it turn out to be damaged.
  /// - Returns: What came of it.
  package func write(_ changes: [String: PreferenceValue?], over known: [String: PreferenceValue]) -> Outcome {
    do throws(StoreError) {
      let directory = try StoreDirectory.open(folder, .preferences)
      // From here on the descriptor is closed, and what it locks is free again, with this.
      let files = PosixFiles(directory: directory)
      Self.lock(directory)
      return withExtendedLifetime(files) {
        let place = place
        if place.folder == folder { return Self.write(changes, over: known, in: files, place) }
        do throws(FileError) {
          return Self.write(changes, over: known, in: try PosixFiles(path: place.folder), place)
        } catch {
          return Outcome(failure: "\"\(place.folder)\", where it is a link to, cannot be opened: \(error)")
        }
      }
    } catch {
      return Outcome(failure: "\(error)")
    }
  }

  package static func write(
    _ changes: [String: PreferenceValue?], over known: [String: PreferenceValue], in files: any StoreFiles,
    _ place: (folder: String, name: String) = ("", name)
  ) -> Outcome {
    var outcome = Outcome()
    var values: [String: PreferenceValue] = [:]
    switch settledContents(files, place.name) {
    case .missing, .same: break
    case .values(let there, _): values = there
    case .damaged(let why):
      outcome.damage = setAside(files, place, why)
      values = known
    case .unreadable(let why):
      outcome.failure = why
      return outcome
    }
    for (name, value) in changes { values[name] = value }
    do {
      let bytes = try PreferenceValue.file(values)
      guard bytes.count <= limit else {
        outcome.failure = "the file would have \(bytes.count) bytes; the limit is \(limit)"
        return outcome
      }
      try files.replace(place.name, with: bytes)
      try files.syncDirectory()
      outcome.written = (values, bytes)
    } catch {
      outcome.failure = "\(error)"
    }
    return outcome
  }

  /// What is there once an editor that writes the file in place has had the time to do so.
  private static func settledContents(_ files: any StoreFiles, _ name: String) -> Contents {
    for _ in 0..<(editing / 20) {
      let contents = contents(files, name)
      guard case .damaged = contents else { return contents }
      usleep(20_000)
    }
    return contents(files, name)
  }

  package static func contents(_ files: any StoreFiles, _ name: String = name, knowing known: [UInt8]? = nil)
    -> Contents
  {
    do throws(FileError) {
      let bytes = try files.read(name, limit: limit)
      if bytes == known { return .same }
      do { return .values(try PreferenceValue.values(in: bytes), bytes: bytes) } catch {
        return .damaged("it is no JSON object")
      }
    } catch FileError.tooLarge(let size) {
      return .damaged("it has \(size) bytes; the limit is \(limit)")
    } catch {
      return error == .missing ? .missing : .unreadable("\(error)")
    }
  }

  private static func setAside(
    _ files: any StoreFiles, _ place: (folder: String, name: String), _ why: String
  ) -> String {
    let name = place.name
    let problem = "The preferences in \"\(place.folder)/\(name)\" are damaged: \(why)."
    do throws(FileError) {
      let other = StoreNames.damaged(name, taken: Set(try files.names()))
      try files.rename(name, to: other)
      return problem + " The file is called \"\(other)\" now."
    } catch {
      return problem + " It could not be renamed: \(error)."
    }
  }

  /// Keeps other instances of the program from writing until the descriptor is closed.
  ///
  /// The directory itself is locked: a file would be one more that other programs wonder at. Where that is not possible, as
  /// on some network disks, or where somebody holds the lock and does not go on, the file is written all the same.
  private static func lock(_ directory: Int32) {
    for _ in 0..<(patience / 5) {
      if flock(directory, LOCK_EX | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else { return }
      usleep(5000)
    }
  }
}
