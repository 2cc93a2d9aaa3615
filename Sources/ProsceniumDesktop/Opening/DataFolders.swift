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
