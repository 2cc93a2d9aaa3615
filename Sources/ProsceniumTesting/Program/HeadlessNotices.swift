import ProsceniumPlatform

/// The desktop's notices in memory, which outlast processes.
@MainActor final class HeadlessNotices: NoticeService {
  /// The notices that are shown, the oldest first.
  private(set) var shown: [UserNotice] = []

  var onClosed: (@MainActor (_ identifier: String) -> Void)?
  /// What the program has taken back, one call after the other.
  private(set) var removals: [[String]] = []
  /// Why the next notices are not shown; nil where they are.
  var refusal: DesktopFailure?
  /// Whether the desktop does not say that a notice is shown before ``answer()``.
  var holdsAnswers = false
  private var answers: [@MainActor () -> Void] = []

  func show(_ notice: UserNotice, completion: @escaping @MainActor (DesktopFailure?) -> Void) {
    if let refusal { return completion(refusal) }
    takeDown(notice.request.identifier)
    shown.append(notice)
    if holdsAnswers { answers.append { completion(nil) } } else { completion(nil) }
  }

  /// Says that the notices are shown.
  func answer() {
    holdsAnswers = false
    for answer in exchange(&answers, with: []) { answer() }
  }

  func remove(_ identifiers: [String]) {
    removals.append(identifiers)
    shown.removeAll { identifiers.contains($0.request.identifier) }
  }

  /// Takes a notice down.
  /// - Returns: Whether it was shown.
  @discardableResult func takeDown(_ identifier: String) -> Bool {
    let count = shown.count
    shown.removeAll { $0.request.identifier == identifier }
    return shown.count < count
  }

  /// The user closes a notice.
  func close(_ identifier: String) { if takeDown(identifier) { onClosed?(identifier) } }
}
