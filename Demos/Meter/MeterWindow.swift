import Proscenium

/// A clock in seven segments over the bar of the upload, drawn into the pixel buffer.
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
  /// What screen readers read of the window: the clock, in whole seconds, and the bar.
  private let clock = AccessibilityElement(.staticText)
  private let upload = AccessibilityElement(.progressIndicator, label: "Upload")

  func show(seconds: Double, sent: Int, isUploading: Bool) {
    let next = (tenths: Int(seconds * 10), sent: sent, isUploading: isUploading)
    let title = "Meter" + (isUploading ? ": uploading" : sent >= 100 ? ": uploaded" : "")
    if self.title != title { self.title = title }
    let whole = next.tenths / 10
    clock.accessibilityLabel = "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    upload.accessibilityProperties.range = AccessibilityRange(value: Double(min(sent, 100)), minimum: 0, maximum: 100)
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
    clock.accessibilityFrame = Rect(x: left, y: 2 * unit, width: 28 * unit, height: 7 * unit)
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
    upload.accessibilityFrame = bar
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

extension MeterWindow: AccessibilityContainer {
  var accessibilityElements: [any AccessibilityObject]? { [clock, upload] }
}
