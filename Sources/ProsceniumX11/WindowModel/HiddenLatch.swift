/// What `_NET_WM_STATE_HIDDEN` says of a window (EWMH, "Application Window Properties").
///
/// Several window managers leave the atom behind on visible windows, so that only its appearance counts, also beside
/// one that is there already, until something contradicts it. What is contradicted by a map, the focus or `WM_STATE`
/// stays so, also under a cover. That something of the window is seen contradicts it for as long as it is seen: the
/// server reports so of a tab in the back, too, before the one in front is mapped again.
struct HiddenLatch: Hashable, Sendable {
  enum State: Hashable, Sendable, CaseIterable {
    /// It has not appeared, or was contradicted.
    case open
    /// It was there when a window manager ended: the next one may only have written something beside it.
    case left
    /// It was found on a window that others have made: it counts where the window manager means it so.
    case found
    /// It has appeared: the window is hidden.
    case set
    /// VisibilityNotify contradicts it, unless a compositing manager runs: that is asked; it counts until the answer.
    case doubted
    /// Something of the window is seen, so that it does not count until the window is covered.
    case seen
  }

  /// The answer that has the value of `_NET_WM_STATE` after a change of it.
  private enum Answer: Hashable, Sendable {
    case none, awaited
    /// The window has been mapped since the change.
    case overtaken
  }

  private var state = State.open
  private var answer = Answer.none

  var isDoubted: Bool { state == .doubted }

  /// Whether the window is hidden.
  /// - Parameters:
  ///   - isNormal: Whether its `WM_STATE` is NormalState.
  ///   - root: The root.
  /// - Returns: Whether it is.
  func isSet(isNormal: Bool, root: RootModel) -> Bool {
    switch state {
    case .open, .left, .seen: false
    case .found: !isNormal || root.hidesNormalWindows
    case .set, .doubted: true
    }
  }

  /// The property has changed, and is read.
  mutating func announce() { if answer == .none { answer = .awaited } }

  /// Takes a new value of the property.
  /// - Parameters:
  ///   - value: The value.
  ///   - old: The value before.
  ///   - isFocused: Whether the window has the focus in its normal state.
  ///   - root: The root.
  mutating func take(
    _ value: WindowSignal.NetState, after old: WindowSignal.NetState, isFocused: Bool, root: RootModel
  ) {
    let isNew = !value.intersection(.everyHidden).isSubset(of: old)
    // A tab of i3 that was chosen and left before the answer: i3 has removed the atom meanwhile, and written it again.
    let isAgain = root.hidesNormalWindows && state == .open && answer != .none && !isFocused
    if !value.contains(.hidden) {
      state = .open
    } else if isNew || isAgain {
      // What has the focus in its normal state is no tab in the back, nor an icon: it is still only left behind. So it
      // is on a window that was mapped after the change, but under i3, which maps tabs in the back.
      let isOvertaken = answer == .overtaken && !root.hidesNormalWindows
      state = state == .left && isFocused || isOvertaken ? .open : .set
    }
    answer = .none
  }

  /// Takes a value that was there when the window began to be followed.
  mutating func find(
    _ value: WindowSignal.NetState, after old: WindowSignal.NetState, isFocused: Bool, root: RootModel
  ) {
    let isLeft = state == .left
    take(value, after: old, isFocused: isFocused, root: root)
    if value.contains(.hidden) && !old.contains(.hidden) { state = isLeft ? .open : .found }
  }

  /// The window is not hidden, whatever the atom says; one that a window manager has left stays known as such.
  mutating func contradict() { if state != .left { state = .open } }

  /// The window has been mapped.
  mutating func map() {
    contradict()
    if answer == .awaited { answer = .overtaken }
  }

  /// A window manager has ended.
  /// - Parameter isThere: Whether it has left the atom.
  mutating func leave(_ isThere: Bool) { state = state == .left || isThere ? .left : .open }

  /// Something of the window can be seen: whether a compositing manager runs is asked.
  mutating func doubt() { state = .doubted }

  /// The answer to that: under a compositing manager nothing is ever covered.
  /// - Parameters:
  ///   - isComposited: Whether one runs.
  ///   - isCovered: Whether the window has been covered meanwhile.
  mutating func settle(isComposited: Bool, isCovered: Bool) {
    if state == .doubted { state = isComposited || isCovered ? .set : .seen }
  }

  /// The window is fully covered.
  mutating func cover() { if state == .seen { state = .set } }

  /// The window is gone.
  mutating func drop() { state = .open }
}
