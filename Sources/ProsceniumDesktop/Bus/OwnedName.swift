import ProsceniumPlatform

/// A name that the program has on a bus while it wants one.
///
/// Without need it is not asked for. A name of another process is neither waited for nor taken from it.
@MainActor final class OwnedName {
  /// The name that the program has; nil for none.
  private(set) var current: String?

  private let bus: Bus
  /// The names to try, in order.
  private let candidates: [String]
  private let onChange: @MainActor (String?) -> Void
  private let onRefusal: @MainActor () -> Void
  private var isWanted = false
  private var isFollowing = false
  /// Whether the bus has been asked for a name, or to take one back.
  private var isAsking = false
  /// Whether other processes have the names.
  private var isTaken = false

  /// Makes a name that is not wanted.
  /// - Parameters:
  ///   - candidates: The names to try, in order.
  ///   - bus: The bus.
  ///   - onChange: Called with the name that the program has from now on, and with nil when it has none any more.
  ///   - onRefusal: Called when none of the names can be had.
  init(
    _ candidates: [String], on bus: Bus, onChange: @escaping @MainActor (String?) -> Void,
    onRefusal: @escaping @MainActor () -> Void
  ) {
    self.candidates = candidates
    self.bus = bus
    self.onChange = onChange
    self.onRefusal = onRefusal
  }

  /// Says whether the program wants the name.
  func set(isWanted: Bool) {
    self.isWanted = isWanted
    if !isWanted { isTaken = false }
    guard isWanted || isFollowing else { return }
    guard exchange(&isFollowing, with: true) else {
      // The first connection may be there already: `adjust()` is called at once.
      return bus.onConnection { [weak self] in $0 ? self?.adjust() : self?.lost() }
    }
    adjust()
  }

  private func adjust() {
    guard bus.isConnected, !isAsking else { return }
    switch (isWanted, current) {
    case (true, nil): if !isTaken { request(candidates) }
    case (false, .some(let name)): release(name)
    case (true, .some), (false, nil): break
    }
  }

  private func lost() {
    (isAsking, isTaken) = (false, false)
    change(to: nil)
  }

  private func change(to name: String?) { if exchange(&current, with: name) != name { onChange(name) } }

  private func request(_ names: [String]) {
    guard let name = names.first else {
      isTaken = true
      return onRefusal()
    }
    isAsking = true
    bus.call(BusDaemon.name, BusDaemon.member("RequestName"), [.string(name), .uint32(BusDaemon.doNotQueue)]) {
      [weak self] result in
      guard let self, isAsking else { return }
      isAsking = false
      guard case .success(let values) = result, BusDaemon.ownerReplies.contains(values.first?.integer) else {
        if bus.isConnected { request(Array(names.dropFirst())) }
        return
      }
      change(to: name)
      // It may not be wanted any more.
      adjust()
    }
  }

  private func release(_ name: String) {
    isAsking = true
    change(to: nil)
    bus.call(BusDaemon.name, BusDaemon.member("ReleaseName"), [.string(name)]) { [weak self] _ in
      guard let self, isAsking else { return }
      isAsking = false
      adjust()
    }
  }
}
