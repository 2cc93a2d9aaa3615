/// What the kernel and the bus say.
extension Stage {
  /// Starts the sources; before the launch callbacks.
  func startSources() {
    for source in sources { source.start(self) }
  }

  func stopSources() {
    for source in sources { source.stop() }
  }

  func handle(_ event: SystemEvent) {
    switch event {
    case .memoryPressure(let pressure): memoryPressure(pressure)
    }
  }
}

extension Stage: SystemHost {
  package func watch(_ source: LoopSource) -> LoopSourceID { platform.watch(source) }

  package func unwatch(_ id: LoopSourceID) { platform.unwatch(id) }

  package func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) {
    _ = makeDeadline(.action(action), milliseconds: milliseconds)
  }

  package func post(_ event: SystemEvent) {
    if case .memoryPressure(let pressure) = event, isSuspended {
      // What would not be told wakes nobody, or pressure that lasts would keep the program running.
      var limit = pressureLimit
      if endsSuspended(under: pressure) || !limit.admits(pressure, now: platform.now) { return }
    }
    post(.system(event))
  }

  package func log(_ message: String) { trace.record("error", [("message", .text(message))]) }

  package var now: Double { platform.now }
}
