// Toolchains have no Testing for `--static-swift-stdlib`: there the module is empty.
#if canImport(Testing)
  import ProsceniumDesk
  import Synchronization
  import Testing

  /// The evidence of a failing test: collected at its first issue, recorded at its end.
  final class Evidence: Sendable {
    private let desk: Desk
    private let keeper: ProgramKeeper
    private let pieces = Mutex<[(name: String, bytes: [UInt8])]?>(nil)

    init(of desk: Desk, _ keeper: ProgramKeeper) {
      self.desk = desk
      self.keeper = keeper
    }

    /// Collects the evidence, at the first call.
    func collect() {
      // A second caller does not wait for the first.
      let isFirst = pieces.withLock { pieces in
        defer { if pieces == nil { pieces = [] } }
        return pieces == nil
      }
      guard isFirst else { return }
      var taken = [(name: "windows.txt", bytes: Array(desk.view.utf8))]
      if let picture = try? desk.screenshot() { taken.append(("screen.png", picture)) }
      for (number, program) in keeper.programs.enumerated() {
        taken.append(("trace-\(number + 1).jsonl", Array(text(of: program.trace.path).utf8)))
        taken.append(("program-\(number + 1).txt", Array(program.evidence.utf8)))
      }
      let all = taken
      pieces.withLock { $0 = all }
    }

    /// Attaches the evidence to the test.
    func record() {
      for piece in pieces.withLock({ $0 }) ?? [] { Attachment.record(piece.bytes, named: piece.name) }
    }
  }
#endif
