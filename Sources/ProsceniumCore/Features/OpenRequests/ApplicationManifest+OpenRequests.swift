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

extension Application {
  /// The entries of the menu that launchers show at the program's icon; those of the manifest at launch.
  ///
  /// Setting them changes the items that the running program performs, and rewrites the desktop entry where one is
  /// installed (`--install-desktop-entry`). On the main thread.
  public var shortcutItems: [ApplicationShortcutItem] {
    get { resolvedManifest.shortcutItems }
    set {
      guard newValue != shortcutItems else { return }
      resolvedManifest.shortcutItems = newValue
      host.openableContentChanged?(self)
    }
  }
}

private enum ReplaysKey: FeatureValueKey { static var initial: Bool { false } }
