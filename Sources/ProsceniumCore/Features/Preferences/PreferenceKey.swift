/// The name, the type and the default value of a preference.
///
/// ```swift
/// extension PreferenceKey where Value == Int {
///   static var fontSize: Self { Self("fontSize", default: 12) }
/// }
/// ```
public struct PreferenceKey<Value: Codable & Sendable>: Sendable {
  /// The name in the file.
  public let name: String
  /// The value where the file has no value that can be decoded as a `Value`; never written.
  public let defaultValue: Value

  /// Makes a key.
  /// - Parameters:
  ///   - name: The name in the file; one name has one type.
  ///   - defaultValue: The value where the user has not chosen any.
  public init(_ name: String, default defaultValue: Value) {
    self.name = name
    self.defaultValue = defaultValue
  }
}
