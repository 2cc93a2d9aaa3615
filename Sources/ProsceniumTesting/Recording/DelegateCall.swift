/// A call of a delegate, as a value.
///
/// Its text, ``description``, is also its literal, so that a test compares calls with what it expects:
///
/// ```swift
/// #expect(delegate.takeCalls() == ["scene1 sceneWillResignActive", "scene1 sceneDidEnterBackground"])
/// ```
public struct DelegateCall: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
  /// The callback, by its name in the trace: `sceneDidBecomeActive`, `openURLContexts`, `applicationWillTerminate`.
  public var name: String
  /// The number of the scene's session in the order in which sessions first appeared, from 1; nil for the application's
  /// delegate.
  public var scene: Int?
  /// What the call delivers, as text: URLs, a type, a reason; empty where it delivers nothing.
  public var details: String

  /// Makes a call.
  /// - Parameters:
  ///   - name: The callback; without a space.
  ///   - scene: The number of the scene's session; nil for the application's delegate.
  ///   - details: What the call delivers.
  public init(_ name: String, scene: Int? = nil, _ details: String = "") {
    self.name = name
    self.scene = scene
    self.details = details
  }

  /// Makes a call from its text.
  /// - Parameter text: The text, as ``description`` gives it.
  public init(stringLiteral text: String) {
    var words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    if words.count > 1, words[0].hasPrefix("scene"), let number = Int(words[0].dropFirst("scene".count)) {
      scene = number
      words.removeFirst()
    }
    name = words.first.map(String.init) ?? ""
    details = words.dropFirst().joined(separator: " ")
  }

  /// `scene1 sceneDidBecomeActive`, `applicationWillTerminate`, `scene2 openURLContexts note:a note:b`.
  public var description: String {
    ((scene.map { ["scene\($0)"] } ?? []) + [name] + (details.isEmpty ? [] : [details])).joined(separator: " ")
  }
}
