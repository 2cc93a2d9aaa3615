/// What a program says of its current activity, so that other programs of its developer can continue it.
package struct HandoffOffer: Hashable, Sendable {
  /// Tells this activity from every other one of the program.
  package var identifier: String
  package var activityType: String
  /// The name of the activity for the user; nil where it has none.
  package var title: String?

  package init(identifier: String, activityType: String, title: String? = nil) {
    self.identifier = identifier
    self.activityType = activityType
    self.title = title
  }
}

/// The offer of another program.
package struct HandoffListing: Hashable, Sendable {
  /// The name on the bus that the other program has for it: who that is it does not say.
  package var name: String
  /// The id of the other program, by its process; nil where the system does not know it.
  package var application: String?
  package var offer: HandoffOffer

  package init(name: String, application: String?, offer: HandoffOffer) {
    self.name = name
    self.application = application
    self.offer = offer
  }
}

/// What another program says of an offer of this one.
package enum HandoffEvent: Equatable, Sendable {
  /// It wants the activity; the question is answered once: see ``HandoffService/answer(_:with:)``.
  case asked(identifier: String, question: Int)
  /// It continues the activity, which it has been given.
  case continued(identifier: String)
}

/// Offers activities to other programs of the developer, and finds theirs.
///
/// Nobody hears of it before it is used. No function waits: each calls its completion later, once, on the main thread.
@MainActor package protocol HandoffService: AnyObject {
  /// Offers an activity from now on, in place of any other one; nil for none.
  func offer(_ offer: HandoffOffer?)

  /// Answers a question of ``HandoffEvent/asked(identifier:question:)``.
  /// - Parameters:
  ///   - question: The question.
  ///   - result: The activity, or why there is none.
  func answer(_ question: Int, with result: Result<StoredActivity, DesktopFailure>)

  /// Asks once which activities other programs offer.
  /// - Parameters:
  ///   - types: The types that count.
  ///   - completion: Called with the offers.
  func list(_ types: Set<String>, completion: @escaping @MainActor ([HandoffListing]) -> Void)

  /// Asks another program for an activity, and delivers it to this one as a request of that program; a failure is
  /// delivered, too.
  /// - Parameters:
  ///   - listing: The offer.
  ///   - completion: Called when it has been delivered.
  func take(_ listing: HandoffListing, completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void)
}
