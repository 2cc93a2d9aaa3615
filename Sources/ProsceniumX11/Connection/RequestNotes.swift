/// What was asked for by a request that has no reply, kept so that an error can be matched to it.
struct RequestNote {
  /// What an error of this request means to us.
  enum OnError: Hashable {
    /// It is our fault, or the program's, and should be read about.
    case report
    /// The race is a normal one: another client's window went away meanwhile, or ours is not viewable yet.
    case ignore
    /// Part of putting pixels on the screen: another way is found, or the window has gone.
    case surface
    /// There is no such window then: as if another client had destroyed it.
    case window
  }
  var sequence: UInt32
  var name: StaticString
  var window: UInt32
  var onError: OnError
}

/// The last requests without replies: a ring, because errors come back soon or never.
struct RequestNotes {
  /// Errors are read at least once a turn; a turn that sends more than this forgets the oldest names only.
  static let capacity = 1024
  private var ring: [RequestNote] = []
  private var next = 0

  mutating func add(_ note: RequestNote) {
    if ring.count < Self.capacity {
      ring.append(note)
    } else {
      ring[next] = note
      next = (next + 1) % Self.capacity
    }
  }

  var latest: RequestNote? { ring.isEmpty ? nil : ring[(next + ring.count - 1) % ring.count] }

  func note(for sequence: UInt32) -> RequestNote? { ring.last { $0.sequence == sequence } }
}
