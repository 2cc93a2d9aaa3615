/// The law of a client of the X session manager (X Session Management Protocol 1.0, section 7 and appendix B).
///
/// The session manager asks for everything to be saved, perhaps because the session is going to end; a client may then
/// ask for its turn to talk to the user, who may cancel that. Here a client that may talk waits for its turn before it
/// begins: then nobody has to be asked twice. Phase 2, for window managers, is never asked for.
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
    /// Everything has been saved, and the session may end.
    case endSaved
    /// The session manager has told the program to go.
    case dying
  }

  /// What can happen.
  package enum Input: Hashable, Sendable {
    /// The session manager knows the program now.
    case registered
    /// SaveYourself.
    case saveYourself(shutdown: Bool, mayInteract: Bool)
    /// Interact: it is the program's turn.
    case interact
    /// The session manager does not want to hear of InteractRequest.
    case interactionRefused
    /// ShutdownCancelled.
    case shutdownCancelled
    /// SaveComplete.
    case saveComplete
    /// Die.
    case die
    /// The connection has been lost.
    case lost
    /// The program says that the user has answered.
    case userAnswered(cancels: Bool)
    /// The program says that it has saved what it could.
    case saved(success: Bool)
  }

  /// What the shell has to do.
  package enum Effect: Hashable, Sendable {
    /// SetProperties: how to start the program again.
    case setProperties
    /// InteractRequest.
    case requestInteraction
    /// InteractDone.
    case finishInteraction(cancels: Bool)
    /// SaveYourselfDone.
    case finishSave(success: Bool)
    /// The program has to save, and to say `.saved` when it has.
    case save(endsSession: Bool, mayInteract: Bool)
    /// The program goes on: the session does not end after all. No answer is expected from it.
    case resume
    /// The program has to end.
    case end
  }

  /// The law itself.
  package static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    switch input {
    case .registered: registered(state)
    case .saveYourself(let shutdown, let mayInteract): saveYourself(state, shutdown, mayInteract)
    case .interact: interact(state)
    case .interactionRefused: interactionRefused(state)
    case .shutdownCancelled: shutdownCancelled(state)
    case .saveComplete: saveComplete(state)
    case .die: die(state)
    case .lost: lost(state)
    case .userAnswered(let cancels): userAnswered(state, cancels)
    case .saved(let success): saved(state, success)
    }
  }

  private static func registered(_ state: State) -> (State, [Effect]) {
    switch state {
    case .offline: (.idle, [.setProperties])
    case .idle, .savingCheckpoint, .savingForEnd, .awaitingTurn, .interacting, .answered, .checkpointSaved, .endSaved,
      .dying:
      (state, [])
    }
  }

  private static func saveYourself(_ state: State, _ shutdown: Bool, _ mayInteract: Bool) -> (State, [Effect]) {
    switch state {
    // Not every session manager says SaveComplete or ShutdownCancelled before it begins again.
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
  }

  private static func interact(_ state: State) -> (State, [Effect]) {
    switch state {
    case .awaitingTurn: (.interacting, [.save(endsSession: true, mayInteract: true)])
    // A turn that comes too late is given back, or nobody else would ever get one.
    case .idle, .savingCheckpoint, .savingForEnd, .answered, .checkpointSaved, .endSaved:
      (state, [.finishInteraction(cancels: false)])
    case .interacting, .offline, .dying: (state, [])
    }
  }

  private static func interactionRefused(_ state: State) -> (State, [Effect]) {
    switch state {
    case .awaitingTurn: (.savingForEnd, [.save(endsSession: true, mayInteract: false)])
    case .offline, .idle, .savingCheckpoint, .savingForEnd, .interacting, .answered, .checkpointSaved, .endSaved,
      .dying:
      (state, [])
    }
  }

  /// Who has not answered yet still has to (section 7.2, ShutdownCancelled): a save that was broken off has failed.
  private static func shutdownCancelled(_ state: State) -> (State, [Effect]) {
    switch state {
    case .savingForEnd, .answered: (.idle, [.finishSave(success: false), .resume])
    // The program has not heard of the end yet.
    case .awaitingTurn: (.idle, [.finishSave(success: false)])
    case .interacting: (.idle, [.finishInteraction(cancels: false), .finishSave(success: false), .resume])
    case .endSaved: (.idle, [.resume])
    case .checkpointSaved: (.idle, [])
    case .offline, .idle, .savingCheckpoint, .dying: (state, [])
    }
  }

  private static func saveComplete(_ state: State) -> (State, [Effect]) {
    switch state {
    case .checkpointSaved: (.idle, [])
    // A session that is about to end is never complete, but some say so before they cancel or say Die.
    case .endSaved: (.endSaved, [])
    case .offline, .idle, .savingCheckpoint, .savingForEnd, .awaitingTurn, .interacting, .answered, .dying: (state, [])
    }
  }

  private static func die(_ state: State) -> (State, [Effect]) {
    switch state {
    case .idle, .savingCheckpoint, .savingForEnd, .awaitingTurn, .interacting, .answered, .checkpointSaved, .endSaved:
      (.dying, [.end])
    case .offline, .dying: (state, [])
    }
  }

  private static func lost(_ state: State) -> (State, [Effect]) {
    switch state {
    // Nobody is there any more who could end the session.
    case .savingForEnd, .interacting, .answered, .endSaved: (.offline, [.resume])
    case .idle, .savingCheckpoint, .awaitingTurn, .checkpointSaved: (.offline, [])
    case .offline, .dying: (state, [])
    }
  }

  private static func userAnswered(_ state: State, _ cancels: Bool) -> (State, [Effect]) {
    switch state {
    case .interacting: (.answered, [.finishInteraction(cancels: cancels)])
    case .offline, .idle, .savingCheckpoint, .savingForEnd, .awaitingTurn, .answered, .checkpointSaved, .endSaved,
      .dying:
      (state, [])
    }
  }

  private static func saved(_ state: State, _ success: Bool) -> (State, [Effect]) {
    switch state {
    case .savingCheckpoint: (.checkpointSaved, [.finishSave(success: success)])
    case .savingForEnd, .answered: (.endSaved, [.finishSave(success: success)])
    case .interacting: (.endSaved, [.finishInteraction(cancels: false), .finishSave(success: success)])
    case .offline, .idle, .awaitingTurn, .checkpointSaved, .endSaved, .dying: (state, [])
    }
  }
}
