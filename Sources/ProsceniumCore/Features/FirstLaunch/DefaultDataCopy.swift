import Glibc
import ProsceniumLoop
import ProsceniumStore

/// Copies the default data of a program: all of them, or none.
///
/// 1. Every file that is to be copied is written under another name and synced.
/// 2. The record says which contents may stand under the names from now on, and is synced.
/// 3. The files are renamed, and the names are synced.
/// 4. The record says that the version is there.
///
/// What a kill leaves before 2 is removed by the next launch, of whichever version; after 2 the next launch goes on,
/// and tells the files of this one from those that the user has changed.
struct DefaultDataCopy {
  /// The most bytes of a file.
  static let limit = 1 << 28

  let data: DefaultData
  /// The version of the program; `""` for none.
  let version: String
  /// The process that copies: its number is in the names of its files, so that no two write the same one.
  var process = getpid()

  /// What came of it.
  struct Outcome: Equatable {
    /// At first, and where it cannot be known what has been copied: the next launch is the first one again.
    var launch = LaunchOptions.FirstLaunch.ofProgram
    /// How many files were copied.
    var copied = 0
    /// How many were left, because the user has changed or removed them.
    var kept = 0
    /// Why not all is there.
    var problem: String?
  }

  /// Copies what has to be copied.
  /// - Parameters:
  ///   - source: Opens the program's files of these names, if they are needed.
  ///   - support: The support directory.
  /// - Returns: The outcome.
  func run(from source: ([String]) throws(StoreError) -> any StoreFiles, to support: any StoreFiles) -> Outcome {
    var outcome = Outcome()
    do throws(StoreError) {
      let record = try read(from: support, &outcome)
      outcome.launch = launch(after: record)
      guard outcome.launch != .no else {
        // A copy of another version that was killed before its record; what cannot be removed is in nobody's way.
        try? removeLeftovers(in: support)
        return outcome
      }
      let names = data.files + data.templates
      for name in names where !FolderTree.isName(name) || name.hasPrefix(Self.own) {
        throw .unusable("\"\(name)\" is no name of a file within the program's folder")
      }
      try removeLeftovers(in: support)
      if names.isEmpty {
        try save(record.ended(version), in: support)
      } else {
        try copy(from: try source(names), names, to: support, record, &outcome)
      }
    } catch {
      outcome.problem = "\(error)"
    }
    return outcome
  }

  /// Which launch it is after what has been copied.
  func launch(after record: DefaultDataRecord) -> LaunchOptions.FirstLaunch {
    guard let last = record.version else { return .ofProgram }
    if last != version { return .ofVersion(from: last) }
    // The last launch was of another version, and did not end its copy.
    return record.copy.map { .ofVersion(from: $0.version) } ?? .no
  }

  private func read(from support: any StoreFiles, _ outcome: inout Outcome) throws(StoreError) -> DefaultDataRecord {
    do throws(FileError) {
      let bytes = try support.read(DefaultDataRecord.name, limit: DefaultDataRecord.limit)
      if let record = DefaultDataRecord(bytes) { return record }
      outcome.problem =
        "\"\(DefaultDataRecord.name)\" in the support directory is damaged: whatever differs there counts as changed by "
        + "the user, and stays as it is"
      return DefaultDataRecord()
    } catch {
      if error == .missing { return DefaultDataRecord() }
      throw .unusable("\"\(DefaultDataRecord.name)\" in the support directory cannot be read: \(error)")
    }
  }

  // MARK: The copy

  /// What the names of the copy's own files begin with.
  private static let own = ".default-data."

  /// The name of a file until it is renamed.
  private func temporary(_ file: String) -> String { "\(Self.own)\(process)-\(file).tmp" }

  /// Whether a name is that of a file that a process has left which is no more; also that of this one, which has not
  /// begun.
  private func isLeft(_ name: String) -> Bool {
    guard name.hasPrefix(Self.own), name.hasSuffix(".tmp") else { return false }
    let parts = name.dropFirst(Self.own.count).dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
    if parts == ["record"] { return true }
    // A file that is named otherwise is somebody else's.
    guard parts.count == 2, parts[1] == "record" || UInt(parts[1]) != nil, let other = pid_t(parts[0]), other > 0
    else { return false }
    return other == process || kill(other, 0) != 0 && errno == ESRCH
  }

