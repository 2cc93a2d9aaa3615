import ProsceniumPlatform

extension HeadlessProgram {
  /// Starts the program, which does not run, for a notice whose time has come: as the service manager does, in the
  /// background.
  ///
  /// Does nothing while it runs: it shows its notices by itself.
  /// - Returns: Whether the program was started.
  @discardableResult
  public func startForDueNotices() -> Bool {
    guard machine.running == nil, !machine.parts.noticeTimes.removeDueStarts().isEmpty else { return false }
    relaunch(arguments: ["--background", WorkStart.option, WorkStart.notice])
    return true
  }
}
