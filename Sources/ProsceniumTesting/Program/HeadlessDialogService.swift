import ProsceniumPlatform

/// The desktop's dialogs in memory.
@MainActor final class HeadlessDialogService: DialogService {
  /// A dialog that is shown.
  final class Shown: ShownDialog {
    let dialog: DesktopDialog
    let window: WindowID
    fileprivate var completion: (@MainActor (DesktopDialogOutcome) -> Void)?
    private weak var desktop: HeadlessDialogService?

    fileprivate init(_ dialog: DesktopDialog, _ window: WindowID, _ desktop: HeadlessDialogService) {
      (self.dialog, self.window, self.desktop) = (dialog, window, desktop)
    }

    func close() {
      completion = nil
      desktop?.shown.removeAll { $0 === self }
    }
  }

  private unowned let machine: HeadlessMachine
  /// Whether the desktop has dialogs.
  var isAvailable = true
  /// The dialogs that are shown, the oldest first.
  fileprivate(set) var shown: [Shown] = []

  init(_ machine: HeadlessMachine) { self.machine = machine }

  func show(
    _ dialog: DesktopDialog, above window: WindowID, completion: @escaping @MainActor (DesktopDialogOutcome) -> Void
  ) -> any ShownDialog {
    let new = Shown(dialog, window, self)
    new.completion = completion
    if isAvailable {
      shown.append(new)
    } else {
      machine.later { exchange(&new.completion, with: nil)?(.unavailable("the desktop has no portal")) }
    }
    return new
  }

  /// Ends the dialog that was shown first; does nothing where there is none.
  func end(_ outcome: DesktopDialogOutcome) {
    guard !shown.isEmpty else { return }
    exchange(&shown.removeFirst().completion, with: nil)?(outcome)
  }

  func forgetProcess() { shown = [] }
}
