import FoundationEssentials
import ProsceniumJSON
import ProsceniumTrace

/// Offers the current activity to other programs of the developer, and gives it to those that continue it: see
/// ``HandoffCenter``.
final class HandoffFeature: FeatureBase, Feature {
  enum Message: Equatable {
    /// The current activity, or what is said of it, may be another one.
    case changed
    /// The activity that is offered should have expired.
    case expired
    /// Calls a completion of the program, never within the present call.
    case answer(FunctionCall)
  }

  /// The most activities that are remembered as given and not continued yet.
  private static let mostGiven = 8

  /// What is offered; nil for nothing.
  private var offer: HandoffOffer?
  /// The activities that other programs have been given, and have not continued yet.
  private var given: [Weak] = []
  private var isAsked = false
  /// The time by which activities expire.
  var clock: () -> Date = { Date() }

  private struct Weak {
    weak var activity: UserActivity?
    var identifier: String
  }

  static let manifestProperties: [ManifestProperty] = [.texts("userActivityTypes", \.userActivityTypes)]

  private var service: (any HandoffService)? { application.host.services.handoff }
  private var current: CurrentActivity { application.value(CurrentActivityKey.self) }

  // MARK: What is offered

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, by: self)
    lists.observe(after: [.sceneWillEnterForeground, .sceneDidEnterBackground, .sceneDidDisconnect], by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .launching:
      // The activities of scenes end with them, while the conductor is being released.
      current.onChange = { [weak conductor] in conductor?.feature(Self.self)?.changed() }
      return update()
    case .after(.sceneWillEnterForeground, _), .after(.sceneDidEnterBackground, _), .after(.sceneDidDisconnect, _):
      return update()
    default: return []
    }
  }

  /// Many changes in one callback are one.
  func changed() {
    guard !isAsked else { return }
    isAsked = true
    conductor.post(Self.self, .changed)
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .changed:
      isAsked = false
      return update()
    case .expired: return update()
    case .answer(let answer): return [.callAfterSettling(answer)]
    }
  }

  private func update() -> [FeatureAction] {
    let activity = current.activity.flatMap { isOfferable($0) ? $0 : nil }
    let next = activity.map { describe($0) }
    let before = exchange(&offer, with: next)
    let end = expiry(of: activity)
    guard next != before else { return [end] }
    service?.offer(next)
    // The title is not for the trace, which is shown around.
    guard next?.identifier != before?.identifier else { return [end] }
    return [end]
      + [before.map { ("withdrawn", $0) }, next.map { ("offered", $0) }].compactMap { $0 }.map {
        .traceSystem("handoff", [$0.0: .string($0.1.activityType)])
      }
  }

  /// The offer ends with the activity; one that expires later than in a day is looked at again until then.
  private func expiry(of activity: UserActivity?) -> FeatureAction {
    guard let date = activity?.expirationDate else { return .cancel(.handoff) }
    return set(.handoff, after: .seconds(min(max(date.timeIntervalSince(clock()), 0), 86_400)), .expired)
  }

  /// Whether the activity is offered: to the user it is what is done in a window in sight.
  private func isOfferable(_ activity: UserActivity) -> Bool {
    guard activity.isValid, activity.isEligibleForHandoff, activity.expirationDate.map({ $0 > clock() }) ?? true
    else { return false }
    let scenes = activity.responders.compactMap { conductor.scene(of: $0) }
    return (scenes.isEmpty ? roster.ordered : scenes).contains { $0.activation >= .foregroundInactive }
  }

  private func describe(_ activity: UserActivity) -> HandoffOffer {
    let hold = activity.offer as? OfferHold ?? OfferHold(conductor)
    activity.offer = hold
    return HandoffOffer(identifier: hold.identifier, activityType: activity.activityType, title: activity.title)
  }

  /// The current activity, where it is the one of an offer that stands.
  fileprivate func activity(of identifier: String) -> UserActivity? {
    guard offer?.identifier == identifier, let activity = current.activity, isOfferable(activity),
      (activity.offer as? OfferHold)?.identifier == identifier
    else { return nil }
    return activity
  }

  // MARK: What others want

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    switch event {
    // The clock may have been set, by which activities expire.
    case .time: return update()
    case .handoff(.asked(let identifier, let question)):
      if activity(of: identifier) != nil {
        return [.callAfterSettling(GiveCall(identifier: identifier, question: question))]
      }
      answer(question, with: .failure(Self.notOffered))
    case .handoff(.continued(let identifier)):
      guard let place = given.firstIndex(where: { $0.identifier == identifier }) else { return [] }
      if let activity = given.remove(at: place).activity {
        return [.callAfterSettling(ContinuedCall(activity: activity))]
      }
    default: break
    }
    return []
  }

  /// Nothing is offered in that time; that an activity has been continued the program may know later.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    switch event {
    case .handoff(.asked): .handledAsleep
    case .handoff(.continued(let identifier)): .kept(kind: "handoff \(identifier)", rank: 2)
    default: nil
    }
  }

  fileprivate static let notOffered = DesktopFailure("the activity is not offered any more")

  fileprivate func answer(_ question: Int, with result: Result<StoredActivity, DesktopFailure>) {
    service?.answer(question, with: result)
  }

  fileprivate func gave(_ activity: UserActivity, _ identifier: String) {
    given.removeAll { $0.identifier == identifier || $0.activity == nil }
    given.append(Weak(activity: activity, identifier: identifier))
    given.removeFirst(max(0, given.count - Self.mostGiven))
  }

  /// The scene that an activity belongs to; nil where none is connected.
  fileprivate func scene(of activity: UserActivity) -> Scene? {
    activity.responders.lazy.compactMap { self.conductor.scene(of: $0)?.scene }.first
      ?? application.scenesByActivity.first
  }
}

