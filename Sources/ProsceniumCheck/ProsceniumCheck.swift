import Glibc
import ProsceniumTesting

/// Reports which rules of the life cycle some traces break, and where.
@main struct ProsceniumCheck {
  static let usage = """
    usage: proscenium-check TRACE...
           PROSCENIUM_TRACE=trace program; proscenium-check trace

    Checks traces that programs wrote with PROSCENIUM_TRACE; standard input where none, or -, is named.
    PROSCENIUM_TRACE=- is no way to get one: standard error has what else the program and the library say too.
    For each broken rule there is a line with the file, the line and the rule.
      --rules   every rule with its number
    Status: 0 if all rules hold, 1 if one is broken, 2 if a trace cannot be read.
    """

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") || arguments.contains("-h") {
      print(usage)
      exit(0)
    }
    if arguments == ["--rules"] {
      for rule in TraceRule.allCases { print("\(rule.rawValue). \(rule.sentence)") }
      exit(0)
    }
    if let option = arguments.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
      complain("proscenium-check does not know \(option).\n\(usage)")
      exit(2)
    }
    var status: Int32 = 0
    for path in arguments.isEmpty ? ["-"] : arguments { status = max(status, check(path)) }
    exit(status)
  }

  /// Checks one trace.
  private static func check(_ path: String) -> Int32 {
    let (name, file) = path == "-" ? ("standard input", 0) : (path, open(path, O_RDONLY | O_CLOEXEC))
    guard file >= 0 else {
      complain("proscenium-check: \(path): \(String(cString: strerror(errno)))")
      return 2
    }
    defer { if path != "-" { close(file) } }
    var checker = TraceChecker()
    var said = 0
    func report() {
      for violation in checker.violations[said...] {
        let scene = violation.scene.map { " scene \($0):" } ?? ""
        print(
          "\(name):\(violation.line): rule \(violation.rule.rawValue):\(scene) \(violation.detail). \(violation.rule.sentence)"
        )
      }
      said = checker.violations.count
    }
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        complain("proscenium-check: \(name): \(String(cString: strerror(errno)))")
        return 2
      }
      guard count > 0 else { break }
      checker.check(buffer[..<count])
      report()
    }
    checker.finish()
    report()
    if checker.lineCount == 0, said == 0 {
      complain("proscenium-check: \(name): there is no line of a trace in it")
      return 2
    }
    if said == 0 { complain("\(name): \(checker.lineCount) lines, and every rule holds.") }
    return said == 0 ? 0 : 1
  }

  /// Writes to standard error, apart from the results.
  private static func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(2, bytes, bytes.count)
  }
}
