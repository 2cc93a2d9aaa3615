extension Duration {
  /// The duration in whole milliseconds.
  package var milliseconds: Int { Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}
