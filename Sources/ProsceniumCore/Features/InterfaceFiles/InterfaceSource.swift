import ProsceniumJSON
import ProsceniumLoop

/// An interface file, and the toolkit that makes views of it: `InterfaceFile` of ProsceniumUI.
///
/// The framework reads the file and calls ``load(_:)`` before the scene connects; what the elements mean is the
/// toolkit's. A toolkit of another package conforms in the same way.
@preconcurrency @MainActor public protocol InterfaceSource: Sendable {
  /// The path of the file: an absolute one, or one from the folder of the executable.
  nonisolated var path: String { get }

  /// Makes the objects that a file describes, without a window.
  ///
  /// Called on the main thread, once for each connection, before the scene's window is made.
  /// - Parameter document: The file.
  /// - Returns: The interface, which is put into the window next.
  /// - Throws: The first error, with its line: the scene does not connect.
  func load(_ document: InterfaceDocument) throws(InterfaceError) -> LoadedInterface
}

/// What an interface file has been made into, before it is in a window.
@preconcurrency @MainActor public struct LoadedInterface {
  /// The class of the object that controls the interface, for the trace.
  public var controller: String
  /// The size of the window in points, in place of ``SceneConfiguration/launchSize``; nil where the file has none.
  public var windowSize: Size?
  /// What of the file has no effect; debug builds report it.
  public var warnings: [InterfaceError]
  /// Puts the interface into the window, which is hidden.
  public var install: @MainActor (Window) -> Void

  /// Makes an interface.
  /// - Parameters:
  ///   - controller: The class of the object that controls the interface.
  ///   - windowSize: The size of the window in points.
  ///   - warnings: What of the file has no effect.
  ///   - install: Puts the interface into the window.
  public init(
    controller: String, windowSize: Size? = nil, warnings: [InterfaceError] = [],
    install: @escaping @MainActor (Window) -> Void
  ) {
    self.controller = controller
    self.windowSize = windowSize
    self.warnings = warnings
    self.install = install
  }
}

extension SceneConfiguration {
  /// The file of the scene's interface, as UIKit's `storyboard`; none by default.
  ///
  /// For each connection the file is read and its objects are made before the scene is; a window is made with them, and
  /// set as the `window` of the scene's delegate, before `scene(_:willConnectTo:options:)` is called. The window is
  /// made key and visible after that call. A delegate whose `window` is a subclass makes it in its own initialiser, and
  /// the interface is put into that one. Where the file cannot be used the scene does not connect, the error says the
  /// file and the line, and a launch that opens nothing else ends with the status 1.
  ///
  /// A manifest's file may name another file for it, by a path of the same form: <doc:TheManifest>.
  ///
  /// Do not make another window for the same interface in `scene(_:willConnectTo:options:)`: both would be shown.
  public var interfaceFile: (any InterfaceSource)? {
    get { values[InterfaceKey.self].source }
    set {
      assertMainThread()
      values[InterfaceKey.self] = InterfaceReference(source: newValue)
    }
  }
}

extension ApplicationManifest {
  /// The file of the interface in the app-based model, as UIKit's `UIMainStoryboardFile`; none by default.
  ///
  /// It is read before `application(_:willFinishLaunchingWithOptions:)` is called, and its window is shown after
  /// `application(_:didFinishLaunchingWithOptions:)`. An application's delegate that conforms to
  /// ``MainInterfaceDelegate`` has it as its `window`. A manifest's file may name another file for it. In the
  /// scene-based model it is not used: see ``SceneConfiguration/interfaceFile``.
  public var mainInterface: (any InterfaceSource)? {
    get { values[InterfaceKey.self].source }
    set { values[InterfaceKey.self] = InterfaceReference(source: newValue) }
  }
}

/// The program's interface, of a file that the manifest's file names in place of the program's.
struct InterfaceOfManifest: InterfaceSource {
  nonisolated let path: String
  let source: any InterfaceSource

  func load(_ document: InterfaceDocument) throws(InterfaceError) -> LoadedInterface { try source.load(document) }
}

extension InterfaceSource {
  /// The same interface at the path that a manifest's file has; nil for a value that is no path.
  func at(_ value: JSONValue) -> InterfaceOfManifest? {
    guard let path = value.text, !path.isEmpty, !path.utf8.contains(0) else { return nil }
    return InterfaceOfManifest(path: path, source: self)
  }
}

/// An application's delegate that has the window of ``ApplicationManifest/mainInterface``.
@preconcurrency @MainActor public protocol MainInterfaceDelegate: ApplicationDelegate {
  /// The window of the interface.
  ///
  /// Set before `application(_:willFinishLaunchingWithOptions:)` is called. A window that is there already is the one
  /// that the interface is put into.
  var window: Window? { get set }
}

private enum InterfaceKey: FeatureValueKey {
  static var initial: InterfaceReference { InterfaceReference(source: nil) }
}

/// A source among the values of features; every one that is set is another value.
private struct InterfaceReference: Hashable, Sendable {
  private final class Identity: Sendable {}
  let source: (any InterfaceSource)?
  private let identity: Identity?

  init(source: (any InterfaceSource)?) {
    self.source = source
    identity = source == nil ? nil : Identity()
  }

  static func == (left: InterfaceReference, right: InterfaceReference) -> Bool { left.identity === right.identity }
  func hash(into hasher: inout Hasher) { hasher.combine(identity.map(ObjectIdentifier.init)) }
}
