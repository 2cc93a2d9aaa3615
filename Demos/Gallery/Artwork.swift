import FoundationEssentials
import Glibc

/// A picture that the program draws by itself: its number says all about it.
struct Artwork: Hashable, Sendable {
  private enum Pattern: Int, CaseIterable { case rings, waves, weave, petals, ripples }

  /// The pictures that there are.
  static let all = (1...1000).map(Artwork.init)

  let number: Int

  private init(number: Int) { self.number = number }

  /// - Parameter identifier: What ``identifier`` was when the program ran before.
  init?(identifier: String) {
    guard let number = Int(identifier), Self.all.indices.contains(number - 1) else { return nil }
    self.number = number
  }

  var identifier: String { String(number) }
  var name: String { "\("\(pattern)".capitalized) \(number)" }
  private var pattern: Pattern { Pattern.allCases[number % Pattern.allCases.count] }

  // MARK: Drawing

  /// Draws the picture, which takes a while: not on the main thread.
  /// - Parameter side: The width and the height in pixels.
  /// - Returns: The pixels from the upper left, as `0xFFRRGGBB`.
  func pixels(side: Int) -> [UInt32] {
    let (turns, count) = (Double(number % 7 + 2), Double(number % 11 + 3))
    let palette = (0..<256).map { Self.color(hue: Double(number) * 0.618, light: Double($0) / 255) }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(side * side)
    for row in 0..<side {
      let y = Double(2 * row + 1) / Double(side) - 1
      for column in 0..<side {
        let x = Double(2 * column + 1) / Double(side) - 1
        let height =
          switch pattern {
          case .rings: sin(hypot(x, y) * turns * .pi)
          case .waves: sin((y + sin(x * count) / turns) * turns * .pi)
          case .weave: sin(x * count * .pi) * sin(y * turns * .pi)
          case .petals: sin(atan2(y, x) * count + hypot(x, y) * turns)
          case .ripples: (sin(hypot(x - 0.6, y) * count * 2) + sin(hypot(x + 0.6, y) * count * 2)) / 2
          }
        pixels.append(palette[Int((height + 1) / 2 * 255)])
      }
    }
    return pixels
  }

  /// A colour between a dark and a light one of a hue.
  private static func color(hue: Double, light: Double) -> UInt32 {
    func part(_ shift: Double) -> UInt32 {
      UInt32((0.25 + 0.65 * light) * (0.6 + 0.4 * cos(2 * .pi * (hue + shift + light / 5))) * 255)
    }
    return 0xFF00_0000 | part(0) << 16 | part(1.0 / 3) << 8 | part(2.0 / 3)
  }
}
