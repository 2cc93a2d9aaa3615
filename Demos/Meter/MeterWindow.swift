import Proscenium

/// A clock in seven segments over the bar of the upload, painted by hand.
@MainActor final class MeterWindow: Window {
  static let background = Color(rgb: 0x10141A)
  private static let dim = Color(rgb: 0x1E2630)
  private static let ink = Color(rgb: 0x7CE38B)
  private static let busy = Color(rgb: 0x58A6FF)

  /// Which segments a digit has: top, upper left, upper right, middle, lower left, lower right, bottom.
  private static let segments: [UInt8] = [0x77, 0x24, 0x5D, 0x6D, 0x2E, 0x6B, 0x7B, 0x25, 0x7F, 0x6F]

  private var tenths = 0
  private var sent = 0
  private var isUploading = false

  func show(seconds: Double, sent: Int, isUploading: Bool) {
    let next = (tenths: Int(seconds * 10), sent: sent, isUploading: isUploading)
    let title = "Meter" + (isUploading ? ": uploading" : sent >= 100 ? ": uploaded" : "")
    if self.title != title { self.title = title }
    guard next != (tenths, self.sent, self.isUploading) else { return }
    (tenths, self.sent, self.isUploading) = next
    setNeedsDisplay()
  }

  override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
    buffer.fill(Rect(x: 0, y: 0, width: buffer.size.width, height: buffer.size.height), with: Self.background)
    // In units of a grid: five digits four wide, two marks of one, and a gap after each; the bar is below.
    let unit = max(1, min(buffer.size.width / 32, buffer.size.height / 15))
    let left = (buffer.size.width - 28 * unit) / 2
    let seconds = tenths / 10
    let digits = [seconds / 600 % 10, seconds / 60 % 10, seconds % 60 / 10, seconds % 10, tenths % 10]
    var x = left
    for (index, digit) in digits.enumerated() {
      paint(digit, x: x, y: 2 * unit, unit, &buffer)
      x += 5 * unit
      guard index == 1 || index == 3 else { continue }
      if index == 1 { buffer.fill(Rect(x: x, y: 4 * unit, width: unit, height: unit), with: Self.ink) }
      buffer.fill(Rect(x: x, y: (index == 1 ? 6 : 8) * unit, width: unit, height: unit), with: Self.ink)
      x += 2 * unit
    }
    let bar = Rect(x: left, y: 11 * unit, width: 28 * unit, height: 2 * unit)
    buffer.fill(bar, with: Self.dim)
    let done = Rect(x: bar.origin.x, y: bar.origin.y, width: bar.size.width * min(sent, 100) / 100, height: 2 * unit)
    if done.size.width > 0 { buffer.fill(done, with: isUploading ? Self.busy : Self.ink) }
  }

  private func paint(_ digit: Int, x: Int, y: Int, _ unit: Int, _ buffer: inout PixelBuffer) {
    // In the order of the bits.
    let places = [
      (0, 0, 4, 1), (0, 0, 1, 4), (3, 0, 1, 4), (0, 3, 4, 1), (0, 3, 1, 4), (3, 3, 1, 4), (0, 6, 4, 1),
    ]
    for (bit, place) in places.enumerated() {
      let isLit = Self.segments[digit] & 1 << UInt8(bit) != 0
      guard isLit else { continue }
      let rect = Rect(x: x + place.0 * unit, y: y + place.1 * unit, width: place.2 * unit, height: place.3 * unit)
      buffer.fill(rect, with: Self.ink)
    }
  }
}
