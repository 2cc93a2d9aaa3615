@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// A recorded log, run through the model again: what was true of each window, and when it became so.
struct WindowReplay: Sendable {
  /// The levels of one window from one line on.
  struct Step: Hashable, Sendable {
    /// The line of the log after which they were looked at; counted from 1.
    var line: Int
    var window: WindowID
    var levels: WindowLevels
  }

  /// Every change of levels, in order; windows that change together are in the order of their first appearance.
  private(set) var steps: [Step] = []
  /// What the log could not be read for.
  private(set) var errors: [WindowLog.LineError] = []
  private(set) var windows: [WindowID: WindowModel] = [:]
  private(set) var root = RootModel()
  private var order: [WindowID] = []
  private var last: [WindowID: WindowLevels] = [:]

  /// Runs a log.
  ///
  /// One with batches is looked at where they end, and at its own end; any other after each line.
  init(_ text: String) {
    let lines = WindowLog.parse(text)
    let hasBatches = lines.contains { $0.entry == .success(.batch) }
    for line in lines {
      switch line.entry {
      case .failure(let error): errors.append(error)
      case .success(let entry):
        take(entry)
        if !hasBatches || entry == .batch { look(line.number) }
      }
    }
    look(lines.last?.number ?? 0)
  }

  /// What is true of one window at the end.
  func levels(_ window: WindowID) -> WindowLevels? { last[window] }

  /// One line for each fact that changed, such as `0x1 visible true viewable`: what a scene's life follows from.
  var summary: [String] {
    var before: [WindowID: WindowLevels] = [:]
    return steps.flatMap { step in
      let old = before.updateValue(step.levels, forKey: step.window) ?? WindowLevels()
      let new = step.levels
      let facts = [
        ("visible", old.visible, new.visible, new.visibleCause),
        ("focused", old.focused, new.focused, new.focusedCause),
        ("grabbed", old.grabbed, new.grabbed, new.grabbedCause),
      ]
      return facts.filter { $0.1 != $0.2 }.map { "\(step.window) \($0.0) \($0.2) \($0.3)" }
    }
  }

  private mutating func take(_ entry: WindowLog.Entry) {
    switch entry {
    case .window(let window, let signal):
      if windows[window] == nil { order.append(window) }
      _ = windows[window, default: WindowModel()].apply(signal, root: root)
    case .root(let signal):
      let effects = root.apply(signal, windows: order.compactMap { windows[$0] })
      guard effects.contains(.discardManagerProperties) else { return }
      for window in order { _ = windows[window]?.apply(.windowManagerLost, root: root) }
    case .batch: break
    }
  }

  private mutating func look(_ line: Int) {
    for window in order {
      guard let levels = windows[window]?.levels(root: root), last[window] != levels else { continue }
      last[window] = levels
      steps.append(Step(line: line, window: window, levels: levels))
    }
  }
}
