/// The frames between a window and the root.
struct WindowFrames {
  /// The parent of the last ReparentNotify; the root at first.
  var parent: UInt32
  /// The frames whose events are selected.
  var followed: Set<UInt32> = []
  /// The frames found so far by the search under way, and its number: only the newest search counts.
  var found: [WindowSignal.Ancestor] = []
  var search = 0

  init(parent: UInt32) { self.parent = parent }
}
