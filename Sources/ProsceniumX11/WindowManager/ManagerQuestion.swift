import ProsceniumLoop

/// Asks the window manager for a sign that it has read what was asked of it: a question behind the requests.
///
/// X has no question that all of them answer. Most answer for the frame that a window would get (EWMH,
/// `_NET_REQUEST_FRAME_EXTENTS`), by a property of that window, and read what clients send in order: once it is written
/// onto the client leader, they have read what was sent before. A busy one has as long for that as it takes.
@MainActor final class ManagerQuestion: X11Component {
  /// How long a window manager may say nothing at all: then it counts as one that does not answer, until it does.
  var silence = Duration.seconds(10)
  /// The most that one gets for having been slow.
  private static let longest = Duration.seconds(3)

  /// How long it may take whatever signs it gives: some know the question and answer it for no window of this kind.
  private var patience: Duration { silence * 6 }

  private var question = SingleQuestion()
  private var asking = Duration.zero
  /// What waits for the answer that is under way, and what for the one after it.
  private var asked: [() -> Void] = []
  private var waiting: [() -> Void] = []
  /// Whether the window manager has left a question without an answer, though it says that it knows it.
  private var isMute = false

  /// Calls back once the window manager has read what was asked of it until now.
  ///
  /// Where it does not answer questions: once the server has all of that. Everything that the server had said by then
  /// has been read.
  func whenRead(_ handler: @escaping () -> Void) {
    guard canAsk else { return connection.whenDone(handler) }
    guard server.atoms[.netFrameExtents] == 0 else { return put(handler) }
    // The first window is shown before all that is known.
    server.intern([.netRequestFrameExtents, .netFrameExtents]) { [weak self] in
      guard let self else { return }
      if canAsk, server.atoms[.netFrameExtents] != 0 { put(handler) } else { handler() }
    }
  }

  /// Gives the window manager its time for what it was asked until now, which begins when it has read that.
  ///
  /// One that took long to read is busy, or far away: it has as long again, up to ``longest``.
  /// - Parameters:
  ///   - least: How long it has at least.
  ///   - begin: Called when its time begins, with how long that is.
  func giveTime(_ least: Duration, _ begin: @escaping (Duration) -> Void) {
    let start = MonotonicClock.now
    whenRead { begin(Self.time(least, took: MonotonicClock.now - start)) }
  }

  /// How long a window manager has that took so long to read what it was asked.
  static func time(_ least: Duration, took: Duration) -> Duration { max(least, min(took, longest)) }

  /// As ``whenRead(_:)``, once also what the answers to those events say has been read: properties, and places.
  func whenReadAndHeard(_ handler: @escaping () -> Void) {
    whenRead { [weak self] in self?.connection.whenDone(handler) }
  }

  private var canAsk: Bool { root.isManaged && !isMute && parts.support.allows(.netRequestFrameExtents) }

  private func put(_ handler: @escaping () -> Void) {
    waiting.append(handler)
    if question.begin() { ask() }
  }

  private func ask() {
    asked = exchange(&waiting, with: [])
    asking = MonotonicClock.now
    connection.sendToManager(server.atoms[.netRequestFrameExtents], about: server.leader, [])
    loop.set(.managerSilence, after: silence)
  }

  /// The window manager has written its answer.
  func answered() {
    isMute = false
    guard question.isUnderWay else { return }
    loop.cancel(.managerSilence)
    let handlers = exchange(&asked, with: [])
    if question.end() {
      _ = question.begin()
      ask()
    }
    for handler in handlers { handler() }
  }

  /// The window manager has done something: it is alive, and has not come to the question yet.
  func gaveSign() {
    let left = asking + patience - MonotonicClock.now
    if question.isUnderWay, left > .zero { loop.set(.managerSilence, after: min(silence, left)) }
  }

  /// The window manager has said nothing for too long.
  func timedOut() {
    isMute = true
    giveUp()
  }

  /// What the window manager supports is known, or that there is none.
  func managerChecked() { if !parts.support.lists(.netRequestFrameExtents) { giveUp() } }

  /// Another window manager may have come.
  func managerChanged() {
    isMute = false
    giveUp()
  }

  /// No answer comes any more.
  private func giveUp() {
    guard question.isUnderWay else { return }
    question = SingleQuestion()
    loop.cancel(.managerSilence)
    for handler in exchange(&asked, with: []) + exchange(&waiting, with: []) { connection.whenDone(handler) }
  }
}
