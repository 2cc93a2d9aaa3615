import FoundationEssentials
import ProsceniumCore

/// How each view of the module describes itself, and what it does for assistive programs.
@MainActor struct ViewDescription {
  private let view: View
  /// The view that has the name and the hint: the one that a list is a part of, or the view itself.
  private let named: View
  private let own: ViewAccessibility?

  init(_ view: View) {
    self.view = view
    named = (view as? ListView)?.namingView ?? view
    own = named.accessibility
  }

  /// What the view is by itself; nil for one that is no element.
  private var ownRole: AccessibilityRole? {
    switch view {
    case is TextView: .textView
    case let view as TextField: view.isSecureTextEntry ? .secureTextField : .textField
    case let view as Label: view.text.isEmpty ? nil : .staticText
    case is ImageView: own?.label == nil ? nil : .image
    case let view as Switch: view.style == .sliding ? .toggleButton : view.style == .radio ? .radioButton : .checkBox
    case is Slider: .slider
    case is Stepper, is NumberField: .stepper
    case is DatePicker: .dateField
    case is PopUpButton: .popUpButton
    case let view as SegmentedControl: view.showsTabs ? .tabList : .group
    case is SwatchGrid: .list
    case is Link: .link
    case is Control: .button
    case is ProgressView: .progressIndicator
    case let view as ActivityIndicator: view.isAnimating || !view.hidesWhenStopped ? .progressIndicator : nil
    case is TableSectionTitle: .heading
    case is ListCell: .listItem
    case is ListView: .list
    case is ScrollView: .scrollArea
    case is MenuBar: .menuBar
    case is MenuView: .menu
    default: nil
    }
  }

  /// All that assistive programs know of the view.
  var properties: AccessibilityProperties {
    var properties = AccessibilityProperties(role: role ?? .group, label: ownLabel)
    if let label = own?.label ?? own?.namingLabel?.text { properties.label = label }
    properties.hint = own?.hint ?? named.toolTip ?? ""
    properties.identifier = own?.identifier ?? ""
    if view.canBecomeFirstResponder { properties.states.insert(.focusable) }
    if hasFocus { properties.states.insert(.focused) }
    describe(&properties)
    if !ViewInput(view).canBeUsed { properties.states.subtract([.enabled, .focusable, .editable]) }
    if let traits = own?.traits {
      if traits.contains(.selected) { properties.states.insert(.selected) }
      if traits.contains(.notEnabled) { properties.states.remove(.enabled) }
    }
    if let value = own?.value { properties.value = value }
    properties.actions = actionNames
    return properties
  }

  /// The text that the view shows, as its name.
  private var ownLabel: String {
    switch view {
    case let view as Link: view.title.isEmpty ? view.url?.absoluteString ?? "" : view.title
    case let view as any Captioned: view.caption.text
    case let view as TextField: view.placeholder
    case let view as ListCell: view.shownTexts.joined(separator: ", ")
    case let view as MenuView: view.window?.title ?? ""
    default: ""
    }
  }

  /// Whether the keys come to the view; those of a list come to its row, if it has one in sight.
  private var hasFocus: Bool {
    switch view {
    case let view as ListView: keysComeToItself(view)
    case let view as ListCell: view.state.isLead
    case let view as SegmentedControl: view.isFirstResponder && view.selectedSegmentIndex == SegmentedControl.noSegment
    case let view as SwatchGrid: view.isFirstResponder && view.selectedIndex == nil
    case is NumberField: (view.window?.firstResponder as? View)?.isDescendant(of: view) ?? false
    // Those of a menu come to its row, if one is highlighted.
    case let view as MenuView: view.isInnermost && view.navigation.highlighted == nil
    default: view.isFirstResponder
    }
  }

  /// Whether the keys of a list come to no row in sight, nor to one whose cell comes into sight with the next frame.
  private func keysComeToItself(_ list: ListView) -> Bool {
    guard list.isFirstResponder, !list.core.accessibleCells.contains(where: { $0.state.isLead }) else { return false }
    guard list.layoutState.isNeeded, let frame = list.core.selection.lead.flatMap(list.core.frame) else { return true }
    return !frame.intersects(list.bounds)
  }

