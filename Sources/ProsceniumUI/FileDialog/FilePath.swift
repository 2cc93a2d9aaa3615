/// Steps along the paths of files, by their names alone.
enum FilePath {
  /// The path of what is in a folder.
  static func child(_ name: String, of folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The folder that holds what is at a path; nil for the root.
  static func parent(of path: String) -> String? {
    let parts = parts(of: path)
    return parts.isEmpty ? nil : "/" + parts.dropLast().joined(separator: "/")
  }

  /// The last part of a path; empty for the root.
  static func name(of path: String) -> String { parts(of: path).last.map(String.init) ?? "" }

  /// By bytes: a name may begin with what makes one character with the slash before it.
  private static func parts(of path: String) -> [Substring] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
  }

  /// A name as one line: a sign stands for each line break, which a name may hold.
  static func shown(_ name: String) -> String {
    String(
      String.UnicodeScalarView(name.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{2424}" : $0 }))
  }

  /// A name without its extension.
  static func stem(of name: String) -> Substring {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name[...] }
    return name[..<dot]
  }

  /// The absolute path for what a user has typed, without steps upwards.
  /// - Parameters:
  ///   - text: An absolute path, one from the home folder (`~`), or one from the present folder.
  ///   - folder: The present folder.
  ///   - home: The user's home folder.
  /// - Returns: The path; nil for no text, and for one that no path can hold.
  static func typed(_ text: String, in folder: String, home: String) -> String? {
    guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
    let isAtHome = text == "~" || text.utf8.starts(with: "~/".utf8)
    let path =
      text.utf8.starts(with: "/".utf8)
      ? text : isAtHome ? child(String(text.dropFirst()), of: home) : child(text, of: folder)
    var parts: [Substring] = []
    for part in Self.parts(of: path) where part != "." {
      if part != ".." { parts.append(part) } else { _ = parts.popLast() }
    }
    return "/" + parts.joined(separator: "/")
  }
}
