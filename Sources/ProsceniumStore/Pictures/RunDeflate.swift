/// Deflate (RFC 1951) with the fixed codes and runs of one byte alone: what is needed for the flat pictures of windows,
/// and as little to go wrong as there can be.
enum RunDeflate {
  /// Ends a block (RFC 1951, 3.2.5).
  static let end = 256

  /// The shortest length of each code from 257 on, and how many bits follow it.
  static let lengths: [(base: Int, extra: Int)] = {
    var all: [(Int, Int)] = []
    var base = 3
    for code in 0..<28 {
      let extra = max(0, code / 4 - 1)
      all.append((base, extra))
      base += 1 << extra
    }
    return all + [(258, 0)]
  }()

  /// The code of every length up to 258, counted from 257.
  static let codes: [UInt8] = (0...258).map { length in
    UInt8(lengths.lastIndex { $0.base <= length } ?? 0)
  }

  /// A symbol's fixed code (RFC 1951, 3.2.6), its first bit lowest.
  struct Code {
    var bits: UInt32
    var count: Int
  }

  static let fixed: [Code] = (0..<288).map { symbol in
    let (code, count) =
      switch symbol {
      case 0..<144: (0x30 + symbol, 8)
      case 144..<256: (0x190 + symbol - 144, 9)
      case 256..<280: (symbol - 256, 7)
      default: (0xC0 + symbol - 280, 8)
      }
    let reversed = (0..<count).reduce(UInt32(0)) { bits, index in
      bits | UInt32(code >> index & 1) << (count - 1 - index)
    }
    return Code(bits: reversed, count: count)
  }

  /// The symbol that the next nine bits begin with, and its length: what `fixed` says, the other way round.
  static let symbols: [(symbol: UInt16, count: UInt8)] = {
    var table: [(UInt16, UInt8)] = Array(repeating: (0, 0), count: 512)
    for (symbol, code) in fixed.enumerated() {
      for rest in 0..<(1 << (9 - code.count)) {
        table[Int(code.bits) | rest << code.count] = (UInt16(symbol), UInt8(code.count))
      }
    }
    return table
  }()

  /// Writes one block.
  struct Encoder {
    /// What has been written, but for the bits that make no byte yet.
    var bytes: [UInt8]
    private var bits: UInt64 = 0
    private var count = 0

    /// - Parameter before: What the block follows, in whose memory it is written.
    init(after before: [UInt8]) {
      bytes = before
      // The last block, with fixed codes.
      put(1 | 1 << 1, 3)
    }

    private mutating func put(_ value: UInt32, _ length: Int) {
      bits |= UInt64(value) << UInt64(count)
      count += length
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }

    mutating func add(_ input: UnsafeBufferPointer<UInt8>) {
      RunDeflate.fixed.withUnsafeBufferPointer { fixed in
        var index = 0
        while index < input.count {
          let byte = input[index]
          put(fixed[Int(byte)].bits, fixed[Int(byte)].count)
          index += 1
          var run = index
          while run < input.count, input[run] == byte { run += 1 }
          var left = run - index
          while left >= 3 {
            let length = min(left, 258)
            let code = Int(RunDeflate.codes[length])
            put(fixed[257 + code].bits, fixed[257 + code].count)
            put(UInt32(length - RunDeflate.lengths[code].base), RunDeflate.lengths[code].extra)
            // A distance of one byte: the code 0, in five bits.
            put(0, 5)
            left -= length
          }
          index = run - left
        }
      }
    }

    mutating func finish() {
      put(RunDeflate.fixed[RunDeflate.end].bits, RunDeflate.fixed[RunDeflate.end].count)
      if count > 0 { put(0, 8 - count) }
    }
  }

  /// Reads what the encoder wrote, and refuses everything else.
  struct Decoder {
    private let input: [UInt8]
    private var next: Int
    private var bits: UInt64 = 0
    private var count = 0
    private var last: UInt8 = 0
    /// How much of a run is still to come.
    private var run = 0
    private var hasLast = false

    /// Nil where the block does not begin as ours do.
    init?(_ input: [UInt8], from start: Int) {
      self.input = input
      next = start
      guard take(3) == 1 | 1 << 1 else { return nil }
    }

    /// The index after the block, once it has ended.
    var position: Int { next - count / 8 }

    private mutating func fill() {
      while count <= 48, next < input.count {
        bits |= UInt64(input[next]) << UInt64(count)
        next += 1
        count += 8
      }
    }

    private mutating func take(_ length: Int) -> Int? {
      fill()
      guard count >= length else { return nil }
      let value = Int(bits & (1 << UInt64(length) - 1))
      bits >>= UInt64(length)
      count -= length
      return value
    }

    private mutating func symbol() -> Int? {
      fill()
      let (symbol, length) = RunDeflate.symbols[Int(bits & 511)]
      guard length > 0, count >= Int(length) else { return nil }
      bits >>= UInt64(length)
      count -= Int(length)
      return Int(symbol)
    }

    /// Fills all of the output; whether there was as much.
    mutating func read(_ output: UnsafeMutableBufferPointer<UInt8>) -> Bool {
      var index = 0
      while index < output.count {
        if run > 0 {
          let part = min(run, output.count - index)
          UnsafeMutableBufferPointer(rebasing: output[index..<index + part]).update(repeating: last)
          index += part
          run -= part
          continue
        }
        guard let symbol = symbol() else { return false }
        if symbol < 256 {
          last = UInt8(symbol)
          hasLast = true
          output[index] = last
          index += 1
          continue
        }
        guard hasLast, symbol > RunDeflate.end, symbol - 257 < RunDeflate.lengths.count else { return false }
        let (base, extra) = RunDeflate.lengths[symbol - 257]
        guard let more = take(extra), take(5) == 0 else { return false }
        run = base + more
      }
      return true
    }

    /// Whether the block ends here.
    mutating func ends() -> Bool { run == 0 && symbol() == RunDeflate.end }
  }
}
