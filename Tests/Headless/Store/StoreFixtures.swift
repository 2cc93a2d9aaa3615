import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumJSON
import ProsceniumLoop
import ProsceniumPlatform
import ProsceniumStore
import Testing

/// A directory that goes with the test.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/proscenium-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError.system(errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes the file in place: what is open or locked stays the same file.
  func put(_ name: String, _ bytes: [UInt8]) {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: "\(path)/\(name)").map { Array($0) } }
  var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []) }
  func mode(_ name: String) -> UInt32 {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @MainActor func store() throws -> SessionStore {
    SessionStore(files: try PosixFiles(path: path), runsInline: true)
  }
}

/// A session of which every field says something.
func fullSession(_ identifier: String) -> StoredSession {
  var session = StoredSession(identifier: identifier, role: "WindowApplication", configuration: "Editor one")
  session.lastActive = 1_700_000_000.125
  session.presence = .background
  session.title = "Notes / \"été\"\n"
  var activity = StoredActivity(activityType: "org.example.edit")
  activity.userInfo = stored(["caret": 3, "when": Date(timeIntervalSinceReferenceDate: 1.5)])
  activity.keywords = ["a"]
  activity.payload = Data([1, 2, 3])
  session.activity = activity
  session.userInfo = stored(["document": URL(filePath: "/a"), "deep": [["k": Int?.none as Any]]])
  session.conditions.canActivateForTargetContentIdentifier = .prefix("note:")
  session.conditions.prefersToActivateForTargetContentIdentifier = .oneOf(["note:1"])
  session.placement = WindowPlacement(frame: Rect(x: 1, y: -2, width: 300, height: 200))
  session.placement?.desktop = 2
  session.placement?.isMaximized = true
  return session
}

/// The values of a `userInfo`, as they are stored.
func stored(_ values: [String: Any]) -> [String: JSONValue] {
  values.compactMapValues { try? JSONValue($0, key: "") }
}

func titled(_ identifier: String, _ title: String) -> StoredSession {
  var session = StoredSession(identifier: identifier, role: "r", configuration: nil)
  session.title = title
  return session
}

extension SessionStore {
  /// What a record of this session looks like.
  static func recordBytes(_ session: StoredSession) throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    let store = try directory.store()
    store.save(session)
    store.flush()
    return directory.bytes(session.identifier + ".session") ?? []
  }
}

/// Waits until something is true that a thread brings about.
///
/// The limit counts the looks, because other tests have the main actor for minutes between two of them.
@MainActor func waitUntil(_ condition: () -> Bool) async throws {
  for _ in 1...60_000 {
    if condition() { return }
    try await Task.sleep(for: .milliseconds(1))
  }
  try #require(condition())
}
