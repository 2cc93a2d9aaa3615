/// The table: a row for each way of managing windows, a column for each action, and below it why cells differ and what
/// failed.
struct Report {
  /// The program's name.
  let demo: String
  let rows: [Row]

  var text: String {
    var notes: [String] = []
    let table = rows.map { row in
      let cells = Row.Step.all.map { cell(row.outcomes[$0], &notes) }
      return "| \(row.kind) | \(row.version) | \(cells.joined(separator: " | ")) |"
    }
    let header = ["", "version"] + Row.Step.all.map(\.title)
    var lines = introduction.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines += ["| \(header.joined(separator: " | ")) |", "|\(header.map { _ in "---|" }.joined())"] + table
    if !notes.isEmpty { lines += [""] + notes.enumerated().map { "\($0 + 1). \($1)." } }
    for row in rows {
      for step in Row.Step.all {
        guard case .failed(let evidence) = row.outcomes[step] else { continue }
        lines += ["", "### \(row.kind): \(step.title)", "", "```", evidence, "```"]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var introduction: String {
    """
    # Window managers

    What the demo \(demo)'s scenes did under each window manager, with two scenes open, while a person did what the columns
    say. After each step another client asks the server for the truth: mapped windows and frames, `WM_STATE`, desktops,
    what lies over what, the focus. "ok" means that every scene's state in the trace was the one that follows from those
    answers, and that no rule of the life cycle was broken on the way. A number means that the window manager cannot do it,
    or does something else, for the reason below; that the states agree with the server was shown there, too.

    Made by `\(command)`.

    """
  }

  private var command: String {
    let guest = demo == "SceneLab" ? ("", "") : ("--guest \(demo) ", "-\(demo)")
    return "Tests/matrix \(guest.0)--output docs/window-managers\(guest.1).md"
  }

  private func cell(_ outcome: Row.Outcome?, _ notes: inout [String]) -> String {
    switch outcome {
    case .agrees: return "ok"
    case .differs(let reason):
      if !notes.contains(reason) { notes.append(reason) }
      return "\((notes.firstIndex(of: reason) ?? 0) + 1)"
    case .failed: return "FAIL"
    case nil: return "-"
    }
  }
}
