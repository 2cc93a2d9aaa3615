import FoundationEssentials
import Proscenium
import ProsceniumUI

/// Pictures that have been drawn, as long as there is room for them.
@MainActor final class ArtworkCache {
  private static let capacity = 300

  /// The width and the height of each picture in pixels.
  private let side: Int
  private var images: [Artwork: Image] = [:]
  /// The pictures, the oldest first.
  private var order: [Artwork] = []
  /// How often the cache has been purged: what was being drawn meanwhile is not kept.
  private var purges = 0
  private var isDrawing = false
  /// Those who have asked for a picture, until the one before theirs has been drawn.
  private var waiting: [MainActorContinuation<Void>] = []

  init(side: Int) { self.side = side }

  var count: Int { images.count }

  /// A picture that has been drawn already; nil for one that has not.
  func drawn(_ artwork: Artwork) -> Image? { images[artwork] }

  /// Draws a picture, off the main thread, after those that were asked for before it: each drawing is a thread.
  /// - Returns: The picture; nil if the task has been cancelled.
  func draw(_ artwork: Artwork) async -> Image? {
    let before = purges
    if isDrawing { await withMainActorContinuation { waiting.append($0) } }
    isDrawing = true
    defer {
      isDrawing = !waiting.isEmpty
      if isDrawing { waiting.removeFirst().resume() }
    }
    let image = await artwork.image(side: side)
    if let image, purges == before { keep(image, artwork) }
    return image
  }

  /// Frees all pictures: they are drawn again when they are needed.
  func purge() {
    images = [:]
    order = []
    purges += 1
  }

  private func keep(_ image: Image, _ artwork: Artwork) {
    if images.updateValue(image, forKey: artwork) == nil { order.append(artwork) }
    if order.count > Self.capacity { images[order.removeFirst()] = nil }
  }
}

extension Artwork {
  /// Draws the picture, on a thread that ends with it: Swift's own would wake the program for ever.
  /// - Parameter side: The width and the height in pixels.
  /// - Returns: The picture; nil if the task has been cancelled.
  @MainActor func image(side: Int) async -> Image? {
    guard !Task.isCancelled else { return nil }
    let drawn = await runBesideMainThread { pixels(side: side) }
    return Task.isCancelled ? nil : try? Image(size: Size(width: side, height: side), pixels: drawn)
  }

  /// The picture as a PNG file, for other programs.
  @MainActor func png() async -> Data? { await image(side: 640)?.pngData().map { Data($0) } }
}
