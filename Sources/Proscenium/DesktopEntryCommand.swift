internal import ProsceniumCore
internal import ProsceniumDesktop
import ProsceniumLoop

/// `<program> --install-desktop-entry` and `--uninstall-desktop-entry`: the desktop and the bus get to know the
/// program.
@MainActor enum DesktopEntryCommand {
  private static let install = "--install-desktop-entry"
  private static let uninstall = "--uninstall-desktop-entry"

  /// Performs the command of the first argument, and returns the exit status; nil where it is no such command.
  static func run(_ arguments: [String], _ application: Application, _ delegate: any ApplicationDelegate) -> Int32? {
    guard arguments.count == 2, let command = arguments.last, [install, uninstall].contains(command) else { return nil }
    for problem in application.conductor?.adopt(delegate) ?? [] { StandardError.write("Proscenium: \(problem)") }
    var installer = DesktopInstaller(environment: Program.variables(DesktopInstaller.variables))
    do throws(DesktopEntry.Failure) {
      let entry = try entry(of: application, arguments, installer)
      if command == install { try installer.install(entry) } else { try installer.uninstall(entry) }
    } catch {
      StandardError.write("Proscenium: \(error.description).")
      return 1
    }
    installer.tellBus()
    for file in installer.files { print(command == install ? "wrote \(file)" : "removed \(file)") }
    return 0
  }

  /// Writes the installed desktop entry again; does nothing where none is installed.
  static func update(_ application: Application) {
    let installer = DesktopInstaller(environment: Program.variables(DesktopInstaller.variables))
    do throws(DesktopEntry.Failure) {
      try installer.update(try entry(of: application, application.conductor?.identity.arguments ?? [], installer))
    } catch {
      StandardError.write("Proscenium: The desktop entry was not updated: \(error.description).")
    }
  }

  private static func entry(
    of application: Application, _ arguments: [String], _ installer: DesktopInstaller
  ) throws(DesktopEntry.Failure) -> DesktopEntry {
    let manifest = application.resolvedManifest
    let script = try DesktopInstaller.script(arguments, in: CommandLine.arguments)
    // Without its extension.
    let scriptName = script.flatMap { ProgramName.last(of: $0)?.split(separator: ".").first.map { String($0) } }
    return try DesktopEntry(
      identifier: manifest.applicationIdentifier, title: scriptName ?? ProgramName.own,
      program: try script == nil
        ? DesktopInstaller.startPath(Program.variables(DesktopInstaller.variables))
        : DesktopInstaller.interpreterPath(CommandLine.arguments.first, Program.variables(["PATH"])["PATH"]),
      script: script, schemes: manifest.openable.schemes,
      fileTypes: installer.types(of: manifest.openable.fileExtensions), shortcuts: manifest.openable.shortcutItems)
  }
}
