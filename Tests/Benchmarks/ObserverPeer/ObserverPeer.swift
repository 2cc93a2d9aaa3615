import Glibc
import SceneObserver

/// Observes the windows whose numbers come on the standard input, one a line, and answers an empty line with what has
/// happened: how often the observer's descriptor has woken it, how many windows are in a state, and the steps of all.
///
/// Makes the observer for the first window.
@main struct ObserverPeer {
  private var observer: SceneObserver?
  private var windows: [UInt32] = []
  private var (wakeCount, stepCount) = (0, 0)
  /// The beginning of a line.
  private var line = ""

  private mutating func obey(_ line: String) throws(SceneObserverError) {
    guard let window = UInt32(line) else {
      let known = windows.count { observer?.state(of: $0) ?? .unattached != .unattached }
      print(wakeCount, known, stepCount)
      fflush(nil)
      return
    }
    if observer == nil {
      observer = try SceneObserver()
      // The end of a hold is a wake-up of its own.
      observer?.holdTimes = .none
    }
    windows.append(window)
    observer?.observe(window)
  }

  /// Reads what there is; false at the end.
  private mutating func read() throws(SceneObserverError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return false }
    for byte in bytes.prefix(count) {
      if byte == UInt8(ascii: "\n") {
        try obey(exchange(&line, with: ""))
      } else {
        line.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return true
  }

  private mutating func run() throws(SceneObserverError) {
    while observer?.isConnected != false {
      // poll(2) ignores a negative descriptor.
      var descriptors = [observer?.descriptor ?? -1, STDIN_FILENO].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&descriptors, 2, -1) > 0 else { return }
      if descriptors[0].revents != 0, let observer {
        wakeCount += 1
        stepCount += observer.dispatch().count
      }
      if descriptors[1].revents != 0, try !read() { return }
    }
  }

  static func main() throws {
    var peer = ObserverPeer()
    try peer.run()
  }
}
