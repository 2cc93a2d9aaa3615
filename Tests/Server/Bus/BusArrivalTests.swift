import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// A bus that comes, however it is named and whatever tells of it.
@MainActor @Suite("Finding the bus", .serialized, .enabled(if: BusRequirement.isMet)) struct BusArrivalTests {
  private let host = TestHost()
  private let folder: TemporaryFolder
  private let daemon: PrivateBus

  init() async throws {
    folder = try TemporaryFolder()
    daemon = try await PrivateBus()
  }

  private func bus(_ address: String) throws -> Bus {
    try #require(Bus(.session, environment: ["DBUS_SESSION_BUS_ADDRESS": address], host: host))
  }

  /// The bus's socket in a folder in which nothing is heard of what becomes of it.
  private func link(_ name: String = "bus") { #expect(symlink(daemon.path, folder.file(name)) == 0) }

  @Test(
    "An address may be escaped, and any of a list",
    arguments: [
      "unix:path=FOLDER/a%20b/bus", "unix:path=FOLDER/none/bus;unix:path=FOLDER/a%20b/bus",
      "unix:path=FOLDER/a%20b/bus;unix:path=FOLDER/none", "unix:abstract=proscenium-none;unix:path=FOLDER/a%20b/bus",
    ])
  func forms(_ form: String) throws {
    let address = form.replacing("FOLDER", with: folder.path)
    let early = try bus(address)
    early.connect()
    #expect(!early.isConnected)
    mkdir(folder.file("a b"), 0o700)
    link("a b/bus")
    #expect(host.turn { early.isConnected })
    let late = try bus(address)
    late.connect()
    #expect(late.isConnected)
    early.disconnect()
    late.disconnect()
    #expect(host.watched.isEmpty)
  }

  @Test("A variable that is empty says nothing")
  func empty() {
    for (kind, name) in [(Bus.Kind.session, "DBUS_SESSION_BUS_ADDRESS"), (.system, "DBUS_SYSTEM_BUS_ADDRESS")] {
      #expect(BusAddress(kind, environment: [name: ""]) == BusAddress(kind, environment: [:]))
    }
  }

  @Test("Where there is none nothing wakes; one that comes before it is watched for is found")
  func race() throws {
    let absent = try bus("unix:path=\(folder.file("none"))")
    absent.connect()
    for _ in 0..<20 { host.turn(milliseconds: 10) }
    #expect(host.wakeUps == 0)
    absent.disconnect()
    host.onNote = { link() }
    let bus = try bus("unix:path=\(folder.file("bus"))")
    bus.connect()
    host.onNote = nil
    #expect(!bus.isConnected)
    #expect(host.turn { bus.isConnected })
  }

  @Test("One that is not listening yet is found when it does, also while the program is suspended")
  func refused() async throws {
    link()
    try await daemon.kill()
    let bus = try bus("unix:path=\(folder.file("bus"))")
    host.isSuspended = true
    bus.connect()
    #expect(!bus.isConnected)
    try await daemon.restart()
    #expect(host.turn { bus.isConnected })
  }

  @Test("A connection that is lost just before the program is suspended is made again")
  func suspended() throws {
    let proxy = try BusProxy(to: daemon)
    let bus = try #require(Bus(.session, environment: proxy.environment, host: host))
    bus.connect()
    #expect(host.turn { proxy.counts.messages > 0 })
    proxy.cut()
    #expect(host.turn { !bus.isConnected })
    host.isSuspended = true
    #expect(host.turn { bus.isConnected })
  }
}
