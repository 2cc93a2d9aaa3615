import Glibc

extension Launch {
  /// The working directory; nil where it has been removed, or has no name in UTF-8.
  static var currentDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(validatingCString: path).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
