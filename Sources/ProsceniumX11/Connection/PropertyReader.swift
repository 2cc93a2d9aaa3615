/// Reads properties when they change, with at most one request under way for each window and property.
///
/// A change that is announced while a read is under way needs no second one: the server sends events and replies in
/// the order in which things happened to it, so a notice that comes before the reply is about a change that the reply
/// already shows, and one that comes after it finds nothing under way (``Connection`` keeps that order).
@MainActor final class PropertyReader {
  private struct Key: Hashable {
    var window: UInt32
    var property: UInt32
  }

  private let connection: Connection
  private var underWay: Set<Key> = []

  init(_ connection: Connection) { self.connection = connection }

  func read(
    _ window: UInt32, _ property: UInt32, limit: UInt32 = 64, _ handler: @escaping @MainActor (PropertyValue?) -> Void
  ) {
    let key = Key(window: window, property: property)
    guard property != 0, underWay.insert(key).inserted else { return }
    connection.property(window, property, limit: limit) { [weak self] value in
      self?.underWay.remove(key)
      handler(value)
    }
  }
}
