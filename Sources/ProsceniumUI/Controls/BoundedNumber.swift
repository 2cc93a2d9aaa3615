/// A number between two limits, which are never out of order, and none of which is ever other than a number.
struct BoundedNumber: Hashable, Sendable {
  private(set) var limits: ClosedRange<Double>
  private var number: Double

  init(_ value: Double, in limits: ClosedRange<Double>) {
    self.limits = limits
    number = limits.lowerBound
    self.value = value
  }

  /// A number beyond the limits becomes the nearer limit; one that is not a number changes nothing.
  var value: Double {
    get { number }
    set { if !newValue.isNaN { number = min(max(newValue, limits.lowerBound), limits.upperBound) } }
  }

  /// If it is larger than the other limit that becomes the same; one that is not finite changes nothing.
  var minimum: Double {
    get { limits.lowerBound }
    set { if newValue.isFinite { setLimits(newValue...max(newValue, limits.upperBound)) } }
  }

  /// As ``minimum``.
  var maximum: Double {
    get { limits.upperBound }
    set { if newValue.isFinite { setLimits(min(newValue, limits.lowerBound)...newValue) } }
  }

  private mutating func setLimits(_ new: ClosedRange<Double>) {
    limits = new
    value = number
  }
}
