/// Why there is no store for this process.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another process of the application owns it; the machine is nil where it is this one, or is not known.
  case owned(pid: Int?, display: String?, machine: String? = nil)
  /// It cannot be used at all, and why.
  case unusable(String)

  package var description: String {
    switch self {
    case .owned(let pid, let display, let machine):
      "the program runs already\(pid.map { " as process \($0)" } ?? "")\(display.map { " on display \($0)" } ?? "")"
        + (machine.map { " of the machine \($0)" } ?? "")
    case .unusable(let message): message
    }
  }
}

/// A change that could not be saved.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failure, its subject, and its consequence.
  package var message: String
  /// The session that cannot be saved as it is; nil where the directory or the disk failed.
  package var identifier: String?
  /// Whether the disk is full, or the user's part of it.
  package var isDiskFull = false
  package var description: String { message }
  package init(message: String, identifier: String? = nil) {
    self.message = message
    self.identifier = identifier
  }
}

/// A record whose body turned out to be damaged when it was decoded.
package struct DamagedRecord: Error, Hashable, Sendable, CustomStringConvertible {
  /// The damage, the file, and its present name.
  package var message: String
  package var description: String { message }
}
