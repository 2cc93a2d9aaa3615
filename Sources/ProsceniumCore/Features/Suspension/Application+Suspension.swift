extension Application {
  /// The gate that is open while the program runs, and closed while it is suspended, for work on other threads.
  ///
  /// One object for the application's lifetime. See ``SuspensionPolicy/whenAllInBackground``.
  public nonisolated var executionGate: ExecutionGate { value(ExecutionGateKey.self) }
}

private enum ExecutionGateKey: ValueKey { static var initial: ExecutionGate { ExecutionGate() } }
