/// The first line of a record: all that a launch has to know of a session that it does not show.
///
/// `proscenium-session 2 <identifier> <lastActive> <presence> <role> <configuration> <sum>`, tokens apart by one space;
/// an earlier version wrote no sum. Behind the line there is one JSON object, the body, of whose bytes the sum is
/// (FNV-1a, 64 bits, hexadecimal). What a later version adds without another number belongs into the body, from which
/// nothing is lost: what follows the sum is read over, and gone with the next save.
enum RecordHeader {
  /// The format that this version writes.
  static let version = 2
  /// A longer line is neither written nor read, in bytes, with its end.
  static let longest = 4096
  private static let magic = Array("proscenium-session ".utf8)

  /// The result of reading a file.
  enum Reading: Equatable {
    /// A record: the session as far as the line has it, the index at which the body begins, and the body's sum as it
    /// stands there; nil in a line of an earlier version.
    case record(StoredSession, body: Int, sum: String?)
    /// A version that this one does not know, and does not change.
    case newer(Int)
    /// Neither of these, and why.
    case damaged(String)
  }

  /// The line of a session with this body, with its end.
  static func line(_ session: StoredSession, body: [UInt8]) -> String {
    let lastActive = session.lastActive.isFinite ? session.lastActive : 0
    let tokens = [
      session.identifier, "\(lastActive)", session.presence.rawValue, session.role, session.configuration,
    ].map(Token.encode)
    return "proscenium-session \(version) \(tokens.joined(separator: " ")) \(sum(of: body[...]))\n"
  }

  /// The ``Checksum`` of a body, as a line has it; over the bare bytes, which is fast without optimisation too.
  static func sum(of body: ArraySlice<UInt8>) -> String {
    let sum = body.withUnsafeBytes { bytes in
      var sum: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return sum
    }
    return String(sum, radix: 16)
  }

  static func read(_ bytes: [UInt8]) -> Reading {
    guard bytes.starts(with: magic) else {
      return .damaged(bytes.isEmpty ? "it is empty" : "it does not begin like a record")
    }
    let start = bytes.prefix(longest)
    let end = start.firstIndex(of: UInt8(ascii: "\n")) ?? start.endIndex
    let tokens = tokens(bytes[magic.count..<end])
    guard let first = tokens.first, first.count < 10, let number = Int(String(decoding: first, as: UTF8.self)) else {
      return .damaged("its version is not a number")
    }
    if number > version { return .newer(number) }
    guard number == version, end < start.endIndex, tokens.count >= 6 else {
      return .damaged("its first line is not whole, or too long")
    }
    guard case .some(.some(let identifier)) = Token.decode(tokens[1]),
      let lastActive = Double(String(decoding: tokens[2], as: UTF8.self)), lastActive.isFinite,
      case .some(let presence) = Token.decode(tokens[3]), case .some(let role) = Token.decode(tokens[4]),
      case .some(let configuration) = Token.decode(tokens[5])
    else { return .damaged("its first line cannot be read") }
    var session = StoredSession(identifier: identifier, role: role ?? "", configuration: configuration)
    session.lastActive = lastActive
    // For a presence of a later version rather a window too many than one too few.
    session.presence = presence.flatMap(StoredSession.Presence.init) ?? .shown
    let sum = tokens.count > 6 ? String(decoding: tokens[6], as: UTF8.self) : nil
    return .record(session, body: end + 1, sum: sum)
  }

  /// The tokens of a line, and behind the seventh all that follows; `split` takes twice as many instructions.
  private static func tokens(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var (tokens, rest): ([ArraySlice<UInt8>], _) = ([], line)
    tokens.reserveCapacity(8)
    while tokens.count < 7, let space = rest.firstIndex(of: UInt8(ascii: " ")) {
      tokens.append(rest[..<space])
      rest = rest[(space + 1)...]
    }
    return tokens + [rest]
  }
}
