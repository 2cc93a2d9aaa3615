import ProsceniumCore
import Testing

@testable import Pong

@Suite("What Pong looks like, and how it is played")
struct PongPictureTests {
  private typealias Picture = Pong.Picture

  private func painted(_ picture: Picture, on pixels: inout [UInt32], parts: [Rect]) {
    pixels.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var buffer = PixelBuffer(unsafeStart: base, bytesPerRow: picture.size.width * 4, size: picture.size)
      picture.paint(parts, into: &buffer)
    }
  }

  @Test(
    "What is painted of the changes is what is painted anew",
    arguments: [Size(width: 640, height: 480), Size(width: 301, height: 77), Size(width: 3, height: 200)])
  func changes(size: Size) {
    let whole = Rect(x: 0, y: 0, width: size.width, height: size.height)
    var game = Game(seed: 21)
    var picture = Picture(game, size: size)
    var pixels = [UInt32](repeating: 0, count: size.width * size.height)
    painted(picture, on: &pixels, parts: [whole])
    var partial = 0
    for frame in 0..<400 {
      // Given a game that goes on, and is paused at times
      game.advance(by: 1.0 / 30, left: frame % 90 < 45 ? .up : .down, right: .machine)
      let next = Picture(game, message: frame % 100 == 99 ? ["PAUSED", "SPACE OR CLICK"] : [], size: size)
      // When only what moved is painted
      let parts = Picture.changes(from: picture, to: next)
      if parts != nil { partial += 1 }
      painted(next, on: &pixels, parts: parts ?? [whole])
      picture = next
      // Then nothing is left of what was there before
      guard frame % 10 == 9 else { continue }
      var anew = [UInt32](repeating: 0, count: pixels.count)
      painted(next, on: &anew, parts: [whole])
      guard pixels == anew else {
        Issue.record("frame \(frame)")
        return
      }
    }
    #expect(partial > 300)
  }

  @Test("A window of any size has a picture", arguments: [0, 1, 2, 32_767])
  func sizes(side: Int) {
    for size in [Size(width: side, height: 50), Size(width: 50, height: side), Size(width: side, height: side)] {
      #expect(!Picture(Game(seed: 1), message: ["PAUSED"], size: size).shapes.isEmpty)
    }
  }

  @Test("Letters lie within their place")
  func letters() {
    for text in ["0123456789", "PAUSED", "SPACE OR CLICK"] {
      let runs = Lettering.runs(of: text)
      #expect(Set(runs.map { $0.x / 4 }).count == text.count { $0 != " " })
      #expect(runs.allSatisfy { $0.x >= 0 && $0.width > 0 && $0.x % 4 + $0.width <= 3 && (0..<5).contains($0.y) })
      #expect(runs.map { $0.x + $0.width }.max() == Lettering.width(of: text))
    }
    #expect(Lettering.width(of: "") == 0)
    // An L: four squares above each other, and three beside each other.
    #expect(Lettering.runs(of: "L").map(\.width) == [1, 1, 1, 1, 3])
    #expect(Lettering.runs(of: "1").map(\.x) == [1, 0, 1, 1, 0])
  }

  @Test("Keys are held until they go up, the pointer is followed, and the machine plays until an arrow is touched")
  func hands() {
    func key(_ symbol: UInt32, _ isDown: Bool) -> Key { Key(code: 8, symbol: symbol, characters: "", isDown: isDown) }
    var hands = Hands()
    #expect((hands.left, hands.right) == (.rest, .machine))
    hands.point(at: 40)
    #expect(hands.left == .to(40))
    var isHeard = hands.hear(key(0x77, true))
    #expect(isHeard)
    #expect(hands.left == .up)
    isHeard = hands.hear(key(0x53, true))
    #expect(isHeard)
    #expect(hands.left == .rest)
    isHeard = hands.hear(key(0x57, false))
    #expect(isHeard)
    #expect(hands.left == .down)
    isHeard = hands.hear(key(0xFF52, true))
    #expect(isHeard)
    #expect(hands.right == .up)
    hands.letGo()
    #expect((hands.left, hands.right) == (.rest, .rest))
    isHeard = hands.hear(key(0x6D, true))
    #expect(isHeard)
    #expect(hands.right == .machine)
    isHeard = hands.hear(key(0x20, true))
    #expect(!isHeard)
  }
}
