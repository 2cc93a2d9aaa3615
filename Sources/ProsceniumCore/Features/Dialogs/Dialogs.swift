import ProsceniumJSON
import ProsceniumPlatform
import ProsceniumTrace

/// Dialogs of the desktop environment, or of a window's content, each for as long as its window is there: see
/// ``WindowScene/openFiles(_:)``.
final class Dialogs: FeatureBase, Feature, LoopObserver {
  /// The dialogs that have not ended.
  private var open: [OpenDialog] = []

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.keepsConnected, .keepsRunning, by: self)
    lists.observe(.handled, by: self)
  }

  func begin(_ dialog: OpenDialog, _ continuation: MainActorContinuation<Result<DesktopDialogAnswer?, any Error>>) {
    open.append(dialog)
    dialog.begin(continuation, service: application.host.services.dialogs) { [weak self] outcome in
      guard let self else { return }
      open.removeAll { $0 === dialog }
      conductor.perform([
        .traceRequest("dialog", dialog.session, outcome, ["kind": .string(dialog.dialog.name)]),
        .settleLater,
      ])
    }
  }

  override func keepsConnected(_ record: SceneRecord) -> Bool { open.contains { $0.session === record.session } }

  override func keepsRunning(_ record: SceneRecord) -> Bool { keepsConnected(record) }

  /// Whatever has taken a window from its scene, its dialogs go with it.
  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    for dialog in open where !dialog.hasWindow { dialog.cancel() }
    return []
  }
}

/// A dialog that waits for its user.
@MainActor final class OpenDialog: Sendable {
  let dialog: DesktopDialog
  let session: SceneSession
  private weak var window: Window?
  private let id: WindowID
  private var continuation: MainActorContinuation<Result<DesktopDialogAnswer?, any Error>>?
  private var ended: (@MainActor (_ outcome: String) -> Void)?
  /// The desktop's dialog.
  private var shown: (any ShownDialog)?
  /// Runs the dialog of the window's content.
  private var ownDialog: Task<Void, Never>?

  /// Nil for a window without a scene.
  init?(_ dialog: DesktopDialog, above window: Window) {
    guard let id = window.id, let session = window.windowScene?.session else { return nil }
    (self.dialog, self.window, self.id, self.session) = (dialog, window, id, session)
  }

  /// Whether the window is still the one of its scene.
  var hasWindow: Bool { window?.id == id }

  func begin(
    _ continuation: MainActorContinuation<Result<DesktopDialogAnswer?, any Error>>, service: (any DialogService)?,
    ended: @escaping @MainActor (_ outcome: String) -> Void
  ) {
    (self.continuation, self.ended) = (continuation, ended)
    guard let service else { return showOwnDialog("there is no desktop environment") }
    shown = service.show(dialog, above: id) { [weak self] outcome in
      guard let self else { return }
      switch outcome {
      case .answered(let answer): end(.success(answer), "answered")
      case .cancelled: end(.success(nil), "cancelled")
      case .unavailable(let reason): showOwnDialog(reason)
      case .failed(let reason): end(.failure(DialogError.failed(reason)), reason)
      }
    }
  }

  private func showOwnDialog(_ reason: String) {
    shown = nil
    guard case .files(let kind, let options) = dialog, let presenter = window?.content as? any FileDialogPresenter
    else {
      return end(.failure(DialogError.unavailable(reason)), reason)
    }
    // Shown within this turn.
    ownDialog = Task.immediate { @MainActor [weak self] in
      do {
        let urls = try await presenter.presentFileDialog(kind, options: options)
        self?.end(.success(urls.isEmpty ? nil : .urls(urls)), urls.isEmpty ? "cancelled" : "answered")
      } catch {
        self?.end(.failure(error), "\(error)")
      }
    }
  }

  /// Takes the dialog down without an answer; harmless where it has ended.
  func cancel() {
    shown?.close()
    ownDialog?.cancel()
    end(.failure(CancellationError()), "closed")
  }

  private func end(_ result: Result<DesktopDialogAnswer?, any Error>, _ outcome: String) {
    guard let continuation = exchange(&continuation, with: nil) else { return }
    (shown, ownDialog) = (nil, nil)
    ended?(outcome)
    ended = nil
    continuation.resume(returning: result)
  }
}

extension DesktopDialog {
  /// The dialog's name in the trace.
  fileprivate var name: String {
    switch self {
    case .files(.open, _): "openFiles"
    case .files(.save, _): "saveFile"
    case .files(.folder, _): "chooseFolder"
    case .color: "pickColor"
    case .screenshot: "takeScreenshot"
    case .print: "printFile"
    }
  }
}