extension Deadline { fileprivate static let handoff = Deadline("handoff") }

/// The name of an activity in its offers; says so when the activity is released.
@MainActor private final class OfferHold {
  let identifier = UUID().uuidString
  private weak var conductor: Conductor?

  init(_ conductor: Conductor) { self.conductor = conductor }

  isolated deinit { conductor?.feature(HandoffFeature.self)?.changed() }
}

/// `userActivityWillSave(_:)`, the responders' additions and `scene(_:didUpdate:)`; then another program has the
/// activity.
private struct GiveCall: ProgramCall {
  var identifier: String
  var question: Int
  var call: CallDescription { CallDescription("userActivityWillSave(_:)") }

  func perform(for application: Application) -> [FeatureAction] {
    guard let feature = application.conductor?.feature(HandoffFeature.self) else { return [] }
    // The program may have ended the activity meanwhile, and may do so now.
    feature.activity(of: identifier)?.collect { [feature] in
      guard let activity = feature.activity(of: identifier) else { return }
      update(activity, of: application, feature.scene(of: activity))
    }
    guard let activity = feature.activity(of: identifier) else {
      feature.answer(question, with: .failure(HandoffFeature.notOffered))
      return []
    }
    feature.gave(activity, identifier)
    feature.answer(question, with: .success(activity.stored))
    return [.traceSystem("handoff", ["given": .string(activity.activityType)])]
  }

  private func update(_ activity: UserActivity, of application: Application, _ scene: Scene?) {
    if let scene, let delegate = scene.delegate {
      delegate.scene(scene, didUpdate: activity)
    } else {
      application.delegate?.application(application, didUpdate: activity)
    }
  }
}

/// `userActivityWasContinued(_:)`.
private struct ContinuedCall: ProgramCall {
  var activity: UserActivity
  var call: CallDescription { CallDescription("userActivityWasContinued(_:)") }

  func perform(for application: Application) -> [FeatureAction] {
    activity.delegate?.userActivityWasContinued(activity)
    return [.traceSystem("handoff", ["continued": .string(activity.activityType)])]
  }
}
