import ProsceniumLoop
import SceneLifecycle

/// What a deadline was set for.
enum Deadline {
  case hold(SceneRecord, Hold)
  case bareWindow(SceneRecord)
  case resign
  case launch
  case firstBatch
  case save
  case connecting
  case restoration(SceneRecord)
  case termination
  case frame(WindowID)
  case reclaim
  case action(@MainActor () -> Void)
  case backgroundTime
  case conduct
  case suspension
  case protectedData
  case parcels(SceneRecord)
}

extension Stage {
  /// How many deadlines are running.
  package var pendingDeadlines: Int { deadlines.count }

  func setHold(_ hold: Hold, long: Bool, of record: SceneRecord) {
    releaseHold(hold, of: record)
    let length = holdTimes.length(of: hold, long: long)
    if length <= .zero {
      // No hold at all: the fact falls within the same batch.
      apply(.expired(hold), to: record)
      return
    }
    record.holds[hold] = makeDeadline(.hold(record, hold), length)
  }

  func releaseHold(_ hold: Hold, of record: SceneRecord) {
    if let id = record.holds.removeValue(forKey: hold) { cancel(id) }
  }

  func cancelBareHold(_ record: SceneRecord) {
    for (id, deadline) in deadlines {
      if case .bareWindow(let other) = deadline, other === record { cancel(id) }
    }
  }

  /// What a deadline does to the facts; answers what it does once the batch has been settled.
  func expire(_ id: DeadlineID) -> [Afterwards] {
    guard let deadline = deadlines.removeValue(forKey: id) else { return [] }
    switch deadline {
    case .hold(let record, let hold):
      record.holds[hold] = nil
      apply(.expired(hold), to: record)
      markDirty(record)
    case .bareWindow(let record): observeBare(record, .expired)
    case .resign:
      resignDeadline = nil
      // The focus that the hold waits for may be in this very batch.
      return [{ [weak self] in self?.reduce(.resignExpired) }]
    case .launch: return [{ [weak self] in self?.reduce(.nothingShown) }]
    case .firstBatch: break
    case .save: return [{ [weak self] in self?.saveDue() }]
    case .connecting: return [{ [weak self] in self?.connectingDue() }]
    case .restoration(let record): restorationExpired(record)
    case .suspension: return [{ [weak self] in self?.graceEnded() }]
    case .protectedData: return [{ [weak self] in self?.protectData(.expired) }]
    case .parcels(let record): return [{ [weak self] in self?.parcelsDue(record) }]
    case .frame(let window): owners[window]?.windows[window]?.window?.display.delayEnded()
    case .reclaim:
      reclaimDeadline = nil
      post(.reclaim)
    case .action(let action): return [action]
    case .backgroundTime: return [{ [weak self] in self?.backgroundTimeDue() }]
    case .conduct: return [{ [weak self] in self?.judgeConduct() }]
    case .termination:
      terminationDeadline = nil
      decide(.expired)
    }
    return []
  }
}
