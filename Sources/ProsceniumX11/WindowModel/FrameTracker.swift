/// The window manager's frames around one window: whether each of them is mapped.
///
/// Several window managers hide a window by unmapping its frame alone; any client may select that event
/// (X protocol, ChangeWindowAttributes: StructureNotify).
struct FrameTracker: Hashable, Sendable {
  /// The frame that ReparentNotify named; nil while the parent is the root.
  private var parent: UInt32?
  /// The frames, nearest first; nil until they have been found.
  private var known: [WindowSignal.Ancestor]? = []
  /// Whether unknown frames count as mapped.
  private var assumedMapped = true
  /// The map states that events reported while the frames were unknown: later than any reply, or the same.
  private var observed: [UInt32: Bool] = [:]

  /// Whether all frames are mapped, as far as known.
  var areMapped: Bool { known.map { $0.allSatisfy { $0.isMapped } } ?? assumedMapped }
  /// Whether the frames have been found.
  var areKnown: Bool { known != nil }
  /// Whether the window lies directly on the root.
  var isOnRoot: Bool { parent == nil }

  /// ReparentNotify.
  ///
  /// `wasShown` distinguishes a window that is being framed anew, whose frames count as what the old ones were, from
  /// one that is framed for the first time: there a frame may stay unmapped on another workspace.
  mutating func reparent(to window: UInt32, isRoot: Bool, wasShown: Bool) {
    assumedMapped = wasShown && areMapped
    observed = [:]
    parent = isRoot ? nil : window
    known = isRoot ? [] : nil
  }

  /// The frames have been found; an answer that does not begin with the parent is late, and about frames that are gone.
  mutating func find(_ ancestors: [WindowSignal.Ancestor]) {
    guard let parent, ancestors.first?.window == parent else { return }
    known = ancestors.map { .init(window: $0.window, isMapped: observed[$0.window] ?? $0.isMapped) }
    observed = [:]
  }

  /// MapNotify or UnmapNotify of a frame.
  mutating func setMapped(_ window: UInt32, _ isMapped: Bool) {
    guard let frames = known else {
      observed[window] = isMapped
      return
    }
    known = frames.map { $0.window == window ? .init(window: window, isMapped: isMapped) : $0 }
  }

  /// ReparentNotify or DestroyNotify of a frame.
  /// - Returns: Whether the frames have to be found again.
  mutating func lose(_ window: UInt32) -> Bool {
    guard parent != nil else { return false }
    guard let frames = known else { return true }
    guard frames.contains(where: { $0.window == window }) else { return false }
    assumedMapped = areMapped
    observed = [:]
    known = nil
    return true
  }
}
