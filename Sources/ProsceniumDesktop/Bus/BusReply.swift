/// The reply to a call, given once and at any time.
///
/// A call whose reply is released without an answer is answered with an error.
@MainActor package final class BusReply {
  private let send: (Result<[BusValue], BusFailure>) -> Void
  private var isGiven = false

  init(_ send: @escaping (Result<[BusValue], BusFailure>) -> Void) { self.send = send }

  isolated deinit { give(.failure(.noReply)) }

  package func give(_ result: Result<[BusValue], BusFailure>) {
    guard !isGiven else { return }
    isGiven = true
    send(result)
  }
}
