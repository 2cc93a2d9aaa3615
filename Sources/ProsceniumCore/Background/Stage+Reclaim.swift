import SceneLifecycle

/// Scenes in the background that are disconnected so that their memory comes back; see ``ReclaimPolicy``.
extension Stage {
  /// Asks the policy after everything that the same batch does.
  func reclaimSoon() {
    if !isReclaimDue { post(.reclaim) }
    isReclaimDue = true
  }

  /// Does what the policy says now, and sets the one deadline for what it says later.
  func reclaim() {
    isReclaimDue = false
    if let id = reclaimDeadline { cancel(id) }
    reclaimDeadline = nil
    guard !isConcealing else { return }
    let choice = reclaimChoice(nil)
    disconnect(choice.scenes)
    if let next = choice.next {
      reclaimDeadline = makeDeadline(.reclaim, milliseconds: Int(min(max(0, next - platform.now), 1e6) * 1000) + 1)
    }
    // Nobody waits for anything now.
    if isTrimDue || isInBackground { trimMemory() }
  }

  /// What the policy says now.
  /// - Parameters:
  ///   - pressure: How short memory is; nil where it is not.
  ///   - footprints: What the scenes held a moment ago, where that is to decide.
  /// - Returns: What is to be done.
  func reclaimChoice(_ pressure: MemoryPressure?, footprints: [Int: Int] = [:]) -> ReclaimPolicy.Choice {
    var candidates = reclaimCandidates()
    for index in candidates.indices {
      candidates[index].footprint = footprints[candidates[index].scene] ?? candidates[index].footprint
    }
    return reclaimPolicy.choose(candidates, pressure: pressure, now: platform.now, isHeld: holdsBackgroundTask)
  }

  /// All connected scenes in the background.
  func reclaimCandidates() -> [ReclaimPolicy.Candidate] {
    guard law.model == .sceneBased else { return [] }
    return records.ordered.compactMap { record in
      guard let scene = record.scene, record.ending == nil, record.activation == .background else { return nil }
      return ReclaimPolicy.Candidate(
        scene: record.number, footprint: scene.footprint, lastActive: record.lastActive,
        since: record.backgroundSince ?? platform.now, isExempt: isExempt(record))
    }
  }

  /// Whether a scene is on its way into sight, or could not come back.
  private func isExempt(_ record: SceneRecord) -> Bool {
    guard record.primary != nil, record.machine.target == .background else { return true }
    if record.restorations > 0 || record.isAskingToClose || record.isMarkedConnecting || !record.parcels.isEmpty {
      return true
    }
    // Shown by the program, in the very callback perhaps, and not handled yet.
    let isAskedFor = record.windows.values.contains { $0.window?.isHidden == false && !$0.isShown }
    if isAskedFor, !record.connectsInBackground { return true }
    // Asked for, and not shown by the window manager yet.
    return !record.hasBeenInForeground && !record.connectsInBackground && record.showsWindow
  }

  func disconnect(_ scenes: [Int]) {
    for number in scenes {
      guard let record = records[number], record.scene != nil, record.ending == nil,
        record.activation == .background
      else { continue }
      end(record, SceneRecord.Ending(reason: .reclaimed, discards: false))
      // One after the other, in the order of the choice.
      settle()
      isTrimDue = true
    }
  }
}

extension Scene {
  /// How many bytes the framework knows the scene to hold that can be made again.
  ///
  /// Its windows' surfaces, the drawing that views cache, and every ``PurgeableCache`` of the scene; 0 once it has been
  /// disconnected. Counted when asked for, on the main thread.
  public var footprint: Int {
    guard record != nil else { return 0 }
    let windows = (self as? WindowScene)?.windows ?? []
    return Int(clamping: windows.reduce(Int128(storage.caches.cost)) { $0 + Int128($1.display.footprint) })
  }
}
