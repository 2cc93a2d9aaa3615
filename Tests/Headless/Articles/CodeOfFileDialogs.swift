import FoundationEssentials
import Proscenium

@MainActor private func show(_ picture: URL) {}
@MainActor private func report(_ error: any Error) {}
@MainActor private func write(to url: URL) throws {}

// Begin: code of FileDialogs.md
@MainActor final class PictureScene: Responder {
  private weak var scene: WindowScene?
  private let pictures = FileFilter("Pictures", extensions: ["png", "jpg", "jpeg"], contentTypes: ["image/*"])

  func importPictures() async {
    let options = FileDialogOptions(title: "Import", filters: [pictures], allowsMultipleSelection: true)
    do {
      for url in try await scene?.openFiles(options) ?? [] { show(url) }
    } catch is CancellationError {
      // The window is gone, and the dialog with it.
    } catch {
      report(error)
    }
  }

  func exportPicture() async throws {
    guard let url = try await scene?.saveFile(FileDialogOptions(suggestedName: "Picture.png")) else { return }
    try write(to: url)
  }
}

extension PictureScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    self.scene = scene as? WindowScene
  }
}
// End: code of FileDialogs.md
