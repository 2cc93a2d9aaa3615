import FoundationEssentials
import Proscenium
import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

@MainActor private func png(of image: Image) async -> Data? { image.pngData().map { Data($0) } }
@MainActor private func activity(of image: Image) -> UserActivity { UserActivity(activityType: "org.example.picture") }

// Begin: code of DragAndDrop.md
@MainActor final class PictureController: ViewController {
  let picture = ImageView()

  override func viewDidLoad() {
    picture.frame = Rect(x: 20, y: 20, width: 200, height: 200)
    // Pictures are no targets of the pointer by default.
    picture.isUserInteractionEnabled = true
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

extension UISuites {
  /// The picture of the article, dropped into it and dragged out again.
  @MainActor @Suite("The article about drag and drop") struct DragAndDropArticleTests {
    @Test("A picture of another program is shown where it is dropped, and can be dragged from there")
    func dropped() async throws {
      let controller = PictureController()
      let stage = try UIStage { $0.rootViewController = controller }
      let desk = stage.program.desk
      let picture = try Image(size: Size(width: 8, height: 8), pixels: Array(repeating: 0xFFFF_0000, count: 64))
      let data = try #require(picture.pngData())
      desk.drag([PasteboardItem(type: "image/png", data: Data(data))])
      #expect(desk.moveDrag(over: stage.window, to: Point(x: 60, y: 60)) == .copy)
      desk.dropDrag()
      try #require(await stage.program.waits { desk.lastDrop == .copy })
      stage.settle()
      #expect(try stage.surface()[120, 120] & 0xFF_FFFF == 0xFF_0000)
      stage.send(.press(60, 60), .move(63, 60), .move(66, 60))
      #expect(desk.isDragging && desk.promisedFileName == "Picture.png")
      #expect(await desk.dataOfDrag(type: "image/png") == Data(data))
    }
  }
}
