import ProsceniumLoop

/// The program's declarations, which the framework reads once, before launch.
///
/// UIKit programs declare the same in their property list. A delegate has it as a property:
///
/// ```swift
/// let manifest = ApplicationManifest(
///   sceneConfigurations: [SceneConfiguration(name: "Main") { MainSceneDelegate() }])
/// ```
///
/// A file beside the program, named as the program with `.manifest.json` behind it, replaces single values, so that a
/// packager can change them: see <doc:TheManifest>. The manifest in force is ``Application/resolvedManifest``.
public struct ApplicationManifest: Sendable {
  /// The application's id, in reverse domain notation; the class part of `WM_CLASS` (ICCCM 4.1.2.5) and the name of its
  /// state directory.
  ///
  /// The program's file name by default.
  public var applicationIdentifier = ProgramName.own

  /// Every configuration of scenes by name; empty by default.
  ///
  /// The first of each role is the default of new sessions. Names must be unique.
  public var sceneConfigurations: [SceneConfiguration] = []

  /// Whether more than one scene may be open at a time; true by default (UIKit's default is false).
  public var supportsMultipleScenes = true

  /// The life-cycle model; nil, the default, for the one that the delegate implies: the scene-based model where
  /// ``sceneConfigurations`` is not empty or the delegate implements
  /// `application(_:configurationForConnecting:options:)`, else the app-based one.
  public var lifecycleModel: LifecycleModel?

  /// The behaviour of a second process while a first one runs; ``InstancePolicy/single`` by default.
  public var instancePolicy = InstancePolicy.single

  /// Whether the program ends instead of staying in the background, as with UIKit's `UIApplicationExitsOnSuspend`;
  /// false by default.
  ///
  /// Takes effect when the last scene has entered the background, if a scene has been in the foreground. The program's
  /// own delegate may refuse the end, which waits for background tasks; the sessions are restored by the next launch.
  /// About a last scene that is closed it is asked as in other programs:
  /// ``ApplicationLifecycleDelegate/applicationShouldTerminateAfterLastSceneClosed(_:)``.
  public var exitsOnSuspend = false

  /// The shape in which new scenes begin (UIKit's `UIInterfaceOrientation` of `Info.plist`);
  /// ``LaunchOrientation/automatic`` by default.
  ///
  /// On X11 no window turns the screen: where ``SceneConfiguration/launchSize`` has the other shape its sides are
  /// swapped, whatever the screen's shape is. The program's own ``Window/frame``, the place of a restored session, the
  /// user and the window manager have the last word, and ``WindowScene/interfaceOrientation`` follows the screen. A
  /// value of the manifest's file is for a device whose screen has another shape than the program was made for.
  public var launchOrientation = LaunchOrientation.automatic

  /// The content that other programs may open in this one.
  package var openable = OpenableContent()

  /// The values of features.
  var values = FeatureValues()

  /// A manifest of a program.
  /// - Parameters:
  ///   - applicationIdentifier: The application's id; the program's file name where nil.
  ///   - sceneConfigurations: The configurations of scenes.
  ///   - supportsMultipleScenes: Whether more than one scene may be open at a time.
  public init(
    applicationIdentifier: String? = nil, sceneConfigurations: [SceneConfiguration] = [],
    supportsMultipleScenes: Bool = true
  ) {
    if let applicationIdentifier { self.applicationIdentifier = applicationIdentifier }
    self.sceneConfigurations = sceneConfigurations
    self.supportsMultipleScenes = supportsMultipleScenes
  }
}
