import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

@Suite("What a session manager is told of the command line")
struct SessionCommandTests {
  @Test("The id of the run before is taken out, wherever it stands, and the new one is put in")
  func pairs() {
    let plain = SessionCommand(["notes", "a.txt", "--background"])
    #expect(plain.previousID == nil)
    #expect(plain.clone == ["notes", "a.txt", "--background"])
    #expect(plain.restart(as: "7") == ["notes", "a.txt", "--background", "--session-id", "7"])
    for arguments in [
      ["notes", "--session-id", "5", "a.txt", "--background"], ["notes", "a.txt", "--background", "--session-id", "5"],
      ["notes", "--session-id", "4", "a.txt", "--session-id", "5", "--background"],
    ] {
      let command = SessionCommand(arguments)
      #expect(command.previousID == "5")
      #expect(command.clone == plain.clone)
      #expect(command.restart(as: "7") == plain.restart(as: "7"))
      #expect(SessionCommand(command.restart(as: "5")) == command, "a restart of a restart is the same")
    }
  }

  @Test("What follows a lone -- is the program's own")
  func terminator() {
    let command = SessionCommand(["notes", "--", "--session-id", "5"])
    #expect(command.previousID == nil)
    #expect(command.clone == ["notes", "--", "--session-id", "5"])
    #expect(command.restart(as: "7") == ["notes", "--session-id", "7", "--", "--session-id", "5"])
    #expect(SessionCommand(command.restart(as: "7")).previousID == "7")
  }

  @Test("An option without a value, an empty one, and no arguments at all")
  func strange() {
    #expect(SessionCommand(["notes", "--session-id"]).clone == ["notes"])
    #expect(SessionCommand(["notes", "--session-id"]).previousID == nil)
    #expect(SessionCommand(["notes", "--session-id", ""]).previousID == nil)
    #expect(SessionCommand(["--session-id", "a"]).clone == ["--session-id", "a"], "a program may be called so")
    #expect(SessionCommand([]).clone == [])
  }

  @Test("A program is started again if it ran at the end, unless its command line is too long to be told")
  func properties() throws {
    func all(_ arguments: [String]) -> [String: SessionProperty] {
      let properties = SessionProperty.all(
        command: SessionCommand(arguments), id: "7", user: "eve", directory: "/tmp", processID: 12)
      return Dictionary(properties.map { ($0.name, $0) }) { $1 }
    }
    let properties = all(["notes", "ä"])
    #expect(
      properties.keys.sorted() == [
        "CloneCommand", "CurrentDirectory", "ProcessID", "Program", "RestartCommand", "RestartStyleHint", "UserID",
      ])
    #expect(properties["RestartStyleHint"]?.values == [[0]])
    #expect(properties["RestartCommand"]?.type == "LISTofARRAY8")
    #expect(properties["CloneCommand"]?.values == [Array("notes".utf8), Array("ä".utf8)])
    let long = all(["notes", String(repeating: "x", count: 40_000)])
    #expect(long["RestartStyleHint"]?.values == [[3]])
    #expect(long["RestartCommand"] == nil && long["CloneCommand"] == nil)
    #expect(all([])["RestartStyleHint"]?.values == [[3]])
  }
}
