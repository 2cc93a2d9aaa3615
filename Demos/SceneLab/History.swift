import Proscenium

/// The states that a scene had in the last minute.
struct History {
  /// A state, and how many seconds ago it began and ended.
  struct Span {
    var state: Scene.ActivationState
    var began: Double
    var ended: Double
  }

  /// How far back it goes, in seconds.
  static let length = 60.0

  /// When each state began, the oldest one first.
  private var steps: [(state: Scene.ActivationState, start: ContinuousClock.Instant)] = []

  /// The state that it is in, and since when.
  var last: (state: Scene.ActivationState, start: ContinuousClock.Instant)? { steps.last }

  /// Adds a state that begins now, and removes states that are no longer shown.
  mutating func enter(_ state: Scene.ActivationState, at now: ContinuousClock.Instant = .now) {
    guard state != steps.last?.state else { return }
    steps.append((state, now))
    let ended = steps.dropFirst().prefix { now - $0.start > .seconds(Self.length) }.count
    steps.removeFirst(ended)
    // A limit for very fast changes.
    steps.removeFirst(max(0, steps.count - 1000))
  }

  /// The visible spans at a moment, the oldest one first.
  func spans(at now: ContinuousClock.Instant = .now) -> [Span] {
    steps.indices.compactMap { index in
      let began = (now - steps[index].start) / .seconds(1)
      let ended = index + 1 < steps.count ? (now - steps[index + 1].start) / .seconds(1) : 0
      guard ended < Self.length else { return nil }
      return Span(state: steps[index].state, began: min(began, Self.length), ended: max(ended, 0))
    }
  }
}
