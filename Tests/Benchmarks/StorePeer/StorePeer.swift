import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumJSON
import ProsceniumStore

/// Fills a store, or opens and loads it and prints how long that took.
///
/// `StorePeer fill NUMBER` and `StorePeer load NUMBER`, in `$XDG_STATE_HOME`; Peers/store.c is the other side.
@main struct StorePeer {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int(arguments[2]) else { exit(2) }
    let environment = ["XDG_STATE_HOME": getenv("XDG_STATE_HOME").map { String(cString: $0) } ?? ""]
    let start = microseconds()
    let place = StorePlace(applicationIdentifier: "store", environment: environment, display: ":0", isSeparate: false)
    guard let opened = try? place.open() else { exit(1) }
    let store = SessionStore(opened)
    let contents = store.load()
    let end = microseconds()
    if arguments[1] == "fill" {
      for number in 0..<count { store.save(session(number)) }
      store.flush()
      // An end waits a few seconds only, and a disk that is busy takes more.
      guard store.waitUntilWritten(for: .seconds(120)) else { exit(1) }
    } else {
      guard contents.sessions.count == count, store.decodedCount == 0 else { exit(1) }
      print(String(end - start))
    }
    store.end(.quit)
  }

  private static func microseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }

  /// A session such as an editor would keep.
  private static func session(_ number: Int) -> StoredSession {
    var session = StoredSession(identifier: UUID().uuidString, role: "WindowApplication", configuration: "Editor")
    session.lastActive = 1_700_000_000 + Double(number)
    session.presence = number % 2 == 0 ? .shown : .hidden
    session.title = "Document \(number)"
    session.activity = StoredActivity(activityType: "org.example.edit")
    session.activity?.userInfo = ["caret": .int(number), "scroll": .double(0.5)]
    session.userInfo = ["document": .string("/home/user/Documents/document-\(number).txt")]
    session.placement = WindowPlacement(frame: Rect(x: number, y: number, width: 800, height: 600))
    return session
  }
}
