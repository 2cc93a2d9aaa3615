/// The answer to a call, which may be given later; once.
///
/// A caller whose call is let go without an answer gets an error.
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
