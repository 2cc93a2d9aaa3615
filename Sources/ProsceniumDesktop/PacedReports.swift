import ProsceniumLoop
import ProsceniumPlatform

/// Posts what a service says, as often as a ``ReportBudget`` lets it.
@MainActor final class PacedReports {
  /// What was posted last.
  private(set) var last: SystemEvent?
  private var budget = ReportBudget()

  /// Makes reports of which none has been posted.
  /// - Parameter first: What is known without a report; nil where anything is worth one.
  init(_ first: SystemEvent? = nil) { last = first }

  /// Posts a report that differs from the last one; where the budget is used up, what is read at the period's end.
  /// - Parameters:
  ///   - host: The framework.
  ///   - read: Answers the report; nil where there is nothing to say.
  func update(_ host: any SystemHost, _ read: @escaping @MainActor () -> SystemEvent?) {
    // While the program is suspended the end of a period does not come, and a report wakes nothing.
    guard let event = read(), event != last, budget.take() || host.isSuspended else { return }
    last = event
    host.post(event)
    guard budget.beginPeriod() else { return }
    host.after(milliseconds: ReportBudget.period.milliseconds) { [weak self, weak host] in
      guard let self, let host else { return }
      budget.endPeriod()
      update(host, read)
    }
  }
}

/// How many reports may go out: a service may say anything, as often as it likes.
///
/// The answers of all services and a user's switch back and forth are told at once. Where that was not enough in one
/// period, there is one report in each of the next ones, with the values then, until one has not needed more.
struct ReportBudget: Equatable {
  static let period = Duration.seconds(1)
  static let burst = 8

  private var left = Self.burst
  private var isShort = false
  private var isInPeriod = false

  /// Takes one report; false where it has to wait for the end of the period.
  mutating func take() -> Bool {
    isShort = left == 0
    if !isShort { left -= 1 }
    return !isShort
  }

  /// Begins a period; false where one has begun already.
  mutating func beginPeriod() -> Bool { !exchange(&isInPeriod, with: true) }

  mutating func endPeriod() {
    isInPeriod = false
    left = exchange(&isShort, with: false) ? 1 : Self.burst
  }
}
