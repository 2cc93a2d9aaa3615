import ProsceniumPlatform

/// The desktop's notices in memory, which outlast processes.
@MainActor final class HeadlessNotices: NoticeService {
  /// The notices that are shown, the oldest first.
  private(set) var shown: [UserNotice] = []

  func show(_ notice: UserNotice, completion: @escaping @MainActor (DesktopFailure?) -> Void) {
    remove([notice.request.identifier])
    shown.append(notice)
  }

  func remove(_ identifiers: [String]) { shown.removeAll { identifiers.contains($0.request.identifier) } }
}
