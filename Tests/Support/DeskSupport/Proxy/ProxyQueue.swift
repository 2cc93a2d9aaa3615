import Glibc

/// What was read from one side of a connection and waits to be written to the other.
struct ProxyQueue {
  private struct Chunk {
    var bytes: [UInt8]
    var start = 0
    /// What comes before that is put to it.
    var gathersUntil: ContinuousClock.Instant
    var due: ContinuousClock.Instant
  }

  private let faults: Faults
  private var chunks: [Chunk] = []
  private var writes = 0
  /// When the next piece may go; nil before the first one.
  private var pausedUntil: ContinuousClock.Instant?
  /// How many bytes may still come; nil for any number.
  private var left: Int?

  init(_ faults: Faults, _ way: Faults.Way) {
    self.faults = faults
    if let cut = faults.cut, cut.way == way { left = cut.bytes }
  }

  var isEmpty: Bool { chunks.isEmpty }
  /// Whether everything has gone that may.
  var isOver: Bool { left == 0 && chunks.isEmpty }
  /// When the next bytes are to go; nil where there are none.
  var due: ContinuousClock.Instant? { chunks.first.map { max($0.due, pausedUntil ?? $0.due) } }

  mutating func append(_ bytes: [UInt8], at now: ContinuousClock.Instant = .now) {
    var bytes = bytes
    if let left {
      bytes = Array(bytes.prefix(left))
      self.left = left - bytes.count
    }
    guard !bytes.isEmpty else { return }
    if let last = chunks.indices.last, chunks[last].gathersUntil > now {
      chunks[last].bytes += bytes
    } else {
      let end = now + faults.gathering
      chunks.append(Chunk(bytes: bytes, gathersUntil: end, due: end + faults.delay))
    }
  }

  mutating func removeAll() { chunks = [] }

  /// Writes what is due; false where the other side has gone.
  ///
  /// One piece at a time, where there are pieces: what waits for the socket finds each by itself.
  mutating func write(to descriptor: Int32, at now: ContinuousClock.Instant = .now) -> Bool {
    while let chunk = chunks.first, let due, due <= now {
      let available = chunk.bytes.count - chunk.start
      let count = faults.pieces.isEmpty ? available : min(available, faults.pieces[writes % faults.pieces.count])
      let length = chunk.bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress.map { $0 + chunk.start }, count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      if length < 0 {
        if errno == EAGAIN || errno == EINTR { return true }
        chunks = []
        return false
      }
      writes += 1
      chunks[0].start += length
      if length == available { chunks.removeFirst() }
      if !faults.pieces.isEmpty {
        pausedUntil = now + faults.pause
        return true
      }
    }
    return true
  }
}
