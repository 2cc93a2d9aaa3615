public import FoundationEssentials

/// A kind of files that the user can choose among in a dialog.
///
/// A file belongs to it that has one of the extensions or one of the content types.
public struct FileFilter: Hashable, Sendable {
  /// Its name for the user, such as "Pictures".
  public var name: String
  /// File name extensions without the dot, compared without regard to case: `png`, `tar.gz`.
  public var extensions: [String]
  /// MIME types, such as `text/plain` or `image/*`, which the desktop's dialog knows; the toolkit's own dialog goes by
  /// ``extensions`` alone.
  public var contentTypes: [String]

  /// Creates a filter.
  /// - Parameters:
  ///   - name: Its name for the user.
  ///   - extensions: File name extensions without the dot.
  ///   - contentTypes: MIME types.
  public init(_ name: String, extensions: [String] = [], contentTypes: [String] = []) {
    (self.name, self.extensions, self.contentTypes) = (name, extensions, contentTypes)
  }
}

/// What a dialog for files shows; everything has a default.
public struct FileDialogOptions: Hashable, Sendable {
  /// The title of the dialog; where empty, what it does.
  public var title = ""
  /// The title of the button that accepts, such as "Import"; the dialog's own where empty.
  public var acceptLabel = ""
  /// The folder that is shown first; where nil, or where it is not there, the one that the dialog chooses.
  public var directory: URL?
  /// The name that a file is saved under unless the user writes another one.
  public var suggestedName = ""
  /// The kinds of files, of which the first is chosen first; all files where there are none.
  public var filters: [FileFilter] = []
  /// Whether several files can be opened at once.
  public var allowsMultipleSelection = false

  /// Creates options.
  /// - Parameters:
  ///   - title: The title of the dialog.
  ///   - directory: The folder that is shown first.
  ///   - suggestedName: The name that a file is saved under.
  ///   - filters: The kinds of files.
  ///   - allowsMultipleSelection: Whether several files can be opened at once.
  public init(
    title: String = "", directory: URL? = nil, suggestedName: String = "", filters: [FileFilter] = [],
    allowsMultipleSelection: Bool = false
  ) {
    (self.title, self.directory, self.suggestedName) = (title, directory, suggestedName)
    (self.filters, self.allowsMultipleSelection) = (filters, allowsMultipleSelection)
  }
}

/// What a dialog for files is for.
public enum FileDialogKind: Hashable, Sendable, CaseIterable {
  /// Files that exist are opened.
  case open
  /// A file is saved, which may exist.
  case save
  /// A folder is chosen.
  case folder
}
