/// What a preference is called, what type it has, and what it is until somebody chooses otherwise.
///
/// ```swift
/// extension PreferenceKey where Value == Int {
///   static var fontSize: Self { Self("fontSize", default: 12) }
/// }
/// ```
public struct PreferenceKey<Value: Codable & Sendable>: Sendable {
  /// The name in the file.
  public let name: String
  /// What reading answers where the file says nothing that can be read as a `Value`; never written.
  public let defaultValue: Value

  /// A key.
  /// - Parameters:
  ///   - name: The name in the file; one name has one type.
  ///   - defaultValue: What reading answers where nothing has been chosen.
  public init(_ name: String, default defaultValue: Value) {
    self.name = name
    self.defaultValue = defaultValue
  }
}
