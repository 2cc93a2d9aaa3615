import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumLoop
import SuiteSupport
import Testing

@testable import ProsceniumCore

extension ThirdDesk {
  /// A real process whose key lies in gnome-keyring: its memory, its core dump and its disk.
  @Suite(
    "The protected files of a program",
    .enabled(
      if: Requirement.sceneLab
        && (mustNotSkip || Sodium.shared != nil && PrivateBus.isInstalled && isInstalled("gnome-keyring-daemon"))))
  struct ProtectedFileProgramTests {
    static let secrets = "org.freedesktop.secrets"
    static let logind = "org.freedesktop.login1"
    static let session = "/org/freedesktop/login1/session/c1"
    let data: TemporaryFolder
    let home: TemporaryFolder
    let bus: PrivateBus
    private var file: String { home.file("diary") }

    init() async throws {
      try Requirement.windowManager(.openbox)
      (data, home) = (try TemporaryFolder(), try TemporaryFolder())
      bus = try await PrivateBus(
        starting: Self.secrets,
        by: "printf password | exec gnome-keyring-daemon --unlock --foreground --components=secrets", data: data)
      // It may take calls before it has read its password.
      let (bus, root) = (bus, "/org/freedesktop/secrets")
      for _ in 0..<600 {
        let alias = try await bus.call(Self.secrets, root, "org.freedesktop.Secret.Service.ReadAlias", "default")
        if alias.contains("/collection/") {
          let isLocked = try await bus.call(
            Self.secrets, root + "/aliases/default", "org.freedesktop.DBus.Properties.Get",
            "org.freedesktop.Secret.Collection", "Locked")
          if isLocked.contains("false") { break }
        }
        try await Task.sleep(for: .milliseconds(100))
      }
    }

    /// What the program says of a protected file next.
    private func says(_ run: DeskScenario, _ command: String) async throws -> String {
      func said() -> [String] {
        run.program.output.split(separator: "\n").filter { $0.hasPrefix("protected ") }.map(String.init)
      }
      let before = said().count
      try await run.perform(command)
      return try await run.program.wait(for: "what comes of \(command)") { _ in
        said().count > before ? said().last.map { String($0.dropFirst(10)) } : nil
      }
    }

    func setLocked(_ isLocked: Bool) async throws {
      try await bus.call(Self.logind, Self.session, "org.freedesktop.login1.Session.SetLockedHint", "\(isLocked)")
    }

    /// Makes the session that can be locked.
    func mockSession() async throws {
      try await bus.mock("logind", name: Self.logind)
      try await bus.call(
        Self.logind, "/org/freedesktop/login1", "org.freedesktop.DBus.Mock.AddSession", "c1", "seat0",
        "uint32 \(getuid())", "me", "true")
    }

    /// A program's key, as the Secret Service has it.
    func key(of program: String = "org.proscenium.Scenario") async throws -> [UInt8] {
      let script = """
        import dbus
        bus = dbus.SessionBus()
        service = dbus.Interface(
            bus.get_object('org.freedesktop.secrets', '/org/freedesktop/secrets'), 'org.freedesktop.Secret.Service')
        session = service.OpenSession('plain', '')[1]
        items = service.SearchItems({'application': '\(program)'})[0]
        print(bytes(list(service.GetSecrets(items, session).values())[0][2]).hex())
        """
      let folder = try TemporaryFolder()
      var environment = try privateEnvironment(home: folder, display: nil)
      environment.merge(bus.environment) { $1 }
      let process = try ChildProcess(
        ["/usr/bin/python3", "-c", script], environment: environment, output: folder.file("out"),
        errors: folder.file("err"))
      _ = try await process.wait()
      let digits = Array(text(of: folder.file("out")).filter(\.isHexDigit))
      try #require(digits.count == 64, "\(text(of: folder.file("err")))")
      return stride(from: 0, to: 64, by: 2).compactMap { UInt8(String(digits[$0..<($0 + 2)]), radix: 16) }
    }

    /// A part of the text that the program writes.
    private func plain(_ range: Range<Int>) -> [UInt8] {
      range.map { UInt8(33 + ($0 &* 131 &+ ($0 >> 6) &* 17) % 90) }
    }

    /// How often bytes are in the memory of a process, also where a core dump has none.
    func count(_ bytes: [UInt8], inMemoryOf process: Int32) throws -> Int {
      let maps = try #require(KernelFile.text(of: "/proc/\(process)/maps"))
      let memory = try Descriptor(opening: "/proc/\(process)/mem", O_RDONLY)
      var found = 0
      for line in maps.split(separator: "\n") {
        let fields = line.split(separator: " ")
        let ends = fields[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
        guard ends.count == 2, fields[1].hasPrefix("r"), ends[1] < 1 << 48 else { continue }
        var region = [UInt8](repeating: 0, count: Int(ends[1] - ends[0]))
        let got = pread(memory.number, &region, region.count, off_t(ends[0]))
        if got > 0 { found += occurrences(of: bytes, in: region[..<got]) }
      }
      return found
    }

    func occurrences(of bytes: [UInt8], in region: ArraySlice<UInt8>) -> Int {
      region.withUnsafeBytes { all in
        guard var start = all.baseAddress else { return 0 }
        let end = start + all.count
        var count = 0
        while let hit = memchr(start, Int32(bytes[0]), end - start) {
          if end - UnsafeRawPointer(hit) >= bytes.count, memcmp(hit, bytes, bytes.count) == 0 { count += 1 }
          start = UnsafeRawPointer(hit) + 1
        }
        return count
      }
    }

    /// How often bytes are in the files of a folder, of all folders in it too.
    func count(_ bytes: [UInt8], under folder: String) -> Int {
      ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).reduce(0) {
        let content = FileManager.default.contents(atPath: folder + "/" + $1).map { Array($0) } ?? []
        return $0 + occurrences(of: bytes, in: content[...])
      }
    }

