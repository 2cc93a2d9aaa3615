import ProsceniumJSON
import ProsceniumTrace

/// Makes the interfaces of files, and puts them into their windows before their scenes connect.
///
/// Opens nothing where no configuration names a file.
final class InterfaceFiles: FeatureBase, Feature, ScenePreparer {
  final class SceneState: SceneFeatureState {
    /// The interface that the next connection puts into its window, and its file.
    var loaded: (path: String, interface: LoadedInterface)?
    /// The window that is shown once the scene has connected.
    weak var window: Window?
  }

  /// The files whose warnings have been reported.
  private var reported: Set<String> = []

  /// Whether an interface has been made: scenes of programs without any keep no state for it.
  private var isUsed = false

  static let manifestProperties: [ManifestProperty] = [
    ManifestProperty(name: "mainInterface", expected: "the path of a file, for a program that has a main interface") {
      value, manifest in
      manifest.mainInterface = manifest.mainInterface?.at(value)
      return manifest.mainInterface is InterfaceOfManifest
    }
  ]

  static let configurationProperties: [String: @MainActor (JSONValue, SceneConfiguration) -> Bool] = [
    "interfaceFile": { value, configuration in
      configuration.interfaceFile = configuration.interfaceFile?.at(value)
      return configuration.interfaceFile is InterfaceOfManifest
    }
  ]

  override func join(_ lists: inout FeatureLists) {
    lists.preparers.append(self)
    lists.observe(before: [.sceneWillConnect], after: [.sceneWillConnect], by: self)
  }

  func prepare(_ record: SceneRecord, _ delegate: AnyObject?) throws(SceneError) {
    let isAppBased = conductor.machine.model == .appBased
    let configuration = record.session.configuration
    guard let source = isAppBased ? application.resolvedManifest.mainInterface : configuration.interfaceFile else {
      return
    }
    isUsed = true
    let state = state(of: record)
    state.loaded = nil
    do throws(InterfaceError) {
      try check(configuration.sceneClass, delegate)
      let call = CallDescription("the making of \(source.path)", scene: record.identifier)
      state.loaded = try conductor.timed(call) { () throws(InterfaceError) in
        let document = try InterfaceDocument(contentsOf: source.path)
        do throws(InterfaceError) { return (document.path, try source.load(document)) } catch {
          throw InterfaceError(path: document.path, line: error.line, error.reason)
        }
      }
    } catch {
      throw SceneError(.requestDenied, error.description)
    }
    report(state.loaded)
  }

  /// A window that the interface can be put into is there, or can be made.
  private func check(_ sceneClass: Scene.Type?, _ delegate: AnyObject?) throws(InterfaceError) {
    if let sceneClass, !(sceneClass is WindowScene.Type) {
      throw InterfaceError(line: nil, "An interface file is for a WindowScene, and the scenes are \(sceneClass)s.")
    }
    if let delegate = delegate as? any WindowSceneDelegate, delegate.ownWindow == nil, !delegate.takesAnyWindow {
      throw InterfaceError(
        line: nil,
        "The window of \(type(of: delegate)) is of a class of its own. Make it in the delegate's initialiser, so that "
          + "the interface file is put into it.")
    }
  }

  /// Reports, in debug builds and once for each file, what of it has no effect.
  private func report(_ loaded: (path: String, interface: LoadedInterface)?) {
    #if DEBUG
      guard let loaded, !loaded.interface.warnings.isEmpty, reported.insert(loaded.path).inserted else { return }
      for warning in loaded.interface.warnings {
        conductor.report(InterfaceError(path: loaded.path, line: warning.line, warning.reason).description)
      }
    #endif
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    guard isUsed else { return [] }
    return switch moment {
    case .before(.sceneWillConnect, let record), .implicitSceneMade(let record): install(in: record)
    case .after(.sceneWillConnect, let record): show(in: record)
    default: []
    }
  }

  private func install(in record: SceneRecord) -> [FeatureAction] {
    let state = state(of: record)
    guard let (path, interface) = state.loaded, let scene = record.windowScene else { return [] }
    state.loaded = nil
    if let size = interface.windowSize { record.session.configuration.launchSize = size }
    let call = CallDescription("the interface of \(path)", scene: record.identifier)
    let window = conductor.timed(call) {
      let window = takeWindow(of: scene)
      interface.install(window)
      return window
    }
    state.window = window
    return [
      .trace(
        .system(
          "interface",
          [
            "scene": .string(record.identifier), "file": .string(path), "controller": .string(interface.controller),
            "window": window.id.map { .string($0.description) },
          ]))
    ]
  }

  /// The delegate's own window, or a new one, which the delegate has now.
  private func takeWindow(of scene: WindowScene) -> Window {
    let delegate = scene.delegate as? any WindowSceneDelegate
    let main = conductor.machine.model == .appBased ? application.delegate as? any MainInterfaceDelegate : nil
    if let window = delegate?.ownWindow ?? main?.window {
      window.windowScene = scene
      return window
    }
    let window = Window(windowScene: scene)
    delegate?.take(window)
    main?.window = window
    return window
  }

  private func show(in record: SceneRecord) -> [FeatureAction] {
    let state = state(of: record)
    // Not one that the program has moved elsewhere meanwhile.
    if let window = state.window, window.windowScene === record.scene { window.makeKeyAndVisible() }
    state.window = nil
    return []
  }
}

extension WindowSceneLifecycleDelegate {
  /// The delegate's window, whatever its class.
  fileprivate var ownWindow: Window? { window }

  /// Whether the delegate's window need not be of a subclass.
  fileprivate var takesAnyWindow: Bool { SceneWindow.self == Window.self }

  /// Sets the delegate's window, where it is of the right class.
  fileprivate func take(_ new: Window) { if let new = new as? SceneWindow { window = new } }
}
