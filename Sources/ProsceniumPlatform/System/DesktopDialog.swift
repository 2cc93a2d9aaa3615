package import FoundationEssentials

/// A dialog that the desktop environment shows for the program.
package enum DesktopDialog: Equatable, Sendable {
  case files(FileDialogKind, FileDialogOptions)
  case color
  /// A picture of the screen; whether the user chooses of what, and when.
  case screenshot(isInteractive: Bool)
  /// A PDF file is printed.
  case print(URL, title: String)
}

/// What the user has answered to a dialog.
package enum DesktopDialogAnswer: Equatable, Sendable {
  /// Files or a folder, at least one.
  case urls([URL])
  case color(Color)
  /// The file is printed.
  case printed
}

/// How a dialog ended.
package enum DesktopDialogOutcome: Equatable, Sendable {
  case answered(DesktopDialogAnswer)
  /// The user does not want it.
  case cancelled
  /// There is nothing that shows such a dialog: why. None has been shown, or what was shown is gone.
  case unavailable(String)
  /// The dialog was lost, or its answer makes no sense: why.
  case failed(String)
}

/// Shows dialogs of the desktop environment.
@MainActor package protocol DialogService: AnyObject {
  /// Shows a dialog.
  /// - Parameters:
  ///   - dialog: The dialog.
  ///   - window: The window that it is shown above.
  ///   - completion: Called once with how it ended, never before this function returns; not after
  ///     ``ShownDialog/close()``.
  /// - Returns: The dialog.
  func show(
    _ dialog: DesktopDialog, above window: WindowID, completion: @escaping @MainActor (DesktopDialogOutcome) -> Void
  ) -> any ShownDialog
}

/// A dialog that has been asked for.
@MainActor package protocol ShownDialog: AnyObject {
  /// Takes the dialog down without an answer; harmless where it has ended.
  func close()
}
