import ProsceniumCore

/// Where an animation is, or ends.
public enum AnimatingPosition: Hashable, Sendable {
  /// Where it began: all values are as they were.
  case start
  /// At its end: all values are those that the program has set.
  case end
  /// Between the two.
  case current
}

/// Animates changes of views, and can be paused, reversed and set to any place meanwhile.
///
/// Changes of ``View/frame``, ``View/bounds``, ``View/center``, ``View/alpha``, ``View/transform`` and
/// ``View/backgroundColor`` within its ``addAnimations(_:)`` are animated. The views have their new values at once, as
/// for input; only what is drawn goes there in time. What another animation does to the same view is added, so that
/// nothing jumps where one takes over from the other. Frames and positions are whole points.
///
/// It runs with the frames of the views' windows, and requests none at other times. Changes of views that are seen in
/// no window are not animated; those of views that leave their window, or whose scene leaves the foreground, are done
/// at once, and where none is left the animator is at its end. Where the user wants less motion
/// (`TraitCollection.prefersReducedMotion`) it jumps to its end with the next frame. Used on the main thread.
@preconcurrency @MainActor public final class Animator {
  /// The state of an animator.
  public enum State: Hashable, Sendable {
    /// Not started yet, or at its end.
    case inactive
    /// Running or paused.
    case active
    /// Stopped, and not finished by ``Animator/finishAnimation(at:)`` yet.
    case stopped
  }

  /// A value that was changed.
  private struct Change {
    weak var view: View?
    let old: AnimatedValue
    let new: AnimatedValue

    /// Whether the view's own drawing differs on the way, and not only its place or opacity.
    var isOfDrawing: Bool {
      switch (old, new) {
      case (.frame(let old), .frame(let new)): old.size != new.size
      case (.boundsOrigin, _), (.backgroundColor, _): true
      default: false
      }
    }
  }

  /// The length of the animation.
  public let duration: Duration
  /// The speed over the duration.
  public let curve: TimingCurve
  /// The state.
  public private(set) var state = State.inactive
  /// Whether it is running: active and not paused.
  public private(set) var isRunning = false
  private let ownCycle: AnimationCycle
  private var animations: [@MainActor () -> Void] = []
  private var completions: [@MainActor (AnimatingPosition, _ isFinished: Bool) -> Void] = []
  private var changes: [Change] = []
  /// The time since the start; negative during a delay.
  private var elapsed = Duration.zero
  /// The last frame.
  private var lastFrame: Duration?
  private var reverses = false
  /// Whether it jumps to its end, because the user wants less motion.
  private var jumps = false
  /// Whether its changes are being made.
  private var isRecording = false

  /// Longer times could not be added.
  private static let longest = Duration.seconds(1_000_000)

  /// The animator whose changes are made at present.
  private(set) static var recording: Animator?

  init(duration: Duration, curve: TimingCurve, repeats: Bool, autoreverses: Bool) {
    self.duration = min(max(duration, .zero), Self.longest)
    self.curve = curve
    ownCycle = AnimationCycle(duration: self.duration, repeats: repeats, autoreverses: autoreverses)
  }

  /// Creates an animator that is not started yet.
  /// - Parameters:
  ///   - duration: The length of the animation; none where it is negative.
  ///   - curve: The speed over the duration.
  ///   - animations: Changes views; called when the animation starts.
  public convenience init(
    duration: Duration, curve: TimingCurve = .easeInOut, animations: (@MainActor () -> Void)? = nil
  ) {
    self.init(duration: duration, curve: curve, repeats: false, autoreverses: false)
    if let animations { addAnimations(animations) }
  }

  /// Creates an animator that swings like a spring, and is not started yet.
  /// - Parameters:
  ///   - duration: The length of the animation; none where it is negative.
  ///   - dampingRatio: 1 without oscillation, less with more of it.
  ///   - animations: Changes views; called when the animation starts.
  public convenience init(duration: Duration, dampingRatio: Double, animations: (@MainActor () -> Void)? = nil) {
    self.init(duration: duration, curve: .spring(dampingRatio: dampingRatio), animations: animations)
  }

  // MARK: What is animated

  /// Adds changes of views.
  ///
  /// Called at the start, or at once where that has been: those changes take the time that is left.
  /// - Parameter animation: Changes views.
  public func addAnimations(_ animation: @escaping @MainActor () -> Void) {
    View.requireMainThread()
    switch state {
    case .inactive: animations.append(animation)
    case .active: record(animation)
    case .stopped: Application.report("An animation is dropped: its animator is stopped. Finish it before.")
    }
  }

