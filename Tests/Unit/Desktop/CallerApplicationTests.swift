import Glibc
import ProsceniumDesk
import ProsceniumLoop
import Testing

@testable import ProsceniumDesktop

/// Which application a process belongs to.
@Suite("A caller's application") struct CallerApplicationTests {
  @Test(
    "A control group names the application as desktop environments, the bus and snapd name it",
    arguments: [
      (
        "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.example.Mail-1234.scope",
        "org.example.Mail"
      ),
      ("0::/app.slice/app-org.example.Mail-1234.scope", "org.example.Mail"),
      ("0::/app.slice/app-KDE-org.example.Mail@4f.service", "org.example.Mail"),
      ("0::/app.slice/app-org.example.Mail.service", "org.example.Mail"),
      ("0::/app.slice/app-org.example.Mail@autostart.service", "org.example.Mail"),
      (
        "0::/app.slice/app-dbus\\x2d:1.2\\x2dorg.example.slice/dbus-:1.2-org.example.Mail@0.service", "org.example.Mail"
      ),
      (#"0::/app.slice/app-gnome-my\x2dnice\x2deditor-12.scope"#, "my-nice-editor"),
      // What a terminal runs belongs to the terminal.
      ("0::/app.slice/app-org.gnome.Terminal.slice/vte-spawn-0a1b.scope", "org.gnome.Terminal"),
      ("0::/app.slice/app-org.kde.konsole-77.scope/tab(88).scope", "org.kde.konsole"),
      ("0::/user@0.service/snap.firefox.firefox-0a0a0a0a-1111-2222-3333-444444444444.scope", "firefox_firefox"),
      ("0::/user@0.service/snap.chat.desk-app.0a0a0a0a-1111-2222-3333-444444444444.scope", "chat_desk-app"),
      // Version 1, with systemd's hierarchy among others.
      ("12:pids:/app-no.No-1.scope\n1:name=systemd:/app-org.example.Mail-1.scope\n0::/", "org.example.Mail"),
    ])
  func controlGroups(text: String, identifier: String) {
    #expect(CallerApplication.controlGroup(text + "\n") == identifier)
  }

  @Test(
    "What names no application is unknown",
    arguments: [
      "", "0::/", "0::/init.scope", "0::/user.slice/session-2.scope", "0::/app.slice/app-.scope", "0::/app.scope",
      "0::/app-x.scope", "0::/app-a-\u{e9}.service", "0::/app-a b-1.scope", "0::/app-..%2f-1.scope", "rubbish", ":::",
      "0::/snap.x.hook.configure.scope", "0::/snap.x.scope", "5:cpu:/app-org.example.Mail-1.scope",
      "0::/app-\(String(repeating: "x", count: 300))-1.scope",
    ])
  func unknown(text: String) { #expect(CallerApplication.controlGroup(text) == nil) }

  @Test("A sandbox names its application in its own group, once")
  func flatpak() {
    #expect(CallerApplication.flatpak("[Application]\nname=org.a.B\nruntime=x\n") == "org.a.B")
    #expect(CallerApplication.flatpak("[Instance]\nname=no\n[Application]\nname=org.a.B\nname=c\n") == "org.a.B")
    for text in ["", "name=org.a.B", "[Instance]\nname=org.a.B", "[Application]\nname=\n", "[Application]\nname=a/b"] {
      #expect(CallerApplication.flatpak(text) == nil, "\(text)")
    }
  }

  @Test("A process is looked up where it is; links, pipes and folders in its place are not read")
  func lookups() throws {
    let folder = try TemporaryFolder()
    let callers = CallerApplication(folder: folder.path, ownIdentifier: "own")
    #expect(callers.identifier(of: 7) == nil)
    for name in ["7", "7/root", "self", "self/root"] { #expect(mkdir(folder.file(name), 0o700) == 0) }
    try folder.write("7/cgroup", "0::/app-org.a.B-1.scope\n")
    #expect(callers.identifier(of: 7) == "org.a.B")
    // The sandbox counts first, also where it says nothing that can be read.
    let sandbox = folder.file("7/root/.flatpak-info")
    #expect(mkfifo(sandbox, 0o600) == 0)
    #expect(callers.identifier(of: 7) == nil)
    #expect(unlink(sandbox) == 0 && symlink(folder.file("7/cgroup"), sandbox) == 0)
    #expect(callers.identifier(of: 7) == nil)
    #expect(unlink(sandbox) == 0)
    // Its root is what a process chooses itself: the unit that Flatpak has made for it has to say the same.
    try folder.write("7/root/.flatpak-info", "[Application]\nname=org.c.D-e\n")
    #expect(callers.identifier(of: 7) == nil)
    let slice = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"
    try folder.write("7/cgroup", slice + "app-flatpak-org.c.D-77.scope\n")
    #expect(callers.identifier(of: 7) == nil)
    try folder.write("7/cgroup", slice + "session.slice\n")
    #expect(callers.identifier(of: 7) == nil)
    try folder.write("7/cgroup", slice + #"app-flatpak-org.c.D\x2de-77.scope"# + "\n")
    #expect(callers.identifier(of: 7) == "org.c.D-e")
    // In a sandbox of its own the program sees processes with other numbers.
    try folder.write("self/root/.flatpak-info", "")
    #expect(callers.identifier(of: 7) == nil)
  }

  @Test("This program's own processes are known by their executable")
  func ownProcess() {
    let callers = CallerApplication(folder: "/proc", ownIdentifier: "own")
    let parent = callers.identifier(of: Int(getppid()))
    #expect(parent != "own")
    // Where the tests themselves run in an application's unit, that counts.
    let group = KernelFile.text(of: "/proc/self/cgroup").flatMap(CallerApplication.controlGroup)
    #expect(callers.identifier(of: Int(getpid())) == group ?? "own")
    // An interpreter's are those of many programs.
    let script = CallerApplication(folder: "/proc", ownIdentifier: "own", ownsExecutable: false)
    #expect(script.identifier(of: Int(getpid())) == group)
  }
}
