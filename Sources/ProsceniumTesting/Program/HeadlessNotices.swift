import ProsceniumPlatform

/// The desktop's notices in memory, which outlast processes.
@MainActor final class HeadlessNotices: NoticeService {
  /// The notices that are shown, the oldest first.
  private(set) var shown: [UserNotice] = []

  var onClosed: (@MainActor (_ identifier: String) -> Void)?
  /// What the program has taken back, one call after the other.
  private(set) var removals: [[String]] = []

  func show(_ notice: UserNotice, completion: @escaping @MainActor (DesktopFailure?) -> Void) {
    takeDown(notice.request.identifier)
    shown.append(notice)
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