  private func describe(_ properties: inout AccessibilityProperties) {
    switch view {
    case let view as any TextEditor:
      properties.text = view.accessibleText
      if view.acceptsEdits { properties.states.insert(.editable) }
      if view is TextView { properties.states.insert(.multiLine) }
      properties.placeholder = (view as? TextField)?.placeholder ?? ""
    case let view as Switch:
      properties.states.insert(.checkable)
      if view.isIndeterminate {
        properties.states.insert(.indeterminate)
      } else if view.isOn {
        properties.states.insert(.checked)
      }
      if let all = view.group?.switches, let index = all.firstIndex(where: { $0 === view }) {
        properties.position = .init(index: index, count: all.count)
      }
    case let view as Slider:
      properties.range = AccessibilityRange(
        value: view.value, minimum: view.minimumValue, maximum: view.maximumValue, step: view.step ?? 0)
      properties.states.insert(view.axis == .horizontal ? .horizontal : .vertical)
    case let view as Stepper:
      properties.range = AccessibilityRange(
        value: view.value, minimum: view.minimumValue, maximum: view.maximumValue, step: view.stepValue)
    case let view as NumberField:
      properties.range = AccessibilityRange(
        value: view.value, minimum: view.minimumValue, maximum: view.maximumValue, step: view.stepValue)
      properties.text = view.editor.accessibleText
      properties.states.formUnion([.focusable, .editable])
    case let view as ProgressView:
      properties.states.insert(.horizontal)
      if view.isIndeterminate {
        properties.states.insert(.indeterminate)
      } else {
        properties.range = AccessibilityRange(value: view.progress, minimum: 0, maximum: 1)
      }
    case let view as ActivityIndicator:
      properties.states.insert(.indeterminate)
      if view.isAnimating { properties.states.insert(.busy) }
    case let view as PopUpButton:
      properties.text = AccessibilityText(view.selectedItem ?? "")
      properties.states.formUnion([.hasPopUp, .expandable])
      if view.isOpen { properties.states.insert(.expanded) }
    case let view as DatePicker:
      properties.text = AccessibilityText(view.shownText, selection: view.shownSelection)
      // What is edited is read where the selection moves, and all of it where the number changes.
      let limits = (view.minimumDate ?? .distantPast, view.maximumDate ?? .distantFuture)
      properties.range = AccessibilityRange(
        value: view.date.timeIntervalSince1970, minimum: limits.0.timeIntervalSince1970,
        maximum: limits.1.timeIntervalSince1970)
    case let view as ColorWell:
      properties.value = view.selectedColor.map(ColorCode.text) ?? ""
      properties.states.insert(.hasPopUp)
    case let view as Button where view.opensMenu:
      properties.states.formUnion([.hasPopUp, .expandable])
      if view.isOpen { properties.states.insert(.expanded) }
    case let view as Control: if view.isSelected { properties.states.insert(.selected) }
    case let view as ListView:
      if view.core.mode == .multiple { properties.states.insert(.multiselectable) }
      if view is TableView {
        properties.table = AccessibilityTable(
          rowCount: view.core.loadedSections.itemCount, selectedRows: view.core.selection.items)
      }
    case let view as ListCell: view.describeItem(&properties)
    default: break
    }
  }

  // MARK: Actions

  /// Whether a press means something to the view.
  private var hasPress: Bool {
    switch view {
    case is TextField, is Slider, is Stepper, is NumberField, is DatePicker, is SegmentedControl, is SwatchGrid:
      return false
    case is Control: return true
    case let view as ListCell: return view.place != nil
    default: break
    }
    let traits = own?.traits ?? []
    return !traits.isDisjoint(with: [.button, .link, .toggleButton])
      || [.button, .link, .toggleButton, .checkBox, .radioButton, .popUpButton].contains(own?.role)
  }

  private enum ViewAction {
    case press, increment, decrement
    case custom(AccessibilityCustomAction)

    @MainActor var name: String {
      switch self {
      case .press: "press"
      case .increment: "increment"
      case .decrement: "decrement"
      case .custom(let action): action.name
      }
    }
  }

  private var actions: [ViewAction] {
    let isAdjustable = own?.traits?.contains(.adjustable) ?? false
    return (hasPress ? [.press] : []) + (isAdjustable ? [.increment, .decrement] : [])
      + (own?.customActions ?? []).map { .custom($0) }
  }

  private var actionNames: [String] { actions.map(\.name) }

  /// Does what is asked for.
  func perform(_ request: AccessibilityRequest) -> Bool {
    guard request == .scrollToVisible || ViewInput(view).canBeUsed else { return false }
    switch (request, view) {
    case (.scrollToVisible, _):
      view.scrollIntoView()
      return true
    case (.focus, let cell as ListCell): return cell.takeFocus()
    case (.focus, _):
      view.window?.makeKey()
      guard view.becomeFirstResponder() else { return false }
      view.scrollIntoView()
      return true
    case (.setSelected(let isSelected), let cell as ListCell):
      return cell.place.map { $0.list.core.setSelectedByUser($0.item, isSelected) } ?? false
    case (.setRowSelected(let row, let isSelected), let table as TableView):
      return table.core.setSelectedByUser(row, isSelected)
    case (.setValue(let value), let control as Control): return control.setNumber(value)
    case (.selectText, let number as NumberField), (.replaceText, let number as NumberField):
      return ViewDescription(number.editor).perform(request)
    case (.selectText(let range), let editor as any TextEditor): return editor.selectScalars(range)
    case (.replaceText(let range, let text), let editor as any TextEditor):
      guard editor.acceptsEdits, editor.selectScalars(range) else { return false }
      editor.insertForeign(text)
      return true
    case (.action(let index), _):
      let actions = actions
      guard actions.indices.contains(index) else { return false }
      switch actions[index] {
      case .press: return view.accessibilityActivate()
      case .increment: view.accessibilityIncrement()
      case .decrement: view.accessibilityDecrement()
      case .custom(let action): return action.actionHandler()
      }
      return true
    default: return false
    }
  }

