import FoundationEssentials
import Glibc

/// A folder that a dialog for files leads to with one step.
struct FilePlace: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case home
    /// A folder of the user's for one kind of files.
    case folder
    /// A disk that was put in, or the files of another machine.
    case medium
    /// The root of all files.
    case root
  }

  var kind: Kind
  var name: String
  var path: String

  /// The places of the user, those that are there; as ``Folder``, not for the main thread.
  /// - Parameter home: The user's home folder.
  /// - Returns: The places, in the order in which they are shown.
  static func all(home: String) -> [FilePlace] {
    let variable = getenv("XDG_CONFIG_HOME").flatMap { String(validatingCString: $0) }
    let settings = variable.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? FilePath.child(".config", of: home)
    let folders = userFolders(in: text(of: FilePath.child("user-dirs.dirs", of: settings)), home: home)
    return all(
      home: home, folders: folders.filter { Folder.kind(of: $0) == .folder }, mounts: text(of: "/proc/self/mounts"))
  }

  private static func text(of path: String) -> String {
    (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The folders that a file of xdg-user-dirs names: lines such as `XDG_MUSIC_DIR="$HOME/Music"`, the last one of a
  /// name, with backslashes before signs of the shell.
  static func userFolders(in file: String, home: String) -> [String] {
    var folders: [Substring: String] = [:]
    for line in file.unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\r" }) {
      let parts = Substring(line).split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let path = quoted(parts[1]) else { continue }
      let isAtHome = path == "$HOME" || path.hasPrefix("$HOME/")
      guard isAtHome || path.hasPrefix("/") else { continue }
      let name = parts[0].drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
      folders[name] = FilePath.typed(isAtHome ? "~" + path.dropFirst(5) : path, in: "/", home: home)
    }
    let names = ["DESKTOP", "DOCUMENTS", "DOWNLOAD", "MUSIC", "PICTURES", "VIDEOS"]
    return names.compactMap { folders["XDG_\($0)_DIR"] }
  }

  /// The text between the quotes at the start.
  private static func quoted(_ text: Substring) -> String? {
    var rest = text.drop(while: \.isWhitespace)
    guard rest.popFirst() == "\"" else { return nil }
    var result = ""
    while let sign = rest.popFirst(), sign != "\"" {
      guard let taken = sign == "\\" ? rest.popFirst() : sign else { break }
      result.append(taken)
    }
    return result
  }

  /// The places.
  /// - Parameters:
  ///   - home: The home folder.
  ///   - folders: The paths of the user's folders; the home folder stands for those that the user has not.
  ///   - mounts: The file systems, as proc(5) lists them in `/proc/self/mounts`.
  /// - Returns: The places, each path once.
  static func all(home: String, folders: [String], mounts: String) -> [FilePlace] {
    var places = [FilePlace(kind: .home, name: "Home", path: home)]
    for path in folders { places.append(FilePlace(kind: .folder, name: FilePath.name(of: path), path: path)) }
    for line in mounts.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count > 1, let path = unescaped(parts[1]), mediaFolders.contains(where: path.hasPrefix) else {
        continue
      }
      places.append(FilePlace(kind: .medium, name: FilePath.name(of: path), path: path))
    }
    places.append(FilePlace(kind: .root, name: "Computer", path: "/"))
    var known: Set<String> = []
    return places.filter { known.insert($0.path).inserted }
  }

  /// Where media are mounted for users (udisks(8), and the Filesystem Hierarchy Standard).
  private static let mediaFolders = ["/media/", "/run/media/", "/mnt/"]

  /// A path of `/proc/self/mounts`, in which `\040` stands for a space, and the like; nil for one that is no UTF-8.
  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
