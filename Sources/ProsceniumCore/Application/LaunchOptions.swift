public import FoundationEssentials

/// Why and with what the program was launched.
///
/// In the scene-based model URLs come in the first scene's ``Scene/ConnectionOptions`` as well, and are best read
/// there.
public struct LaunchOptions: Hashable, Sendable {
  /// URLs and files of the command line that the delegate declared to open.
  public var urls: [URL]
  /// Whether `--background` was given: no window is shown until something activates a scene.
  public var isBackground: Bool

  /// Options, as the framework or a test makes them.
  public init(urls: [URL] = [], isBackground: Bool = false) {
    self.urls = urls
    self.isBackground = isBackground
  }

  /// Takes `--background` and declared URLs and files from the arguments; everything else is the program's own.
  ///
  /// A lone `--` ends the search: what follows it is left alone.
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - schemes: URL schemes that the program opens.
  ///   - extensions: File name extensions that the program opens.
  ///   - directory: Where relative file names start.
  ///   - fileExists: Whether there is a file at a path.
  init(
    arguments: some Sequence<String>, schemes: Set<String>, extensions: Set<String>, directory: String,
    fileExists: (String) -> Bool
  ) {
    self.init()
    let schemes = Set(schemes.map { $0.lowercased() })
    let extensions = Set(extensions.map { $0.lowercased() })
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      if argument == "--" { return }
      // The session manager's word to its client: what follows is no file of the user's.
      if argument == "--session-id" {
        _ = rest.next()
        continue
      }
      if argument == "--background" { isBackground = true }
      if argument.isEmpty || argument.utf8.count > 65_536 || argument.hasPrefix("-") { continue }
      if let colon = argument.firstIndex(of: ":"), schemes.contains(argument[..<colon].lowercased()) {
        if let url = URL(string: argument) { urls.append(url) }
        continue
      }
      let name = argument.split(separator: "/").last ?? ""
      guard let dot = name.lastIndex(of: "."), extensions.contains(name[name.index(after: dot)...].lowercased()) else {
        continue
      }
      let path = argument.hasPrefix("/") ? argument : directory + "/" + argument
      if fileExists(path) { urls.append(URL(filePath: path)) }
    }
  }
}
