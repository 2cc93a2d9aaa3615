import DeskSupport
import FoundationEssentials
import Glibc
import Synchronization

/// Orca with a private session, without a voice: what it would say is in a file.
final class Orca: Sendable {
  /// As `orca` starts it, but beside that of the user and those of other tests, without a speech synthesizer, and with
  /// each line in the file at once.
  private static let launcher = """
    import importlib.machinery, importlib.util, sys
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader('orca_program', '/usr/bin/orca')
    program = importlib.util.module_from_spec(importlib.util.spec_from_loader('orca_program', loader))
    loader.exec_module(program)
    program.setProcessName = lambda name: False
    program.otherOrcas = lambda: []
    program.open = lambda path, mode: open(path, mode, buffering=1)
    from orca import speech
    speech.init = lambda: None
    sys.exit(program.main())

    """

  private let home: TemporaryFolder
  private let process: ChildProcess
  /// How many of the phrases have been waited for.
  private let place = Mutex(0)

  /// Starts it for a desktop, and waits until it speaks.
  init(on assisted: AssistedDesktop) async throws {
    home = try TemporaryFolder()
    let environment = try assisted.environment(home: home)
    process = try ChildProcess(
      [
        "/usr/bin/python3", "-W", "ignore", "-c", Self.launcher, "--debug-file", home.file("log"), "--disable",
        "braille",
      ],
      environment: environment, output: home.file("out"), errors: home.file("err"))
    try await says("Screen reader on")
  }

  /// All that it has said.
  var phrases: [String] {
    text(of: home.file("log")).split(separator: "\n").compactMap { line in
      guard let start = line.firstRange(of: "SPEECH OUTPUT: '") else { return nil }
      let phrase = line[start.upperBound...]
      return String(phrase.prefix { $0 != "'" && $0 != "{" })
    }
  }

  private var evidence: String {
    let log = text(of: home.file("log")).suffix(3000)
    return "said: \(phrases.suffix(30))\n\(text(of: home.file("err")))\(log)"
  }

  /// Waits until it says these phrases, one after the other and with others between them; each by its beginning.
  func says(_ wanted: String..., fileID: StaticString = #fileID, line: UInt = #line) async throws {
    for phrase in wanted {
      try await waitUntil(
        "Orca to say \(phrase)", limit: .seconds(120), evidence: { evidence }, fileID: fileID, line: line
      ) {
        place.withLock { place in
          guard let index = phrases.dropFirst(place).firstIndex(where: { $0.hasPrefix(phrase) }) else { return false }
          place = index + 1
          return true
        }
      }
    }
  }

  /// Waits until it has handled that the caret has come to an offset: a key that moves the caret before that is silent.
  func handlesCaret(at offset: Int, fileID: StaticString = #fileID, line: UInt = #line) async throws {
    let (event, end) = ("OBJECT EVENT: object:text-caret-moved (\(offset), 0, 0)", "^^^^^ PROCESS OBJECT EVENT")
    try await waitUntil(
      "Orca to handle the caret", limit: .seconds(120), evidence: { evidence }, fileID: fileID, line: line
    ) {
      let lines = text(of: home.file("log")).split(separator: "\n")
      return lines.lastIndex { $0.hasSuffix(event) }.map { lines[$0...].contains { $0.hasPrefix(end) } } == true
    }
  }
}
