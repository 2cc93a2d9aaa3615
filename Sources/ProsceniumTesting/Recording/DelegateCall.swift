/// A call of a delegate, as a value.
public struct DelegateCall: Hashable, Sendable, CustomStringConvertible {
  /// The callback, by its name in the trace: `sceneDidBecomeActive`, `openURLContexts`, `applicationWillTerminate`.
  public var name: String
  /// The number of the scene's session in the order in which sessions first appeared, from 1; nil for the application's
  /// delegate.
  public var scene: Int?
  /// What the call delivers, as texts: URLs, types, reasons.
  public var details: [String]

  /// Makes a call.
  /// - Parameters:
  ///   - name: The callback.
  ///   - scene: The number of the scene's session; nil for the application's delegate.
  ///   - details: What the call delivers.
  public init(_ name: String, scene: Int? = nil, _ details: [String] = []) {
    self.name = name
    self.scene = scene
    self.details = details
  }

  /// `scene1 sceneDidBecomeActive`, `applicationWillTerminate`, `scene2 openURLContexts note:a note:b`.
  public var description: String {
    ((scene.map { ["scene\($0)"] } ?? []) + [name] + details).joined(separator: " ")
  }
}
