internal import Glibc
package import ProsceniumJSON
import ProsceniumLoop

/// The preferences file of an application: read as a whole, and changed key by key.
///
/// For any thread.
package struct PreferencesFile: Sendable {
  package static let name = "preferences.json"
  /// The most bytes that the file may have.
  package static let limit = 1 << 20
  /// How long another process may hold the directory's lock before the file is written without it, in steps of 5 ms.
  private static let lockSteps = 2000
  /// How long an editor may take to write the file in place before it counts as damaged, in steps of 20 ms.
  private static let editingSteps = 50

  package let folder: String

  /// Finds the file of an application (XDG Base Directory Specification).
  /// - Parameters:
  ///   - applicationIdentifier: The name of the directory.
  ///   - environment: The variables that name the user's directories.
  /// - Throws: ``StoreError/unusable(_:)`` where the identifier or the variables name no directory.
  package init(applicationIdentifier: String, environment: [String: String]) throws(StoreError) {
    try StoreDirectory.check(applicationIdentifier)
    folder = try StoreDirectory.parent(environment, .preferences) + "/" + applicationIdentifier
  }

  /// The result of reading the file.
  package enum Contents: Equatable {
    case missing
    /// The bytes that the caller knows.
    case same
    case values([String: JSONValue], bytes: [UInt8])
    /// No preferences file, and why.
    case damaged(String)
    /// It cannot be read, and why.
    case unreadable(String)
  }

  /// The result of a change.
  package struct Outcome: Sendable {
    /// The file's content now; nil where it could not be written.
    package var written: (values: [String: JSONValue], bytes: [UInt8])?
    /// Why it could not be written.
    package var failure: String?
    /// Whether it cannot be written as it is, however often one tries.
    package var isRefused = false
    /// The changes that are not in the file, because it has no room for them.
    package var leftOut: Set<String> = []
    /// Whether it could not be written because the disk is full.
    package var isDiskFull = false
    /// What became of a damaged file.
    package var damage: String?
  }

  /// Creates the directory where it is missing.
  package func prepare() throws(StoreError) { _ = try StoreDirectory.open(folder, .preferences) }

  /// The folder and the name of the file: those of the target where the file is a link, as for users who collect all
  /// such files in one place.
  package var place: (folder: String, name: String) {
    var path = folder + "/" + Self.name
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    // As many as the kernel follows (path_resolution(7)).
    for _ in 0..<40 {
      let count = readlink(path, &target, target.count)
      guard count > 0 else { break }
      let text = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = text.utf8.first == UInt8(ascii: "/") ? text : DocumentPlace(unfollowed: path).folder + "/" + text
    }
    let place = DocumentPlace(unfollowed: path)
    return (place.folder, place.name)
  }

  /// Reads the file.
  /// - Parameter known: The bytes that the caller knows, which are not decoded again.
  /// - Returns: The content.
  package func read(knowing known: [UInt8]? = nil) -> Contents {
    let place = place
    do throws(FileError) {
      return Self.contents(try PosixFiles(path: place.folder), place.name, knowing: known)
    } catch {
      return error == .missing ? .missing : .unreadable("\(error)")
    }
  }

  /// Changes some keys; all others stay as they are in the file now, also those that another process has written.
  ///
  /// Waits for another instance that writes, and for an editor that writes the file in place.
  /// - Parameters:
  ///   - changes: The new values; nil for keys that are removed.
  ///   - known: The values that replace those of a damaged file.
  /// - Returns: The outcome.
  package func write(_ changes: [String: JSONValue?], over known: [String: JSONValue]) -> Outcome {
    do throws(StoreError) {
      let directory = try StoreDirectory.open(folder, .preferences)
      Self.lock(directory.number)
      // The lock ends with the directory's descriptor, which ends with this.
      let files = PosixFiles(directory: directory)
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
    _ changes: [String: JSONValue?], over known: [String: JSONValue], in files: any StoreFiles,
    _ place: (folder: String, name: String) = ("", name)
  ) -> Outcome {
    var outcome = Outcome()
    var values: [String: JSONValue] = [:]
    switch settledContents(files, place.name) {
    case .missing, .same: break
    case .values(let there, _): values = there
    case .damaged(let why):
      outcome.damage = setAside(files, place, why)
      values = known
    case .unreadable(let why): return Outcome(failure: why)
    }
    let old = values
    for (name, value) in changes { values[name] = value }
    do {
      var bytes = try Self.bytes(of: values)
      if bytes.count > limit {
        outcome.isRefused = true
        outcome.leftOut = try leaveOut(changes, of: &values, over: old)
        let names = outcome.leftOut.sorted().map { "\"\($0)\", " }.joined()
        outcome.failure =
          names + (names.isEmpty ? "" : "with which ")
          + "the file would have \(bytes.count) bytes; the limit is \(limit)"
        bytes = try Self.bytes(of: values)
        // It had too many before.
        guard bytes.count <= limit else { return outcome }
      }
      try files.replace(place.name, with: bytes)
      try files.syncDirectory()
      outcome.written = (values, bytes)
    } catch {
      outcome.failure = "\(error)"
      (outcome.isRefused, outcome.leftOut) = (false, [])
      outcome.isDiskFull = (error as? FileError)?.isDiskFull == true
    }
    return outcome
  }

  /// Takes changes back for which the file has no room: the largest ones, and no more than it takes.
  ///
  /// A change that makes the file smaller stays.
  /// - Returns: Their names.
  private static func leaveOut(
    _ changes: [String: JSONValue?], of values: inout [String: JSONValue], over old: [String: JSONValue]
  ) throws -> Set<String> {
    func size(_ value: JSONValue?) throws -> Int { try value.map { try bytes(of: ["": $0]).count } ?? 0 }
    let growths = try changes.map { name, value in (name: name, growth: try size(value) - size(old[name])) }
    var names: Set<String> = []
    for change in growths.sorted(by: { ($0.growth, $0.name) > ($1.growth, $1.name) }) where change.growth > 0 {
      guard try bytes(of: values).count > limit else { break }
      values[change.name] = old[change.name]
      names.insert(change.name)
    }
    return names
  }

  /// The bytes of a file with these values; people read it too.
  /// - Parameter values: The values by key.
  /// - Returns: The bytes.
  /// - Throws: What the coder throws for a number that JSON has no form of.
  package static func bytes(of values: [String: JSONValue]) throws -> [UInt8] {
    try JSONValue.bytes(of: values, isPretty: true) + [UInt8(ascii: "\n")]
  }

  /// The content once an editor that writes the file in place has had the time to do so.
  private static func settledContents(_ files: any StoreFiles, _ name: String) -> Contents {
    for _ in 0..<editingSteps {
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
      do { return .values(try JSONValue.object(in: bytes), bytes: bytes) } catch {
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

  /// Stops other instances of the program from writing until the descriptor is closed.
  ///
  /// The directory itself is locked: a file would be one more that other programs see. Where that is not possible, as
  /// on some network disks, or where a process holds the lock and does not go on, the file is written all the same.
  private static func lock(_ directory: Int32) { StoreDirectory.lock(directory, steps: lockSteps) }
}
