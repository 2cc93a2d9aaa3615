import CCairo
import Glibc
public import ProsceniumCore

/// A picture in memory, for drawing with Cairo.
@preconcurrency @MainActor public final class Image {
  let surface: CairoSurface

  /// The size in pixels.
  public var size: Size { surface.size }

  /// A picture of what has been drawn.
  init(_ surface: CairoSurface) { self.surface = surface }

  /// Creates a picture from pixels.
  /// - Parameters:
  ///   - size: The size in pixels.
  ///   - pixels: `0xAARRGGBB` row by row from the top, colours multiplied by alpha.
  /// - Throws: ``ImageError`` if the number of pixels does not fit the size, or is more than ``mostPixels``.
  public init(size: Size, pixels: [UInt32]) throws(ImageError) {
    try Self.check(size)
    guard pixels.count == size.width * size.height else {
      throw ImageError("\(pixels.count) pixels are not \(size.width) times \(size.height).")
    }
    guard let surface = CairoSurface(size: size), let data = cairo_image_surface_get_data(surface.pointer) else {
      throw ImageError("There is no memory for a picture of \(size.width) by \(size.height) pixels.")
    }
    let stride = Int(cairo_image_surface_get_stride(surface.pointer))
    cairo_surface_flush(surface.pointer)
    pixels.withUnsafeBytes { source in
      for y in 0..<size.height {
        guard let start = source.baseAddress else { return }
        memcpy(data + y * stride, start + y * size.width * 4, size.width * 4)
      }
    }
    cairo_surface_mark_dirty(surface.pointer)
    self.surface = surface
  }

  /// Creates a picture from a PNG.
  /// - Parameter png: The bytes of the file.
  /// - Throws: ``ImageError`` if they are no PNG, a damaged one, or one of more than ``mostPixels``.
  public init(png: [UInt8]) throws(ImageError) {
    // The first chunk has the size (PNG, 5.6 and 11.2.2 IHDR), which is checked before memory is allocated. libpng also
    // takes a PNG that has another chunk before it.
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    guard png.count > 33, png.starts(with: start) else { throw ImageError("This is no PNG.") }
    func number(at place: Int) -> Int { png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    try Self.check(Size(width: number(at: 16), height: number(at: 20)))
    var rest = png[...]
    let pointer = withUnsafeMutablePointer(to: &rest) { rest in
      cairo_image_surface_create_from_png_stream(
        { closure, target, count in
          guard let rest = closure?.assumingMemoryBound(to: ArraySlice<UInt8>.self), let target,
            rest.pointee.count >= Int(count)
          else { return CAIRO_STATUS_READ_ERROR }
          rest.pointee.prefix(Int(count)).withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { memcpy(target, start, bytes.count) }
          }
          rest.pointee = rest.pointee.dropFirst(Int(count))
          return CAIRO_STATUS_SUCCESS
        }, rest)
    }
    guard let read = CairoSurface(pointer) else { throw ImageError("The PNG is broken.") }
    surface = read
  }

  /// Makes a PNG of the picture.
  /// - Returns: The bytes of the file; nil where memory is short.
  public func pngData() -> [UInt8]? {
    var bytes: [UInt8] = []
    let status = withUnsafeMutablePointer(to: &bytes) { bytes in
      cairo_surface_write_to_png_stream(
        surface.pointer,
        { closure, data, count in
          guard let bytes = closure?.assumingMemoryBound(to: [UInt8].self), let data else {
            return CAIRO_STATUS_WRITE_ERROR
          }
          bytes.pointee += UnsafeBufferPointer(start: data, count: Int(count))
          return CAIRO_STATUS_SUCCESS
        }, bytes)
    }
    return status == CAIRO_STATUS_SUCCESS ? bytes : nil
  }

  /// The largest number of pixels of a picture: 64 million, 256 MB.
  public static let mostPixels = 64 << 20

  private static func check(_ size: Size) throws(ImageError) {
    guard size.isPossible, size.width * size.height <= mostPixels else {
      throw ImageError("A picture of \(size.width) by \(size.height) pixels is empty, or too large to be shown.")
    }
  }
}

/// The reason why a picture could not be created.
public struct ImageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, as a sentence.
  public let description: String
  init(_ description: String) { self.description = description }
}