    /// A core dump of a process, which goes on.
    func core(of process: Int32) async throws -> [UInt8] {
      let folder = try TemporaryFolder()
      let dump = try ChildProcess(
        ["gcore", "-o", folder.file("core"), "\(process)"],
        environment: try privateEnvironment(home: folder, display: nil), output: folder.file("out"),
        errors: folder.file("err"))
      _ = try await dump.wait()
      let content = FileManager.default.contents(atPath: folder.file("core.\(process)"))
      return Array(try #require(content, "\(text(of: folder.file("err")))"))
    }

    @Test(
      "Ten seconds after a lock neither the key nor the text is in memory, in a core dump or on the disk",
      .enabled(if: mustNotSkip || isInstalled("gcore")))
    func memory() async throws {
      try await mockSession()
      let desktop = try await PrivateDesktop(.openbox)
      var environment = bus.environment
      environment["XDG_SESSION_ID"] = "c1"
      let run = try await DeskScenario(
        .openbox, arguments: ["--stay"], environment: environment, on: desktop, home: home)
      defer { run.close() }
      try await desktop.settle(run.program) { $0.contains { $0.expectedState == .foregroundActive } }
      #expect(try await says(run, "protected write \(file) 200000") == "written 200000")
      #expect(try await says(run, "protected read \(file)") == "read 200000")
      let (key, process) = (try await key(), run.program.pid)
      let words = [plain(64..<96), plain(100_000..<100_032), plain(199_900..<199_932)]
      // It is where no core dump has it, and nowhere else
      #expect(try count(key, inMemoryOf: process) == 1)
      var dump = try await core(of: process)
      for secret in words + [key] { #expect(occurrences(of: secret, in: dump[...]) == 0) }
      #expect(occurrences(of: Array("org.proscenium.Scenario".utf8), in: dump[...]) > 0)
      try await setLocked(true)
      try await run.program.wait(for: "the end of the key") { lines in
        lines.contains { $0.name == "protectionKey" && $0.text.contains("wiped") } ? true : nil
      }
      let lines = try run.program.trace.lines()
      let lock = try #require(lines.first { $0.name == "applicationProtectedDataWillBecomeUnavailable" })
      let wipe = try #require(lines.first { $0.text.contains("wiped") })
      #expect(wipe.t - lock.t >= 9.9)
      for secret in words + [key] { #expect(try count(secret, inMemoryOf: process) == 0) }
      dump = try await core(of: process)
      for secret in words + [key] { #expect(occurrences(of: secret, in: dump[...]) == 0) }
      #expect(try await says(run, "protected read \(file)") == "unavailable")
      #expect(try await says(run, "protected write \(file) 10") == "unavailable")
      #expect(try count(key, inMemoryOf: process) == 0)
      try await setLocked(false)
      try await desktop.settle(run.program) { $0.contains { $0.expectedState == .foregroundActive } }
      #expect(try await says(run, "protected read \(file)") == "read 200000")
      #expect(try count(key, inMemoryOf: process) == 1)
      for secret in words + [key] {
        #expect(count(secret, under: home.path) == 0 && count(secret, under: data.path) == 0)
      }
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
    }

    @Test(
      "Killed at each step of a write, the file has the old content or the new one, and no plain text is anywhere",
      .enabled(if: mustNotSkip || isInstalled("strace")))
    func killed() async throws {
      let folder = home.file("protected")
      mkdir(folder, 0o700)
      let file = folder + "/diary"
      let desktop = try await PrivateDesktop(.openbox)
      var (old, kills) = (5000, 0)
      var cipher: ProtectionCipher?
      for number in 0..<60 {
        let under =
          number == 0
          ? []
          : [
            "strace", "-f", "-qq", "-o", home.file("log"), "-P", folder, "-e",
            "trace=openat,renameat,fsync,unlinkat,newfstatat,linkat", "-e",
            "inject=openat,renameat,fsync,unlinkat,newfstatat,linkat:signal=KILL:when=\(number)",
          ]
        let run = try await DeskScenario(
          .openbox, arguments: ["--stay"], environment: bus.environment, on: desktop, home: home, under: under)
        defer { run.close() }
        try await desktop.settle(run.program)
        let new = 5000 + number
        let outcome = try? await says(run, "protected write \(file) \(new)")
        let isKilled = outcome == nil
        if !isKilled { #expect(outcome == "written \(new)") }
        run.program.send(SIGKILL)
        _ = try await run.program.end()
        if cipher == nil {
          let key = try #require(try await key().withUnsafeBytes { SecretBytes(copying: $0) })
          cipher = ProtectionCipher(protection: .complete, keys: [key])
        }
        let bytes = Array(try #require(FileManager.default.contents(atPath: file)))
        let content = try #require(try? cipher?.open(bytes), "step \(number)")
        #expect(content.count == old || content.count == new, "step \(number)")
        #expect(content.elementsEqual(plain(0..<content.count)), "step \(number)")
        #expect(count(plain(100..<132), under: home.path) == 0, "step \(number)")
        old = content.count
        if isKilled { kills += 1 } else if number > 0 { break }
      }
      #expect(kills >= 4, "\(kills) kills")
      // What the kills have left goes with the next reading
      let run = try await DeskScenario(
        .openbox, arguments: ["--stay"], environment: bus.environment, on: desktop, home: home)
      defer { run.close() }
      try await desktop.settle(run.program)
      #expect(try await says(run, "protected read \(file)") == "read \(old)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["diary"])
      run.program.send(SIGKILL)
      _ = try await run.program.end()
    }
  }
}
