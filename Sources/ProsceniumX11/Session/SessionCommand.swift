/// A command line, as a session manager is told to start the program again.
struct SessionCommand: Equatable, Sendable {
  /// What says in the arguments which client of the session manager the program was.
  static let option = "--session-id"
  /// Longer ones are not sent: the session manager has to read everything before we go on.
  static let longest = 32_768

  /// The id of an earlier run; the last one, where there are several.
  let previousID: String?
  /// The command line without it.
  let clone: [String]

  /// Takes `--session-id ID` out of a command line that begins with the program; a lone `--` ends the search.
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
