import Proscenium

/// The users' input: pressed keys, and the pointer's last position.
struct Hands: Hashable, Sendable {
  private enum Control: Hashable {
    case leftUp, leftDown, rightUp, rightDown
  }

  private var held: Set<Control> = []
  private var pointer: Double?
  /// No arrow key has been pressed yet: the machine plays the right paddle.
  private(set) var isAlone = true

  var left: Game.Steering { steering(.leftUp, .leftDown) ?? pointer.map(Game.Steering.to) ?? .rest }
  var right: Game.Steering { isAlone ? .machine : steering(.rightUp, .rightDown) ?? .rest }

  /// Whether the key is one that plays.
  mutating func handle(_ key: Key) -> Bool {
    guard let control = Self.control(key) else {
      // m: the machine plays again.
      guard key.symbol | 0x20 == 0x6D, key.isDown else { return false }
      isAlone = true
      return true
    }
    if key.isDown { held.insert(control) } else { held.remove(control) }
    switch control {
    // A pressed key overrides the pointer.
    case .leftUp, .leftDown: pointer = nil
    case .rightUp, .rightDown: isAlone = false
    }
    return true
  }

  mutating func point(at y: Double) { pointer = y }

  /// Nothing is held any more.
  mutating func letGo() {
    held = []
    pointer = nil
  }

  private func steering(_ up: Control, _ down: Control) -> Game.Steering? {
    switch (held.contains(up), held.contains(down)) {
    case (true, false): .up
    case (false, true): .down
    case (true, true): .rest
    case (false, false): nil
    }
  }

  /// By keysym: W and S, with and without Shift, and the arrows.
  private static func control(_ key: Key) -> Control? {
    switch KeySymbol.withoutKeypad(key.symbol) {
    case 0x57, 0x77: .leftUp
    case 0x53, 0x73: .leftDown
    case KeySymbol.up: .rightUp
    case KeySymbol.down: .rightDown
    default: nil
    }
  }
}
