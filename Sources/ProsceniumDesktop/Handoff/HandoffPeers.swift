import Glibc
import ProsceniumPlatform

/// Finds out which programs on the bus are of this user and of this developer.
///
/// A program is of the developer by the name that it has on the bus, which a sandbox gives to its own program alone.
/// Where the system knows more, that counts: a process that belongs to an application of another developer is refused,
/// whatever its names are (``CallerApplication``). What a terminal runs belongs to the terminal: two programs of one
/// terminal may continue each other's activities.
@MainActor struct HandoffPeers {
  /// A program of the developer.
  struct Peer {
    /// Its unique name, which it loses with its connection.
    var owner: String
    var sender: IncomingRequest.Sender
  }

  let developer: HandoffDeveloper
  let callers: CallerApplication
  let bus: Bus
  let senders: SenderBook

  /// Whether a process of this user may be of the developer.
  func admits(_ process: Int?) -> Bool {
    guard let process else { return false }
    guard let application = callers.identifier(of: process) else { return true }
    return developer.includes(application) || application == callers.ownControlGroup
  }

  /// Finds the program that has a name for what it offers.
  ///
  /// What is asked of the owner afterwards is answered by the process that has been looked up: its connection lasts.
  /// - Parameters:
  ///   - name: The name.
  ///   - completion: Called once with the program; nil where there is none of this user and this developer.
  func find(_ name: String, completion: @escaping (Peer?) -> Void) {
    guard let application = developer.application(withName: name) else { return completion(nil) }
    bus.call(BusDaemon.name, BusDaemon.member("GetNameOwner"), [.string(name)]) { [self] result in
      guard let owner = (try? result.get())?.first?.text, !owner.isEmpty else { return completion(nil) }
      let isAsked = senders.find(owner) { [self] sender in
        guard let sender, sender.user == geteuid(), admits(sender.process) else { return completion(nil) }
        completion(Peer(owner: owner, sender: .init(process: sender.process, application: application)))
      }
      if !isAsked { completion(nil) }
    }
  }
}
