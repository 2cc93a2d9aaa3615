extension Duration {
  /// The whole milliseconds of the duration: never less than none, and a century at most.
  package var milliseconds: Int {
    let bounded = min(max(self, .zero), .seconds(3_155_760_000)).components
    return Int(bounded.seconds) * 1000 + Int(bounded.attoseconds / 1_000_000_000_000_000)
  }
}

extension Duration {
  /// The duration in seconds.
  package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
