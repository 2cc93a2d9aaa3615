/// A cache of values that can be made again: pictures, layouts, results, with their cost in bytes.
///
/// Emptied by the framework when its scene enters the background - without a scene, when the last one does - and when
/// memory is short, there those of scenes in the background first. Used on the main thread alone. The program owns the
/// cache; the framework holds it weakly, and counts its cost in ``Scene/footprint``.
@preconcurrency @MainActor public final class PurgeableCache<Key: Hashable, Value> {
  private struct Entry {
    var value: Value
    var cost: Int
    /// The order of its last use: larger is later.
    var use: Int
  }

  private var entries: [Key: Entry] = [:]
  private var uses = 0

  /// Makes an empty cache.
  /// - Parameters:
  ///   - scene: The scene whose cache it is; the whole program's where nil. A scene that is being made connects before
  ///     its delegate is asked, so `scene(_:willConnectTo:options:)` is early enough.
  ///   - costLimit: How many bytes it may hold; any number where nil.
  public init(scene: Scene? = nil, costLimit: Int? = nil) {
    self.costLimit = costLimit
    let caches = scene?.session.record?.state(of: Memory.self).caches
    (caches ?? Application.shared.value(CachesKey.self)).add(self)
  }

  /// The greatest total cost, in bytes; unlimited where nil.
  ///
  /// The least recently used value is removed first.
  public var costLimit: Int? { didSet { purgeToLimit() } }

  /// The total cost of the values, in bytes.
  ///
  /// Saturates at the largest number.
  public var totalCost: Int { Int(clamping: sum) }
  private var sum: Int128 = 0

  /// The number of values.
  public var count: Int { entries.count }

  /// A value; nil where there is none, or it was removed.
  /// - Parameter key: The key.
  /// - Returns: The value.
  public func value(for key: Key) -> Value? {
    assertMainThread()
    guard let index = entries.index(forKey: key) else { return nil }
    uses += 1
    entries.values[index].use = uses
    return entries.values[index].value
  }

  /// Inserts a value, in place of one with the same key.
  /// - Parameters:
  ///   - value: The value; not inserted where it alone costs more than the ``costLimit``.
  ///   - key: The key.
  ///   - cost: The cost in bytes; a negative number counts as 0.
  public func insert(_ value: Value, for key: Key, cost: Int) {
    removeValue(for: key)
    let cost = max(0, cost)
    if let costLimit, cost > costLimit { return }
    uses += 1
    entries[key] = Entry(value: value, cost: cost, use: uses)
    sum += Int128(cost)
    purgeToLimit()
  }

  /// Removes a value.
  /// - Parameter key: The key.
  public func removeValue(for key: Key) {
    assertMainThread()
    if let old = entries.removeValue(forKey: key) { sum -= Int128(old.cost) }
  }

  /// Removes all values, and the memory of their list.
  public func removeAll() {
    assertMainThread()
    entries = [:]
    sum = 0
  }

  /// Removes more than necessary, so that a full cache does not search for the oldest value each time.
  private func purgeToLimit() {
    assertMainThread()
    guard let costLimit, totalCost > costLimit else { return }
    for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) {
      if totalCost <= max(0, costLimit) / 4 * 3 { return }
      // The most recently used value stays: it fits by itself.
      if entry.use == uses, entry.cost <= costLimit, totalCost == entry.cost { return }
      removeValue(for: key)
    }
  }
}

extension PurgeableCache: Purgeable {}

/// Memory that can be freed, and made again.
@MainActor protocol Purgeable: AnyObject {
  var totalCost: Int { get }
  func removeAll()
}

/// The caches of a scene, or of the whole program; none of them is held.
@MainActor final class PurgeableList {
  private struct Member { weak var cache: (any Purgeable)? }
  private var members: [Member] = []
  private var room = 8

  func add(_ cache: any Purgeable) {
    if members.count == room {
      members.removeAll { $0.cache == nil }
      room = max(8, members.count * 2)
    }
    members.append(Member(cache: cache))
  }

  var cost: Int { Int(clamping: members.reduce(Int128(0)) { $0 + Int128($1.cache?.totalCost ?? 0) }) }

  func purge() { for member in members { member.cache?.removeAll() } }
}
