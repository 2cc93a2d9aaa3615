/// The window manager's frames around one window: whether each of them is mapped.
///
/// Several window managers hide a window by unmapping its frame alone; any client may listen to that
/// (X protocol, ChangeWindowAttributes: StructureNotify may be selected by everybody).
struct FrameTracker: Hashable, Sendable {
  /// The frame that ReparentNotify named; nil while the parent is the root.
  private var parent: UInt32?
  /// The frames, nearest first; nil until the shell has found them.
  private var known: [WindowSignal.Ancestor]? = []
  /// What unknown frames count as.
  private var assumedMapped = true
  /// What frames said of themselves while they were unknown: later than any reply, or what the reply says too.
  private var heard: [UInt32: Bool] = [:]

  /// Whether all frames are mapped, as far as known.
  var areMapped: Bool { known.map { $0.allSatisfy { $0.isMapped } } ?? assumedMapped }
  /// Whether the frames have been found.
  var areKnown: Bool { known != nil }
  /// Whether the window lies directly on the root.
  var isOnRoot: Bool { parent == nil }

  /// ReparentNotify.
  ///
  /// `wasShown` tells a window that is being framed anew, whose frames count as what the old ones were, from one that
  /// is framed for the first time: there a frame may stay unmapped on another desktop.
  mutating func reparent(to window: UInt32, isRoot: Bool, wasShown: Bool) {
    assumedMapped = wasShown && areMapped
    heard = [:]
    parent = isRoot ? nil : window
    known = isRoot ? [] : nil
  }

  /// The shell's answer; one that does not begin with the parent is late, and about frames that are gone.
  mutating func find(_ ancestors: [WindowSignal.Ancestor]) {
    guard let parent, ancestors.first?.window == parent else { return }
    known = ancestors.map { .init(window: $0.window, isMapped: heard[$0.window] ?? $0.isMapped) }
    heard = [:]
  }

  /// MapNotify or UnmapNotify of a frame.
  mutating func setMapped(_ window: UInt32, _ isMapped: Bool) {
    guard let frames = known else {
      heard[window] = isMapped
      return
    }
    known = frames.map { $0.window == window ? .init(window: window, isMapped: isMapped) : $0 }
  }

  /// ReparentNotify or DestroyNotify of a frame; whether the frames have to be found again.
  mutating func lose(_ window: UInt32) -> Bool {
    guard parent != nil else { return false }
    guard let frames = known else { return true }
    guard frames.contains(where: { $0.window == window }) else { return false }
    assumedMapped = areMapped
    heard = [:]
    known = nil
    return true
  }
}
