import Synchronization

/// The key of a value that a feature stores with the application, also before the launch.
protocol ValueKey {
  associatedtype Value: Sendable
  /// The value until it is set.
  static var initial: Value { get }
}

/// Values by the type that is their key.
///
/// Some dozens at most: a search costs no more than a hash, and a dictionary's first key of a type would search all
/// conformances of the program.
struct TypeTable<Value> {
  private var entries: [(key: ObjectIdentifier, value: Value)] = []

  subscript(key: Any.Type) -> Value? {
    get {
      let name = ObjectIdentifier(key)
      for entry in entries where entry.key == name { return entry.value }
      return nil
    }
    set {
      let name = ObjectIdentifier(key)
      if let index = entries.firstIndex(where: { $0.key == name }) { entries.remove(at: index) }
      if let newValue { entries.append((name, newValue)) }
    }
  }

  /// Whether two tables have the same keys and values.
  func isEqual(to other: TypeTable, by areEqual: (Value, Value) -> Bool) -> Bool {
    entries.count == other.entries.count
      && entries.allSatisfy { entry in
        other.entries.contains { $0.key == entry.key && areEqual($0.value, entry.value) }
      }
  }
}

extension TypeTable: Sendable where Value: Sendable {}

/// The values that features store with the application, for any thread; each feature has its keys.
final class ApplicationValues: Sendable {
  private let values = Mutex(TypeTable<any Sendable>())

  func value<Key: ValueKey>(_ key: Key.Type) -> Key.Value {
    values.withLock { values in
      if let stored = values[key], let value = stored as? Key.Value { return value }
      let value = Key.initial
      values[key] = value
      return value
    }
  }

  func set<Key: ValueKey>(_ value: Key.Value, _ key: Key.Type) { values.withLock { $0[key] = value } }
}

/// The key of a value that a feature adds to a value of the framework.
protocol FeatureValueKey {
  associatedtype Value: Hashable & Sendable
  /// The value until it is set.
  static var initial: Value { get }
}

/// The values that features add to a value of the framework; each feature has its keys.
struct FeatureValues: Equatable, Sendable {
  private var values = TypeTable<any Hashable & Sendable>()

  subscript<Key: FeatureValueKey>(key: Key.Type) -> Key.Value {
    get { values[key] as? Key.Value ?? Key.initial }
    set { values[key] = newValue == Key.initial ? nil : newValue }
  }

  static func == (left: FeatureValues, right: FeatureValues) -> Bool {
    left.values.isEqual(to: right.values) { AnyHashable($0) == AnyHashable($1) }
  }
}
