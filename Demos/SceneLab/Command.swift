/// The user's commands, each with its key.
enum Command: String, CaseIterable {
  case open = "n"
  case close = "w"
  case disconnect = "d"
  case quit = "q"

  /// The button's title.
  var title: String {
    switch self {
    case .open: "New"
    case .close: "Close"
    case .disconnect: "Disconnect"
    case .quit: "Quit"
    }
  }
}
