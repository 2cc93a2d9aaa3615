public import FoundationEssentials
public import ProsceniumCore
import ProsceniumPlatform

extension HeadlessProgram {
  /// The dialogs that the desktop shows for the program.
  public var dialogs: HeadlessDialogs { HeadlessDialogs(service: machine.parts.dialogs) }
}

/// The dialogs that the desktop shows for the program: see `WindowScene.openFiles(_:)`.
///
/// A test answers the one that was shown first. The task that waits for it goes on when the main actor is free: await
/// something in the test.
@MainActor public struct HeadlessDialogs {
  let service: HeadlessDialogService

  /// What a dialog is for.
  public enum Dialog: Hashable, Sendable {
    /// Files, or a folder.
    case files(FileDialogKind, FileDialogOptions)
    /// `WindowScene.pickColor()`.
    case color
    /// `WindowScene.takeScreenshot(isInteractive:)`.
    case screenshot(isInteractive: Bool)
    /// `WindowScene.printFile(at:title:)`.
    case print(URL, title: String)
  }

  /// Whether the desktop has dialogs; without them files are chosen in a dialog of the window's content.
  public var isAvailable: Bool {
    get { service.isAvailable }
    nonmutating set { service.isAvailable = newValue }
  }

  /// The dialogs that are shown, the oldest first.
  public var shown: [Dialog] {
    service.shown.map {
      switch $0.dialog {
      case .files(let kind, let options): .files(kind, options)
      case .color: .color
      case .screenshot(let isInteractive): .screenshot(isInteractive: isInteractive)
      case .print(let url, let title): .print(url, title: title)
      }
    }
  }

  /// The user chooses files, or a folder, or takes a picture of the screen.
  /// - Parameter urls: The files.
  public func choose(_ urls: URL...) { service.end(.answered(.urls(urls))) }

  /// The user picks a colour.
  /// - Parameter color: The colour.
  public func pick(_ color: Color) { service.end(.answered(.color(color))) }

  /// The user prints.
  public func print() { service.end(.answered(.printed)) }

  /// The user closes the dialog without an answer.
  public func cancel() { service.end(.cancelled) }

  /// The desktop loses the dialog.
  public func lose() { service.end(.failed("the desktop's portal has ended")) }
}
