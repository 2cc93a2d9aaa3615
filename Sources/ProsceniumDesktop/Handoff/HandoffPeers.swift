import Glibc
import ProsceniumPlatform

/// Finds out which programs on the bus are of this user and of this developer.
///
/// A program is of the developer by the name that it has on the bus, which a sandbox gives to its own program alone.
/// Where the system knows more, that counts: a process that belongs to an application of another developer is refused,
/// whatever its names are (``CallerApplication``). What a terminal runs belongs to the terminal: two programs of one
/// terminal may continue each other's activities.
///
/// Outside of sandboxes any process can take a name that is free. So a name decides who is heard, and never what the
/// program is told of the other one: that is what the system knows of its process.
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

  /// The most names that are looked up for one caller.
  private static let mostNames = 64

  /// Whether a caller of this user is a program of the developer: one of which the system knows nothing has to have a
  /// name of the developer.
  func admits(_ caller: String, _ process: Int?, completion: @escaping @MainActor (Bool) -> Void) {
    guard let process else { return completion(false) }
    if let belongs = belongsToDeveloper(process) { return completion(belongs) }
    bus.call(BusDaemon.name, BusDaemon.member("ListNames"), timeout: HandoffInterface.listingLimit) { [self] result in
      let all = ((try? result.get())?.first?.elements ?? []).compactMap(\.text)
      let names = all.filter { developer.isName($0) }.sorted()
      bus.findOwned(by: caller, names.prefix(Self.mostNames)) { completion($0 != nil) }
    }
  }

  /// Whether the application that a process belongs to is of the developer; nil where the system does not know it.
  private func belongsToDeveloper(_ process: Int) -> Bool? {
    callers.identifier(of: process).map { isOfDeveloper($0) }
  }

  private func isOfDeveloper(_ application: String) -> Bool {
    developer.includes(application) || application == callers.ownControlGroup
  }

  /// Finds the program that has a name for what it offers.
  ///
  /// What is asked of the owner afterwards is answered by the process that has been looked up: its connection lasts.
  /// - Parameters:
  ///   - name: The name.
  ///   - completion: Called once with the program; nil where there is none of this user and this developer.
  func find(_ name: String, completion: @escaping (Peer?) -> Void) {
    guard developer.application(withName: name) != nil else { return completion(nil) }
    bus.call(BusDaemon.name, BusDaemon.member("GetNameOwner"), [.string(name)]) { [self] result in
      guard let owner = (try? result.get())?.first?.text, !owner.isEmpty else { return completion(nil) }
      let isAsked = senders.find(owner) { [self] sender in
        guard let sender, sender.user == geteuid(), let process = sender.process else { return completion(nil) }
        let application = callers.identifier(of: process)
        guard application.map({ isOfDeveloper($0) }) != false else { return completion(nil) }
        completion(Peer(owner: owner, sender: .init(process: process, application: application)))
      }
      if !isAsked { completion(nil) }
    }
  }
}
