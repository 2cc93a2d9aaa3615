import ProsceniumCore

/// Which of a folder's files a dialog shows, and in which order.
struct FolderArrangement: Hashable, Sendable {
  var kind = FileDialogKind.open
  var showsHidden = false
  /// The kind of files; nil for all of them.
  var filter: FileFilter?
  var order = FolderOrder()

  /// What is shown: folders first, each in order.
  func shown(_ entries: [FolderEntry]) -> [FolderEntry] {
    entries.filter(isShown).map { ($0, $0.name.lowercased()) }
      .sorted { one, other in
        if one.0.isFolder != other.0.isFolder { return one.0.isFolder }
        return order.isDescending ? order.precedes(other, one) : order.precedes(one, other)
      }
      .map(\.0)
  }

  private func isShown(_ entry: FolderEntry) -> Bool {
    guard showsHidden || !entry.isHidden else { return false }
    if entry.isFolder { return true }
    return kind != .folder && filter?.accepts(entry.name) != false
  }
}

/// By what the files of a folder are sorted.
struct FolderOrder: Hashable, Sendable {
  enum Column: String, Hashable, Sendable, CaseIterable { case name, size, modified }
  var column = Column.name
  var isDescending = false

  /// The order after a press on the header of a column: by this one, or the other way round.
  func pressed(_ column: Column) -> FolderOrder {
    FolderOrder(column: column, isDescending: column == self.column && !isDescending)
  }

  /// Whether a file comes before another one where the order ascends; each with its name in lower case.
  fileprivate func precedes(_ one: (FolderEntry, String), _ other: (FolderEntry, String)) -> Bool {
    switch column {
    // The sizes of folders say nothing.
    case .size where !one.0.isFolder && one.0.size != other.0.size: return one.0.size < other.0.size
    case .modified where one.0.time != other.0.time: return one.0.time < other.0.time
    case .name, .size, .modified: return one.1 == other.1 ? one.0.name < other.0.name : one.1 < other.1
    }
  }
}

extension FileFilter {
  /// Whether a file of a name belongs to the filter; one by content types alone holds every file.
  func accepts(_ name: String) -> Bool {
    guard !extensions.isEmpty else { return true }
    let name = name.lowercased()
    return extensions.contains { name.hasSuffix("." + $0.lowercased()) }
  }

  /// A path under which a file of the filter is saved: with its first extension where the name has none.
  func completed(_ path: String) -> String {
    guard let own = extensions.first(where: { !$0.isEmpty }), !path.hasSuffix("/") else { return path }
    let name = FilePath.name(of: path)
    guard FilePath.stem(of: name).count == name.count || name.hasSuffix(".") else { return path }
    return path + (name.hasSuffix(".") ? "" : ".") + own
  }
}

/// What the button that accepts brings about.
enum FileDialogStep: Hashable, Sendable {
  /// Shows another folder.
  case enter(String)
  /// Ends the dialog with these paths.
  case choose([String])
  /// Asks whether the file at the path is replaced.
  case confirm(String)
  /// Says why nothing happens.
  case say(String)

  /// What is done with the selected rows of a dialog that opens files, or chooses a folder.
  /// - Parameters:
  ///   - entries: The selected files and folders.
  ///   - kind: What the dialog is for.
  ///   - folder: The folder that is shown.
  /// - Returns: The step.
  static func accepting(_ entries: [FolderEntry], _ kind: FileDialogKind, in folder: String) -> FileDialogStep {
    if let entry = entries.first(where: { !$0.isReachable }) {
      return .say("\u{201C}\(entry.name)\u{201D} cannot be chosen: its name is no UTF-8. Rename it first.")
    }
    let paths = entries.map { FilePath.child($0.name, of: folder) }
    if kind == .folder { return .choose([paths.first ?? folder]) }
    guard !paths.isEmpty else { return .say("Select a file.") }
    guard entries.contains(where: \.isFolder) else { return .choose(paths) }
    return paths.count == 1 ? .enter(paths[0]) : .say("Select files without folders.")
  }

  /// What is done with the path that a file is saved at.
  /// - Parameters:
  ///   - path: The path; nil where there is none.
  ///   - kind: What is there.
  ///   - parent: What is at the path of its folder.
  /// - Returns: The step.
  static func saving(_ path: String?, _ kind: PathKind, parent: PathKind) -> FileDialogStep {
    guard let path else { return .say("Type a name.") }
    switch kind {
    case .folder: return .enter(path)
    case .file: return .confirm(path)
    case .unknown(let error): return .say(error.message)
    case .nothing:
      if parent == .folder { return .choose([path]) }
      return .say("There is no folder \u{201C}\(FilePath.parent(of: path) ?? "/")\u{201D}.")
    }
  }

  /// The step, unless what is chosen has gone meanwhile.
  /// - Parameter kinds: What is at the chosen paths.
  /// - Returns: The step that takes place.
  func checked(_ kinds: [PathKind]) -> FileDialogStep {
    guard case .choose(let paths) = self else { return self }
    for (path, kind) in zip(paths, kinds) {
      switch kind {
      case .nothing: return .say("\u{201C}\(path)\u{201D} is not there any more.")
      case .unknown(let error): return .say(error.message)
      case .file, .folder: continue
      }
    }
    return self
  }
}

/// The texts of a row.
enum FileTexts {
  /// A size in decimal units, as file managers have it.
  static func size(_ bytes: Int64) -> String {
    guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(max(bytes, 0)) bytes" }
    var (value, units) = (bytes, ["kB", "MB", "GB", "TB", "PB", "EB"])
    while value >= 999_950, units.count > 1 {
      value /= 1000
      units.removeFirst()
    }
    let tenths = (value + 50) / 100
    return "\(tenths / 10).\(tenths % 10) \(units[0])"
  }

  /// A day and the time of it.
  static func date(_ fields: DateFields) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(fields.year)-\(two(fields.month))-\(two(fields.day)) \(two(fields.hour)):\(two(fields.minute))"
  }
}
