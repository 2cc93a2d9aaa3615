/// The number of a scene in the machines; ascending in the order of connection.
package typealias SceneNumber = Int

/// The machines of all scenes, by number, and how many scenes stand in each state.
package struct SceneTable: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var number: SceneNumber
    var scene: SceneMachine.State
  }

  /// Ascending by number.
  private var entries: [Entry] = []
  /// How many scenes stand in each state, by rank.
  private var counts = [0, 0, 0, 0]
  /// Scenes that do not stand at their target, ascending.
  package private(set) var pending: [SceneNumber] = []
  /// Scenes whose lost focus still counts, ascending.
  package private(set) var lingering: [SceneNumber] = []

  /// No scenes.
  package init() {}

  /// The most active state in which a scene stands.
  package var mostActive: ActivationState { Self.mostActive(counts) }

  /// The most active state in which a scene stands that is at its target.
  package var mostActiveOfResting: ActivationState {
    guard !pending.isEmpty else { return mostActive }
    var counts = counts
    for number in pending { counts[self[number].activation.rank] -= 1 }
    return Self.mostActive(counts)
  }

  /// Loops, here and below: these run at every change of focus, and the generic algorithms cost more than they save.
  private static func mostActive(_ counts: [Int]) -> ActivationState {
    if counts[3] > 0 { return .foregroundActive }
    if counts[2] > 0 { return .foregroundInactive }
    return counts[1] > 0 ? .background : .unattached
  }

  /// One scene; a scene that has never been set is a new one.
  package subscript(number: SceneNumber) -> SceneMachine.State {
    get {
      let index = place(of: number)
      return index < entries.count && entries[index].number == number ? entries[index].scene : SceneMachine.State()
    }
    set {
      let index = place(of: number)
      if index < entries.count, entries[index].number == number {
        counts[entries[index].scene.activation.rank] -= 1
        entries[index].scene = newValue
      } else {
        entries.insert(Entry(number: number, scene: newValue), at: index)
      }
      counts[newValue.activation.rank] += 1
      Self.mark(number, in: &pending, newValue.activation != newValue.target)
      Self.mark(number, in: &lingering, newValue.focus == .lingering || newValue.focus == .lingeringLong)
    }
  }

  /// Removes a scene.
  package mutating func remove(_ number: SceneNumber) {
    let index = place(of: number)
    guard index < entries.count, entries[index].number == number else { return }
    counts[entries[index].scene.activation.rank] -= 1
    entries.remove(at: index)
    Self.mark(number, in: &pending, false)
    Self.mark(number, in: &lingering, false)
  }

  /// Where a number is, or belongs.
  private func place(of number: SceneNumber) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func mark(_ number: SceneNumber, in list: inout [SceneNumber], _ isMarked: Bool) {
    var index = list.count
    while index > 0, list[index - 1] > number { index -= 1 }
    let isThere = index > 0 && list[index - 1] == number
    if isMarked, !isThere { list.insert(number, at: index) }
    if !isMarked, isThere { list.remove(at: index - 1) }
  }
}
