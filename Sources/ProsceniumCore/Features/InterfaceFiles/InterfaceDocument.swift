import Glibc
import ProsceniumLoop
import ProsceniumStore

/// An interface file that has been read: its elements, and the folder for what belongs to it.
public struct InterfaceDocument: Sendable {
  /// The root element.
  public let root: InterfaceElement
  /// The absolute path of the file.
  public let path: String

  /// Reads a file, without a look at what its elements mean.
  ///
  /// Call it on the main thread or on another one. The file is XML of 4 MiB, 20,000 elements and 100 levels at most,
  /// has no document type, and is read by expat, which is loaded for the first one.
  /// It and its folder belong to root, to the user or to the owner of the executable, and not all users may
  /// write to them.
  /// - Parameter path: The path: an absolute one, or one from the folder that the executable had at the launch.
  /// - Throws: The first error, with its line.
  public init(contentsOf path: String) throws(InterfaceError) {
    if path.hasPrefix("/") {
      self.path = path
    } else if let folder = ProgramName.folder {
      self.path = folder + "/" + path
    } else {
      throw InterfaceError(
        path: path, line: nil,
        "The path counts from the folder of the executable, which is not known: name the whole path.")
    }
    do throws(InterfaceError) {
      let bytes = try Self.bytes(of: self.path, most: InterfaceParser.mostBytes)
      root = try InterfaceParser.parse(bytes, with: InterfaceParser.library)
    } catch {
      throw InterfaceError(path: self.path, line: error.line, error.reason)
    }
  }

  /// Reads another file for the interface, such as a picture.
  /// - Parameters:
  ///   - name: The path: an absolute one, or one from the folder of the interface file.
  ///   - most: The most bytes that the file may have.
  /// - Returns: The bytes.
  /// - Throws: An error without a line, where the file cannot be read or has more bytes.
  public func contents(of name: String, most: Int) throws(InterfaceError) -> [UInt8] {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return try Self.bytes(of: name.hasPrefix("/") ? name : folder + name, most: most)
  }

  private static func bytes(of path: String, most: Int) throws(InterfaceError) -> [UInt8] {
    // A null byte would end the path for the system.
    guard !path.utf8.contains(0) else { throw InterfaceError(line: nil, "The path has a null character.") }
    let bytes: [UInt8]
    do throws(TrustedFile.Failure) { bytes = try TrustedFile.bytes(of: path, most: most + 1) } catch {
      switch error {
      case .system(let error): throw InterfaceError(line: nil, "The file \"\(path)\" cannot be read: \(error).")
      case .foreign(let reason): throw InterfaceError(line: nil, "The file is not used, because \(reason).")
      }
    }
    guard bytes.count <= most else {
      throw InterfaceError(line: nil, "The file \"\(path)\" has more than \(most) bytes.")
    }
    return bytes
  }
}
