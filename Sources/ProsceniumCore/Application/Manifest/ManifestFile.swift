import Glibc
import ProsceniumJSON
import ProsceniumLoop
import ProsceniumStore

extension ApplicationManifest {
  /// The most bytes of a manifest's file.
  private static let longestFile = 1 << 20

  /// Replaces the values that are in a file.
  ///
  /// An invalid value is ignored.
  /// - Parameter path: The file's path; nothing happens where there is no such file.
  /// - Returns: A sentence about each value that could not be used.
  @MainActor mutating func replaceValues(from path: String) -> [String] {
    do throws(TrustedFile.Failure) {
      let bytes = try TrustedFile.bytes(of: path, most: Self.longestFile + 1)
      guard bytes.count <= Self.longestFile else {
        return ["The manifest \(path) was not read: it has more than \(Self.longestFile) bytes."]
      }
      return replaceValues(of: bytes, named: path)
    } catch {
      return switch error {
      case .system(let error): error.code == ENOENT ? [] : ["The manifest \(path) could not be read: \(error)."]
      case .foreign(let reason): ["The manifest \(path) was not used, because \(reason)."]
      }
    }
  }

  /// Replaces the values that are in the text of a JSON object; see ``replaceValues(from:)``.
  /// - Parameters:
  ///   - bytes: The text.
  ///   - name: What the sentences call the manifest.
  /// - Returns: A sentence about each value that could not be used.
  @MainActor package mutating func replaceValues(of bytes: [UInt8], named name: String) -> [String] {
    guard let members = try? JSONValue.object(in: bytes) else {
      return ["The manifest \(name) was not used: it is not the text of a JSON object."]
    }
    return members.sorted { $0.key < $1.key }.compactMap { replaceValue($0, $1, in: name) }
  }

  /// Why nothing can be stored under the application's identifier, as a sentence; nil where it can.
  package var identifierProblem: String? { StorePlace.problem(of: applicationIdentifier) }

  /// Replaces one value; returns a sentence where it is invalid.
  @MainActor private mutating func replaceValue(_ name: String, _ value: JSONValue, in path: String) -> String? {
    let properties = ManifestProperty.common + Features.all.flatMap { $0.manifestProperties }
    guard let property = properties.first(where: { $0.name == name }) else {
      let names = properties.map(\.name).sorted().joined(separator: ", ")
      return "The manifest \(path) has \"\(name)\", which the program does not know. It knows \(names)."
    }
    var replaced = self
    guard property.replace(value, &replaced) else {
      return "The manifest \(path) has a value of \"\(name)\" that cannot be used. It has to be \(property.expected)."
    }
    self = replaced
    return nil
  }
}
