/// A call that another program makes of this one.
@MainActor package struct BusRequest {
  /// The caller's unique name.
  package var sender: String
  package var member: BusMember
  let body: BusBody
  /// The arguments; nil where they cannot be read: too many, too large, or damaged.
  package var values: [BusValue]? { body.values }
}

/// The answer to a call of another program.
package enum BusAnswer {
  case success([BusValue])
  case failure(BusFailure)
  /// The function gets the reply, and answers with it when it can.
  case later(@MainActor (BusReply) -> Void)
}
