/// The machine of a client of the X session manager (X Session Management Protocol 1.0, section 7 and appendix B).
///
/// The session manager requests that every client saves, perhaps because the session is about to end; a client may then
/// request its turn to interact with the user, who may cancel the shutdown. A client that may interact waits for its
/// turn before it begins, so that the user is asked once. Phase 2, for window managers, is never requested.
package enum SessionManagerMachine {
  /// Where the conversation is.
  package enum State: Hashable, Sendable, CaseIterable {
    /// Not registered yet, or the session manager is gone.
    case offline
    /// Registered, and nothing is asked of the program.
    case idle
    /// The program saves for a checkpoint.
    case savingCheckpoint
    /// The program saves because the session ends, and may not ask the user.
    case savingForEnd
    /// The session ends, and the program waits for its turn to ask the user.
    case awaitingTurn
    /// The program has its turn: it may be asking the user.
    case interacting
    /// The user has answered, and the program saves.
    case answered
    /// The checkpoint has been saved.
    case checkpointSaved
    /// The program has saved, and the session may end.
    case endSaved
    /// The session manager has sent Die.
    case dying
  }

  /// A message of the session manager, or an answer of the program.
  package enum Input: Hashable, Sendable {
    /// The session manager knows the program now.
    case registered
    /// SaveYourself.
    case saveYourself(shutdown: Bool, mayInteract: Bool)
    /// Interact: it is the program's turn.
    case interact
    /// The session manager refuses InteractRequest.
    case interactionRefused
    /// ShutdownCancelled.
    case shutdownCancelled
    /// SaveComplete.
    case saveComplete
    /// Die.
    case die
    /// The connection has been lost.
    case lost
    /// The user has answered the program.
    case userAnswered(cancels: Bool)
    /// The program has saved, or has failed to.
    case saved(success: Bool)
  }

  /// An action that the shell performs.
  package enum Effect: Hashable, Sendable {
    /// SetProperties: how to start the program again.
    case setProperties
    /// InteractRequest.
    case requestInteraction
    /// InteractDone.
    case finishInteraction(cancels: Bool)
    /// SaveYourselfDone.
    case finishSave(success: Bool)
    /// Save the program's state, then send `.saved`.
    case save(endsSession: Bool, mayInteract: Bool)
    /// Continue: the session does not end. No answer is expected.
    case resume
    /// The program has to end.
    case end
  }

  /// Applies an input to a state.
  package static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    switch input {
    case .registered:
      switch state {
      case .offline: (.idle, [.setProperties])
      case .idle, .savingCheckpoint, .savingForEnd, .awaitingTurn, .interacting, .answered, .checkpointSaved, .endSaved,
        .dying:
        (state, [])
      }

    case .saveYourself(let shutdown, let mayInteract):
      switch state {
      // A checkpoint says that the session goes on.
      case .endSaved where !shutdown:
        (.savingCheckpoint, [.resume, .setProperties, .save(endsSession: false, mayInteract: false)])
      // Some session managers begin again without SaveComplete or ShutdownCancelled.
      case .idle, .checkpointSaved, .endSaved:
        if !shutdown {
          (.savingCheckpoint, [.setProperties, .save(endsSession: false, mayInteract: false)])
        } else if mayInteract {
          (.awaitingTurn, [.setProperties, .requestInteraction])
        } else {
          (.savingForEnd, [.setProperties, .save(endsSession: true, mayInteract: false)])
        }
      // The protocol has one save at a time: the one answer is for both.
      case .savingCheckpoint, .savingForEnd, .awaitingTurn, .interacting, .answered: (state, [])
      case .offline, .dying: (state, [])
      }

    case .interact:
      switch state {
      case .awaitingTurn: (.interacting, [.save(endsSession: true, mayInteract: true)])
      // A turn that comes too late is returned, so that the next client gets one.
      case .idle, .savingCheckpoint, .savingForEnd, .answered, .checkpointSaved, .endSaved:
        (state, [.finishInteraction(cancels: false)])
      case .interacting, .offline, .dying: (state, [])
      }

    case .interactionRefused:
      switch state {
      case .awaitingTurn: (.savingForEnd, [.save(endsSession: true, mayInteract: false)])
      case .offline, .idle, .savingCheckpoint, .savingForEnd, .interacting, .answered, .checkpointSaved, .endSaved,
        .dying:
        (state, [])
      }

    case .shutdownCancelled:
      // A program that has not answered yet still has to (section 7.2, ShutdownCancelled): an interrupted save has
      // failed.
      switch state {
      case .savingForEnd, .answered: (.idle, [.finishSave(success: false), .resume])
      // The program has not been notified of the end yet.
      case .awaitingTurn: (.idle, [.finishSave(success: false)])
      case .interacting: (.idle, [.finishInteraction(cancels: false), .finishSave(success: false), .resume])
      case .endSaved: (.idle, [.resume])
      case .checkpointSaved: (.idle, [])
      case .offline, .idle, .savingCheckpoint, .dying: (state, [])
      }

    case .saveComplete:
      switch state {
      case .checkpointSaved: (.idle, [])
      // A session that is about to end is never complete, but some managers send SaveComplete before they cancel or
      // send Die.
      case .endSaved: (.endSaved, [])
      case .offline, .idle, .savingCheckpoint, .savingForEnd, .awaitingTurn, .interacting, .answered, .dying:
        (state, [])
      }

    case .die:
      switch state {
      case .idle, .savingCheckpoint, .savingForEnd, .awaitingTurn, .interacting, .answered, .checkpointSaved, .endSaved:
        (.dying, [.end])
      case .offline, .dying: (state, [])
      }

    case .lost:
      switch state {
      // The session manager that could end the session is gone.
      case .savingForEnd, .interacting, .answered, .endSaved: (.offline, [.resume])
      case .idle, .savingCheckpoint, .awaitingTurn, .checkpointSaved: (.offline, [])
      case .offline, .dying: (state, [])
      }

    case .userAnswered(let cancels):
      switch state {
      case .interacting: (.answered, [.finishInteraction(cancels: cancels)])
      case .offline, .idle, .savingCheckpoint, .savingForEnd, .awaitingTurn, .answered, .checkpointSaved, .endSaved,
        .dying:
        (state, [])
      }

    case .saved(let success):
      switch state {
      case .savingCheckpoint: (.checkpointSaved, [.finishSave(success: success)])
      case .savingForEnd, .answered: (.endSaved, [.finishSave(success: success)])
      case .interacting: (.endSaved, [.finishInteraction(cancels: false), .finishSave(success: success)])
      case .offline, .idle, .awaitingTurn, .checkpointSaved, .endSaved, .dying: (state, [])
      }
    }
  }
}
