/// Who is believed as a distributor of pushed messages.
///
/// The owner of the name of the distributor that the program is registered with, by this run or another one, and of one
/// that it asks for that. An owner that the bus tells of by itself is not asked for again. Calls are judged in order.
@MainActor final class PushCallers {
  enum Verdict { case distributor, stranger, tooMany }
  typealias Answer = @MainActor (Verdict) -> Void

  /// More calls do not wait for their judgement.
  static let mostWaiting = 256

  var bus: Bus?
  /// The distributor that the program is registered with.
  var chosen: String?
  /// The distributor that has been asked to register the program.
  var asked: String?
  /// The distributors' names that are followed because their owners have called.
  private var followed: Set<String> = []
  private var waiting: [(sender: String, answer: Answer)] = []
  private var isJudging = false

  func judge(_ sender: String, _ answer: @escaping Answer) {
    guard waiting.count < Self.mostWaiting else { return answer(.tooMany) }
    waiting.append((sender, answer))
    judgeNext()
  }

  private func judgeNext() {
    guard !isJudging, let next = waiting.first else { return }
    isJudging = true
    isDistributor(next.sender) { [self] isOne in
      waiting.removeFirst()
      isJudging = false
      next.answer(isOne ? .distributor : .stranger)
      judgeNext()
    }
  }

  private func isDistributor(_ sender: String, _ answer: @escaping @MainActor (Bool) -> Void) {
    guard let bus else { return answer(false) }
    let names = [chosen, asked].compactMap(\.self)
    if names.contains(where: { bus.owner(of: $0) == sender }) { return answer(true) }
    // Not known yet, or not followed any more.
    let unknown = names.filter { bus.owner(of: $0) == nil }
    bus.findOwned(by: sender, unknown[...]) { [weak self] name in
      if let name { self?.follow(name) }
      answer(name != nil)
    }
  }

  private func follow(_ name: String) {
    guard followed.insert(name).inserted else { return }
    bus?.onOwner(of: name) { _ in }
  }
}

extension Bus {
  static let distributorPrefix = "org.unifiedpush.Distributor."

  /// Asks for the distributors' names that the bus lists, in alphabetical order.
  func listDistributors(_ method: String, _ answer: @escaping @MainActor ([String]) -> Void) {
    call(BusDaemon.name, BusDaemon.member(method)) { result in
      let names = (try? result.get())?.first?.elements?.compactMap(\.text) ?? []
      answer(names.filter { $0.hasPrefix(Self.distributorPrefix) }.sorted())
    }
  }
}
