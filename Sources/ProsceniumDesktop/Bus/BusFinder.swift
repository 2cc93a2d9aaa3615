import ProsceniumLoop
import ProsceniumPlatform

/// Finds a bus that is absent: watches the folder of its socket, and where that reports nothing tries again later and
/// later.
///
/// It works while the program is suspended too, because other programs reach a suspended program over the bus.
@MainActor final class BusFinder {
  /// A socket's file appears a moment before the bus listens: attempts go on for as long as that may take.
  private static let longestStart = Duration.seconds(2)
  private static let shortestRest = Duration.milliseconds(100)
  private static let longestRest = Duration.seconds(5)

  private let address: BusAddress
  private let host: any SystemHost
  /// Tries to connect; true where no further attempt is needed.
  private let attempt: @MainActor () -> Bool
  private var watches: [FolderWatch] = []
  private var retryTimer: LoopTimer?
  private var restTimer: LoopTimer?
  private var losses = LossPauses()
  /// The next rest from changes in the folders that have nothing to do with the bus.
  private var rest = shortestRest

  init(_ address: BusAddress, host: any SystemHost, attempt: @escaping @MainActor () -> Bool) {
    self.address = address
    self.host = host
    self.attempt = attempt
  }

  /// Finds a bus that could not be connected to at the start.
  func start() {
    watch()
    // A bus that came before its folder was watched, that is about to listen or has no room now is reported by nothing.
    if address.isThere || isUnwatched { tryAgain(after: LossPauses.shortest) }
  }

  /// Finds a bus whose connection was lost: whatever holds its socket, as systemd does, may not make the file anew.
  /// - Parameter duration: How long the connection lasted.
  /// - Returns: Whether it counts as a success.
  func restart(after duration: Duration) -> Bool {
    let (pause, isStable) = losses.next(after: duration)
    watch()
    tryAgain(after: pause)
    return isStable
  }

  func stop() {
    for watch in watches { watch.stop() }
    watches = []
    retryTimer = nil
    restTimer = nil
    rest = Self.shortestRest
  }

  private func watch() {
    guard watches.isEmpty else { return }
    watches = address.folders.map { folder, sockets in
      FolderWatch(folder, for: .arrivals, host: host) { [weak self] names in
        guard let self else { return }
        if names?.isDisjoint(with: sockets) != true { tryAgain(after: LossPauses.shortest) } else { takeRest() }
      }
    }
  }

  /// The kernel cannot watch for one name alone (inotify(7)).
  ///
  /// So that other files beside the socket do not wake the program one by one, the folders are looked at again after a
  /// while, for all that has changed until then.
  private func takeRest() {
    for watch in watches { watch.pause() }
    restTimer = try? LoopTimer(after: rest, host: host) { [weak self] in self?.resume() }
    if restTimer == nil { resume() }
    rest = min(rest * 3, Self.longestRest)
  }

  private func resume() { for watch in watches { watch.resume() } }

  private func tryAgain(after delay: Duration) {
    let action: @MainActor () -> Void = { [weak self] in
      guard let self else { return }
      retryTimer = nil
      if attempt() { return }
      if delay < Self.longestStart || isUnwatched { tryAgain(after: min(delay * 3, LossPauses.longest)) }
    }
    retryTimer = try? LoopTimer(after: delay, host: host, action)
    // The kernel has no timer left: the loop's own deadline has to do, although it stands still during a suspension.
    if retryTimer == nil { host.after(milliseconds: delay.milliseconds, action) }
  }

  /// Whether the bus may come without a change in a folder that is watched.
  private var isUnwatched: Bool { address.isSilent || watches.contains { $0.failure != nil } }
}

/// The pauses after losses of a connection, each one longer than the last one until a connection has lasted.
struct LossPauses {
  static let shortest = Duration.milliseconds(20)
  static let longest = Duration.seconds(60)
  /// A connection that lasted as long counts as a success.
  private static let stableConnection = Duration.seconds(10)

  private var pause = shortest

  /// The pause after a loss.
  /// - Parameter duration: How long the connection lasted.
  /// - Returns: The pause, and whether the connection counts as a success.
  mutating func next(after duration: Duration) -> (pause: Duration, isStable: Bool) {
    let isStable = duration > Self.stableConnection
    if isStable { pause = Self.shortest }
    defer { pause = min(pause * 3, Self.longest) }
    return (pause, isStable)
  }
}
