import ProsceniumCore

/// The selection and the scroll place as property-list values.
extension ListCore {
  /// The most selected items that are named; those of a larger selection that come after them are not restored.
  private static let most = 10_000

  var restorationState: [String: any Sendable] {
    if let state = pending.state { return state }
    refresh()
    var state: [String: any Sendable] = [:]
    state["selection"] = selection.items.elements.prefix(Self.most).compactMap(identifier)
    if let lead = selection.lead, let name = identifier(of: lead) { state["lead"] = name }
    if let place = topPlace(), let name = identifier(of: place.item) {
      state["top"] = name
      state["topOffset"] = place.offset
    }
    return state
  }

  /// Restores a state now, or as soon as there are items.
  func restore(_ state: [String: any Sendable]) {
    pending.state = state
    host.setNeedsLayout()
  }

  /// Restores what is to be restored, if there are items; no selection where that is the program's choice alone.
  func restorePending() {
    let size = host.bounds.size
    guard let state = pending.state, size.width > 0, size.height > 0, loadedSections.itemCount > 0 else { return }
    pending.state = nil
    var new = ListSelection()
    new.items = RangeSet(sorted: state.strings("selection").compactMap(item).sorted())
    new.lead = (state["lead"] as? String).flatMap(item) ?? new.items.elements.first
    new.anchor = new.lead
    if mode == .none { new.items = selection.items }
    new.limit(to: mode, of: sections.itemCount)
    select(new)
    if let top = (state["top"] as? String).flatMap(item) { scroll(to: top, offset: state["topOffset"] as? Int ?? 0) }
  }

  private var modelAssociation: (any DataSourceModelAssociation)? { host.source as? any DataSourceModelAssociation }

  /// The name of an item: the data source's, else its place.
  private func identifier(of item: Int) -> String? {
    guard item < sections.itemCount else { return nil }
    let path = sections.path(of: item)
    if let association = modelAssociation {
      return association.modelIdentifierForElement(at: path, in: host)
    }
    return "\(path.section) \(path.item)"
  }

  private func item(named name: String) -> Int? {
    if let association = modelAssociation {
      return association.indexPathForElement(withModelIdentifier: name, in: host).flatMap(sections.item)
    }
    let numbers = name.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }
    return sections.item(at: .init(item: numbers[1], section: numbers[0]))
  }
}

extension [String: any Sendable] {
  /// The strings of an array, whether it is as it was set or as the store has decoded it.
  fileprivate func strings(_ key: String) -> [String] {
    if let strings = self[key] as? [String] { return strings }
    return (self[key] as? [any Sendable])?.compactMap { $0 as? String } ?? []
  }
}
