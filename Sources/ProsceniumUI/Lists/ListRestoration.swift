import ProsceniumCore

/// The selection and the scroll place as property-list values.
@MainActor struct ListRestoration {
  let core: ListCore

  /// The most selected items that are named; those of a larger selection that come after them are not restored.
  private static let most = 10_000

  var state: [String: any Sendable] {
    if let state = core.pending.state { return state }
    core.refresh()
    var state: [String: any Sendable] = [:]
    state["selection"] = core.selection.items.elements.prefix(Self.most).compactMap(identifier)
    if let lead = core.selection.lead, let name = identifier(of: lead) { state["lead"] = name }
    if let place = core.topPlace(), let name = identifier(of: place.item) {
      state["top"] = name
      state["topOffset"] = place.offset
    }
    return state
  }

  /// Restores a state now, or as soon as there are items.
  func restore(_ state: [String: any Sendable]) {
    core.pending.state = state
    core.host.setNeedsLayout()
  }

  /// Restores what is to be restored, if there are items; no selection where that is the program's choice alone.
  func restoreIfPending() {
    let size = core.host.bounds.size
    guard let state = core.pending.state, size.width > 0, size.height > 0, core.loadedSections.itemCount > 0 else {
      return
    }
    core.pending.state = nil
    var new = ListSelection()
    new.items = RangeSet(sorted: state.strings("selection").compactMap(item).sorted())
    new.lead = (state["lead"] as? String).flatMap(item) ?? new.items.elements.first
    new.anchor = new.lead
    if core.mode == .none { new.items = core.selection.items }
    new.limit(to: core.mode, of: core.sections.itemCount)
    core.select(new)
    guard let top = (state["top"] as? String).flatMap(item) else { return }
    let above = state["topOffset"] as? Int ?? 0
    core.scroll(to: top, offset: above)
    // The window may get the size that it had only later.
    guard core.host.contentOffset.y > 0, core.placesInSight().contains(where: { $0.item == top }) else { return }
    core.keep(top, above: above)
  }

  private var modelAssociation: (any DataSourceModelAssociation)? {
    core.host.source as? any DataSourceModelAssociation
  }

  /// The name of an item: the data source's, else its place.
  private func identifier(of item: Int) -> String? {
    guard item < core.sections.itemCount else { return nil }
    let path = core.sections.path(of: item)
    if let association = modelAssociation {
      return association.modelIdentifierForElement(at: path, in: core.host)
    }
    return "\(path.section) \(path.item)"
  }

  private func item(named name: String) -> Int? {
    if let association = modelAssociation {
      return association.indexPathForElement(withModelIdentifier: name, in: core.host).flatMap(core.sections.item)
    }
    let numbers = name.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }
    return core.sections.item(at: .init(item: numbers[1], section: numbers[0]))
  }
}

extension [String: any Sendable] {
  /// The strings of an array, whether it is as it was set or as the store has decoded it.
  fileprivate func strings(_ key: String) -> [String] {
    if let strings = self[key] as? [String] { return strings }
    return (self[key] as? [any Sendable])?.compactMap { $0 as? String } ?? []
  }
}
