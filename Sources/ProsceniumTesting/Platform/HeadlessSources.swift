import ProsceniumLoop

/// The descriptors that a program in memory has the loop wait for.
@MainActor struct HeadlessSources {
  private(set) var sources: [LoopSourceID: LoopSource] = [:]
  private var lastNumber = 0

  mutating func add(_ source: LoopSource) -> LoopSourceID {
    lastNumber += 1
    let id = LoopSourceID(rawValue: lastNumber)
    sources[id] = source
    return id
  }

  mutating func remove(_ id: LoopSourceID) { sources[id] = nil }
}
