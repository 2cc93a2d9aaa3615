/// Why a dialog of the desktop environment has no answer.
public enum DialogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing that shows such a dialog: why.
  case unavailable(String)
  /// The dialog was lost before the user answered, or its answer makes no sense: why.
  case failed(String)

  /// What happened, as a sentence.
  public var description: String {
    switch self {
    case .unavailable(let reason): "No dialog can be shown: \(reason)."
    case .failed(let reason): "The dialog has no answer: \(reason)."
    }
  }
}
