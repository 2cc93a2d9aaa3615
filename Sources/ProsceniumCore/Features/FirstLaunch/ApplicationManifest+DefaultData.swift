import ProsceniumJSON

/// The data that a program brings along, and copies into its support directory at its first launch.
///
/// ```swift
/// manifest.version = "2.1"
/// manifest.defaultData = DefaultData(
///   folder: "../share/editor", files: ["Themes", "dictionary.txt"], templates: ["Letter.txt"])
/// ```
///
/// Copied at the first launch, and at the first one of each other ``ApplicationManifest/version``, before
/// `application(_:willFinishLaunchingWithOptions:)` is called: ``LaunchOptions/firstLaunch``. The names are the same in
/// ``Directories/support``. All files are copied or none: they are written under other names, synced, and renamed when
/// all of them are on the disk; a launch that a kill or a power cut interrupts is repeated by the next one, before the
/// program sees anything. A file is read as a whole, and has 256 MiB at most; copies have the mode 0600, or 0700
/// where the owner may execute the original, and their folders 0700. The copying is a part of the launch, which the
/// watchdog limits (``WatchdogLimits/launch``).
///
/// What the user has changed stays: a file that is not what was copied last, a file that was copied and is gone, and
/// a link or a folder in a file's place. A file that a new version no longer has stays, too.
public struct DefaultData: Hashable, Sendable {
  /// The folder that has the files: an absolute path, or one from the folder of the executable.
  ///
  /// The folder and what is read of it belong to root, to the user, or to the owner of the executable, and other
  /// users may not write to it; links in it are not followed.
  public var folder: String
  /// Files, and folders with all that is in them, which a new version replaces where the user has left them as they
  /// were.
  ///
  /// Names within the folder, such as `Themes/dark.json`: no part of them is `.` or `..`.
  public var files: [String]
  /// Files and folders that are prepared for the user to be changed: copied once, where there is no such file, and
  /// never replaced by another version.
  ///
  /// A name that is in ``files``, too, is a template.
  public var templates: [String]

  /// Makes a description of data; by default of none.
  /// - Parameters:
  ///   - folder: The folder that has the files: an absolute path, or one from the folder of the executable.
  ///   - files: Files and folders that a new version replaces where the user has left them as they were.
  ///   - templates: Files and folders that are copied once.
  public init(folder: String = "", files: [String] = [], templates: [String] = []) {
    self.folder = folder
    self.files = files
    self.templates = templates
  }

  /// Whether there is nothing to copy.
  var isEmpty: Bool { files.isEmpty && templates.isEmpty }

  @MainActor static let properties: [String: (JSONValue, inout DefaultData) -> Bool] = [
    "folder": { value, data in value.text.map { data.folder = $0 } != nil },
    "files": { value, data in value.texts.map { data.files = $0 } != nil },
    "templates": { value, data in value.texts.map { data.templates = $0 } != nil },
  ]
}

extension JSONValue {
  /// The texts of an array of nothing else; nil for every other value.
  fileprivate var texts: [String]? {
    guard case .array(let values) = self else { return nil }
    let texts = values.compactMap(\.text)
    return texts.count == values.count ? texts : nil
  }
}

extension ApplicationManifest {
  /// The version of the program, as people read it; nil, the default, for none.
  ///
  /// The first launch of another version than the last one copies the ``defaultData`` again, and is told as one
  /// (``LaunchOptions/firstLaunch``), also where there are no data: the support directory then has a record of the
  /// version alone. Versions are compared as texts: an older one counts as another one.
  public var version: String? {
    get { values[VersionKey.self] }
    set { values[VersionKey.self] = newValue }
  }

  /// The data that are copied into the support directory at the first launch; none by default.
  public var defaultData: DefaultData {
    get { values[DefaultDataKey.self] }
    set { values[DefaultDataKey.self] = newValue }
  }
}

private enum VersionKey: FeatureValueKey { static var initial: String? { nil } }
private enum DefaultDataKey: FeatureValueKey { static var initial: DefaultData { DefaultData() } }
