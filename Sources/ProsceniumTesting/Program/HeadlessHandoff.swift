import ProsceniumCore
import ProsceniumPlatform

/// The offers of the developer's programs in memory; those of others outlast processes.
@MainActor final class HeadlessHandoff: HandoffService {
  /// Another program's offer, and what it gives.
  struct Other {
    var listing: HandoffListing
    var activity: Result<StoredActivity, DesktopFailure>
  }

  private unowned let machine: HeadlessMachine
  /// What the process offers; nil for nothing.
  private(set) var offer: HandoffOffer?
  private(set) var others: [Other] = []
  private var answers: [Int: Result<StoredActivity, DesktopFailure>] = [:]
  private var questionCount = 0

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// Another process begins, which offers nothing.
  func forgetProcess() { (offer, answers) = (nil, [:]) }

  // MARK: Other programs

  func add(_ activity: StoredActivity, of application: String, isGiven: Bool) {
    remove(application)
    let offer = HandoffOffer(identifier: "1", activityType: activity.activityType, title: activity.title)
    let listing = HandoffListing(name: application + ".Handoff", application: application, offer: offer)
    let failure = DesktopFailure("it has ended")
    others.append(Other(listing: listing, activity: isGiven ? .success(activity) : .failure(failure)))
  }

  func remove(_ application: String) { others.removeAll { $0.listing.application == application } }

  /// Another program asks the process for what it offers.
  func ask() -> StoredActivity? {
    guard let offer else { return nil }
    questionCount += 1
    machine.post(.handoff(.asked(identifier: offer.identifier, question: questionCount)))
    guard case .success(let activity)? = answers.removeValue(forKey: questionCount) else { return nil }
    machine.post(.handoff(.continued(identifier: offer.identifier)))
    return activity
  }

  // MARK: The process

  func offer(_ offer: HandoffOffer?) { self.offer = offer }

  func answer(_ question: Int, with result: Result<StoredActivity, DesktopFailure>) { answers[question] = result }

  func list(_ types: Set<String>, completion: @escaping @MainActor ([HandoffListing]) -> Void) {
    let found = others.map(\.listing).filter { types.contains($0.offer.activityType) }
    completion(found.sorted { $0.name < $1.name })
  }

  func take(_ listing: HandoffListing, completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void) {
    let result = others.first { $0.listing == listing }?.activity ?? .failure(DesktopFailure("it has ended"))
    var request = IncomingRequest()
    request.sender = IncomingRequest.Sender(application: listing.application)
    switch result {
    case .success(let activity): request.activity = .whole(activity)
    case .failure(let failure):
      request.activity = .failed(type: listing.offer.activityType, reason: failure.description)
    }
    machine.post(.request(request))
    completion(result.map { _ in })
  }
}
