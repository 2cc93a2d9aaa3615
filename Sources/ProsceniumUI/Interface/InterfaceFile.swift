public import ProsceniumCore

/// An interface that is drawn in Glade or Cambalache, in the format of GtkBuilder.
///
/// ```swift
/// let configuration = SceneConfiguration(name: "Card", delegate: CardScene.init)
/// configuration.interfaceFile = InterfaceFile("App_Card.resources/Card.ui", classes: [
///   InterfaceClass("CardController", CardController.init) {
///     $0.outlet("title", \.titleLabel)
///     $0.action("turn", CardController.turn)
///   }
/// ])
/// ```
///
/// The template of the file is the interface, else its first window, else its first view. The class of a template is
/// the program's, which controls the interface or is its view; otherwise a ``ViewController`` does. Other objects are
/// made too, for outlets.
/// The article *Interface files* has the widgets, the properties and the signals that are known.
@preconcurrency @MainActor public struct InterfaceFile: InterfaceSource {
  /// The path: an absolute one, or one from the folder of the executable.
  public nonisolated let path: String
  /// The classes of the program that the file may name.
  public let classes: [InterfaceClass]
  /// Translates a text that the file marks as translatable, with its context, which may be missing; the text as it is
  /// by default.
  public var translate: @MainActor (_ text: String, _ context: String?) -> String = { text, _ in text }

  /// Names a file, which is not read yet.
  /// - Parameters:
  ///   - path: The path: an absolute one, or one from the folder of the executable.
  ///   - classes: The classes of the program that the file may name.
  public init(_ path: String, classes: [InterfaceClass] = []) {
    self.path = path
    self.classes = classes
  }

  /// Makes the objects of the file, for a window that the framework makes.
  ///
  /// Called by the framework; see `SceneConfiguration.interfaceFile`.
  /// - Parameter document: The file.
  /// - Returns: The interface.
  /// - Throws: The first error, with its line.
  public func load(_ document: InterfaceDocument) throws(InterfaceError) -> LoadedInterface {
    let builder = InterfaceBuilder(self, document)
    let controller = try builder.makeController()
    let frame = builder.window
    return LoadedInterface(
      controller: "\(type(of: controller))", windowSize: frame.size, warnings: builder.warnings
    ) { window in
      if let title = frame.title { window.title = title }
      if let size = frame.minimumSize { window.minimumSize = size }
      if !frame.isResizable, let size = frame.size { (window.minimumSize, window.maximumSize) = (size, size) }
      window.rootViewController = controller
    }
  }

  /// Reads the file and makes its view controller, for a window or a parent of the program's own.
  /// - Returns: The controller, whose view is there and in no window.
  /// - Throws: The first error, with the path and the line.
  public func makeViewController() throws(InterfaceError) -> ViewController {
    let document = try InterfaceDocument(contentsOf: path)
    do throws(InterfaceError) { return try InterfaceBuilder(self, document).makeController() } catch {
      throw InterfaceError(path: document.path, line: error.line, error.reason)
    }
  }
}
