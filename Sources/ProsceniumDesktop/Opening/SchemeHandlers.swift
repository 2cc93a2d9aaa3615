import Glibc

/// Whether an installed program opens URLs of a scheme, by the files of the desktop environment (MIME Applications
/// Associations Specification).
struct SchemeHandlers: Sendable {
  var folders: DataFolders

  func hasHandler(for scheme: String) -> Bool {
    let type = "x-scheme-handler/\(scheme.lowercased())"
    var removed: Set<Substring> = []
    for list in lists {
      guard let text = SmallFile.read(list) else { continue }
      var added: [Substring] = []
      var removedHere: [Substring] = []
      var section: Substring = ""
      // CR and LF are one character.
      for line in text.split(whereSeparator: \.isNewline) {
        if line.hasPrefix("[") {
          section = line
        } else if line.hasPrefix(type + "=") {
          let names = line.dropFirst(type.count + 1).split(separator: ";")
          if section == "[Removed Associations]" { removedHere += names } else { added += names }
        }
      }
      if added.contains(where: { !removed.contains($0) && isInstalled($0) }) { return true }
      // Lists that come later cannot add what this one removes.
      removed.formUnion(removedHere)
    }
    return false
  }

  /// The lists in the order in which they count: the user's, the system's, those of installed programs.
  private var lists: [String] {
    var lists: [String] = []
    let names = folders.desktops.map { "\($0)-mimeapps.list" } + ["mimeapps.list"]
    for folder in folders.configuration { lists += names.map { "\(folder)/\($0)" } }
    for folder in folders.data {
      lists += names.map { "\(folder)/applications/\($0)" }
      lists.append("\(folder)/applications/mimeinfo.cache")
    }
    return lists
  }

  private func isInstalled(_ entry: Substring) -> Bool {
    guard entry.hasSuffix(".desktop"), !entry.contains("/") else { return false }
    return folders.data.contains { folder in
      let applications = "\(folder)/applications/"
      if access(applications + entry, R_OK) == 0 { return true }
      // The id of an entry in a subfolder begins with the subfolder's name.
      guard let hyphen = entry.firstIndex(of: "-") else { return false }
      return access(applications + entry[..<hyphen] + "/" + entry[entry.index(after: hyphen)...], R_OK) == 0
    }
  }
}

/// The folders of the desktop environment's files, the user's own first (XDG Base Directory Specification).
struct DataFolders: Hashable, Sendable {
  /// The variables of the environment that it reads.
  static let variables = [
    "HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "XDG_DATA_HOME",
  ]

  /// The folder of files for the user alone; nil where there is no home.
  var dataHome: String?
  var data: [String]
  var configuration: [String]
  /// The desktop environment's names in lowercase, the most specific one first.
  var desktops: [String]

  init(_ environment: [String: String]) {
    // "All paths must be absolute. If an implementation encounters a relative path it should consider it invalid."
    func folder(_ name: String, _ rest: String) -> String? {
      if let path = environment[name], path.hasPrefix("/") { return path }
      return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + rest : nil }
    }
    func list(_ name: String, _ usual: String) -> [String] {
      let text = environment[name] ?? ""
      return (text.isEmpty ? usual : text).split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }
    dataHome = folder("XDG_DATA_HOME", "/.local/share")
    data = [dataHome].compactMap(\.self) + list("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
    configuration =
      [folder("XDG_CONFIG_HOME", "/.config")].compactMap(\.self) + list("XDG_CONFIG_DIRS", "/etc/xdg")
    desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":").map { $0.lowercased() }
  }
}
