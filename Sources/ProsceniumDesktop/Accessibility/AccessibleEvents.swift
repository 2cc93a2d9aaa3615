import ProsceniumPlatform

/// An event of the accessibility bus.
struct AccessibleEvent: Hashable {
  /// The element, or the window.
  var id: AccessibilityID
  /// `Object` or `Window`.
  var kind = "Object"
  var name: String
  var detail = ""
  var numbers = (0, 0)
  var value = BusValue.int32(0)

  static func == (left: AccessibleEvent, right: AccessibleEvent) -> Bool {
    (left.id, left.kind, left.name, left.detail) == (right.id, right.kind, right.name, right.detail)
      && left.numbers == right.numbers && left.value == right.value
  }
  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
    hasher.combine(detail)
  }

  /// The member and the arguments of the signal.
  var signal: (member: BusMember, values: [BusValue]) {
    (
      BusMember(path: ATSPI.path(id), interface: "\(ATSPI.prefix)Event.\(kind)", name: name),
      [.string(detail), .int32(numbers.0), .int32(numbers.1), .variant(value), .options([:])]
    )
  }
}

extension AccessibleEvent {
  static func state(_ id: AccessibilityID, _ state: String, _ isOn: Bool) -> AccessibleEvent {
    AccessibleEvent(id: id, name: "StateChanged", detail: state, numbers: (isOn ? 1 : 0, 0))
  }

  /// What has changed from one tree to another, in the order in which it is told: what is gone and new, what the
  /// elements are like, where the keys go, and last of all how carets and selections of texts move: for a screen reader
  /// these would be a focus that it has read already.
  /// - Parameters:
  ///   - old: The tree that was told before.
  ///   - new: The tree.
  ///   - reference: An element as others refer to it.
  /// - Returns: The events.
  static func changes(
    from old: AccessibilityTree, to new: AccessibilityTree, _ reference: (AccessibilityID) -> BusValue
  ) -> [AccessibleEvent] {
    var events = children(of: .application, old.windows, new.windows, reference)
    for id in old.windows where new[id] == nil { events.append(window("Destroy", id, old)) }
    for id in new.windows where old[id] == nil { events.append(window("Create", id, new)) }
    var (lost, gained, moved): ([AccessibleEvent], [AccessibleEvent], [AccessibleEvent]) = ([], [], [])
    /// The lists in which something else is selected.
    var lists: Set<AccessibilityID> = []
    for id in new.nodes.keys.sorted() {
      guard let node = new[id] else { continue }
      let before = old[id]
      if let before {
        events += children(of: id, before.children, node.children, reference)
        events += properties(of: id, before.properties, node.properties)
        // What a text selects no more as it loses the keys is of no interest, and would be read after what has them.
        let hasLostFocus = before.properties.states.subtracting(node.properties.states).contains(.focused)
        if !hasLostFocus { moved += moves(id, before.properties, node.properties) }
        let isItem = new[node.parent]?.properties.selectsItems == true
        // Rows that are out of sight may be selected, too.
        if before.properties.table?.selectedRows != node.properties.table?.selectedRows { lists.insert(id) }
        if isItem, before.properties.states.symmetricDifference(node.properties.states).contains(.selected) {
          lists.insert(node.parent)
        }
      }
      let isWindow = node.parent == .application
      for state in [AccessibilityStates.active, .focused] {
        let (was, isNow) = (before?.properties.states.contains(state) ?? false, node.properties.states.contains(state))
        guard was != isNow else { continue }
        let name = state == .active ? "active" : "focused"
        var told = [self.state(id, name, isNow)]
        if isWindow, state == .active { told.insert(window(isNow ? "Activate" : "Deactivate", id, new), at: 0) }
        if isNow { gained += told } else { lost += told }
      }
    }
    return events + lists.sorted().map { AccessibleEvent(id: $0, name: "SelectionChanged") } + lost + gained + moved
  }

  private static func window(_ name: String, _ id: AccessibilityID, _ tree: AccessibilityTree) -> AccessibleEvent {
    AccessibleEvent(
      id: id, kind: "Window", name: name, value: .string((tree[id]?.properties.label ?? "").withoutZeros))
  }

