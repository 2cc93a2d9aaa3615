import CCairo
import Glibc
import ProsceniumCore
import ProsceniumTesting
import Testing

/// Compares what a window shows with a picture that a person has approved.
///
/// `RECORD_PICTURES=1` writes the pictures anew: look at each before it is kept.
@MainActor enum Pictures {
  private static var folder: String {
    "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
      + "/Golden/Pictures/"
  }

  /// Compares, with a share of the pixels that may differ by more than a shade.
  static func expect(
    _ surface: HeadlessSurface, _ name: String, tolerance: Double, _ location: SourceLocation = #_sourceLocation
  ) throws {
    if getenv("RECORD_PICTURES") != nil { return try write(surface, folder + name + ".png") }
    let picture = try #require(
      cairo_image_surface_create_from_png(folder + name + ".png"), sourceLocation: location)
    defer { cairo_surface_destroy(picture) }
    let data = try #require(
      cairo_image_surface_get_data(picture), "there is no picture \(name): record it", sourceLocation: location)
    let (width, height) = (surface.size.width, surface.size.height)
    try #require(Int(cairo_image_surface_get_width(picture)) == width, sourceLocation: location)
    try #require(Int(cairo_image_surface_get_height(picture)) == height, sourceLocation: location)
    let stride = Int(cairo_image_surface_get_stride(picture))
    var different = 0
    for y in 0..<height {
      for x in 0..<width {
        let wanted = (data + y * stride + x * 4).withMemoryRebound(to: UInt32.self, capacity: 1) { $0.pointee }
        if !isNear(surface[x, y], wanted) { different += 1 }
      }
    }
    let share = Double(different) / Double(width * height)
    if share > tolerance { try write(surface, "/tmp/proscenium-\(name)-got.png") }
    #expect(
      share <= tolerance, "\(different) pixels of \(name) differ; see /tmp/proscenium-\(name)-got.png",
      sourceLocation: location)
  }

  private static func isNear(_ one: UInt32, _ other: UInt32) -> Bool {
    for shift: UInt32 in [0, 8, 16] {
      let (a, b) = (Int(one >> shift & 0xFF), Int(other >> shift & 0xFF))
      if abs(a - b) > 24 { return false }
    }
    return true
  }

  private static func write(_ surface: HeadlessSurface, _ path: String) throws {
    let (width, height) = (surface.size.width, surface.size.height)
    let image = try #require(cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)))
    defer { cairo_surface_destroy(image) }
    let data = try #require(cairo_image_surface_get_data(image))
    let stride = Int(cairo_image_surface_get_stride(image))
    for y in 0..<height {
      for x in 0..<width {
        (data + y * stride + x * 4).withMemoryRebound(to: UInt32.self, capacity: 1) { $0.pointee = surface[x, y] }
      }
    }
    cairo_surface_mark_dirty(image)
    #expect(cairo_surface_write_to_png(image, path) == CAIRO_STATUS_SUCCESS)
  }
}
