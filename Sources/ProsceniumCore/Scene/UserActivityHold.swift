/// A responder's reference to its activity.
///
/// Made when the responder gets its first activity, so that other responders store one reference only.
@MainActor final class ActivityHold {
  weak var responder: Responder?
  private(set) var activity: UserActivity?

  init(_ responder: Responder) { self.responder = responder }

  func hold(_ next: UserActivity?) {
    guard next !== activity else { return }
    let last = activity
    activity = next
    next?.addHolder(self)
    last?.released(by: self)
  }

  // Weak references to this object are nil by now, so that the activity finds its entry.
  isolated deinit { activity?.released(by: nil) }
}
