import Proscenium
import ProsceniumUI

/// The page with the pictures: all of them at the left, the selected one at the right.
@MainActor final class PicturesPage: SplitViewController {
  static let openCommand = KeyCommand(
    input: "o", title: "Open in New Window", action: Action(PicturesPage.openSelected))
  static let captionCommand = KeyCommand(input: "i", title: "Caption…", action: Action(PicturesPage.askForCaption))
  static var commands: [MenuItem] { [MenuItem(openCommand), MenuItem(captionCommand)] }

  let list = PicturesController()
  let preview = PreviewController()

  init() {
    super.init(primary: list, secondary: preview)
    title = "Pictures"
    primaryColumnWidth = 520
    minimumColumnWidth = 160
    list.selected = { [preview] in preview.artwork = $0 }
  }

  private func openSelected(_ sender: AnyObject?) { preview.artwork.map(PictureScene.open) }

  private func askForCaption(_ sender: AnyObject?) { preview.askForCaption() }
}

extension PicturesPage: MenuValidating {
  func validate(_ item: MenuItem) { item.attributes = preview.artwork == nil ? .disabled : [] }
}
