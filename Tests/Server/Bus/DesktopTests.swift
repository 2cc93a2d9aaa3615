import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// What the desktop does for a program: over a real bus, with real processes and files.
@MainActor @Suite("Desktop services", .serialized, .enabled(if: BusRequirement.isMet)) struct DesktopTests {
  private static let portal = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"
  private static let openURI = "org.freedesktop.portal.OpenURI"

  private let host = TestHost()
  private let folder: TemporaryFolder

  /// An `xdg-open` of our own comes first: it writes down what it is given, and fails where it is told to.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "bin/xdg-open",
      """
      #!/bin/sh
      printf '%s %s %s\\n' "$1" "$XDG_ACTIVATION_TOKEN" "$DESKTOP_STARTUP_ID" >> \(folder.file("opened"))
      echo $$ >> \(folder.file("processes"))
      case $1 in *fails*) exit 3;; *waits*) cat '\(folder.file("gate"))';; esac

      """, mode: 0o755)
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    setenv("PATH", "\(folder.file("bin")):" + path, 1)
  }

  private func services(_ environment: [String: String]) -> (source: BusSource, DesktopServices) {
    let source = BusSource(environment: environment) { _ in }
    source.instance = {
      InstanceDescription(identifier: "org.example.Opener", display: ":5", schemes: ["Own"], isOneOfMany: false)
    }
    source.start(host)
    return (source, source.desktop)
  }

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test("Without a bus xdg-open opens, with the token, and its status is the result; the program does not wait for it")
  func program() throws {
    let (source, desktop) = services(["DBUS_SYSTEM_BUS_ADDRESS": "unix:abstract=proscenium-none"])
    defer { source.stop() }
    var results: [String: Bool] = [:]
    desktop.open(try url("scheme://works"), asksUser: false, token: "a_TIME5") { results["works"] = $0 }
    desktop.open(try url("scheme://fails"), asksUser: false, token: nil) { results["fails"] = $0 }
    desktop.open(try url("scheme:$(touch%20x);y"), asksUser: false, token: nil) { results["shell"] = $0 }
    #expect(results.isEmpty)
    #expect(host.turn { results.count == 3 })
    #expect(results == ["works": true, "fails": false, "shell": true])
    let lines = Set(text(of: folder.file("opened")).split(separator: "\n").map(String.init))
    #expect(lines.contains("scheme://works a_TIME5 a_TIME5"))
    #expect(lines.count == 3)
    // Reaped, and nothing is watched any more
    source.stop()
    #expect(host.watched.isEmpty)
    let processes = text(of: folder.file("processes")).split(separator: "\n").compactMap { pid_t($0) }
    #expect(processes.count == 3)
    for process in processes { #expect(waitpid(process, nil, WNOHANG) == -1) }
  }

  @Test("What xdg-open is given counts as opened where the kernel drops its status, as SIGCHLD is ignored")
  func droppedStatus() async {
    // What becomes of a signal is the whole process's matter.
    await #expect(processExitsWith: .success) { try await DesktopTests().checkDroppedStatus() }
  }

  private func checkDroppedStatus() throws {
    signal(SIGCHLD, SIG_IGN)
    let (source, desktop) = services(["DBUS_SYSTEM_BUS_ADDRESS": "unix:abstract=proscenium-none"])
    defer { source.stop() }
    // Its end is waited for before it comes.
    try #require(mkfifo(folder.file("gate"), 0o600) == 0)
    var result: Bool?
    desktop.open(try url("scheme://waits"), asksUser: false, token: nil) { result = $0 }
    close(open(folder.file("gate"), O_WRONLY))
    #expect(host.turn { result != nil })
    #expect(result == true && text(of: folder.file("opened")).hasPrefix("scheme://waits"))
  }

  @Test("A program that is started has this one's variables, byte by byte, and those that it is given")
  func variables() async {
    // The variables are those of the whole process, in which other tests set some.
    await #expect(processExitsWith: .success) { try await DesktopTests().checkVariables() }
  }

  private func checkVariables() throws {
    // In Latin-1.
    setenv("PROSCENIUM_PLACE", [0x6d, CChar(bitPattern: 0xfc), 0], 1)
    setenv("PROSCENIUM_GIVEN", "own", 1)
    setenv("PROSCENIUM_GIVEN_ALSO", "own", 1)
    let command = ["sh", "-c", "env > '\(folder.file("variables"))'"]
    let child = try #require(Spawn.start(command, environment: ["PROSCENIUM_GIVEN": "given"]))
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let lines = try Data(contentsOf: URL(filePath: folder.file("variables"))).split(separator: UInt8(ascii: "\n"))
    let found = Set(lines.map { Array($0) }.filter { $0.starts(with: Array("PROSCENIUM_".utf8)) })
    for text in ["PROSCENIUM_GIVEN=given", "PROSCENIUM_GIVEN_ALSO=own"] { #expect(found.contains(Array(text.utf8))) }
    #expect(!found.contains(Array("PROSCENIUM_GIVEN=own".utf8)))
    #expect(found.contains(Array("PROSCENIUM_PLACE=m".utf8) + [0xfc]))
  }

  @Test("The portal is asked where there is one, files as descriptors, and its response is the result")
  func portal() async throws {
    let daemon = try await PrivateBus()
    try await daemon.mock(name: Self.portal, path: Self.path, interface: Self.openURI)
    let mock = "org.freedesktop.DBus.Mock"
    for (method, signature) in [("OpenURI", "ssa{sv}"), ("OpenFile", "sha{sv}")] {
      try await daemon.call(
        Self.portal, Self.path, "\(mock).AddMethod", Self.openURI, method, signature, "o",
        "ret = dbus.ObjectPath('/request/' + str(args[1]).replace('scheme://', '') if '\(method)' == 'OpenURI' else '/request/file')"
      )
    }
    for name in ["one", "two", "file"] {
      try await daemon.call(
        Self.portal, Self.path, "\(mock).AddObject", "/request/\(name)", "org.freedesktop.portal.Request",
        "@a{sv} {}", "@a(ssss) []")
    }
    let (source, desktop) = services(daemon.environment)
    defer { source.stop() }
    host.passTime()
    #expect(host.turn { host.messages.contains { $0.hasPrefix("name: ") } })
    var results: [String: Bool] = [:]
    let file = URL(filePath: try folder.write("a file", "text"))
    for (name, url) in [("one", try url("scheme://one")), ("two", try url("scheme://two")), ("file", file)] {
      desktop.open(url, asksUser: false, token: "t_TIME1") { results[name] = $0 }
    }
    for _ in 0..<20 { host.turn(milliseconds: 20) }
    #expect(results.isEmpty)
    for (name, code) in [("one", 0), ("two", 1), ("file", 0)] {
      try await daemon.call(
        Self.portal, "/request/\(name)", "\(mock).EmitSignal", "org.freedesktop.portal.Request", "Response", "ua{sv}",
        "[<uint32 \(code)>, <@a{sv} {}>]")
    }
    #expect(host.turn { results.count == 3 })
    #expect(results == ["one": true, "two": false, "file": true])
    let calls = try await daemon.call(Self.portal, Self.path, "\(mock).GetCalls")
    #expect(calls.contains("t_TIME1"))
    #expect(text(of: folder.file("opened")).isEmpty)
    // One that goes in the middle fails what it has been asked; then there is xdg-open
    results = [:]
    desktop.open(try url("scheme://one"), asksUser: false, token: nil) { results["one"] = $0 }
    for _ in 0..<20 { host.turn(milliseconds: 20) }
    #expect(results.isEmpty)
    try await daemon.endServices()
    #expect(host.turn { results["one"] == false })
    desktop.open(try url("scheme://later"), asksUser: false, token: nil) { results["later"] = $0 }
    #expect(host.turn { results["later"] == true })
    #expect(text(of: folder.file("opened")).contains("scheme://later"))
  }

  @Test("A portal of another display opens nothing: xdg-open does, on this one")
  func portalElsewhere() async throws {
    let daemon = try await PrivateBus()
    let portal = try daemon.peer(named: Self.portal, host)
    var isAsked = false
    portal.requestHandler = { call in
      guard call.member.name == "OpenURI" else { return nil }
      isAsked = true
      return { $0.refuse("Failed", "a test's") }
    }
    let processes = try TemporaryFolder()
    try processes.write("\(getpid())/environ", "DISPLAY=:0\0")
    var environment = daemon.environment
    environment["DISPLAY"] = "localhost:10.0"
    let source = BusSource(environment: environment, processFolder: processes.path) { _ in }
    defer { source.stop() }
    source.start(host)
    host.passTime()
    #expect(host.settle())
    var result: Bool?
    source.desktop.open(try url("scheme://elsewhere"), asksUser: false, token: nil) { result = $0 }
    #expect(host.turn { result != nil })
    #expect(result == true && !isAsked)
    #expect(text(of: folder.file("opened")).contains("scheme://elsewhere"))
    portal.disconnect()
  }

  @Test("A portal that another one replaces answers no more: what it has been asked fails")
  func replacedPortal() async throws {
    let daemon = try await PrivateBus()
    let first = try daemon.peer(named: Self.portal, host)
    var isAsked = false
    first.requestHandler = { call in
      guard call.member.name == "OpenURI" else { return nil }
      isAsked = true
      return { $0.give(.success([.objectPath("/request/one")])) }
    }
    let (source, desktop) = services(daemon.environment)
    defer { source.stop() }
    host.passTime()
    #expect(host.turn { host.messages.contains { $0.hasPrefix("name: ") } })
    var result: Bool?
    desktop.open(try url("scheme://one"), asksUser: false, token: nil) { result = $0 }
    #expect(host.turn { isAsked } && result == nil)
    let second = try daemon.peer(named: Self.portal, host)
    #expect(host.turn { result == false })
    for portal in [first, second] { portal.disconnect() }
  }

  @Test("A portal that says no, or nothing, has been asked: nothing else opens the URL too")
  func refusals() async throws {
    let daemon = try await PrivateBus()
    try await daemon.mock(name: Self.portal, path: Self.path, interface: Self.openURI)
    let mock = "org.freedesktop.DBus.Mock"
    let (source, desktop) = services(daemon.environment)
    defer { source.stop() }
    host.passTime()
    #expect(host.turn { host.messages.contains { $0.hasPrefix("name: ") } })
    let bus = "org.freedesktop.DBus.Error"
    for (error, opensElsewhere) in [
      ("org.freedesktop.portal.Error.Failed", false), ("\(bus).NoReply", false), ("\(bus).AccessDenied", false),
      ("\(bus).UnknownMethod", true), ("\(bus).Spawn.ServiceNotFound", true),
    ] {
      try await daemon.call(
        Self.portal, Self.path, "\(mock).AddMethod", Self.openURI, "OpenURI", "ssa{sv}", "o",
        "raise dbus.exceptions.DBusException('no', name='\(error)')")
      var result: Bool?
      desktop.open(try url("scheme://\(error)"), asksUser: true, token: nil) { result = $0 }
      #expect(host.turn { result != nil })
      #expect(result == opensElsewhere, "\(error)")
      #expect(text(of: folder.file("opened")).contains(error) == opensElsewhere, "\(error)")
    }
    #expect(try await daemon.call(Self.portal, Self.path, "\(mock).GetCalls").contains("'ask'"))
  }

  @Test("Of the two files both are written, or both are as they were")
  func halfInstalled() throws {
    var installer = DesktopInstaller(environment: ["XDG_DATA_HOME": folder.file("data")])
    func entry(_ program: String) throws -> DesktopEntry {
      try DesktopEntry(identifier: "org.example.Editor", title: "x", program: program, schemes: [], fileTypes: [])
    }
    let (applications, services) = (folder.file("data/applications"), folder.file("data/dbus-1/services"))
    // A folder is where the entry should be
    try folder.write("data/applications/org.example.Editor.desktop/file", "")
    #expect(throws: DesktopEntry.Failure.self) { try installer.install(entry("/one")) }
    #expect(names(inFolder: services).isEmpty, "\(names(inFolder: services))")
    try folder.write("data/dbus-1/services/org.example.Editor.service", "the user's own")
    #expect(throws: DesktopEntry.Failure.self) { try installer.install(entry("/one")) }
    #expect(text(of: services + "/org.example.Editor.service") == "the user's own")
    #expect(names(inFolder: services) == ["org.example.Editor.service"])
    #expect(names(inFolder: applications) == ["org.example.Editor.desktop"])
    // Nothing is left of the attempt when it succeeds
    rename(applications, folder.file("data/elsewhere"))
    try installer.install(entry("/one"))
    #expect(text(of: services + "/org.example.Editor.service").contains("/one"))
    #expect(!names(inFolder: applications).contains { $0.hasPrefix(".") })
  }

  @Test("The files of a program that has moved both lead to its new place, from which the bus starts it")
  func moved() async throws {
    let data = folder.file("data")
    var installer = DesktopInstaller(environment: ["XDG_DATA_HOME": data])
    func entry(_ number: Int) throws -> DesktopEntry {
      let program = try folder.write(
        "\(number)/editor", "#!/bin/sh\necho \(number) >> '\(folder.file("starts"))'\nexit 1\n", mode: 0o755)
      return try DesktopEntry(
        identifier: "org.example.Editor", title: "x", program: program, schemes: [], fileTypes: [])
    }
    let service = data + "/dbus-1/services/org.example.Editor.service"
    // Nothing is made where nothing is installed
    try installer.update(entry(1))
    #expect(access(data, F_OK) != 0)
    try installer.install(entry(1))
    let daemon = try await PrivateBus(variables: ["XDG_DATA_HOME": data])
    func start() async {
      // It ends at once, without the name
      _ = try? await daemon.call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.StartServiceByName",
        "org.example.Editor", "0")
    }
    await start()
    try installer.update(entry(2))
    #expect(text(of: data + "/applications/org.example.Editor.desktop").contains("Exec=\"\(folder.file("2/editor"))\""))
    #expect(text(of: service).contains("Exec='\(folder.file("2/editor"))'"), "\(text(of: service))")
    await start()
    #expect(text(of: folder.file("starts")) == "1\n2\n")
    // Whoever has removed the service file has no other one
    unlink(service)
    try installer.update(entry(3))
    #expect(access(service, F_OK) != 0)
    #expect(text(of: data + "/applications/org.example.Editor.desktop").contains("3/editor"))
  }

  @Test(
    "Who opens a scheme is in the desktop's files: chosen, installed, removed, or the program itself",
    arguments: ["\n", "\r\n"])
  func handlers(lineEnd: String) throws {
    func write(_ name: String, _ text: String) throws {
      try folder.write(name, text.split(separator: "\n").map { $0 + lineEnd }.joined())
    }
    try write("data/applications/a.desktop", "")
    try write("data/applications/vendor/b.desktop", "")
    try write(
      "data/applications/mimeinfo.cache",
      "[MIME Cache]\nx-scheme-handler/cached=gone.desktop;a.desktop;\nx-scheme-handler/removed=a.desktop;\n"
        + "x-scheme-handler/gone=gone.desktop;\nx-scheme-handler/nested=vendor-b.desktop\n")
    try write(
      "config/mimeapps.list",
      "[Removed Associations]\nx-scheme-handler/removed=a.desktop;\n[Default Applications]\n"
        + "x-scheme-handler/chosen=a.desktop\n")
    let desktop = services([
      "XDG_DATA_HOME": folder.file("data"), "XDG_CONFIG_HOME": folder.file("config"), "XDG_DATA_DIRS": "/nowhere",
      "XDG_CONFIG_DIRS": "/nowhere",
    ]).1
    for scheme in ["cached", "chosen", "CHOSEN", "own", "nested"] {
      #expect(desktop.canOpen(try url("\(scheme)://x")), "\(scheme)")
    }
    for scheme in ["removed", "gone", "nobody"] { #expect(!desktop.canOpen(try url("\(scheme)://x")), "\(scheme)") }
    #expect(desktop.canOpen(URL(filePath: folder.file("data"))))
    #expect(!desktop.canOpen(URL(filePath: folder.file("nothing"))))
  }

  @Test("The desktop entry is what the specification wants, replaced in one step, and gone when it is removed")
  func entry() async throws {
    if !mustNotSkip, !isInstalled("desktop-file-validate") { try Test.cancel("desktop-file-validate is not installed") }
    var installer = DesktopInstaller(environment: [
      "XDG_DATA_HOME": folder.file("data"), "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
    ])
    for path in ["/usr/bin/editor", "/a b/\"c\"/$d/`e`/100%/f\\g/h'i/j"] {
      let entry = try DesktopEntry(
        identifier: "org.example.Editor", title: "Éditeur \\ x", program: path, schemes: ["beacon", "b+c"],
        fileTypes: installer.types(of: ["txt", "png"]),
        shortcuts: ["new-window", "org.example.a b"].map {
          ApplicationShortcutItem(type: $0, localizedTitle: "Über \\")
        })
      try installer.install(entry)
      #expect(installer.files.count == 2)
      #expect(text(of: installer.files[0]).contains("text/plain;") || !mustNotSkip)
      let check = try ChildProcess(
        ["desktop-file-validate", installer.files[0]], environment: ["PATH": "/usr/bin"],
        output: folder.file("check"), errors: folder.file("check"))
      #expect(try await check.wait() == .exited(0))
      #expect(text(of: folder.file("check")).isEmpty, "\(text(of: folder.file("check")))")
      #expect(names(inFolder: folder.file("data/dbus-1/services")) == ["org.example.Editor.service"])
      #expect(!names(inFolder: folder.file("data/applications")).contains { $0.hasPrefix(".") })
    }
    let entry = try DesktopEntry(
      identifier: "org.example.Editor", title: "x", program: "/x", schemes: [], fileTypes: [])
    try installer.uninstall(entry)
    #expect(names(inFolder: folder.file("data/dbus-1/services")).isEmpty)
    // A place that cannot be written
    var none = DesktopInstaller(environment: ["XDG_DATA_HOME": "/proc/none"])
    #expect(throws: DesktopEntry.Failure.self) { try none.install(entry) }
    var nowhere = DesktopInstaller(environment: [:])
    #expect(throws: DesktopEntry.Failure.self) { try nowhere.install(entry) }
  }
}
