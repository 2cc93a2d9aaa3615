/// The last requests without replies: a ring, because errors come back soon or never.
struct SentRequests {
  /// Errors are read at least once a turn; a turn that sends more than this forgets the oldest names only.
  static let capacity = 1024
  private var ring: [SentRequest] = []
  private var next = 0

  mutating func add(_ request: SentRequest) {
    if ring.count < Self.capacity {
      ring.append(request)
    } else {
      ring[next] = request
      next = (next + 1) % Self.capacity
    }
  }

  var latest: SentRequest? { ring.isEmpty ? nil : ring[(next + ring.count - 1) % ring.count] }

  func request(numbered sequence: UInt32) -> SentRequest? { ring.last { $0.sequence == sequence } }
}
