/// The way of keys past an engine, which answers later: one key is asked about, and those behind it wait, in order.
///
/// An engine that does not answer in time is silent: keys pass it by until it answers, or another one comes.
struct KeyPassage<Key> {
  enum Engine: Hashable, CaseIterable { case absent, ready, silent }

  /// The next step of the first key that waits.
  enum Step {
    /// The engine is asked about it.
    case ask(Key, number: Int)
    /// It is handled as without an engine.
    case deliver(Key)
  }

  enum Input: Equatable {
    case answer(Int, isHandled: Bool)
    /// The answer with this number should have come by now.
    case expired(Int)
    /// An engine has come, also in place of another one, or the engine has gone.
    case engine(isThere: Bool)
    /// The engine has said something that is no answer.
    case signOfLife
  }

  enum Effect {
    case deliver(Key)
    /// What the engine has made of a key that passed it by is dropped: the text has that key.
    case reset
  }

  private(set) var engine = Engine.absent
  private(set) var asked: (key: Key, number: Int)?
  private var waiting: [Key] = []
  /// The number of keys that the engine has been asked about.
  private(set) var number = 0
  /// The number of the key that has made the engine silent.
  private var overdue: Int?

  var isIdle: Bool { asked == nil && waiting.isEmpty }

  /// Adds a key behind the others.
  mutating func add(_ key: Key) { waiting.append(key) }

  /// Forgets events that wait.
  mutating func drop(where isDropped: (Key) -> Bool) { waiting.removeAll(where: isDropped) }

  /// Takes the next step; nil where none can be taken now.
  /// - Parameter asks: Whether a key is one for the engine, if there is one.
  /// - Returns: The step.
  mutating func next(asks: (Key) -> Bool) -> Step? {
    guard asked == nil, !waiting.isEmpty else { return nil }
    let key = waiting.removeFirst()
    guard engine == .ready, asks(key) else { return .deliver(key) }
    number += 1
    asked = (key, number)
    return .ask(key, number: number)
  }

  /// Answers what has happened to the engine.
  mutating func reduce(_ input: Input) -> Effect? {
    switch input {
    case .answer(asked?.number, let isHandled): return isHandled ? takeAsked(delivers: false) : takeAsked()
    case .expired(asked?.number):
      (engine, overdue) = (.silent, number)
      return takeAsked()
    case .engine(let isThere):
      (engine, overdue) = (isThere ? .ready : .absent, nil)
      return takeAsked()
    case .answer(overdue, _), .signOfLife:
      guard engine == .silent else { return nil }
      (engine, overdue) = (.ready, nil)
      return .reset
    case .answer, .expired: return nil
    }
  }

  private mutating func takeAsked(delivers: Bool = true) -> Effect? {
    let key = asked.take()?.key
    return delivers ? key.map { .deliver($0) } : nil
  }
}
