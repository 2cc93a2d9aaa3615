import ProsceniumJSON
import ProsceniumTrace

/// What is said of the user's language and accounts.
extension MachineTrace {
  mutating func checkLocale(_ details: TraceDetails) {
    if isAway { fail(.locale, "the program is suspended") }
    guard case .array(let changes)? = details["changes"], !changes.isEmpty, let region = details["to"] else {
      return fail(.locale, "it says no change, or no region")
    }
    // That of numbers is named where it is another one.
    let numbers = details["numbers"] ?? region
    let (key, now) = ("locale", TraceRecord.Fact.Value.text("\(region) \(numbers)"))
    if let before = facts[key], (before != now) != changes.contains(.string("region")) {
      fail(.locale, "the region is \(region), and \(before == now ? "is" : "is not") what it was")
    }
    facts[key] = now
  }

  mutating func checkAccounts(_ details: TraceDetails) {
    if isAway { fail(.accounts, "the program is suspended") }
    func number(_ key: String) -> Int { details[key]?.count ?? 0 }
    guard let count = details["count"]?.count else { return fail(.accounts, "the line has no count") }
    let (added, removed, changed) = (number("added"), number("removed"), number("changed"))
    guard [count, added, removed, changed].allSatisfy({ (0...Self.mostAccounts).contains($0) }) else {
      return fail(.accounts, "a number is none of accounts")
    }
    let key = "accounts"
    let before: Int? = if case .text(let text)? = facts[key] { Int(text) } else { nil }
    if count != (before ?? 0) + added - removed {
      fail(.accounts, "there are \(count), after \(before ?? 0) and \(added) more and \(removed) less")
    }
    if before != nil, added + removed + changed == 0 { fail(.accounts, "nothing has changed") }
    if changed > count - added { fail(.accounts, "\(changed) have changed of \(count - added)") }
    facts[key] = .text("\(count)")
  }

  /// More are rubbish.
  private static let mostAccounts = 1 << 32
}