  // MARK: Elements

  /// What the view is; nil for one that is no element.
  var role: AccessibilityRole? {
    own?.role ?? own?.traits?.role ?? ownRole
  }

  /// Whether nobody can see it, or is to know of it.
  var isLeftOut: Bool { view.isHidden || view.alpha <= 0.01 || own?.isHidden == true }

  /// The elements of the view and of those in it, as a part of what contains it.
  var elements: [any AccessibilityObject] {
    isLeftOut ? [] : view.isAccessibilityElement ? [view] : view.accessibilityObjects
  }

  /// The elements in the view.
  var elementsWithin: [any AccessibilityObject] {
    if let elements = own?.elements { return elements }
    if let parted = view as? any PartedView { return parted.parts }
    switch view {
    case let view as ListView: return view.core.accessibleCells
    case let view as ListCell:
      return view.subviews.flatMap { ViewDescription($0).elements }.filter { !($0 is Label || $0 is ImageView) }
    default: break
    }
    guard !view.isAccessibilityElement || role?.hasElements == true else { return [] }
    return view.subviews.flatMap { ViewDescription($0).elements }
  }
}

extension Control {
  /// Sets the number of a control as its user would.
  fileprivate func setNumber(_ number: Double) -> Bool {
    guard number.isFinite else { return false }
    func set(_ before: Double, _ change: () -> Void, _ after: () -> Double) {
      change()
      guard after() != before else { return }
      userChangedValue(nil)
      primaryAction(nil)
    }
    switch self {
    case let view as Slider: set(view.value, { view.value = number }, { view.value })
    case let view as Stepper: set(view.value, { view.value = number }, { view.value })
    case let view as NumberField:
      // Nobody has been told of what is being typed.
      view.commit()
      set(view.value, { view.value = number }, { view.value })
    case let view as DatePicker: view.enter(Date(timeIntervalSince1970: number))
    default: return false
    }
    return true
  }
}

extension TextEditor {
  /// The text with its selection; that of a secure field as the dots that it shows.
  fileprivate var accessibleText: AccessibilityText {
    let (storage, selection) = (editing.storage, editing.selection)
    if (self as? TextField)?.isSecureTextEntry == true {
      let range = storage.characters(of: selection.range)
      return AccessibilityText(
        String(repeating: "•", count: storage.characterCount), selection: range,
        caret: storage.characterOffset(of: selection.head))
    }
    let lower = scalars(before: selection.range.lowerBound)
    let range = lower..<lower + storage[selection.range].unicodeScalars.count
    return AccessibilityText(
      storage.text, selection: range, caret: selection.head == selection.range.lowerBound ? lower : range.upperBound,
      wrappedLines: wrappedLines)
  }

  /// Where lines begin that go on with a paragraph, of those in sight; what is being composed is no part of the text.
  private var wrappedLines: [Int] {
    guard let view = self as? TextView, view.input.lines == nil else { return [] }
    let starts = view.wrappedLineStarts
    var (number, before) = (starts.first.map { scalars(before: $0) } ?? 0, starts.first ?? 0)
    return starts.map { start in
      number += editing.storage[before..<start].unicodeScalars.count
      before = start
      return number
    }
  }

  private func scalars(before offset: Int) -> Int { editing.storage[0..<offset].unicodeScalars.count }

  /// Selects a part of the text by numbers of scalars; those outside the text count as its nearest end.
  fileprivate func selectScalars(_ range: Range<Int>) -> Bool {
    let storage = editing.storage
    if (self as? TextField)?.isSecureTextEntry == true {
      let selection = TextSelection(
        anchor: storage.offset(ofCharacter: range.lowerBound), head: storage.offset(ofCharacter: range.upperBound))
      changeAndReveal { $0.select(selection) }
      return true
    }
    let scalars = storage.text.unicodeScalars
    let text = storage.text
    func offset(_ number: Int) -> Int {
      let index = scalars.index(scalars.startIndex, offsetBy: max(0, number), limitedBy: scalars.endIndex)
      return text.utf8.distance(from: text.startIndex, to: index ?? text.endIndex)
    }
    let selection = TextSelection(anchor: offset(range.lowerBound), head: offset(range.upperBound))
    changeAndReveal { $0.select(selection) }
    return true
  }
}

extension AccessibilityRole {
  /// Whether it has elements in it.
  fileprivate var hasElements: Bool {
    switch self {
    case .list, .listItem, .table, .tableCell, .tabList, .tab, .menuBar, .menu, .scrollArea, .group, .window, .dialog:
      true
    default: false
    }
  }
}
