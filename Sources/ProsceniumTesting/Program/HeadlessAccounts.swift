import ProsceniumPlatform

/// The user's accounts on the machine in memory, which last over processes.
@MainActor final class HeadlessAccounts: AccountMonitor {
  private unowned let machine: HeadlessMachine
  /// Nil where the machine has no service that knows accounts.
  private var accounts: [AccountReading]?
  private var isFollowed = false
  private var reported: [AccountReading]?

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// Another process begins, which follows nothing.
  func forgetProcess() { (isFollowed, reported) = (false, nil) }

  func follow() {
    isFollowed = true
    reportLater()
  }

  /// Reports what is followed already when the process begins to receive events, or later.
  func reportLater() {
    if isFollowed { machine.later { [weak self] in self?.report() } }
  }

  /// Changes the accounts; the process receives them if it follows them.
  func change(_ change: (inout [AccountReading]) -> Void) {
    var next = accounts ?? []
    change(&next)
    accounts = next
    report()
  }

  private func report() {
    guard isFollowed, let accounts, accounts != reported, machine.hasSource else { return }
    reported = accounts
    machine.post(.accounts(accounts))
  }
}
