import CSystem
import DeskSupport
import Glibc
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// Values of scheduled work on this machine: the kernel's routes, and the names of systemd's units.
@Suite("Scheduling") struct SchedulingTests {
  private static let heading =
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
  private static let route = "eth0\t00000000\t0100000A\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"

  @Test("A default route that is up is a network; the loopback's, a rejecting one and other routes are none")
  func routes() {
    func has(_ line: String) -> Bool { RouteWatch.hasDefault(routes: Self.heading + line + "\n") }
    #expect(has("eth0\t00000000\t0100000A\t0003\t0\t0\t100\t00000000\t0\t0\t0"))
    #expect(!has("eth0\t0000000A\t00000000\t0001\t0\t0\t100\t000000FF\t0\t0\t0"))
    #expect(!has("eth0\t00000000\t0100000A\t0003\t0\t0\t100\t00000080\t0\t0\t0"))
    #expect(!has("lo\t00000000\t00000000\t0003\t0\t0\t0\t00000000\t0\t0\t0"))
    #expect(!has("eth0\t00000000\t0100000A\t0002\t0\t0\t100\t00000000\t0\t0\t0"))
    #expect(!has("*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0"))
    for text in ["", "\n\n", "eth0", Self.heading, "eth0\t00000000\t0\tzz\t0\t0\t0\t00000000"] {
      #expect(!RouteWatch.hasDefault(routes: text) && !RouteWatch.hasDefault(routes6: text))
    }
  }

  @Test("So it is for IPv6, whose table also has a rejecting default of the loopback")
  func routes6() {
    let zero = String(repeating: "0", count: 32)
    func line(_ prefix: String, _ flags: String, _ interface: String) -> String {
      "\(zero) \(prefix) \(zero) 00 fe800000000000000000000000000001 00000400 00000001 00000000 \(flags) \(interface)\n"
    }
    #expect(RouteWatch.hasDefault(routes6: line("00", "00450003", "wlan0")))
    #expect(!RouteWatch.hasDefault(routes6: line("00", "00200200", "lo")))
    #expect(!RouteWatch.hasDefault(routes6: line("40", "00450003", "wlan0")))
    #expect(!RouteWatch.hasDefault(routes6: line("00", "00200201", "wlan0")))
  }

