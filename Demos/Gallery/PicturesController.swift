import FoundationEssentials
import Proscenium
import ProsceniumUI

/// A thousand pictures, of which those in sight are drawn.
@MainActor final class PicturesController: ViewController {
  let collection = ArtworkCollection()
  let cache = ArtworkCache(side: 2 * ArtworkCell.side)
  /// Called with the picture that the user has selected.
  var selected: (Artwork) -> Void = { _ in }
  private lazy var source = ArtworkSource(collectionView: collection) { [cache] collection, path, artwork in
    let cell = collection.dequeueReusableCell(withReuseIdentifier: "picture", for: path)
    (cell as? ArtworkCell)?.show(artwork, from: cache)
    return cell
  }

  override func loadView() { view = collection }

  override func viewDidLoad() {
    collection.collectionViewLayout.itemSize = Size(width: 112, height: 124)
    collection.register(ArtworkCell.init, forCellWithReuseIdentifier: "picture")
    collection.delegate = self
    collection.accessibilityLabel = "Pictures"
    collection.addInteraction(DragInteraction(delegate: self))
    collection.menu = { [weak self] in self?.menu(at: $0) }
    // Names the pictures when the selection and the scroll place are saved.
    source.modelIdentifier = \.identifier
    var snapshot = DiffableDataSourceSnapshot<String, Artwork>()
    snapshot.appendSections(["Pictures"])
    snapshot.appendItems(Artwork.all)
    source.apply(snapshot)
  }

  override func viewDidAppear() {
    if window?.firstResponder as? View == nil { collection.becomeFirstResponder() }
  }

  override var restorationState: [String: any Sendable] {
    get { super.restorationState.merging(["list": collection.restorationState]) { $1 } }
    set {
      collection.restorationState = newValue["list"] as? [String: any Sendable] ?? [:]
      super.restorationState = newValue
    }
  }

  override func didReceiveMemoryWarning() { cache.purge() }

  private func menu(at point: Point) -> Menu? {
    guard let path = collection.indexPathForItem(at: point) else { return nil }
    collection.selectItem(at: path)
    collectionView(collection, didSelectItemAt: path)
    return Menu(children: PicturesPage.commands)
  }
}

extension PicturesController: CollectionViewDelegate {
  func collectionView(_ collectionView: CollectionView, didSelectItemAt indexPath: IndexPath) {
    if let artwork = source.itemIdentifier(for: indexPath) { selected(artwork) }
  }

  func collectionView(_ collectionView: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    if let artwork = source.itemIdentifier(for: indexPath) { PictureScene.open(artwork) }
  }

  func collectionView(
    _ collectionView: CollectionView, didEndDisplaying cell: CollectionViewCell, forItemAt indexPath: IndexPath
  ) { (cell as? ArtworkCell)?.clear() }
}

/// Pictures are dragged out: to other programs, and into windows of their own.
extension PicturesController: DragInteractionDelegate {
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt point: Point) -> [DragItem] {
    guard let path = collection.indexPathForItem(at: point), let artwork = source.itemIdentifier(for: path) else {
      return []
    }
    let item = DragItem()
    item.localObject = artwork
    item.userActivity = PictureScene.activity(of: artwork)
    item.registerData(type: "image/png") { await artwork.png() }
    item.registerData(type: PasteboardItem.textType) { Data(artwork.name.utf8) }
    item.promiseFile(named: artwork.name + ".png") { @MainActor url in
      guard let png = await artwork.png() else { return }
      try await runBesideMainThread { Result { try png.write(to: url) } }.get()
    }
    return [item]
  }

  func dragInteraction(_ interaction: DragInteraction, previewFor items: [DragItem]) -> View? {
    guard let artwork = items.first?.localObject as? Artwork, let image = cache.drawn(artwork) else { return nil }
    let view = ImageView(image)
    view.frame = Rect(x: 0, y: 0, width: 64, height: 64)
    return view
  }
}

/// A collection with a menu for each item.
final class ArtworkCollection: CollectionView {
  var menu: (Point) -> Menu? = { _ in nil }

  override func contextMenu(at point: Point) -> Menu? { menu(point) }
}

/// Finds a picture by the letters of its name.
final class ArtworkSource: CollectionViewDiffableDataSource<String, Artwork> {
  override func collectionView(
    _ collectionView: CollectionView, typeSelectTextForItemAt indexPath: IndexPath
  ) -> String? { itemIdentifier(for: indexPath)?.name }
}
