import Proscenium
import ProsceniumUI

/// A small picture with its name below it.
final class ArtworkCell: CollectionViewCell {
  static let side = 96
  private let picture = ImageView()
  private let name = Label()
  private var drawing: Task<Void, Never>?

  override init() {
    super.init()
    name.font = Font(size: 12)
    name.alignment = .center
    addSubview(picture)
    addSubview(name)
  }

  /// Shows a picture, as soon as it has been drawn.
  func show(_ artwork: Artwork, from cache: ArtworkCache) {
    name.text = artwork.name
    accessibilityLabel = artwork.name
    picture.image = cache.drawn(artwork)
    guard picture.image == nil else { return }
    drawing = Task { [weak self] in
      guard let image = await cache.draw(artwork) else { return }
      self?.picture.image = image
    }
  }

  /// Whether the picture has been drawn.
  var hasImage: Bool { picture.image != nil }

  /// Called when the cell is out of sight: what it does not show any more need not be drawn.
  func clear() {
    drawing?.cancel()
    drawing = nil
    picture.image = nil
  }

  override func layoutSubviews() {
    picture.frame = Rect(x: (bounds.size.width - Self.side) / 2, y: 6, width: Self.side, height: Self.side)
    name.frame = Rect(x: 2, y: Self.side + 8, width: bounds.size.width - 4, height: 18)
  }
}
