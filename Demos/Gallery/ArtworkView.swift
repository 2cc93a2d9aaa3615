import Proscenium
import ProsceniumUI

/// A large picture, which is drawn when it is shown, and freed while it is not.
final class ArtworkView: View {
  private let picture = ImageView()
  private static let side = 640
  private var drawing: Task<Void, Never>?
  private(set) var artwork: Artwork?

  override init() {
    super.init()
    isUserInteractionEnabled = false
    accessibilityRole = .image
    addSubview(picture)
  }

  func show(_ artwork: Artwork?) {
    guard artwork != self.artwork else { return }
    free()
    self.artwork = artwork
    isAccessibilityElement = artwork != nil
    accessibilityLabel = artwork?.name
    draw()
  }

  /// Draws the picture if it is not there.
  func draw() {
    guard let artwork, picture.image == nil else { return }
    drawing?.cancel()
    drawing = Task { [weak self] in
      guard let image = await artwork.image(side: Self.side) else { return }
      self?.picture.image = image
    }
  }

  /// Frees the picture.
  func free() {
    drawing?.cancel()
    picture.image = nil
  }

  override func layoutSubviews() { picture.frame = bounds }
}
