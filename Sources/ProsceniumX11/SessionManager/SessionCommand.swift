/// The command line by which a session manager starts the program again.
struct SessionCommand: Equatable, Sendable {
  /// The argument before the id that the program had as a client of the session manager.
  static let option = "--session-id"
  /// Longer ones are not sent: libSM waits until the session manager has read everything.
  static let longest = 32_768

  /// The id of an earlier run; the last one, where there are several.
  let previousID: String?
  /// The command line without it.
  let clone: [String]

  /// Removes `--session-id ID` from a command line that begins with the program; a lone `--` ends the search.
  init(_ arguments: [String]) {
    var clone: [String] = []
    var previousID: String?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        clone.append(argument)
        clone += rest
        break
      }
      if argument == Self.option, !clone.isEmpty {
        if let value = rest.popFirst(), !value.isEmpty { previousID = value }
      } else {
        clone.append(argument)
      }
    }
    self.clone = clone
    self.previousID = previousID
  }

  /// The command line that continues as the client with an id.
  func restart(as id: String) -> [String] {
    let end = clone.firstIndex(of: "--") ?? clone.endIndex
    return clone[..<end] + [Self.option, id] + clone[end...]
  }

  var isTooLong: Bool { clone.reduce(0) { $0 + $1.utf8.count + 8 } > Self.longest }
}