  @Test("A program in an AppImage is started by the image, and not by the folder that is gone after its end")
  func image() throws {
    let folder = try TemporaryFolder()
    let image = try folder.write("Notes.AppImage", "an image")
    mkdir(folder.file("mounted"), 0o700)
    symlink(folder.file("mounted"), folder.file("link"))
    let program = try #require(
      realpath(folder.file("mounted"), nil).map { path in
        defer { free(path) }
        return String(cString: path) + "/usr/bin/Notes"
      })
    func found(_ image: String?, _ folder: String?) -> String? {
      var environment: [String: String] = [:]
      (environment["APPIMAGE"], environment["APPDIR"]) = (image, folder)
      return DesktopInstaller.image(of: program, environment)
    }
    // It cannot be executed
    #expect(found(image, folder.file("mounted")) == nil)
    chmod(image, 0o755)
    #expect(found(image, folder.file("mounted")) == image && found(image, folder.file("link")) == image)
    // Variables that another program's image has left
    let other = folder.file("mount")
    mkdir(other, 0o700)
    #expect(found(image, other) == nil && found(image, nil) == nil && found(nil, folder.file("mounted")) == nil)
    for wrong in ["Notes.AppImage", folder.path, folder.file("none"), ""] {
      #expect(found(wrong, folder.file("mounted")) == nil, "\(wrong)")
    }
    #expect(try DesktopInstaller.startPath(["APPIMAGE": image, "APPDIR": other]) == DesktopInstaller.ownPath())
  }

  @MainActor @Test("Reports of routes that are lost, because they are too many, do not end the watch")
  func overrun() throws {
    let (folder, host) = (try TemporaryFolder(), TestHost())
    var changes = 0
    let watch = try RouteWatch(folder: folder.path, host: host) { changes += 1 }
    let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let speaker = try Descriptor(checking: socket(linux_family_netlink, kind, linux_netlink_route))
    func report(to group: UInt32 = 0x40) -> Bool {
      // To the group of IPv4's routes; nobody finds a message in it.
      var address = linux_netlink_address(family: UInt16(linux_family_netlink), padding: 0, process: 0, groups: group)
      let (bytes, size) = ([UInt8](repeating: 0, count: 4096), socklen_t(MemoryLayout<linux_netlink_address>.size))
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(speaker.number, bytes, bytes.count, 0, $0, size) == bytes.count
        }
      }
    }
    let number = try #require(host.watched.values.first?.descriptor)
    var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    for _ in 0..<10_000 where Int32(polled.revents) & POLLERR == 0 {
      if !report() { try cancelTest("messages of routes cannot be sent", lacking: .deviceMessages) }
      poll(&polled, 1, 0)
    }
    #expect(Int32(polled.revents) & POLLERR != 0)
    try folder.write("route", Self.heading + Self.route)
    #expect(host.turn { watch.isOnline } && changes == 1)
    #expect(host.settle())
    try folder.write("route", Self.heading)
    #expect(report())
    #expect(host.turn { !watch.isOnline } && changes == 2)
    // Of IPv4's routes that go with their device the kernel says nothing: the group of devices is heard, too.
    try folder.write("route", Self.heading + Self.route)
    #expect(report(to: 1))
    #expect(host.turn { watch.isOnline } && changes == 3)
  }

  @MainActor @Test("What is told of the network with another condition is as it is then, though no route was reported")
  func network() throws {
    let (folder, host) = (try TemporaryFolder(), TestHost())
    try folder.write("route", Self.heading + Self.route)
    let power = PowerSource(thermalFolder: "/missing")
    power.start(host)
    let source = WorkSource(power: power, program: nil, environment: [:], routeFolder: folder.path)
    source.start(host)
    defer { source.stop() }
    func told(_ change: (inout WorkConditions) -> Void) -> SystemEvent {
      var conditions = WorkConditions()
      change(&conditions)
      return .scheduledWork(.conditions(conditions))
    }
    source.follow([.network])
    #expect(host.turn { host.events == [told { $0.hasNetwork = true }] })
    try folder.write("route", Self.heading)
    source.follow([.network, .fullPower])
    #expect(host.turn { host.events.count > 1 })
    #expect(host.events.last == told { ($0.hasNetwork, $0.hasFullPower) = (false, true) })
  }

  @Test("A unit is named after the application, the task, the time and the command: the same ones have the same name")
  func units() throws {
    func unit(_ application: String, _ task: String, _ time: Int, _ command: [String] = []) -> String? {
      TransientTimers.unit(application, WorkStart(identifier: task, time: time), command: command)
    }
    let name = try #require(unit("org.example.App", "a", 255))
    #expect(name == "app-org.example.App@taskaf63dc4c8601ec8c.ff")
    let others = [("org.example.App", "b", 255), ("org.example.App", "a", 256), ("org.example.Ap", "a", 255)]
    for (application, task, time) in others { #expect(unit(application, task, time) != name) }
    // Sums that are cut up otherwise are others, too.
    let commands = [[], ["/a"], ["/b"], ["/a", "X=1"], ["/a", "X=2"], ["/aX=1"], ["/a", "X=", "1"]]
    #expect(Set(commands.map { unit("org.example.App", "a", 255, $0) }).count == commands.count)
    #expect(unit("org.example.App", "a", 255, ["/a"]) == unit("org.example.App", "a", 255, ["/a"]))
    #expect(unit("my-\u{E9}ditor@1", "a", 1)?.hasPrefix(#"app-my\x2d\xc3\xa9ditor\x401@task"#) == true)
    #expect(unit("", "a", 1) == nil)
    #expect(unit(String(repeating: "a", count: 250), "a", 1) == nil)
  }

  @Test("Times are written as systemd reads them")
  func calendar() {
    #expect(TransientTimers.calendar(0) == "1970-01-01 00:00:00 UTC")
    #expect(TransientTimers.calendar(1_700_000_000) == "2023-11-14 22:13:20 UTC")
    #expect(TransientTimers.calendar(253_402_300_799) == "9999-12-31 23:59:59 UTC")
  }
}
