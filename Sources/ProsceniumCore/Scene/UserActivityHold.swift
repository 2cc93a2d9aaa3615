/// What a responder stores about its activity.
///
/// Made when the responder gets its first one, so that the others pay a reference each.
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

  // Weak references to this object are nil by now, which is how the activity finds its place.
  isolated deinit { activity?.released(by: nil) }
}
