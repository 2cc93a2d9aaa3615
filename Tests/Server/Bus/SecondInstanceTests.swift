import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// What a second start does with a first one that ends, dies in the middle, or is given too much; over a real bus.
@MainActor @Suite("Second starts", .serialized, .enabled(if: BusRequirement.isMet)) struct SecondInstanceTests {
  private static let name = "org.example.Editor"
  private static let path = "/org/example/Editor"
  private static let display = ":5"
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  /// A first instance that does this when it is asked; answers its process.
  private func owner(_ code: String, timeToEnd: Double? = nil) async throws -> Int {
    try await daemon.mock(name: Self.name, path: Self.path, interface: InstanceInterface.own)
    let mock = "org.freedesktop.DBus.Mock"
    try await daemon.call(
      Self.name, Self.path, "\(mock).AddMethod", InstanceInterface.own, "Start", "a{sv}", "", code)
    if let timeToEnd {
      try await daemon.call(
        Self.name, Self.path, "\(mock).AddProperty", InstanceInterface.own, "TimeToEnd", "<double \(timeToEnd)>")
    }
    let answer = try await daemon.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID", Self.name)
    // (uint32 123,)
    return try #require(Int(answer.filter(\.isNumber).dropFirst(2)))
  }

  /// With the URLs among its arguments.
  private func start(_ owner: Int?, urls: Int = 0, arguments: [String] = ["-x"]) -> SecondStart {
    let texts = (0..<urls).map { "beacon://\($0)" }
    return SecondStart(
      owner: owner, display: Self.display, identifier: Self.name,
      launch: LaunchOptions(
        urls: texts.compactMap { URL(string: $0) },
        shortcutItem: ApplicationShortcutItem(type: "compose", localizedTitle: "New")),
      arguments: arguments + texts, directory: "/")
  }

  private func handOver(
    _ start: SecondStart, timeout: Double, endTimeout: Duration = SecondInstance.endTimeout
  ) -> SecondInstance.Outcome {
    var environment = daemon.environment
    environment["DISPLAY"] = Self.display
    return SecondInstance.send(
      start, token: nil, environment: environment, nameTimeout: .seconds(timeout), endTimeout: endTimeout)
  }

  private static let isEnding =
    "raise dbus.exceptions.DBusException('it ends', name='\(InstanceInterface.Failure.ending)')"

  @Test("A first one that finishes background tasks is waited for, for as long as those may last")
  func ending() async throws {
    let process = try await owner(
      "__import__('threading').Timer(1, __import__('os')._exit, [0]).start()\n" + Self.isEnding, timeToEnd: 20)
    let start = start(process, urls: 2)
    #expect(handOver(start, timeout: 0.1) == .ownerEnded(left: start))
  }

  @Test("One that does not come to its end is not waited for for ever", arguments: [nil, 0.3, 1e300, .infinity])
  func neverEnding(timeToEnd: Double?) async throws {
    let process = try await owner(Self.isEnding, timeToEnd: timeToEnd)
    guard case .refused(let reason) = handOver(start(process), timeout: 0.2, endTimeout: .seconds(0.5)) else {
      Issue.record("not refused")
      return
    }
    #expect(reason.contains("is ending"))
  }

  @Test("What has the name is the first one where neither its user nor its process is another")
  func first() {
    func isFirst(_ process: Int?, as known: Int?, user: UInt32 = geteuid()) -> Bool {
      SecondInstance.isFirst(SenderBook.Sender(user: user, process: process), process: known)
    }
    // A process that is not known says nothing.
    #expect(isFirst(7, as: 7) && isFirst(7, as: nil) && isFirst(nil, as: 7) && isFirst(nil, as: nil))
    #expect(!isFirst(8, as: 7) && !isFirst(7, as: 7, user: geteuid() + 1))
    let unknown: SenderBook.Sender? = nil
    #expect(!SecondInstance.isFirst(unknown, process: 7))
  }

  @Test("A process that has the name, and is not the first one, is told nothing")
  func stranger() async throws {
    let folder = try TemporaryFolder()
    let process = try await owner("open('\(folder.file("told"))', 'w').write('told')")
    #expect(handOver(start(Int(getpid()), urls: 1), timeout: 0.2) == .unreachable)
    #expect(!FileManager.default.fileExists(atPath: folder.file("told")))
    #expect(handOver(start(process, urls: 1), timeout: 5) == .taken)
    #expect(text(of: folder.file("told")) == "told")
  }

  @Test("What a first one has taken before it dies is not left for the next")
  func partly() async throws {
    let process = try await owner(
      "self.count = getattr(self, 'count', 0) + 1\nif self.count == 2: __import__('os')._exit(0)")
    let outcome = handOver(start(process, urls: 2500), timeout: 5)
    guard case .ownerEnded(let left) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(left.launch.urls.map(\.absoluteString) == (1000..<2500).map { "beacon://\($0)" })
    #expect(left.launch.shortcutItem == nil && left.arguments.isEmpty)
  }

  @Test("Arguments that are too long or too many, URLs among them, are named as the reason")
  func tooMuch() async throws {
    _ = try await owner("")
    let long = String(repeating: "x", count: 600_000)
    for start in [start(nil, arguments: [long]), start(nil, urls: 10_001, arguments: [])] {
      guard case .refused(let reason) = handOver(start, timeout: 1) else {
        Issue.record("not refused")
        continue
      }
      #expect(reason.contains("\(start.arguments.count) arguments"), "\(reason)")
    }
    #expect(handOver(start(nil, urls: 10_000, arguments: []), timeout: 5) == .taken)
  }
}
