import Synchronization

/// The key of a value that a feature stores with the application, also before the launch.
protocol ValueKey {
  associatedtype Value: Sendable
  /// The value until it is set.
  static var initial: Value { get }
}

/// The values that features store with the application, for any thread; each feature has its keys.
final class ApplicationValues: Sendable {
  private let values = Mutex<[(key: ObjectIdentifier, value: any Sendable)]>([])

  func value<Key: ValueKey>(_ key: Key.Type) -> Key.Value {
    values.withLock { values in
      let name = ObjectIdentifier(key)
      for entry in values where entry.key == name { if let value = entry.value as? Key.Value { return value } }
      let value = Key.initial
      values.append((name, value))
      return value
    }
  }

  func set<Key: ValueKey>(_ value: Key.Value, _ key: Key.Type) {
    values.withLock { values in
      values.removeAll { $0.key == ObjectIdentifier(key) }
      values.append((ObjectIdentifier(key), value))
    }
  }
}

/// The key of a value that a feature adds to a value of the framework.
protocol FeatureValueKey {
  associatedtype Value: Hashable & Sendable
  /// The value until it is set.
  static var initial: Value { get }
}

/// The values that features add to a value of the framework; each feature has its keys.
struct FeatureValues: Equatable, Sendable {
  private var values: [ObjectIdentifier: any Hashable & Sendable] = [:]

  subscript<Key: FeatureValueKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.initial }
    set { values[ObjectIdentifier(key)] = newValue == Key.initial ? nil : newValue }
  }

  static func == (left: FeatureValues, right: FeatureValues) -> Bool {
    left.values.mapValues { AnyHashable($0) } == right.values.mapValues { AnyHashable($0) }
  }
}
