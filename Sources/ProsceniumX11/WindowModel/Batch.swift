import ProsceniumPlatform

/// The events of the next batch, in the order in which they came, and the windows whose levels may differ at its end.
@MainActor final class Batch {
  private var events: [PlatformEvent] = []
  private var changed: Set<UInt32> = []
  private var changedInOrder: [UInt32] = []

  /// Whether there is nothing to deliver.
  var isEmpty: Bool { events.isEmpty && changed.isEmpty }

  func append(_ event: PlatformEvent) { events.append(event) }

  /// Marks a window, whose levels are compared when the batch ends.
  func markChanged(_ window: UInt32) {
    if changed.insert(window).inserted { changedInOrder.append(window) }
  }

  func remove(_ window: UInt32) {
    if changed.remove(window) != nil { changedInOrder.removeAll { $0 == window } }
  }

  func removeFrames(of window: WindowID) {
    events.removeAll { if case .frame(window, _) = $0 { true } else { false } }
  }

  /// Ends the batch.
  /// - Parameters:
  ///   - windows: The windows.
  ///   - follow: Called with the windows that were marked, before the events are collected: the events that it appends
  ///     are part of the batch, and windows that it marks belong to the next one.
  /// - Returns: The levels and geometries that differ from those of the last batch, then what happened, in order.
  func end(_ windows: WindowTable, _ follow: ([WindowChange]) -> Void) -> [PlatformEvent] {
    // Where no window has changed, as with most keys, the events go out as they are.
    guard !changed.isEmpty else { return removeEvents() }
    let ids = changedInOrder
    changed.removeAll(keepingCapacity: true)
    changedInOrder = []
    let changes = ids.compactMap { windows[$0]?.report(windows.root) }
    follow(changes)
    return changes.flatMap(\.events) + removeEvents()
  }

  private func removeEvents() -> [PlatformEvent] {
    defer { events = [] }
    return events
  }
}
