/// A feature that asks an engine outside the program about keys on their way to their windows (``KeyPassage``).
@MainActor protocol KeyFilter: EventInterceptor {
  var passage: KeyPassage<Event> { get set }
  /// Whether a key is one for the engine, if there is one; not asked about other events.
  func isForEngine(_ event: Event) -> Bool
  /// Asks the engine, which answers later, with the number.
  func ask(_ key: Key, time: UInt32, number: Int)
  /// Drops what the engine has made of a key that passed it by.
  func reset()
  /// The time in which the engine has to answer.
  var deadline: Deadline { get }
  /// Begins that time, after which an ``ExpiryCall`` is due.
  func expiry(_ number: Int) -> FeatureAction
}

extension KeyFilter {
  /// Takes a key for the engine, or input behind such a key.
  /// - Returns: Whether it has been taken; else it is handled now.
  func take(_ event: Event) -> Bool { filter(event) }

  func filter(_ event: Event) -> Bool {
    // A click behind keys that wait may move the focus away from the text that they were typed into.
    guard passage.isIdle ? passage.engine == .ready && asks(event) : event.isInput else { return false }
    passage.add(event)
    advance()
    return true
  }

  private func asks(_ event: Event) -> Bool { if case .key = event.kind { isForEngine(event) } else { false } }

  private func advance() {
    while let step = passage.next(asks: asks) {
      switch step {
      case .ask(let event, let number):
        guard case .key(let key) = event.kind else { continue }
        let milliseconds = UInt32(truncatingIfNeeded: Int64(event.timestamp / .milliseconds(1)))
        ask(key, time: milliseconds, number: number)
        conductor.perform(expiry(number))
      case .deliver(let event): deliver(event)
      }
    }
  }

  /// Delivers an event that has waited: its window may be gone, and the scene in the background or interrupted by now.
  func deliver(_ event: Event) {
    guard let window = event.window, let record = window.record, record.activation >= .foregroundInactive,
      !record.machine.isInterrupted
    else { return }
    conductor.deliver(event, behind: self)
  }

  func withhold(_ window: Window) {
    passage.drop { event in
      if case .key = event.kind { return false }
      return event.window === window
    }
  }

  func answer(_ number: Int, isHandled: Bool) {
    if number == passage.asked?.number { conductor.perform(.cancel(deadline)) }
    act(on: .answer(number, isHandled: isHandled))
  }

  func act(on input: KeyPassage<Event>.Input) {
    switch passage.reduce(input) {
    case .deliver(let event): deliver(event)
    case .reset: reset()
    case nil: break
    }
    advance()
  }
}

/// A key that the engine has not answered for.
struct ExpiryCall: Notice {
  var filter: any KeyFilter
  var number: Int
  var call: CallDescription { CallDescription("sendEvent(_:)", phase: .event) }

  func send(to application: Application) { filter.act(on: .expired(number)) }
}
