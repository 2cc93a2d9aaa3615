import ProsceniumPlatform

/// A question to another owner, named by the window that it is asked from.
///
/// Each has a window of its own, so that a late answer to one is not mistaken for another's.
struct SelectionRead {
  enum Goal {
    case item([String], @MainActor (PasteboardItem?) -> Void)
    case types(@MainActor ([String]) -> Void)
  }
  enum Phase {
    /// Waits for the SelectionNotify.
    case asking
    /// Waits for the property's value.
    case fetching
    /// Waits for the next piece to be written (ICCCM 2.7.2).
    case waiting
  }
  struct Candidate {
    var type: String
    var target: String
    var atom: UInt32
  }

  var pasteboard: PasteboardName
  var goal: Goal
  var phase = Phase.asking
  /// The targets to ask for after the present one; nil while that is `TARGETS`.
  var candidates: [Candidate]?
  var current: Candidate?
  var isIncremental = false
  /// The pieces that have come, of an answer in pieces.
  var value = PropertyValue(type: 0, bytes: [])
}
