/// The queue that makes re-entry safe: requests of a callback wait until the callback has returned.
///
/// One item is handled at a time. `post` runs nothing; `next` returns items until none is left, and returns nil while
/// an item is being handled. Inlinable: modules specialise no other generics of each other.
@usableFromInline package struct Inbox<Item> {
  /// Those before the head are gone.
  @usableFromInline var items: [Item?] = []
  @usableFromInline var head = 0
  @usableFromInline var isHandling = false

  /// An empty inbox.
  @inlinable package init() {}

  /// Whether nothing waits.
  @inlinable package var isEmpty: Bool { head == items.count }

  /// Whether nothing waits, and nothing is being handled.
  @inlinable package var isIdle: Bool { isEmpty && !isHandling }

  /// Inserts items before all waiting items, in this order.
  @inlinable package mutating func postFirst(_ first: [Item]) { items.insert(contentsOf: first.map { $0 }, at: head) }

  /// Appends an item.
  @inlinable package mutating func post(_ item: consuming Item) { items.append(item) }

  /// Removes and returns the first item and closes the inbox until ``done()`` is called; nil while closed or empty.
  @inlinable package mutating func next() -> Item? {
    guard !isHandling, head < items.count else { return nil }
    isHandling = true
    // It moves: a copy costs more than all else here (Tests/Benchmarks/instructions). Mostly there is one.
    if items.count == 1 { return items.removeLast() }
    let item = items[head].take()
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: head < 64)
      head = 0
    }
    return item
  }

  /// Opens the inbox again after an item has been handled.
  @inlinable package mutating func done() { isHandling = false }
}
