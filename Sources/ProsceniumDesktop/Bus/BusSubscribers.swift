/// The handlers of signals and of name owners, and the owners of the names that they follow.
@MainActor struct BusSubscribers {
  typealias SignalHandler = @MainActor (BusSignal) -> Void
  typealias OwnerHandler = @MainActor (_ owner: String?) -> Void

  private var signalHandlers: [(rule: BusRule, handler: SignalHandler)] = []
  private var ownerHandlers: [(name: String, handler: OwnerHandler)] = []
  /// The unique names of the owners, by well-known name.
  private(set) var owners: [String: String] = [:]

  var rules: Set<BusRule> { Set(signalHandlers.map(\.rule)) }

  /// The names whose owners have to be known: a signal counts only where it comes from the owner.
  var names: Set<String> {
    Set(signalHandlers.map(\.rule.sender) + ownerHandlers.map(\.name)).subtracting([BusDaemon.name])
  }

  mutating func add(_ rule: BusRule, _ handler: @escaping SignalHandler) { signalHandlers.append((rule, handler)) }

  mutating func add(ownerOf name: String, _ handler: @escaping OwnerHandler) { ownerHandlers.append((name, handler)) }

  /// Sets the owner of a name.
  /// - Returns: The handlers of that name.
  mutating func set(_ owner: String?, of name: String) -> [OwnerHandler] {
    owners[name] = owner
    return ownerHandlers.filter { $0.name == name }.map(\.handler)
  }

  /// Whether a signal has handlers, by its sender and member alone.
  func expects(_ member: BusMember, from sender: String) -> Bool {
    signalHandlers.contains { matches($0.rule, member, sender) }
  }

  /// The handlers of a signal.
  func handlers(of signal: BusSignal, from sender: String) -> [SignalHandler] {
    signalHandlers.filter { matches($0.rule, signal.member, sender) && $0.rule.matches(signal.values) }.map(\.handler)
  }

  /// Compares the sender too, because any program can send a signal to this one alone, whatever the match rules are.
  private func matches(_ rule: BusRule, _ member: BusMember, _ sender: String) -> Bool {
    (sender == rule.sender || owners[rule.sender] == sender) && rule.matches(member)
  }
}
