import ProsceniumPlatform

/// Finds the offers of other programs of the developer, and takes one, each when the program asks.
@MainActor final class HandoffFinder {
  /// The most programs that are asked for one list, and the most activities that are asked for at a time.
  private static let (mostListed, mostTakings) = (64, 8)

  private let peers: HandoffPeers
  private let host: any SystemHost
  private var takingCount = 0

  init(peers: HandoffPeers, host: any SystemHost) {
    self.peers = peers
    self.host = host
  }

  private var bus: Bus { peers.bus }

  // MARK: The list

  /// Asks all programs of the developer that have a name for an offer.
  func list(
    _ types: Set<String>, except own: String?, completion: @escaping @MainActor ([HandoffListing]) -> Void
  ) {
    bus.call(BusDaemon.name, BusDaemon.member("ListNames"), timeout: HandoffInterface.listingLimit) {
      [self] result in
      let all = ((try? result.get())?.first?.elements ?? []).compactMap(\.text)
      let names = all.filter { $0 != own && peers.developer.application(withName: $0) != nil }.sorted()
      collect(Array(names.prefix(Self.mostListed)), of: types, completion)
    }
  }

  private func collect(
    _ names: [String], of types: Set<String>, _ completion: @escaping @MainActor ([HandoffListing]) -> Void
  ) {
    var (open, found) = (names.count, [HandoffListing]())
    func end(_ listing: HandoffListing?) {
      open -= 1
      if let listing, types.contains(listing.offer.activityType) { found.append(listing) }
      if open == 0 { completion(found.sorted { $0.name < $1.name }) }
    }
    if names.isEmpty { return completion([]) }
    for name in names {
      peers.find(name) { [self] peer in
        guard let peer else { return end(nil) }
        bus.call(
          peer.owner, HandoffInterface.getAll, [.string(HandoffInterface.name)],
          timeout: HandoffInterface.listingLimit
        ) { result in
          let offer = (try? result.get()).flatMap { HandoffInterface.offer($0) }
          end(offer.map { HandoffListing(name: name, application: peer.sender.application, offer: $0) })
        }
      }
    }
  }

  // MARK: Taking

  /// Asks a program for its activity; posts it, or its failure, as a request of that program.
  func take(
    _ name: String, _ identifier: String, _ type: String, token: String?,
    _ completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void
  ) {
    guard takingCount < Self.mostTakings else {
      return completion(.failure(DesktopFailure("too many activities are asked for at a time")))
    }
    takingCount += 1
    var request = IncomingRequest()
    request.token = token
    peers.find(name) { [self] peer in
      guard let peer else {
        let failure = DesktopFailure("no program of the same developer offers it any more")
        return deliver(.failure(failure), type, request, completion)
      }
      request.sender = peer.sender
      bus.call(
        peer.owner, HandoffInterface.member("Take"), [.string(identifier)], timeout: HandoffInterface.takingLimit
      ) { [self] answer in
        let result = Self.activity(answer, type)
        if case .success = result, host.acceptsRequests {
          // Whether it hears that is its own matter.
          bus.call(peer.owner, HandoffInterface.member("Continued"), [.string(identifier)]) { _ in }
        }
        deliver(result, type, request, completion)
      }
    }
  }

  private func deliver(
    _ result: Result<StoredActivity, DesktopFailure>, _ type: String, _ request: IncomingRequest,
    _ completion: @MainActor (Result<Void, DesktopFailure>) -> Void
  ) {
    takingCount -= 1
    guard host.acceptsRequests else { return completion(.failure(DesktopFailure("the program is about to end"))) }
    var request = request
    switch result {
    case .success(let activity): request.activity = .whole(activity)
    case .failure(let failure): request.activity = .failed(type: type, reason: failure.description)
    }
    host.post(.request(request))
    completion(result.map { _ in })
  }

  /// The activity in an answer, which another program may have made up.
  private static func activity(
    _ answer: Result<[BusValue], BusFailure>, _ type: String
  ) -> Result<StoredActivity, DesktopFailure> {
    switch answer {
    case .failure(let failure): return .failure(DesktopFailure("\(failure)"))
    case .success(let values):
      guard values.count == 1, case .string(let text) = values[0],
        text.utf8.count <= HandoffInterface.longestActivity, let activity = ActivityText.read(text),
        activity.activityType == type
      else { return .failure(DesktopFailure("the other program gives something else")) }
      return .success(activity)
    }
  }
}
