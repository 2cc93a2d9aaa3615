/// What the user can ask for, each with its key.
enum Command: String, CaseIterable {
  case open = "n"
  case close = "w"
  case disconnect = "d"
  case quit = "q"

  /// What its button says.
  var title: String {
    switch self {
    case .open: "New"
    case .close: "Close"
    case .disconnect: "Disconnect"
    case .quit: "Quit"
    }
  }
}
