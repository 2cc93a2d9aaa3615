public import FoundationEssentials
import ProsceniumPlatform

/// Dialogs of the desktop environment, above the scene's key window.
///
/// Each call returns when the user has answered, however long that takes; the program goes on meanwhile, and the scene
/// is neither reclaimed nor suspended. A dialog is taken down, and its call throws `CancellationError`, when the task
/// that waits for it is cancelled, and when its window leaves the scene: when it is closed, or the scene disconnects.
///
/// On Linux the dialogs are those of the desktop portal (`org.freedesktop.portal.Desktop` on the session bus), which
/// runs them in another process, also for a program in a sandbox. Without a portal, and where one does not answer
/// within 10 seconds, files are chosen in a dialog of the window's content, if it is a ``FileDialogPresenter``.
///
/// Dialogs for files begin in the folder of the scene's ``representedURL`` where their options name none.
extension WindowScene {
  /// Lets the user choose files to open.
  /// - Parameter options: What the dialog shows.
  /// - Returns: The files, in a sandbox those that the portal has made accessible; none where the user cancels.
  /// - Throws: `CancellationError` where the task is cancelled, or the dialog's window is gone; ``DialogError`` where
  ///   there is no dialog, or no answer.
  public func openFiles(_ options: FileDialogOptions = FileDialogOptions()) async throws -> [URL] {
    try await chosen(.open, options)
  }

  /// Lets the user choose where to save a file; the dialog asks before it answers with a file that exists.
  /// - Parameter options: What the dialog shows.
  /// - Returns: The file, which need not exist; nil where the user cancels.
  /// - Throws: As ``openFiles(_:)``.
  public func saveFile(_ options: FileDialogOptions = FileDialogOptions()) async throws -> URL? {
    try await chosen(.save, options).first
  }

  /// Lets the user choose a folder.
  /// - Parameter options: What the dialog shows; a folder belongs to no filter.
  /// - Returns: The folder; nil where the user cancels.
  /// - Throws: As ``openFiles(_:)``.
  public func chooseFolder(_ options: FileDialogOptions = FileDialogOptions()) async throws -> URL? {
    try await chosen(.folder, options).first
  }

  /// Lets the user pick the colour of a pixel of the screen.
  /// - Returns: The colour; nil where the user cancels.
  /// - Throws: As ``openFiles(_:)``; many desktops cannot do it.
  public func pickColor() async throws -> Color? {
    guard case .color(let color) = try await answer(to: .color) else { return nil }
    return color
  }

  /// Takes a picture of the screen, which the desktop asks the user about.
  /// - Parameter isInteractive: Whether the user chooses what the picture shows, and when it is taken; else it shows
  ///   all screens.
  /// - Returns: The picture's file, mostly a PNG file, which is the program's to remove; nil where the user refuses.
  /// - Throws: As ``openFiles(_:)``.
  public func takeScreenshot(isInteractive: Bool = true) async throws -> URL? {
    guard case .urls(let urls) = try await answer(to: .screenshot(isInteractive: isInteractive)) else { return nil }
    return urls.first
  }

  /// Prints a PDF file, after the user has chosen a printer and its settings.
  ///
  /// The file is opened at once, and may be removed when the call has returned.
  /// - Parameters:
  ///   - url: The file.
  ///   - title: The title of the dialog and of the job.
  /// - Returns: Whether it is on its way to the printer; false where the user cancels.
  /// - Throws: As ``openFiles(_:)``; ``DialogError/failed(_:)`` where the file cannot be opened.
  public func printFile(at url: URL, title: String) async throws -> Bool {
    try await answer(to: .print(url, title: title)) == .printed
  }

  private func chosen(_ kind: FileDialogKind, _ options: FileDialogOptions) async throws -> [URL] {
    let dialog = DesktopDialog.files(kind, options.completed(for: kind, from: representedURL))
    guard case .urls(let urls) = try await answer(to: dialog) else { return [] }
    return urls
  }

  /// Shows a dialog and waits for its end.
  /// - Returns: The answer; nil where the user cancels.
  func answer(to dialog: DesktopDialog) async throws -> DesktopDialogAnswer? {
    assertMainThread()
    try Task.checkCancellation()
    guard let conductor = record?.conductor, let feature = conductor.feature(Dialogs.self),
      let window = keyWindow ?? windows.first, let shown = OpenDialog(dialog, above: window)
    else { throw CancellationError() }
    return try await withTaskCancellationHandler {
      try await withMainActorContinuation { feature.begin(shown, $0) }.get()
    } onCancel: {
      Task { @MainActor in shown.cancel() }
    }
  }
}

extension FileDialogOptions {
  /// The options with what they do not say, from the file that the scene shows.
  fileprivate func completed(for kind: FileDialogKind, from url: URL?) -> FileDialogOptions {
    guard let url, url.isFileURL else { return self }
    var options = self
    options.directory = directory ?? url.deletingLastPathComponent()
    if kind == .save, suggestedName.isEmpty, directory == nil { options.suggestedName = url.lastPathComponent }
    return options
  }
}
