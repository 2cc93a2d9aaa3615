/// The reason why an interface file cannot be used.
public struct InterfaceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file; nil where it is not known.
  public var path: String?
  /// The line of the file, from 1; nil for an error of the whole file.
  public var line: Int?
  /// The reason, as a sentence.
  public var reason: String

  /// Makes an error.
  /// - Parameters:
  ///   - path: The path of the file; nil where the caller adds it.
  ///   - line: The line of the file, from 1; nil for an error of the whole file.
  ///   - reason: The reason, as a sentence.
  public init(path: String? = nil, line: Int?, _ reason: String) {
    self.path = path
    self.line = line
    self.reason = reason
  }

  /// The path, the line and the reason, as compilers write them: `Main.ui:12: ...`.
  public var description: String {
    let place = [path, line.map(String.init)].compactMap { $0 }.joined(separator: ":")
    return place.isEmpty ? reason : place + ": " + reason
  }
}