  /// Adds a function to call once, when the animation has ended or is finished.
  /// - Parameter completion: Gets the place at which it ended; not called after ``stopAnimation(_:)`` with true.
  public func addCompletion(_ completion: @escaping @MainActor (AnimatingPosition) -> Void) {
    addCompletion { position, _ in completion(position) }
  }

  func addCompletion(_ completion: @escaping @MainActor (AnimatingPosition, _ isFinished: Bool) -> Void) {
    View.requireMainThread()
    completions.append(completion)
  }

  // MARK: Running

  /// Starts the animation, or lets it go on.
  public func startAnimation() { startAnimation(afterDelay: .zero) }

  /// Starts the animation after a delay, during which the old values are drawn; one that is paused goes on at once.
  /// - Parameter delay: The delay; none where it is negative.
  public func startAnimation(afterDelay delay: Duration) { start(after: delay) {} }

  /// Starts the animation, with changes that are made after those that have been added.
  func start(after delay: Duration, _ body: () -> Void) {
    View.requireMainThread()
    guard state != .stopped, !isRunning else { return }
    if state == .inactive { activate(after: delay, body) }
    isRunning = true
    lastFrame = nil
    jumps = Application.sharedIfLaunched?.traitCollection.prefersReducedMotion == true
    if jumps { elapsed = .zero }
    for change in changes {
      guard let view = change.view, let tree = view.tree, tree.isVisible else { continue }
      view.setNeedsDisplayInSuperview()
      tree.animations.add(self)
    }
    for view in changes.compactMap(\.view) where view.tree?.isVisible != true { drop(view) }
    changes.removeAll { $0.view?.tree?.isVisible != true }
    guard changes.isEmpty else { return }
    // Nobody sees anything of it: its end is still told after the caller has gone on.
    Task { if self.isRunning, self.changes.isEmpty { self.finish(at: self.target, isFinished: true) } }
  }

  /// Pauses the animation where it is; one that is not started becomes active.
  public func pauseAnimation() {
    View.requireMainThread()
    if state == .inactive { activate(after: .zero) {} }
    guard state == .active else { return }
    isRunning = false
    elapsed = max(elapsed, .zero)
  }

  /// Stops the animation: the views have the values that are drawn, less what other animators add to them.
  /// - Parameter withoutFinishing: Whether the animator is inactive then, and its completions are dropped; else it
  ///   waits for ``finishAnimation(at:)``.
  public func stopAnimation(_ withoutFinishing: Bool) {
    View.requireMainThread()
    guard state == .active else { return }
    isRunning = false
    let values = changes.compactMap { change in change.view.map { ($0, reached(change.old.property, of: $0)) } }
    state = withoutFinishing ? .inactive : .stopped
    dropAll()
    View.performWithoutAnimation { for (view, value) in values { value.apply(to: view) } }
    guard withoutFinishing else { return }
    changes = []
    completions = []
  }

  /// A value of a view with what this animator adds to it now: what others add is drawn in addition, also afterwards.
  private func reached(_ property: AnimatedValue.Property, of view: View) -> AnimatedValue {
    let value = Shown(model: view).value(of: property)
    let own = view.host.motions.filter { $0.animator === self && $0.property == property }
    let sum = own.reduce(SIMD8<Double>.zero) { $0 + $1.difference * $1.rest }
    return sum == .zero ? value : value.with(value.numbers + sum)
  }

  /// Ends an animation that is stopped, and calls the completions.
  /// - Parameter position: Where the values of the views are to be.
  public func finishAnimation(at position: AnimatingPosition) {
    View.requireMainThread()
    guard state == .stopped else {
      return Application.report("An animation is not finished: stop it before, with stopAnimation(false).")
    }
    // Where it was stopped, all have the values that were drawn.
    if position == .end { View.performWithoutAnimation { for change in changes { change.view.map(change.new.apply) } } }
    finish(at: position, isFinished: true)
  }

  /// The part of the duration that is done, 0...1.
  ///
  /// Setting it pauses the animation there. The curve applies to it.
  public var fractionComplete: Double {
    get { cycle.phase(at: elapsed) }
    set {
      pauseAnimation()
      guard state == .active, newValue.isFinite else { return }
      move { elapsed = duration * min(max(newValue, 0), 1) }
    }
  }

  /// Whether the animation runs back to its start; it goes on from where it is.
  public var isReversed: Bool {
    get { reverses }
    set {
      View.requireMainThread()
      reverses = newValue
    }
  }

