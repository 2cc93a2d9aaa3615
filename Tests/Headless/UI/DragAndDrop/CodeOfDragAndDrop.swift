import FoundationEssentials
import Proscenium
import ProsceniumUI

@MainActor private func png(of image: Image) async -> Data? { nil }
@MainActor private func activity(of image: Image) -> UserActivity { UserActivity(activityType: "org.example.picture") }

// Begin: code of DragAndDrop.md
@MainActor final class PictureController: ViewController {
  let picture = ImageView()

  override func viewDidLoad() {
    view.addSubview(picture)
    picture.addInteraction(DragInteraction(delegate: self))
    view.addInteraction(DropInteraction(delegate: self))
  }
}

extension PictureController: DragInteractionDelegate {
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt point: Point) -> [DragItem] {
    guard let image = picture.image else { return [] }
    let item = DragItem()
    item.localObject = image
    item.userActivity = activity(of: image)
    item.registerData(type: "image/png") { await png(of: image) }
    item.promiseFile(named: "Picture.png") { try await png(of: image)?.write(to: $0) }
    return [item]
  }
}

extension PictureController: DropInteractionDelegate {
  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    session.hasItems(ofTypes: ["image/png"])
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) async -> Bool {
    if let image = session.localDragSession?.items.first?.localObject as? Image {
      picture.image = image
      return true
    }
    guard let item = await session.item(ofTypes: ["image/png"]), let image = try? Image(png: Array(item.data)) else {
      return false
    }
    picture.image = image
    return true
  }
}
// End: code of DragAndDrop.md
