import ProsceniumPlatform
import SceneLifecycle

/// The windows of one program that are observed, as scenes under the law: a value that changes with facts and returns
/// what follows from them.
///
/// The program itself is not observed: for the law it is not launched, and its scenes walk alone.
struct ObservedProgram {
  /// The consequence of a fact.
  enum Consequence: Hashable {
    case change(window: UInt32, SceneEdge, cause: String)
    case hold(SceneNumber, Hold, long: Bool)
    case release(SceneNumber, Hold)
  }

  private struct Member {
    var window: UInt32
    var number: SceneNumber
    var levels = WindowLevels()
  }

  private var machine = ApplicationMachine.State()
  /// Ascending by number.
  private var members: [Member] = []

  /// Whether no window is observed.
  var isEmpty: Bool { members.isEmpty }

  /// The windows, in the order in which they were found.
  var windows: [UInt32] { members.map(\.window) }

  /// Where the scene of a window stands; nil where it is none of the program's.
  func state(of window: UInt32) -> ActivationState? {
    members.first { $0.window == window }.map { machine.scenes[$0.number].activation }
  }

  /// Takes the levels of windows, of which new ones are connected, and lets every scene walk.
  /// - Parameters:
  ///   - found: The windows and their levels.
  ///   - numbers: The next number of a scene; ascending.
  ///   - isChanging: Whether the window manager starts, ends or is replaced.
  /// - Returns: The consequences, in order.
  mutating func observe(
    _ found: [(window: UInt32, levels: WindowLevels)], _ numbers: inout SceneNumber, isChanging: Bool
  ) -> [Consequence] {
    var result: [Consequence] = []
    var facts: [ApplicationMachine.Facts] = []
    for (window, levels) in found {
      let index = members.firstIndex { $0.window == window } ?? members.count
      if index == members.count {
        members.append(Member(window: window, number: numbers))
        numbers += 1
        result += reduce(.scene(members[index].number, .connect))
      }
      members[index].levels = levels
      facts.append(Self.facts(members[index].number, levels))
    }
    facts.sort { $0.scene < $1.scene }
    return result + reduce(.observe(facts, changing: isChanging)) + reduce(.settle)
  }

  /// The window manager starts, ends or is replaced, or has been the same for a while: facts that fall are held longer,
  /// or no longer.
  mutating func observeAll(isChanging: Bool) -> [Consequence] {
    reduce(.observe(members.map { Self.facts($0.number, $0.levels) }, changing: isChanging)) + reduce(.settle)
  }

  /// The window is gone, or is observed no longer.
  mutating func remove(_ window: UInt32, isGone: Bool) -> [Consequence] {
    guard let index = members.firstIndex(where: { $0.window == window }) else { return [] }
    let number = members[index].number
    let cause: LevelCause = isGone ? "destroyed" : "not-observed"
    members[index].levels = WindowLevels(visibleCause: cause, isWithdrawn: true, focusedCause: cause)
    let result = reduce(.scene(number, .disconnect)) + reduce(.settle)
    members.remove(at: index)
    machine.scenes.remove(number)
    return result
  }

  /// A hold has passed.
  mutating func expire(_ hold: Hold, of number: SceneNumber, isChanging: Bool) -> [Consequence] {
    guard let member = members.first(where: { $0.number == number }) else { return [] }
    return reduce(.scene(number, .expired(hold)))
      + reduce(.observe([Self.facts(number, member.levels)], changing: isChanging)) + reduce(.settle)
  }

  private static func facts(_ number: SceneNumber, _ levels: WindowLevels) -> ApplicationMachine.Facts {
    var facts = ApplicationMachine.Facts(number)
    facts.visible = levels.visible
    facts.focused = levels.focused
    facts.grabbed = levels.grabbed
    facts.isWithdrawn = levels.isWithdrawn
    return facts
  }

  private mutating func reduce(_ input: ApplicationMachine.Input) -> [Consequence] {
    ApplicationMachine.reduce(&machine, input).compactMap { effect in
      switch effect {
      case .scene(let number, .edge(let edge)):
        guard let member = members.first(where: { $0.number == number }) else { return nil }
        return .change(window: member.window, edge, cause: Self.cause(of: edge, member.levels))
      case .scene(let number, .hold(let hold, let long)): return .hold(number, hold, long: long)
      case .scene(let number, .release(let hold)): return .release(number, hold)
      // Of a program that is launched, and of its input.
      case .assume, .callLaunchPair, .application, .withholdInput, .holdResign, .releaseResign, .conceal, .disconnect,
        .terminate:
        return nil
      }
    }
  }

  /// The rule or event that has decided, as in the trace.
  private static func cause(of edge: SceneEdge, _ levels: WindowLevels) -> String {
    switch edge {
    case .sceneWillConnect: "observed"
    case .sceneWillEnterForeground, .sceneDidEnterBackground, .sceneDidDisconnect: levels.visibleCause.description
    case .sceneDidBecomeActive: levels.focusedCause.description
    case .sceneWillResignActive:
      if !levels.visible {
        levels.visibleCause.description
      } else if levels.grabbed {
        levels.grabbedCause.description
      } else {
        levels.focusedCause.description
      }
    }
  }
}
