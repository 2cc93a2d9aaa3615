import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumLoop
import SuiteSupport
import Testing

@testable import ProsceniumCore

/// Notes with protected notes: what is on the disk, and what a core dump has.
extension ThirdDesk.ProtectedFileProgramTests {
  private static let lines = [
    "The quick brown secret jumps over it", "nobody may see what this line says", "0123456789 is the number of it",
  ]
  private static let text = lines.joined(separator: "\n")
  private var folder: String { home.file("docs") }
  /// The files in the home that have a picture of a window.
  private var pictures: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: home.path)) ?? []).filter { $0.hasSuffix(".qoi") }
  }

  private func bytes(_ path: String) -> [UInt8] { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }

  private func content(of path: String) async throws -> String {
    let key = try #require(try await key(of: "org.proscenium.Notes").withUnsafeBytes { SecretBytes(copying: $0) })
    let content = try ProtectionCipher(protection: .complete, keys: [key]).open(bytes(path))
    return String(decoding: content, as: UTF8.self)
  }

  private func start(_ arguments: [String], on desktop: PrivateDesktop, documents: Int) async throws -> Program {
    var environment = bus.environment
    environment["XDG_SESSION_ID"] = "c1"
    let program = try desktop.start(
      Program.besideTests("Notes"), arguments, environment: environment, home: home)
    try await desktop.settle(program, quiet: .milliseconds(200)) {
      $0.contains { $0.expectedState == .foregroundActive }
    }
    try await program.opens(documents: documents)
    return program
  }

  /// Waits until a protected note with this text is on the disk.
  private func has(_ path: String, _ text: String, _ program: Program) async throws {
    let size = SealedFile.headSize + text.utf8.count + Sodium.addedSize
    try await waitUntil("\(text.utf8.count) bytes in the note", evidence: { program.evidence }) {
      bytes(path).count == size
    }
    #expect(try await content(of: path) == text)
  }

  private func expectNoPlainText(_ path: String) {
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(bytes(path).starts(with: [0x89] + Array("PSPF".utf8)))
    for line in Self.lines { #expect(count(Array(line.utf8), under: home.path) == 0, "\(line)") }
  }

  @Test(
    "A protected note is begun by its name; its text is nowhere on the disk, and comes back after a lock",
    .enabled(if: mustNotSkip || isInstalled("gcore") && Requirement.program("Notes")))
  func note() async throws {
    try await mockSession()
    try #require(mkdir(folder, 0o700) == 0)
    let file = folder + "/diary.private.txt"
    let desktop = try await PrivateDesktop(.openbox)
    let program = try await start([file], on: desktop, documents: 1)
    try desktop.desk.type(Self.text)
    try await has(file, Self.text, program)
    expectNoPlainText(file)
    let dump = try await core(of: program.pid)
    #expect(Self.lines.contains { occurrences(of: Array($0.utf8), in: dump[...]) > 0 })
    try await setLocked(true)
    try await program.wait(for: "the end of the key") { lines in
      lines.contains { $0.name == "protectionKey" && $0.text.contains("wiped") } ? true : nil
    }
    #expect(pictures == [])
    // It comes back with its text, and goes on where it was
    try await setLocked(false)
    try await desktop.settle(program, quiet: .milliseconds(200)) {
      $0.contains { $0.expectedState == .foregroundActive }
    }
    try await program.wait(for: "the text") { _ in try program.documentEvents().contains("reverted") ? true : nil }
    try desktop.desk.type("!")
    try await has(file, Self.text + "!", program)
    expectNoPlainText(file)
    program.send(SIGTERM)
    #expect(try await program.end() == .exited(0))
    #expect(pictures == [])
  }

  @Test(
    "After each of many locks the texts of protected notes are nowhere in the memory of the process",
    .enabled(if: Requirement.program("Notes")))
  func textsInMemory() async throws {
    try await mockSession()
    try #require(mkdir(folder, 0o700) == 0)
    let (notes, rounds) = (5, 2)
    let files = (1...notes).map { folder + "/note \($0).private.txt" }
    let desktop = try await PrivateDesktop(.openbox)
    let program = try await start(files, on: desktop, documents: notes)
    func text(_ note: Int, _ round: Int) -> String { "this is secret \(note) of round \(round) of them" }
    var texts = [String](repeating: "", count: notes)
    func lines(of name: String, _ word: String) throws -> Int {
      try program.trace.lines().count { $0.name == name && $0.text.contains(word) }
    }
    for round in 1...rounds {
      for note in 1...notes {
        let windows = try program.trace.lines().scenes.compactMap(\.window)
        try #require(windows.count == notes)
        desktop.desk.focus(windows[note - 1])
        try await desktop.settle(program, quiet: .milliseconds(200))
        let words = text(note, round) + "\n"
        try desktop.desk.type(words)
        texts[note - 1] = words + texts[note - 1]
      }
      let sizes = Set(texts.map { SealedFile.headSize + $0.utf8.count + Sodium.addedSize })
      try await waitUntil("the notes of round \(round)", evidence: { program.evidence }) {
        files.allSatisfy { sizes.contains(bytes($0).count) }
      }
      try await setLocked(true)
      try await program.wait(for: "the end of the key") { _ in
        try lines(of: "protectionKey", "wiped") == round ? true : nil
      }
      for number in 1...round {
        // Of what is freed the C library overwrites the first 16 bytes in any case.
        let rest = Array(text(1, number).utf8.dropFirst(16))
        #expect(try count(rest, inMemoryOf: program.pid) == 0, "\(number)")
      }
      try await setLocked(false)
      try await desktop.settle(program, quiet: .milliseconds(200)) {
        $0.contains { $0.expectedState == .foregroundActive }
      }
      try await program.wait(for: "the texts") { _ in
        try program.documentEvents().count { $0.contains("reverted") } >= notes * round ? true : nil
      }
    }
    program.send(SIGTERM)
    #expect(try await program.end() == .exited(0))
  }

  @Test(
    "A note that is saved as a protected one is encrypted from then on", .enabled(if: Requirement.program("Notes")))
  func savedAs() async throws {
    try #require(mkdir(folder, 0o700) == 0)
    let (file, plain) = (folder + "/diary.private.txt", try home.write("list.txt", "milk\n"))
    try await bus.serve(
      SecondDesk.NotesMenuTests.portal(opens: plain, saves: file), name: "org.freedesktop.portal.Desktop")
    let desktop = try await PrivateDesktop(.openbox)
    let program = try await start([], on: desktop, documents: 0)
    try desktop.desk.type(Self.text)
    try desktop.desk.press(DeskKey("s"), [.control, .shift])
    try await has(file, Self.text, program)
    try await waitUntil("the end of the new note's own file", evidence: { program.evidence }) {
      count(Array(Self.lines[0].utf8), under: home.path) == 0
    }
    expectNoPlainText(file)
    try desktop.desk.type("!")
    try await has(file, Self.text + "!", program)
    expectNoPlainText(file)
    program.send(SIGTERM)
    #expect(try await program.end() == .exited(0))
    #expect(pictures == [])
    // It can be opened again
    let next = try await start([file], on: desktop, documents: 1)
    next.send(SIGTERM)
    #expect(try await next.end() == .exited(0))
  }
}
