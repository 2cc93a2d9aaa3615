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
    let members: [String: JSONValue]
    do {
      let bytes = try TrustedFile.bytes(of: path, most: Self.longestFile + 1)
      guard bytes.count <= Self.longestFile else {
        return ["The manifest \(path) was not read: it has more than \(Self.longestFile) bytes."]
      }
      members = try JSONValue.object(in: bytes)
    } catch TrustedFile.Failure.system(let error) {
      return error.code == ENOENT ? [] : ["The manifest \(path) could not be read: \(error)."]
    } catch TrustedFile.Failure.foreign(let reason) {
      return ["The manifest \(path) was not used, because \(reason)."]
    } catch {
      return ["The manifest \(path) was not used: it is not the text of a JSON object."]
    }
    return members.sorted { $0.key < $1.key }.compactMap { replaceValue($0, $1, in: path) }
  }

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