  /// Makes the changes of a function, so that they are drawn in time.
  private func record(_ body: () -> Void) {
    let (isWithin, hadChanges) = (isRecording, !changes.isEmpty)
    isRecording = true
    Self.record(as: self, body)
    isRecording = isWithin
    if hadChanges { endIfNothingMoves() }
  }

  /// Calls a function whose changes are those of an animator; of none where nil.
  static func record(as animator: Animator?, _ body: () -> Void) {
    let outer = recording
    recording = animator
    defer { recording = outer }
    body()
  }

  /// The value of a view has been changed.
  static func valueChanged(_ view: View, from old: AnimatedValue) {
    guard let animator = recording else { return }
    let new = Shown(model: view).value(of: old.property)
    guard let difference = new.difference(from: old) else { return }
    animator.changes.append(Change(view: view, old: old, new: new))
    let motion = Motion(
      animator: animator, property: old.property, difference: difference, start: animator.progress)
    view.host.motions.append(motion)
    if animator.isRunning, let tree = view.tree, tree.isVisible { tree.animations.add(animator) }
  }
}

// MARK: Time

extension Animator {
  /// How much of the way is done; beyond 0...1 where the curve swings.
  var progress: Double { curve.value(at: cycle.phase(at: elapsed)) }

  var remainingDelay: Duration { max(.zero, .zero - elapsed) }

  private var target: AnimatingPosition { reverses ? .start : .end }

  private var cycle: AnimationCycle { jumps ? .none : ownCycle }

  /// Makes the changes: those that have been added, then others.
  private func activate(after delay: Duration, _ body: () -> Void) {
    state = .active
    // Set before the changes: those of no duration are not over before the delay is.
    elapsed = .zero - min(max(delay, .zero), Self.longest)
    jumps = false
    let added = animations
    animations = []
    record {
      for animation in added { animation() }
      body()
    }
  }

  /// Goes on to the time of a frame.
  func advance(to time: Duration) {
    guard isRunning else { return }
    let step = max(.zero, time - (lastFrame ?? time))
    lastFrame = time
    move { elapsed = reverses && elapsed > .zero ? elapsed - step : elapsed + step }
    if reverses ? elapsed <= .zero : cycle.isOver(at: elapsed) { finish(at: target, isFinished: true) }
  }

  /// Changes the time, and requests that what was and what is drawn then is drawn again.
  private func move(_ body: () -> Void) {
    redraw()
    body()
    redraw()
  }

  private func redraw() {
    for change in changes {
      guard let view = change.view else { continue }
      view.setNeedsDisplayInSuperview()
      if change.isOfDrawing { view.setNeedsDisplay() }
    }
  }

  // MARK: Ends

  private func finish(at position: AnimatingPosition, isFinished: Bool) {
    isRunning = false
    state = .inactive
    dropAll()
    let (changes, completions) = (self.changes, self.completions)
    (self.changes, self.completions) = ([], [])
    if position == .start { undo(changes) }
    for completion in completions { completion(position, isFinished) }
  }

  /// Gives the views the values that they had at the start.
  private func undo(_ changes: [Change]) {
    // The first of several values of a property was there at the start.
    View.performWithoutAnimation { for change in changes.reversed() { change.view.map(change.old.apply) } }
  }

  private func dropAll() { for view in changes.compactMap(\.view) { drop(view) } }

  /// Ends what concerns a view, because it leaves its window.
  func end(_ view: View) {
    drop(view)
    let own = changes.filter { $0.view === view }
    changes.removeAll { $0.view == nil || $0.view === view }
    if reverses { undo(own) }
    endIfNothingMoves()
  }

  /// Ends the animation where all of its views have left their windows.
  private func endIfNothingMoves() {
    // Further changes may follow.
    if state == .active, !isRecording, changes.isEmpty { finish(at: target, isFinished: false) }
  }

  /// Draws a view from now on without the motions of this animator.
  private func drop(_ view: View) {
    guard view.host.motions.contains(where: { $0.animator === self }) else { return }
    view.setNeedsDisplayInSuperview()
    view.host.motions.removeAll { $0.animator === self }
    view.setNeedsDisplayInSuperview()
    if changes.contains(where: { $0.view === view && $0.isOfDrawing }) { view.setNeedsDisplay() }
  }

  /// Ends what concerns the views of a window.
  func end(viewsOf tree: ViewTree) {
    for view in changes.compactMap(\.view) where view.tree === tree { end(view) }
  }
}
