private import Glibc
internal import ProsceniumCore
internal import ProsceniumDesktop
import ProsceniumLoop
private import ProsceniumX11

/// A second start of the program: sends its request to the first, and reports the outcome.
@MainActor enum SecondStartMessage {
  static func send(_ start: SecondStart) -> SecondStart.Outcome {
    guard hasTextAlone else { return refuse(start, because: "its arguments are not UTF-8, and cannot be handed over") }
    let environment = Program.variables(SecondInstance.variables)
    switch SecondInstance.send(start, token: token(start), environment: environment) {
    case .taken: return .end(status: 0)
    case .ownerEnded(let left): return .ownerEnded(left: left)
    case .unreachable: return .notTaken
    case .refused(let reason): return refuse(start, because: reason)
    case .noSuchAction:
      let reason = start.launch.refusals.first ?? "the process that runs has no such action."
      StandardError.write("Proscenium: Nothing was opened: \(reason)")
      return .end(status: 2)
    }
  }

  private static func refuse(_ start: SecondStart, because reason: String) -> SecondStart.Outcome {
    let process = start.owner.map { "as process \($0)" } ?? "as another process"
    StandardError.write(
      "Proscenium: \(start.identifier) is running already, \(process), and does not take this start: \(reason).")
    return .end(status: 1)
  }

  /// Whether the command line can be sent as text: the bus accepts valid UTF-8 only, and repaired text differs.
  private static var hasTextAlone: Bool {
    (0..<Int(CommandLine.argc)).allSatisfy { index in
      CommandLine.unsafeArgv[index].map { String(validatingCString: $0) != nil } ?? true
    }
  }

  /// The launcher's id for this start.
  ///
  /// Without one, the user has typed a command, and expects to see its result: an id is made with the X server's
  /// present time, without which a window manager would not move the focus.
  private static func token(_ start: SecondStart) -> String? {
    let names = ["DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN"]
    let variables = Program.variables(names)
    if let id = names.compactMap({ variables[$0] }).first(where: { !$0.isEmpty && $0.utf8.count <= 1024 }) { return id }
    guard !start.launch.isBackground, let time = ServerClock.now() else { return nil }
    return ServerClock.startupID(program: ProgramName.own, process: getpid(), time: time)
  }
}
