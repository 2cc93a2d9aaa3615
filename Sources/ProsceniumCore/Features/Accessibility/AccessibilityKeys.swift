/// Tells assistive programs of keys before their windows have them: a screen reader reads what a key has done by which
/// key it was, and takes those that are its own commands.
final class AccessibilityKeys: FeatureBase, Feature, KeyFilter {
  enum Message: Equatable {
    /// The assistive programs should have answered.
    case expired(Int)
  }

  /// How long a key waits for them: as long as somebody who types waits for a character.
  static let patience = Duration.seconds(1)

  var passage = KeyPassage<Event>()
  /// Whether there are assistive programs at all; nothing more is looked at for a key where there are none.
  private var isWatched = false

  private var service: (any AccessibilityService)? { application.host.services.accessibility }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, by: self)
    lists.interceptors.append(self)
  }

  /// Whether one of them listens is known only when it is needed.
  func take(_ event: Event) -> Bool {
    guard case .key = event.kind, passage.isIdle else { return filter(event) }
    guard isWatched else { return false }
    let isHeard = service?.hearsKeys ?? false
    if isHeard != (passage.engine != .absent) { _ = passage.reduce(.engine(isThere: isHeard)) }
    return filter(event)
  }

  func isForEngine(_ event: Event) -> Bool { true }
  func ask(_ key: Key, time: UInt32, number: Int) { service?.tell(key, time: time, number: number) }
  func reset() {}

  var deadline: Deadline { .assistant }
  func expiry(_ number: Int) -> FeatureAction {
    .set(.assistant, after: Self.patience, AnyMessage(AccessibilityKeys.self, .expired(number)))
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .expired(let number): [.callAfterSettling(ExpiryCall(filter: self, number: number))]
    }
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .accessibility(let event) = event else { return [] }
    switch event {
    case .watched(let isOn, _): isWatched = isOn
    case .answer(let number, let isHandled):
      return [.callAfterSettling(AnswerCall(filter: self, number: number, isHandled: isHandled))]
    case .request: break
    }
    return []
  }

  /// A key that waits has no window in the foreground any more.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    if case .accessibility(.answer) = event { .dropped } else { nil }
  }
}

/// The time in which assistive programs have to answer.
extension Deadline { fileprivate static let assistant = Deadline("assistive program") }

/// What they answer.
private struct AnswerCall: Notice {
  var filter: AccessibilityKeys
  var number: Int
  var isHandled: Bool
  var call: CallDescription { CallDescription("sendEvent(_:)", phase: .event) }

  func send(to application: Application) { filter.answer(number, isHandled: isHandled) }
}
