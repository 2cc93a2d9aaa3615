import ProsceniumPlatform

/// The events of the next batch, in the order in which they came.
@MainActor final class Batch {
  private var events: [PlatformEvent] = []

  /// Whether there is nothing to deliver.
  var isEmpty: Bool { events.isEmpty }

  func append(_ event: PlatformEvent) { events.append(event) }

  func removeFrames(of window: WindowID) {
    events.removeAll { if case .frame(window, _) = $0 { true } else { false } }
  }

  func takeEvents() -> [PlatformEvent] {
    defer { events = [] }
    return events
  }
}
