import DeskSupport
import Glibc

/// Runs the demo through everything that a person does, under each window manager.
@main struct Matrix {
  /// What the command line asks for.
  struct Options {
    var kinds = WindowManager.all
    var demo = Demo()
    var output: String?
    var lanes = 2
    var listsPackages = false
  }

  static func main() async {
    guard let options = options(CommandLine.arguments.dropFirst()) else {
      say(
        """
        usage: Matrix [--demo PATH] [--control] [--output FILE] [--lanes N] [--packages | --ci DAY] [NAME ...]
          --demo PATH    SceneLab's executable, or that of another program that opens a scene by n and quits by q
          --control      the program has Ctrl-N and Ctrl-Q instead, as an editor does
          --output FILE  where the table is written; otherwise on standard output
          --lanes N      how many window managers at a time (2)
          --packages     print the Debian packages that they need, and end
          --ci DAY       openbox, i3, twm, none and one of the heavy ones, another each day
        names: \(WindowManager.all.map(\.name).joined(separator: ", "))
        """)
      exit(2)
    }
    if options.listsPackages {
      print(Set(options.kinds.flatMap(\.packages)).sorted().joined(separator: " "))
      return
    }
    say("under \(options.kinds.map(\.name).joined(separator: ", "))")
    let rows = await run(options)
    let text = Report(demo: options.demo.name, rows: rows).text
    if let output = options.output {
      guard let file = fopen(output, "w") else {
        say("cannot write \(output)")
        exit(2)
      }
      fputs(text, file)
      fclose(file)
    } else {
      print(text)
    }
    let failed = rows.filter { !$0.agrees }
    say("\(rows.count - failed.count) of \(rows.count) agree; failed: \(failed.map(\.kind.name))")
    exit(failed.isEmpty ? 0 : 1)
  }

  private static func options(_ arguments: ArraySlice<String>) -> Options? {
    var options = Options()
    var names: [String] = []
    var rest = arguments
    while let word = rest.popFirst() {
      switch word {
      case "--demo": options.demo.path = rest.popFirst() ?? ""
      case "--control": options.demo.modifiers = .control
      case "--output": options.output = rest.popFirst()
      case "--lanes": options.lanes = rest.popFirst().flatMap { Int($0) } ?? 2
      case "--packages": options.listsPackages = true
      case "--ci":
        guard let day = rest.popFirst().flatMap({ Int($0) }) else { return nil }
        let heavy = ["xfwm4", "mutter", "kwin", "fvwm3"]
        names += ["openbox", "i3", "twm", "none", heavy[abs(day % heavy.count)]]
      default: names.append(word)
      }
    }
    if !names.isEmpty {
      options.kinds = names.compactMap(WindowManager.named)
      if options.kinds.count != names.count { return nil }
    }
    return options
  }

  /// So many at a time; the rows are in the order of the kinds.
  private static func run(_ options: Options) async -> [Row] {
    await withTaskGroup(of: (Int, Row).self) { group in
      var rows: [Int: Row] = [:]
      var next = 0
      func add() {
        guard next < options.kinds.count else { return }
        let (index, kind) = (next, options.kinds[next])
        next += 1
        group.addTask {
          var row = Row(kind)
          await row.run(options.demo, limit: .seconds(100))
          say("\(kind): \(row.agrees ? "agrees" : "FAILED"), \(row.seconds) s")
          return (index, row)
        }
      }
      for _ in 0..<max(1, options.lanes) { add() }
      while let (index, row) = await group.next() {
        rows[index] = row
        add()
      }
      return options.kinds.indices.compactMap { rows[$0] }
    }
  }
}