  private func copy(
    from source: any StoreFiles, _ listed: [String], to support: any StoreFiles, _ record: DefaultDataRecord,
    _ outcome: inout Outcome
  ) throws(StoreError) {
    let names = try names(source, listed)
    var staged: [(temporary: String, name: String, seen: DefaultDataStep.Existing)] = []
    do throws(StoreError) {
      var (begun, done) = (record, record.ended(version))
      begun.copy = .init(version: version, files: record.copy?.files ?? [:])
      for name in names {
        let (bytes, isExecutable) = try attempt("\"\(name)\" of the program cannot be read") { () throws(FileError) in
          (try source.read(name, limit: Self.limit), try source.isExecutable(name))
        }
        let content = ContentDigest(bytes, isExecutable: isExecutable)
        let seen = existing(name, in: support)
        let step = DefaultDataStep(
          content, over: seen, copied: record.files[name],
          begun: record.copy?.files[name] ?? [],
          isTemplate: data.templates.contains { name == $0 || name.hasPrefix($0 + "/") })
        switch step {
        case .copy, .replace:
          let temporary = temporary("\(staged.count)")
          staged.append((temporary, name, seen))
          try attempt("\"\(name)\" cannot be written") { () throws(FileError) in
            try support.write(temporary, bytes)
            if isExecutable { try support.makeExecutable(temporary) }
            try support.sync(temporary)
          }
          begun.copy?.files[name, default: []].insert(content)
          done.files[name] = content
        case .same: done.files[name] = content
        case .keep:
          outcome.kept += 1
          if let other = record.other(inPlaceOf: name), existing(other, in: support) != .missing {
            outcome.problem =
              "\"\(name)\" cannot be copied, because \"\(other)\" of another version is there. Remove that"
          }
        }
      }
      if !staged.isEmpty { try save(begun, in: support) }
      for (temporary, name, seen) in staged {
        let isCopied = try attempt("\"\(name)\" cannot be put in its place") { () throws(FileError) in
          try put(temporary, name, over: seen, in: support)
        }
        if isCopied {
          outcome.copied += 1
        } else {
          outcome.kept += 1
          done.files[name] = record.files[name]
        }
      }
      try save(done, in: support)
    } catch {
      // They would be in the way on a full disk; what stays is removed by the next launch.
      for (temporary, _, _) in staged { _ = try? support.removeIfThere(temporary) }
      throw error
    }
  }

  /// Gives a file its name, in place of what was there when it was looked at.
  /// - Returns: Whether it has it; false where the user or another process has made, changed or removed one since then:
  ///   that stays as it is.
  private func put(
    _ temporary: String, _ name: String, over seen: DefaultDataStep.Existing, in support: any StoreFiles
  ) throws(FileError) -> Bool {
    if seen == .missing {
      do throws(FileError) {
        try support.renameNew(temporary, to: name)
        return true
      } catch FileError.system(EEXIST) {}
    } else if existing(name, in: support) == seen {
      // Other data may have been written for seconds since then.
      try support.rename(temporary, to: name)
      return true
    }
    try support.removeIfThere(temporary)
    return false
  }

  private func removeLeftovers(in support: any StoreFiles) throws(StoreError) {
    try attempt("what an earlier launch has left cannot be removed") { () throws(FileError) in
      for name in try support.names() where isLeft(name) { try support.removeIfThere(name) }
    }
  }

  /// The program's files in alphabetical order.
  private func names(_ source: any StoreFiles, _ listed: [String]) throws(StoreError) -> [String] {
    let all = try attempt("the program's folder cannot be read") { () throws(FileError) in try source.names() }
    var names: Set<String> = []
    for entry in Set(listed) {
      let found = all.filter { $0 == entry || $0.hasPrefix(entry + "/") }
      guard !found.isEmpty else { throw .unusable("\"\(entry)\" is not in the program's folder") }
      names.formUnion(found)
    }
    return names.sorted()
  }

  private func existing(_ name: String, in support: any StoreFiles) -> DefaultDataStep.Existing {
    do throws(FileError) {
      let bytes = try support.read(name, limit: Self.limit)
      return .file(ContentDigest(bytes, isExecutable: try support.isExecutable(name)))
    } catch {
      return error == .missing ? .missing : .other
    }
  }

  /// Saves a record, with all names that were given before it.
  private func save(_ record: DefaultDataRecord, in support: any StoreFiles) throws(StoreError) {
    try attempt("\"\(DefaultDataRecord.name)\" cannot be written") { () throws(FileError) in
      try support.syncDirectory()
      let temporary = temporary("record")
      try support.write(temporary, record.bytes)
      try support.sync(temporary)
      try support.rename(temporary, to: DefaultDataRecord.name)
      try support.syncDirectory()
    }
  }

  private func attempt<Result>(
    _ consequence: String, _ body: () throws(FileError) -> Result
  ) throws(StoreError) -> Result {
    do throws(FileError) { return try body() } catch { throw .unusable("\(consequence): \(error)") }
  }
}
