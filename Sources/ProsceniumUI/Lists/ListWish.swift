import FoundationEssentials

/// What the user wants to be selected, of which the delegate is asked.
@MainActor struct ListWish {
  let core: ListCore
  /// An item of which the delegate is asked although it is selected already.
  let chosen: Int?

  /// Asks the delegate.
  /// - Parameter wish: The selection that the user wants.
  /// - Returns: What is selected, and of it what the delegate need not be told; nil where the delegate has changed the
  ///   list, or the selection.
  func ask(for wish: ListSelection) -> (selection: ListSelection, known: RangeSet<Int>)? {
    let (old, sections, generation) = (core.selection.items, core.sections, core.generation)
    var (new, known) = (wish, old)
    if let chosen { known.remove(contentsOf: chosen..<chosen + 1) }
    let asked = new.items.without(known).elements
    var (refused, answer) = ([Int](), IndexPath?.none)
    for item in asked {
      answer = core.host.choice(instead: sections.path(of: item))
      if answer == nil { refused.append(item) }
    }
    guard generation == core.generation, old == core.selection.items else { return nil }
    // In place of a single one another one may be selected.
    if let one = asked.first, asked.dropFirst().isEmpty, let answer {
      if let other = core.item(at: answer) { new.replace(one, with: other) } else { refused = [one] }
    }
    // What is chosen again and not selected any more is told of.
    if let chosen, old.contains(chosen), !new.items.contains(chosen) { known.insert(contentsOf: chosen..<chosen + 1) }
    new.items = new.items.without(RangeSet(sorted: refused))
    // Where nothing is selected instead, the selection stays.
    if !refused.isEmpty, new.items.without(known).isEmpty { (new.items, known) = (old, old) }
    return (new, known)
  }
}