  private static func children(
    of id: AccessibilityID, _ old: [AccessibilityID], _ new: [AccessibilityID],
    _ reference: (AccessibilityID) -> BusValue
  ) -> [AccessibleEvent] {
    guard old != new else { return [] }
    func event(_ detail: String, _ index: Int, _ child: AccessibilityID) -> AccessibleEvent {
      AccessibleEvent(
        id: id, name: "ChildrenChanged", detail: detail, numbers: (index, 0), value: reference(child))
    }
    let (was, isNow) = (Set(old), Set(new))
    return old.enumerated().filter { !isNow.contains($0.element) }.map { event("remove", $0.offset, $0.element) }
      + new.enumerated().filter { !was.contains($0.element) }.map { event("add", $0.offset, $0.element) }
  }

  private static func properties(
    of id: AccessibilityID, _ old: AccessibilityProperties, _ new: AccessibilityProperties
  ) -> [AccessibleEvent] {
    guard old != new else { return [] }
    var events: [AccessibleEvent] = []
    func changed(_ name: String, _ value: BusValue) {
      events.append(AccessibleEvent(id: id, name: "PropertyChange", detail: name, value: value))
    }
    if old.label != new.label { changed("accessible-name", .string(new.label.withoutZeros)) }
    if old.description != new.description { changed("accessible-description", .string(new.description.withoutZeros)) }
    if old.role != new.role { changed("accessible-role", .uint32(new.role.atspi.number)) }
    let (before, now) = (ATSPIState.all(of: old), ATSPIState.all(of: new))
    for state in ATSPIState.allCases where before.contains(state) != now.contains(state) {
      if state != .active, state != .focused { events.append(self.state(id, state.name, now.contains(state))) }
    }
    if let table = new.table, let was = old.table,
      (was.rowCount, was.columnCount) != (table.rowCount, table.columnCount)
    {
      // Which rows are new is not known of those out of sight.
      events.append(AccessibleEvent(id: id, name: "ModelChanged"))
    }
    if let range = new.range, old.range != range { changed("accessible-value", .double(range.value)) }
    if let text = new.readableText, let was = old.readableText, was != text { events += texts(id, was, text) }
    return events
  }

  /// A text has changed: in one place, between what is the same before and behind it.
  private static func texts(
    _ id: AccessibilityID, _ old: AccessibilityText, _ new: AccessibilityText
  ) -> [AccessibleEvent] {
    var events: [AccessibleEvent] = []
    if old.string != new.string || old.string.utf8.count != new.string.utf8.count {
      let (before, now) = (Array(old.string.unicodeScalars), Array(new.string.unicodeScalars))
      var (start, end) = (0, 0)
      let most = min(before.count, now.count)
      while start < most, before[start] == now[start] { start += 1 }
      // What is selected up to the end has been added: no part of it has been there before.
      let least = new.selection.isEmpty ? 0 : new.selection.upperBound
      while end < min(most - start, now.count - least), before[before.count - 1 - end] == now[now.count - 1 - end] {
        end += 1
      }
      func event(_ detail: String, _ part: ArraySlice<Unicode.Scalar>) {
        guard !part.isEmpty else { return }
        let text = String(String.UnicodeScalarView(part)).withoutZeros
        events.append(
          AccessibleEvent(
            id: id, name: "TextChanged", detail: detail, numbers: (part.startIndex, part.count), value: .string(text)))
      }
      event("delete", before[start..<before.count - end])
      // What a completion adds is told by itself: it is read, while what was typed is not read twice.
      let inserted = start..<now.count - end
      let added = new.selection.isEmpty ? inserted.upperBound : new.selection.lowerBound
      let typed = inserted.clamped(to: start..<max(start, added))
      event("insert", now[typed])
      event("insert", now[typed.upperBound..<inserted.upperBound])
    }
    return events
  }

  /// The caret of a text and its selection have moved.
  private static func moves(
    _ id: AccessibilityID, _ old: AccessibilityProperties, _ new: AccessibilityProperties
  ) -> [AccessibleEvent] {
    guard let old = old.readableText, let new = new.readableText else { return [] }
    var events: [AccessibleEvent] = []
    if old.caret != new.caret {
      events.append(AccessibleEvent(id: id, name: "TextCaretMoved", numbers: (new.caret, 0)))
    }
    if old.selection != new.selection, !(old.selection.isEmpty && new.selection.isEmpty) {
      events.append(AccessibleEvent(id: id, name: "TextSelectionChanged"))
    }
    return events
  }
}
