import ProsceniumLoop
import ProsceniumPlatform

/// The request for which the bus may have started the program: says whether it may still come.
///
/// The bus sends what it started the program for as soon as the program has its name; a launcher that has it started
/// first, and calls it then, does so within a moment. No variable of the environment says that the bus started a
/// program: `DBUS_STARTER_ADDRESS` is inherited by all that such a program starts, and systemd does not set it.
@MainActor final class FirstRequest {
  /// How long a request may come after the name.
  static let moment = Duration.milliseconds(50)
  /// How long a bus may take to give the name: one that does not answer does not keep the program from its launch.
  ///
  /// As long as a call waits for its answer: nobody sees the program wait, and a request that came after the launch
  /// would find the program in the background, without what a plain start brings back.
  private static let limit = Duration.seconds(25)

  private weak var host: (any SystemHost)?
  /// The calls that have come and are being read.
  private var callCount = 0
  private var isMomentOver = false
  private(set) var isOver = false

  /// Begins to await the request.
  init(host: any SystemHost) {
    self.host = host
    host.post(.firstRequest(isAwaited: true))
    host.after(milliseconds: Self.limit.milliseconds) { [weak self] in self?.end() }
  }

  /// The program has its name.
  func nameAcquired(on bus: Bus) {
    host?.after(milliseconds: Self.moment.milliseconds) { [weak self, weak bus] in
      // The answer comes after all calls that the bus has sent until now, however late they are read.
      bus?.call(BusDaemon.name, BusDaemon.member("GetId")) { _ in
        self?.isMomentOver = true
        self?.check()
      }
    }
  }

  /// A call has come: whether it is a request is known when it has been read.
  func callBegan() { callCount += 1 }

  /// A call has been read, and posted where it is a request.
  func callEnded() {
    callCount -= 1
    check()
  }

  private func check() { if isMomentOver, callCount == 0 { end() } }

  /// None comes any more.
  func end() {
    guard !isOver else { return }
    isOver = true
    host?.post(.firstRequest(isAwaited: false))
  }
}
