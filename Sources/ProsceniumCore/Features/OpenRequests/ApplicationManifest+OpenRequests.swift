import ProsceniumJSON

extension ApplicationManifest {
  /// The URL schemes that the program opens: an argument of the command line that is such a URL is opened.
  ///
  /// Empty by default.
  public var openedURLSchemes: Set<String> {
    get { openable.schemes }
    set { openable.schemes = newValue }
  }

  /// The file name extensions that the program opens, without the dot: an argument of the command line that names such
  /// a file, if it exists, is opened.
  ///
  /// Empty by default.
  public var openedFileExtensions: Set<String> {
    get { openable.fileExtensions }
    set { openable.fileExtensions = newValue }
  }

  /// The entries of the menu that launchers show at the program's icon; empty by default.
  ///
  /// `--install-desktop-entry` writes them as actions of the desktop entry. A launcher calls `ActivateAction` over
  /// D-Bus, or starts the program with `--action <type>`; any other name is refused. Without items `--action` is the
  /// program's own. ``Application/shortcutItems`` replaces them while the program runs.
  public var shortcutItems: [ApplicationShortcutItem] {
    get { openable.shortcutItems }
    set { openable.shortcutItems = newValue }
  }

  /// Whether URLs, shortcut items and activities that a scene would find in its connection options are delivered by the
  /// callbacks of a running program instead (our addition); false by default.
  ///
  /// Then `scene(_:openURLContexts:)`, `scene(_:continue:)` and `windowScene(_:performActionFor:completionHandler:)`
  /// are the one place to handle them: they are called between the first `sceneWillEnterForeground` and
  /// `sceneDidBecomeActive`, also after a launch.
  public var replaysConnectionPayloads: Bool {
    get { values[ReplaysKey.self] }
    set { values[ReplaysKey.self] = newValue }
  }
}

private enum ReplaysKey: FeatureValueKey { static var initial: Bool { false } }

extension ApplicationShortcutItem {
  static let expectedInFile =
    "an array of objects with type and title, and with subtitle, icon, targetContentIdentifier or userInfo, all of "
    + "them strings but userInfo, an object with strings"

  /// The items of an array in the manifest's file; nil where it is none, or one of its values is no item.
  static func items(inFile value: JSONValue) -> [ApplicationShortcutItem]? {
    guard case .array(let values) = value else { return nil }
    let items = values.compactMap { ApplicationShortcutItem(inFile: $0) }
    return items.count == values.count ? items : nil
  }

  /// Makes the item of an object in the manifest's file; nil where it is none.
  private init?(inFile value: JSONValue) {
    guard let members = value.members else { return nil }
    self.init(type: "", localizedTitle: "")
    for (key, value) in members {
      switch (key, value) {
      case ("type", .string(let text)): type = text
      case ("title", .string(let text)): localizedTitle = text
      case ("subtitle", .string(let text)): localizedSubtitle = text
      case ("icon", .string(let text)): icon = text
      case ("targetContentIdentifier", .string(let text)): targetContentIdentifier = text
      case ("userInfo", .object(let values)):
        userInfo = values.compactMapValues(\.text)
        guard userInfo.count == values.count else { return nil }
      default: return nil
      }
    }
    guard !type.isEmpty, !localizedTitle.isEmpty else { return nil }
  }
}
