/// The last ones of any number of names.
struct RecentNames {
  /// So many are kept at least, and less than twice as many.
  static let least = 1000

  private var young: Set<String> = []
  private var old: Set<String> = []

  /// The names, in alphabetical order.
  var all: [String] { young.union(old).sorted() }

  /// Adds a name, or makes it the last one.
  mutating func insert(_ name: String) {
    old.remove(name)
    young.insert(name)
    guard young.count >= Self.least else { return }
    (old, young) = (young, [])
  }

  mutating func remove(_ name: String) {
    young.remove(name)
    old.remove(name)
  }
}
