public import FoundationEssentials

/// The content of a window that shows dialogs for files itself, where the desktop environment shows none: the door for
/// toolkits.
///
/// The views of `ProsceniumUI` are such a content.
@MainActor public protocol FileDialogPresenter: WindowContent {
  /// Shows a dialog above the window.
  ///
  /// Called where the desktop has no portal for it. When the task is cancelled, because the window or its scene is
  /// gone, the dialog has to be taken down.
  /// - Parameters:
  ///   - kind: What the dialog is for.
  ///   - options: What it shows.
  /// - Returns: What the user has chosen; nothing where the user does not want it.
  /// - Throws: An error, which is passed on to the program.
  func presentFileDialog(_ kind: FileDialogKind, options: FileDialogOptions) async throws -> [URL]
}
